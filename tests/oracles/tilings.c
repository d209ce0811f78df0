/* Tilings of small dissections on the lattice by plain recursion, written from the definitions.

   Every piece is laid in every way (turned over or not, four quarter turns, all translations) that keeps it within the
   target and off its holes; placements that overlap exclude each other.  Two polygons, convex or not, overlap if an edge
   of one runs through the inside of the other, or they are the same.  All numbers are whole. */

#include <stdlib.h>
#include <string.h>

enum { CORNERS = 16, LAID = 1024, PIECES = 16, MOTIONS = 8, HOLES = 8 };
enum { TOO_MUCH = -1, LEAVES_THE_TILINGS = -2 };

typedef struct {
    int n, x[CORNERS], y[CORNERS];
} Polygon;

typedef struct {
    int pieces, number;
    int holes;
    Polygon target, hole[HOLES], laid[LAID];   /* the different polygons, whichever piece lies there */
    int first[PIECES + 1];        /* where the placements of each piece begin */
    int of[PIECES * LAID];        /* the polygon of each placement */
    char apart[LAID][LAID];       /* 0 unknown, 1 apart, 2 overlapping */
    int choice[PIECES];
    long steps;
    int *found, most, tilings;
} Problem;

static long long side_of(const Polygon *p, int i, long long x, long long y, int scale)
{
    int j = (i + 1) % p->n;
    return (long long)(p->x[j] - p->x[i]) * (y - (long long)scale * p->y[i])
         - (long long)(p->y[j] - p->y[i]) * (x - (long long)scale * p->x[i]);
}

static int is_convex(const Polygon *p)
{
    for (int i = 0; i < p->n; i++) {
        int k = (i + 2) % p->n;
        if (side_of(p, i, p->x[k], p->y[k], 1) < 0)
            return 0;
    }
    return 1;
}

/* Whether a point, in parts of `scale`, lies inside a polygon, by the edges that a ray to the right meets. */
static int is_inside(const Polygon *p, long long x, long long y, int scale)
{
    int inside = 0;
    for (int i = 0; i < p->n; i++) {
        int j = (i + 1) % p->n;
        long long y0 = (long long)scale * p->y[i], y1 = (long long)scale * p->y[j];
        if ((y0 > y) == (y1 > y))
            continue;
        long long side = side_of(p, i, x, y, scale);
        inside ^= y1 > y0 ? side > 0 : side < 0;
    }
    return inside;
}

static int is_on_boundary(const Polygon *p, long long x, long long y, int scale)
{
    for (int i = 0; i < p->n; i++) {
        int j = (i + 1) % p->n;
        long long x0 = (long long)scale * p->x[i] - x, x1 = (long long)scale * p->x[j] - x;
        long long y0 = (long long)scale * p->y[i] - y, y1 = (long long)scale * p->y[j] - y;
        if (x0 * y1 == x1 * y0 && x0 * x1 + y0 * y1 <= 0)
            return 1;
    }
    return 0;
}

/* The same for any polygon: between neighbouring crossings with the lines of its edges, a segment is inside or not. */
static int runs_through_any(const Polygon *p, int ax, int ay, int bx, int by)
{
    long long part[CORNERS + 2] = {0, 1}, of[CORNERS + 2] = {1, 1};
    int cuts = 2;
    for (int i = 0; i < p->n; i++) {
        long long a = side_of(p, i, ax, ay, 1), b = side_of(p, i, bx, by, 1);
        if ((a < 0 && b > 0) || (a > 0 && b < 0))
            part[cuts] = a < 0 ? -a : a, of[cuts++] = a < 0 ? b - a : a - b;
    }
    /* The middle of any two cuts is a point of the segment; those of neighbours are among them. */
    for (int i = 0; i < cuts; i++)
        for (int j = 0; j < i; j++) {
            long long all = 2 * of[i] * of[j], along = part[i] * of[j] + part[j] * of[i];
            long long x = ax * all + (bx - ax) * along, y = ay * all + (by - ay) * along;
            if (along > 0 && along < all && !is_on_boundary(p, x, y, (int)all) && is_inside(p, x, y, (int)all))
                return 1;
        }
    return 0;
}

/* Whether a part of the segment from a to b lies inside a counter-clockwise polygon, not on its boundary. */
static int runs_through(const Polygon *p, int ax, int ay, int bx, int by)
{
    if (!is_convex(p))
        return runs_through_any(p, ax, ay, bx, by);
    long long low = 0, low_of = 1, high = 1, high_of = 1; /* between which parts of the segment it is inside */
    for (int i = 0; i < p->n; i++) {
        long long a = side_of(p, i, ax, ay, 1), slope = side_of(p, i, bx, by, 1) - a;
        if (slope == 0) {
            if (a <= 0)
                return 0;
        } else if (slope > 0) {
            if (-a * low_of > low * slope)
                low = -a, low_of = slope;
        } else if (a * high_of < high * -slope)
            high = a, high_of = -slope;
    }
    return low * high_of < high * low_of;
}

static int crosses(const Polygon *edges, const Polygon *inside)
{
    for (int i = 0; i < edges->n; i++) {
        int j = (i + 1) % edges->n;
        if (runs_through(inside, edges->x[i], edges->y[i], edges->x[j], edges->y[j]))
            return 1;
    }
    return 0;
}

static int same(const Polygon *p, const Polygon *q)
{
    return p->n == q->n && !memcmp(p->x, q->x, p->n * sizeof(int)) && !memcmp(p->y, q->y, p->n * sizeof(int));
}

static int overlap(const Polygon *p, const Polygon *q)
{
    return same(p, q) || crosses(p, q) || crosses(q, p);
}

/* Whether the middle of three corners of a polygon, which lies inside it, lies inside the target. */
static int middle_is_inside(const Polygon *target, const Polygon *p)
{
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < j; k++) {
                long long x = p->x[i] + p->x[j] + p->x[k], y = p->y[i] + p->y[j] + p->y[k];
                if (!is_on_boundary(p, x, y, 3) && is_inside(p, x, y, 3))
                    return is_inside(target, x, y, 3);
            }
    return 0;
}

static int covers_a_hole(const Problem *s, const Polygon *p)
{
    for (int i = 0; i < s->holes; i++)
        if (overlap(&s->hole[i], p))
            return 1;
    return 0;
}

/* Counter-clockwise from the least corner on. */
static void put_in_order(Polygon *p)
{
    Polygon q = *p;
    long long area = 0;
    int least = 0;
    for (int i = 0; i < p->n; i++) {
        int j = (i + 1) % p->n;
        area += (long long)p->x[i] * p->y[j] - (long long)p->x[j] * p->y[i];
        if (p->x[i] < p->x[least] || (p->x[i] == p->x[least] && p->y[i] < p->y[least]))
            least = i;
    }
    for (int i = 0; i < p->n; i++) {
        int from = area > 0 ? (least + i) % p->n : (least - i + p->n) % p->n;
        p->x[i] = q.x[from], p->y[i] = q.y[from];
    }
}

/* One of the eight motions that keep the directions of the lattice. */
static Polygon moved(const Polygon *p, int motion)
{
    Polygon q = {.n = p->n};
    for (int i = 0; i < p->n; i++) {
        int x = motion & 4 ? -p->x[i] : p->x[i], y = p->y[i];
        for (int turn = 0; turn < motion % 4; turn++) {
            int kept = x;
            x = -y, y = kept;
        }
        q.x[i] = x, q.y[i] = y;
    }
    return q;
}

static void bounds(const Polygon *p, int box[4])
{
    box[0] = box[2] = p->x[0], box[1] = box[3] = p->y[0];
    for (int i = 1; i < p->n; i++) {
        box[0] = p->x[i] < box[0] ? p->x[i] : box[0], box[1] = p->y[i] < box[1] ? p->y[i] : box[1];
        box[2] = p->x[i] > box[2] ? p->x[i] : box[2], box[3] = p->y[i] > box[3] ? p->y[i] : box[3];
    }
}

static Polygon shifted(const Polygon *p, int dx, int dy)
{
    Polygon q = *p;
    for (int i = 0; i < q.n; i++)
        q.x[i] += dx, q.y[i] += dy;
    put_in_order(&q);
    return q;
}

static int number_of(const Problem *s, const Polygon *p)
{
    for (int i = 0; i < s->number; i++)
        if (same(&s->laid[i], p))
            return i;
    return -1;
}

/* Every way to lay a piece within the target. */
static int lay(Problem *s, int piece, const Polygon *polygon)
{
    int box[4], around[4], last = s->first[piece];
    bounds(&s->target, around);
    for (int motion = 0; motion < MOTIONS; motion++) {
        Polygon turned = moved(polygon, motion);
        bounds(&turned, box);
        for (int dx = around[0] - box[0]; dx <= around[2] - box[2]; dx++)
            for (int dy = around[1] - box[1]; dy <= around[3] - box[3]; dy++) {
                Polygon p = shifted(&turned, dx, dy);
                if (!middle_is_inside(&s->target, &p) || crosses(&s->target, &p) || covers_a_hole(s, &p))
                    continue;
                int number = number_of(s, &p), known = 0;
                if (number < 0) {
                    if (s->number == LAID)
                        return TOO_MUCH;
                    number = s->number;
                    s->laid[s->number++] = p;
                }
                for (int i = s->first[piece]; i < last; i++)
                    known |= s->of[i] == number;
                if (!known)
                    s->of[last++] = number;
            }
    }
    s->first[piece + 1] = last;
    return 0;
}

static int are_apart(Problem *s, int a, int b)
{
    if (!s->apart[a][b])
        s->apart[a][b] = s->apart[b][a] = overlap(&s->laid[a], &s->laid[b]) ? 2 : 1;
    return s->apart[a][b] == 1;
}

static int extend(Problem *s, int piece)
{
    if (piece == s->pieces) {
        if (s->tilings >= s->most)
            return TOO_MUCH;
        memcpy(s->found + (long)s->tilings++ * s->pieces, s->choice, s->pieces * sizeof(int));
        return 0;
    }
    for (int i = s->first[piece]; i < s->first[piece + 1]; i++) {
        int fits = 1;
        for (int before = 0; before < piece && fits; before++)
            fits = are_apart(s, s->choice[before], s->of[i]);
        if (!fits)
            continue;
        if (--s->steps < 0)
            return TOO_MUCH;
        s->choice[piece] = s->of[i];
        int error = extend(s, piece + 1);
        if (error)
            return error;
    }
    return 0;
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The tiling without the numbers of its pieces, moved by a motion of the target: its polygons in ascending order. */
static int picture(const Problem *s, const int *tiling, int motion, int dx, int dy, int *image)
{
    for (int i = 0; i < s->pieces; i++) {
        Polygon p = moved(&s->laid[tiling[i]], motion);
        p = shifted(&p, dx, dy);
        image[i] = number_of(s, &p);
        if (image[i] < 0)
            return LEAVES_THE_TILINGS;
    }
    qsort(image, s->pieces, sizeof(int), ascending);
    return 0;
}

static int keeps_holes(const Problem *s, int motion, int dx, int dy)
{
    for (int i = 0; i < s->holes; i++) {
        Polygon image = moved(&s->hole[i], motion);
        int found = 0;
        image = shifted(&image, dx, dy);
        for (int j = 0; j < s->holes; j++)
            found |= same(&image, &s->hole[j]);
        if (!found)
            return 0;
    }
    return 1;
}

/* For each tiling the number of its orbit; returns how many there are. */
static int orbits(const Problem *s, int *orbit)
{
    int n = s->pieces, current = 0, box[4], around[4], image[PIECES];
    int *pictures = malloc(((long)s->tilings * n + 1) * sizeof(int));
    for (int i = 0; i < s->tilings; i++) {
        picture(s, s->found + (long)i * n, 0, 0, 0, pictures + (long)i * n);
        orbit[i] = -1;
    }
    bounds(&s->target, around);
    for (int i = 0; i < s->tilings; i++) {
        if (orbit[i] >= 0)
            continue;
        for (int motion = 0; motion < MOTIONS; motion++) {
            Polygon turned = moved(&s->target, motion);
            bounds(&turned, box);
            int dx = around[0] - box[0], dy = around[1] - box[1];
            turned = shifted(&turned, dx, dy);
            if (!same(&turned, &s->target) || !keeps_holes(s, motion, dx, dy))
                continue;
            int met = 0;
            if (picture(s, s->found + (long)i * n, motion, dx, dy, image) == 0)
                for (int j = i; j < s->tilings; j++)
                    if (!memcmp(image, pictures + (long)j * n, n * sizeof(int)))
                        orbit[j] = current, met = 1;
            if (!met) {
                /* What a symmetry makes of a tiling is a tiling, and was found. */
                free(pictures);
                return LEAVES_THE_TILINGS;
            }
        }
        current++;
    }
    free(pictures);
    return current;
}

static const int *read(const int *from, Polygon *p)
{
    p->n = *from++;
    for (int i = 0; i < p->n; i++)
        p->x[i] = *from++, p->y[i] = *from++;
    put_in_order(p);
    return from;
}

/* All tilings by numbered pieces, as numbers of polygons, and their orbits.

   `polygons`: the target, the holes and the pieces, each with its number of corners and their coordinates.  `counts` gets how many
   orbits and different polygons there are; `shapes` the polygons, each as it came in. */
int tilings(int pieces, int holes, const int *polygons, long steps, int most, int *found, int *orbit, int *counts,
            int *shapes)
{
    Problem *s = calloc(1, sizeof(Problem));
    int error = 0;
    s->pieces = pieces, s->holes = holes, s->steps = steps, s->found = found, s->most = most;
    polygons = read(polygons, &s->target);
    for (int hole = 0; hole < holes; hole++)
        polygons = read(polygons, &s->hole[hole]);
    for (int piece = 0; piece < pieces && !error; piece++) {
        Polygon p;
        polygons = read(polygons, &p);
        error = lay(s, piece, &p);
    }
    if (!error)
        error = extend(s, 0);
    if (!error) {
        int number = orbits(s, orbit);
        error = number < 0 ? number : 0;
        counts[0] = number, counts[1] = s->number;
        for (int i = 0; i < s->number; i++) {
            *shapes++ = s->laid[i].n;
            for (int j = 0; j < s->laid[i].n; j++)
                *shapes++ = s->laid[i].x[j], *shapes++ = s->laid[i].y[j];
        }
    }
    int number = s->tilings;
    free(s);
    return error ? error : number;
}
