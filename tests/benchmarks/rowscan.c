/* The reference for nodes per second: a backtracker for square boards by rowscan, in plain C, as good as a hundred
 * lines allow.  Candidate lists per (border pattern, colour below, colour to the left), used pieces skipped in a tight
 * loop, no recursion; every placed piece is a node.
 *
 *   gcc -O3 -march=native -o rowscan rowscan.c
 *   rowscan SIZE COLORS NODES < pieces        four sides a line: up right down left, 0 = border
 *
 * Prints the nodes of each depth, then the user seconds that the search took. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { MAX_SIZE = 32, MAX_PIECES = MAX_SIZE * MAX_SIZE };

typedef struct { uint16_t piece; uint8_t up, right; } candidate;

static candidate *lists;                 /* all lists, each closed by a candidate with piece == pieces */
static uint32_t *tables;                 /* [border pattern][colour below][colour to the left] -> start of a list */
static const uint32_t *table_at[MAX_PIECES];
static uint8_t used[MAX_PIECES + 1];
static uint64_t nodes[MAX_PIECES];

static double user_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_utime.tv_usec * 1e-6;
}

static void prepare(int size, int colors, int pieces, int (*sides)[4]) {
    int width = colors + 1, pattern_size = width * width, filled = 0;
    lists = malloc(sizeof *lists * (16 * 4 * pieces + 16 * pattern_size));
    tables = malloc(sizeof *tables * 16 * pattern_size);
    for (int pattern = 0; pattern < 16; pattern++)
        for (int below = 0; below < width; below++)
            for (int left = 0; left < width; left++) {
                tables[pattern * pattern_size + below * width + left] = filled;
                for (int p = 0; p < pieces; p++)
                    for (int r = 0; r < 4; r++) {
                        int up = sides[p][(4 - r) % 4], right = sides[p][(5 - r) % 4];
                        int down = sides[p][(6 - r) % 4], west = sides[p][(7 - r) % 4];
                        int border = (up == 0) | (right == 0) << 1 | (down == 0) << 2 | (west == 0) << 3;
                        if (border == pattern && down == below && west == left)
                            lists[filled++] = (candidate){p, up, right};
                    }
                lists[filled++] = (candidate){pieces, 0, 0};
            }
    for (int d = 0; d < size * size; d++) {
        int row = d / size, column = d % size;
        int pattern = (row == size - 1) | (column == size - 1) << 1 | (row == 0) << 2 | (column == 0) << 3;
        table_at[d] = tables + pattern * pattern_size;
    }
}

static void search(int size, int colors, int pieces, uint64_t budget) {
    const candidate *next[MAX_PIECES];
    uint16_t placed[MAX_PIECES];
    uint8_t up[MAX_PIECES + MAX_SIZE] = {0}, right[MAX_PIECES + 1] = {0};
    int width = colors + 1, last = size * size - 1, d = 0;
    uint8_t *below = up, *up_of = up + size;      /* below[d] is up_of[d - size] */
    const candidate *c = lists + table_at[0][0];
    for (;;) {
        while (used[c->piece]) c++;
        if (c->piece != pieces) {
            if (!budget--) return;
            nodes[d]++;
            if (d == last) { c++; continue; }
            used[c->piece] = 1;
            placed[d] = c->piece;
            up_of[d] = c->up;
            right[d + 1] = (d + 1) % size ? c->right : 0;
            next[d] = c + 1;
            d++;
            c = lists + table_at[d][below[d] * width + right[d]];
        } else {
            if (!d--) return;
            used[placed[d]] = 0;
            c = next[d];
        }
    }
}

int main(int argc, char **argv) {
    static int sides[MAX_PIECES][4];
    if (argc != 4) return fprintf(stderr, "usage: rowscan SIZE COLORS NODES < pieces\n"), 2;
    int size = atoi(argv[1]), colors = atoi(argv[2]), pieces = 0;
    while (pieces < MAX_PIECES && scanf("%d %d %d %d", sides[pieces], sides[pieces] + 1, sides[pieces] + 2, sides[pieces] + 3) == 4)
        pieces++;
    prepare(size, colors, pieces, sides);
    double start = user_seconds();
    search(size, colors, pieces, strtoull(argv[3], 0, 10));
    double seconds = user_seconds() - start;
    for (int d = 0; d < size * size; d++) printf("%llu%c", (unsigned long long)nodes[d], d + 1 < size * size ? ' ' : '\n');
    printf("%.6f\n", seconds);
    return 0;
}
