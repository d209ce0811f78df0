/* The reference for nodes per second along any order: a backtracker for edge-matching boards in plain C, as good as a
 * hundred lines allow.  Candidate lists per (border pattern, known sides, colours there), used pieces skipped in a
 * tight loop, no recursion; every placed piece is a node.
 *
 *   gcc -O3 -march=native -o any_order any_order.c
 *   any_order < problem
 *
 * The problem is a list of numbers: rows, columns, colours, pieces, nodes, fixed pieces; four sides a piece: up right
 * down left, 0 = border; the squares in order, row by row from 0, fixed ones first; piece and rotation of these.
 * Prints the nodes of each depth behind the fixed pieces, then the user seconds that the search took. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { MAX_PIECES = 1024, MAX_TABLES = 256 };

typedef struct { uint16_t piece; uint8_t sides[4]; } candidate;
typedef struct { const uint32_t *table; uint32_t known; struct { uint16_t depth, side; uint32_t stride; } from[4]; } step;

static candidate *lists;                 /* all lists, each closed by a candidate with piece == pieces */
static uint32_t filled, room;
static uint32_t *tables[MAX_TABLES];     /* [border pattern | known sides << 4] -> [colours there] -> start of a list */
static step steps[MAX_PIECES];
static candidate laid[MAX_PIECES];
static uint8_t used[MAX_PIECES + 1];
static uint64_t nodes[MAX_PIECES];
static int rows, columns, colors, pieces, sides[MAX_PIECES][4];

static double user_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_utime.tv_usec * 1e-6;
}

static candidate turned(int piece, int turns) {
    candidate c = {piece, {0}};
    for (int side = 0; side < 4; side++) c.sides[side] = sides[piece][(side - turns + 4) % 4];
    return c;
}

/* How far a square is turned from another with the same candidates: these come in the same order. */
static int turned_by(int pattern, int known) {
    int best = 0, turns = 0;
    for (int r = 1; r < 4; r++)
        if (((pattern >> r | pattern << (4 - r)) & 15) < ((pattern >> best | pattern << (4 - best)) & 15)) best = r;
    if (pattern) return best;
    for (int side = 0; side < 4; side++)
        if (known >> side & 1 && !(known >> (side + 3) % 4 & 1)) turns = (side + 2) % 4;
    return turns;
}

static int fits(const candidate *c, int pattern, int known, const int *wanted) {
    for (int side = 0; side < 4; side++)
        if ((c->sides[side] == 0) != (pattern >> side & 1) || (known >> side & 1 && c->sides[side] != wanted[side]))
            return 0;
    return 1;
}

static const uint32_t *table_of(int pattern, int known) {
    uint32_t **table = &tables[pattern | known << 4];
    if (*table) return *table;
    int size = 1, width = colors + 1, number = __builtin_popcount(known), turns = turned_by(pattern, known);
    for (int i = 0; i < number; i++) size *= width;
    uint32_t *heads = malloc(sizeof *heads * size), empty = filled;
    for (int key = 0; key < size; key++) heads[key] = empty;
    lists[filled++] = (candidate){pieces, {0}};
    /* Candidates by key: a list ends where the next one begins. */
    for (int p = 0; p < pieces; p++)
        for (int r = 0; r < 4; r++) {
            candidate c = turned(p, (r + turns) % 4);
            int key = 0;
            for (int side = 3; side >= 0; side--) if (known >> side & 1) key = key * width + c.sides[side];
            if (!fits(&c, pattern, 0, 0) || heads[key] != empty) continue;
            heads[key] = filled;
            for (int q = p; q < pieces; q++)
                for (int s = q == p ? r : 0; s < 4; s++) {
                    candidate other = turned(q, (s + turns) % 4);
                    int wanted[4] = {c.sides[0], c.sides[1], c.sides[2], c.sides[3]};
                    if (!fits(&other, pattern, known, wanted)) continue;
                    if (filled + 2 > room) lists = realloc(lists, sizeof *lists * (room *= 2));
                    lists[filled++] = other;
                }
            lists[filled++] = (candidate){pieces, {0}};
        }
    return *table = heads;
}

static void prepare(const int *order, int fixed) {
    int depth_of[MAX_PIECES], steps_by[4] = {-columns, 1, columns, -1};
    for (int d = 0; d < rows * columns; d++) depth_of[order[d]] = d;
    for (int d = fixed; d < rows * columns; d++) {
        int row = order[d] / columns, column = order[d] % columns, known = 0, stride = 1;
        int pattern = (row == 0) | (column == columns - 1) << 1 | (row == rows - 1) << 2 | (column == 0) << 3;
        step *s = &steps[d];
        for (int side = 0; side < 4; side++) {
            int at = pattern >> side & 1 ? d : depth_of[order[d] + steps_by[side]];
            if (at >= d) continue;
            known |= 1 << side;
            s->from[s->known].depth = at, s->from[s->known].side = (side + 2) % 4, s->from[s->known++].stride = stride;
            stride *= colors + 1;
        }
        s->table = table_of(pattern, known);
    }
}

static inline const candidate *first(int d) {
    const step *s = &steps[d];
    uint32_t key = 0;
    for (uint32_t i = 0; i < s->known; i++) key += laid[s->from[i].depth].sides[s->from[i].side] * s->from[i].stride;
    return lists + s->table[key];
}

static void search(int fixed, uint64_t budget) {
    const candidate *next[MAX_PIECES];
    int last = rows * columns - 1, d = fixed;
    const candidate *c = first(d);
    for (;;) {
        while (used[c->piece]) c++;
        if (c->piece != pieces) {
            if (!budget--) return;
            nodes[d]++;
            if (d == last) { c++; continue; }
            used[c->piece] = 1;
            laid[d] = *c;
            next[d] = c + 1;
            c = first(++d);
        } else {
            if (d-- == fixed) return;
            used[laid[d].piece] = 0;
            c = next[d];
        }
    }
}

int main(void) {
    int fixed, order[MAX_PIECES];
    unsigned long long budget;
    if (scanf("%d %d %d %d %llu %d", &rows, &columns, &colors, &pieces, &budget, &fixed) != 6) return 2;
    for (int p = 0; p < pieces; p++) for (int side = 0; side < 4; side++) if (scanf("%d", &sides[p][side]) != 1) return 2;
    for (int d = 0; d < rows * columns; d++) if (scanf("%d", &order[d]) != 1) return 2;
    for (int d = 0; d < fixed; d++) {
        int piece, rotation;
        if (scanf("%d %d", &piece, &rotation) != 2) return 2;
        laid[d] = turned(piece, rotation);
        used[piece] = 1;
    }
    lists = malloc(sizeof *lists * (room = 1 << 22));
    prepare(order, fixed);
    double start = user_seconds();
    search(fixed, budget);
    double seconds = user_seconds() - start;
    for (int d = fixed; d < rows * columns; d++) printf("%llu%c", (unsigned long long)nodes[d], d + 1 < rows * columns ? ' ' : '\n');
    printf("%.6f\n", seconds);
    return 0;
}
