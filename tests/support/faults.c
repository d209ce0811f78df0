/* Loaded before the C library: the n-th operation on files under a folder fails, or ends the process.

   fault_arm(folder, n, kind, log) starts to count.  Operations are: write, pwrite, fsync, fdatasync, ftruncate, rename,
   link, unlink, and open with O_CREAT.  All operations that took place are written to `log`, if it is not -1. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NONE, INPUT_OUTPUT, NO_SPACE, FULL, SHORT, KILL, KILL_SHORT };

static char under[4096];
static long at, seen, hit;
static int kind, log_to = -1;

void fault_arm(const char *folder, long n, int which, int log)
{
    strncpy(under, folder, sizeof under - 1);
    at = n, kind = which, log_to = log, seen = hit = 0;
}

long fault_seen(void) { return seen; }
long fault_hit(void) { return hit; }

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int inside(const char *path)
{
    size_t length = strlen(under);
    return length && path && !strncmp(path, under, length);
}

static const char *path_of(int fd)
{
    static __thread char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return NULL;
    path[length] = 0;
    return path;
}

static void note(char what, const char *path, const char *other, long offset, const void *data, long size)
{
    if (log_to < 0)
        return;
    dprintf(log_to, "%c\t%s\t%s\t%ld\t%ld\n", what, path, other, offset, size);
    if (data)
        REAL(write)(log_to, data, size);
}

/* 0: go on; 1: fail with errno; 2: write half. */
static int fault(int writes)
{
    seen++;
    /* On a full disk all operations that need space fail; otherwise only one operation fails. */
    int full = kind == FULL || kind == SHORT;
    if (!at || (full ? !writes || seen < at : seen != at))
        return 0;
    hit++;
    switch (kind) {
    case INPUT_OUTPUT: errno = EIO; return 1;
    case NO_SPACE: errno = ENOSPC; return 1;
    case FULL: errno = ENOSPC; return 1;
    case SHORT: errno = ENOSPC; return hit == 1 && writes == 2 ? 2 : 1;
    case KILL: kill(getpid(), SIGKILL); return 1;
    case KILL_SHORT: return writes == 2 ? 3 : (kill(getpid(), SIGKILL), 1);
    }
    return 0;
}

static ssize_t half(int fd, const void *data, size_t size, off_t offset, int result)
{
    ssize_t done = offset < 0 ? REAL(write)(fd, data, size / 2) : REAL(pwrite)(fd, data, size / 2, offset);
    if (result == 3)
        kill(getpid(), SIGKILL);
    return done;
}

static ssize_t written(int fd, const void *data, size_t size, off_t offset)
{
    const char *path = path_of(fd);
    if (inside(path)) {
        long place = offset;
        if (offset < 0)
            place = lseek(fd, 0, fcntl(fd, F_GETFL) & O_APPEND ? SEEK_END : SEEK_CUR);
        int result = fault(2);
        if (result == 1)
            return -1;
        if (result)
            return half(fd, data, size, offset, result);
        ssize_t done = offset < 0 ? REAL(write)(fd, data, size) : REAL(pwrite)(fd, data, size, offset);
        if (done > 0)
            note('W', path, "", place, data, done);
        return done;
    }
    return offset < 0 ? REAL(write)(fd, data, size) : REAL(pwrite)(fd, data, size, offset);
}

ssize_t write(int fd, const void *data, size_t size) { return written(fd, data, size, -1); }
ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) { return written(fd, data, size, offset); }
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset) { return written(fd, data, size, offset); }

#define SYNC(name)                                            \
    int name(int fd)                                          \
    {                                                         \
        const char *path = path_of(fd);                       \
        if (inside(path)) {                                   \
            if (fault(0) == 1)                                \
                return -1;                                    \
            note('S', path, "", 0, NULL, 0);                  \
        }                                                     \
        return REAL(name)(fd);                                \
    }
SYNC(fsync)
SYNC(fdatasync)

#define TRUNCATE(name, type)                                  \
    int name(int fd, type size)                               \
    {                                                         \
        const char *path = path_of(fd);                       \
        if (inside(path)) {                                   \
            if (fault(0) == 1)                                \
                return -1;                                    \
            note('T', path, "", size, NULL, 0);               \
        }                                                     \
        return REAL(name)(fd, size);                          \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define TWO(name, letter)                                     \
    int name(const char *from, const char *to)                \
    {                                                         \
        if (inside(from) || inside(to)) {                     \
            if (fault(1) == 1)                                \
                return -1;                                    \
            note(letter, from, to, 0, NULL, 0);               \
        }                                                     \
        return REAL(name)(from, to);                          \
    }
TWO(rename, 'R')
TWO(link, 'L')

int unlink(const char *path)
{
    if (inside(path)) {
        if (fault(0) == 1)
            return -1;
        note('U', path, "", 0, NULL, 0);
    }
    return REAL(unlink)(path);
}

#define OPEN(name)                                                              \
    int name(const char *path, int flags, ...)                                  \
    {                                                                           \
        va_list rest;                                                           \
        va_start(rest, flags);                                                  \
        mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                                           \
        if ((flags & O_CREAT) && inside(path) && access(path, F_OK)) {          \
            if (fault(1) == 1)                                                  \
                return -1;                                                      \
            note('C', path, "", 0, NULL, 0);                                    \
        }                                                                       \
        else if ((flags & O_TRUNC) && inside(path)) {                           \
            if (fault(0) == 1)                                                  \
                return -1;                                                      \
            note('T', path, "", 0, NULL, 0);                                    \
        }                                                                       \
        return REAL(name)(path, flags, mode);                                   \
    }
OPEN(open)
OPEN(open64)
