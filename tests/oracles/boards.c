/* Boards of small puzzles by plain search, written from the definitions: solutions, orbits, the least invalid joins.

   A placement is 4 * piece + rotation.  After rotation r, side i of a square shows side (i - r) mod 4 of the piece.
   Sides are up, right, down, left; 0 is the border.  The arrays come from `in_c.py`; nothing is kept between calls. */

#include <stdlib.h>
#include <string.h>

enum { SQUARES = 64, PIECES = 80 };
enum { TOO_MUCH = -1, LEAVES_THE_SOLUTIONS = -2, NO_BOARD = -3 };

typedef struct {
    int rows, columns, opposite, pieces;
    const int *sides;   /* four for each piece */
    const int *pinned;  /* for each square: the placement that is fixed there, or -1 */
} Puzzle;

typedef struct {
    const Puzzle *puzzle;
    const int *order;           /* the squares in order */
    const int *allowed;         /* how many inner joins may be invalid after 1, 2, ... pieces; then, along the frame */
    int here[SQUARES];          /* the placement on each square, or -1 */
    int used[PIECES], pinned_piece[PIECES];
    long steps;
    long *nodes;                /* how many fillings of the first 1, 2, ... squares there are, or NULL */
    int *found, most, number;   /* the full boards, or NULL */
    int least;                  /* the fewest invalid joins of a full board so far, if only that is wanted */
} Search;

static int shown(const Puzzle *p, int placement, int side)
{
    return p->sides[4 * (placement / 4) + (side - placement % 4 + 4) % 4];
}

/* The square beside another one, or -1 if that side is at the border. */
static int beside(const Puzzle *p, int square, int side)
{
    int row = square / p->columns, column = square % p->columns;
    row += side == 2 ? 1 : side == 0 ? -1 : 0;
    column += side == 1 ? 1 : side == 3 ? -1 : 0;
    return row < 0 || row >= p->rows || column < 0 || column >= p->columns ? -1 : row * p->columns + column;
}

/* Whether the join beyond a side of a square runs along the frame: between two squares of one outer row or column. */
static int along_frame(const Puzzle *p, int square, int side)
{
    int row = square / p->columns, column = square % p->columns;
    if (side % 2)
        return row == 0 || row == p->rows - 1;
    return column == 0 || column == p->columns - 1;
}

/* Adds the invalid joins that a placement makes with what lies there to the inner ones and to those along the frame;
   returns whether it can lie there at all. */
static int add_invalid(const Search *s, int square, int placement, int invalid[2])
{
    const Puzzle *p = s->puzzle;
    for (int side = 0; side < 4; side++) {
        int color = shown(p, placement, side), there = beside(p, square, side);
        if ((color == 0) != (there < 0))
            return 0;
        if (there < 0 || s->here[there] < 0)
            continue;
        int facing = shown(p, s->here[there], (side + 2) % 4);
        if (p->opposite ? color + facing != 0 : color != facing)
            invalid[along_frame(p, square, side)]++;
    }
    return 1;
}

static int keep(Search *s)
{
    int squares = s->puzzle->rows * s->puzzle->columns;
    if (s->number >= s->most)
        return TOO_MUCH;
    memcpy(s->found + (long)s->number * squares, s->here, squares * sizeof(int));
    s->number++;
    return 0;
}

static int extend(Search *s, int depth, const int invalid[2])
{
    const Puzzle *p = s->puzzle;
    int squares = p->rows * p->columns;
    if (depth == squares) {
        if (s->found)
            return keep(s);
        if (invalid[0] + invalid[1] < s->least)
            s->least = invalid[0] + invalid[1];
        return 0;
    }
    int square = s->order[depth], pinned = p->pinned[square];
    for (int placement = 0; placement < 4 * p->pieces; placement++) {
        int piece = placement / 4;
        if (s->used[piece] || (pinned >= 0 ? placement != pinned : s->pinned_piece[piece]))
            continue;
        int now[2] = {invalid[0], invalid[1]};
        if (!add_invalid(s, square, placement, now) || now[0] > s->allowed[depth] ||
            now[1] > s->allowed[squares + depth] || (!s->found && now[0] + now[1] >= s->least))
            continue;
        if (--s->steps < 0)
            return TOO_MUCH;
        if (s->nodes)
            s->nodes[depth]++;
        s->here[square] = placement;
        s->used[piece] = 1;
        int error = extend(s, depth + 1, now);
        s->here[square] = -1;
        s->used[piece] = 0;
        if (error)
            return error;
    }
    return 0;
}

static void begin(Search *s, const Puzzle *p)
{
    memset(s->here, -1, sizeof s->here);
    for (int square = 0; square < p->rows * p->columns; square++)
        if (p->pinned[square] >= 0)
            s->pinned_piece[p->pinned[square] / 4] = 1;
}

/* All full boards that are allowed, and the fillings at each depth; returns how many boards, or TOO_MUCH. */
int boards(const int *head, const int *sides, const int *pinned, const int *order, const int *allowed, long steps,
           int most, int *found, long *nodes)
{
    Puzzle p = {head[0], head[1], head[2], head[3], sides, pinned};
    Search s = {.puzzle = &p, .order = order, .allowed = allowed, .steps = steps, .nodes = nodes, .found = found,
                .most = most};
    begin(&s, &p);
    int error = extend(&s, 0, (int[2]){0, 0});
    return error ? error : s.number;
}

/* The fewest invalid joins of a full board that is allowed; NO_BOARD or TOO_MUCH. */
int least_invalid(const int *head, const int *sides, const int *pinned, const int *order, const int *allowed,
                  long steps)
{
    Puzzle p = {head[0], head[1], head[2], head[3], sides, pinned};
    Search s = {.puzzle = &p, .order = order, .allowed = allowed, .steps = steps, .least = 1 << 30};
    begin(&s, &p);
    int error = extend(&s, 0, (int[2]){0, 0});
    return error ? error : s.least == 1 << 30 ? NO_BOARD : s.least;
}

typedef struct {
    const int *all;
    const int *sorted; /* numbers of boards, in ascending order of the boards */
    int number, squares;
} Solutions;

static Solutions *sorting; /* qsort has no other way to say where the boards are */

static int compare(const void *a, const void *b)
{
    size_t size = sorting->squares * sizeof(int);
    return memcmp(sorting->all + (long)*(const int *)a * sorting->squares,
                  sorting->all + (long)*(const int *)b * sorting->squares, size);
}

static int number_of(const Solutions *s, const int *board)
{
    int low = 0, high = s->number - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        int order = memcmp(board, s->all + (long)s->sorted[middle] * s->squares, s->squares * sizeof(int));
        if (order == 0)
            return s->sorted[middle];
        if (order < 0)
            high = middle - 1;
        else
            low = middle + 1;
    }
    return -1;
}

/* The board turned by a quarter if it is square, by a half if not. */
static void turned(const Puzzle *p, const int *board, int *image)
{
    for (int row = 0; row < p->rows; row++)
        for (int column = 0; column < p->columns; column++) {
            int placement = board[row * p->columns + column], quarter = p->rows == p->columns;
            int to = quarter ? column * p->columns + (p->rows - 1 - row)
                             : (p->rows - 1 - row) * p->columns + (p->columns - 1 - column);
            image[to] = placement - placement % 4 + (placement % 4 + (quarter ? 1 : 2)) % 4;
        }
}

/* Whether piece b, turned, looks as piece a does. */
static int alike(const Puzzle *p, int a, int b, int turn)
{
    for (int side = 0; side < 4; side++)
        if (shown(p, 4 * b + turn, side) != p->sides[4 * a + side])
            return 0;
    return 1;
}

/* Piece a lies where b lay and b where a lay, each so that the place looks as before. */
static void exchanged(const int *board, int squares, int a, int b, int turn, int *image)
{
    for (int square = 0; square < squares; square++) {
        int piece = board[square] / 4, rotation = board[square] % 4;
        if (piece == a) /* b looks the same there when it is turned further */
            image[square] = 4 * b + (rotation + turn) % 4;
        else if (piece == b)
            image[square] = 4 * a + (rotation - turn + 4) % 4;
        else
            image[square] = board[square];
    }
}

typedef struct {
    const Solutions *solutions;
    int *orbit, *stack, height, current;
} Orbits;

static int reach(Orbits *o, const int *image)
{
    int number = number_of(o->solutions, image);
    if (number < 0)
        return LEAVES_THE_SOLUTIONS;
    if (o->orbit[number] < 0) {
        o->orbit[number] = o->current;
        o->stack[o->height++] = number;
    }
    return 0;
}

/* Every board that one step of a symmetry makes of another one. */
static int neighbours(const Puzzle *p, Orbits *o, const int *board, int turns, const int *pinned_piece)
{
    int squares = p->rows * p->columns, image[SQUARES], error = 0;
    if (turns) {
        turned(p, board, image);
        error = reach(o, image);
    }
    for (int a = 0; a < p->pieces && !error; a++)
        for (int b = a; b < p->pieces && !error; b++)
            for (int turn = 0; turn < 4 && !error; turn++) {
                if (pinned_piece[a] || pinned_piece[b] || !alike(p, a, b, turn) || (a == b && turn == 0))
                    continue;
                exchanged(board, squares, a, b, turn, image);
                error = reach(o, image);
            }
    return error;
}

/* For each solution the number of its orbit; returns how many there are.  `turns`: the board may be turned. */
int orbits(const int *head, const int *sides, const int *pinned, int turns, int number, const int *all, int *orbit)
{
    Puzzle p = {head[0], head[1], head[2], head[3], sides, pinned};
    int *sorted = malloc((number + 1) * sizeof(int)), *stack = malloc((number + 1) * sizeof(int));
    int pinned_piece[PIECES] = {0}, result = 0;
    Solutions s = {all, sorted, number, p.rows * p.columns};
    Orbits o = {&s, orbit, stack, 0, 0};
    for (int square = 0; square < s.squares; square++)
        if (pinned[square] >= 0)
            pinned_piece[pinned[square] / 4] = 1;
    for (int i = 0; i < number; i++) {
        sorted[i] = i;
        orbit[i] = -1;
    }
    sorting = &s;
    qsort(sorted, number, sizeof(int), compare);
    for (int i = 0; i < number && result >= 0; i++) {
        if (orbit[i] >= 0)
            continue;
        orbit[i] = o.current;
        stack[o.height++] = i;
        while (o.height && result >= 0) {
            int next = stack[--o.height];
            result = neighbours(&p, &o, all + (long)next * s.squares, turns, pinned_piece);
        }
        o.current++;
    }
    free(sorted);
    free(stack);
    return result < 0 ? result : o.current;
}
