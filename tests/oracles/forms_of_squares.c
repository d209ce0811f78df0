/* Puzzles of square pieces, of every form, by plain search written from the definitions.

   Reads puzzles as whole numbers, one puzzle after the other, and answers each before it reads the next:

       rows columns wrap       wrap: 0 no ends meet, 1 the last column meets the first, 2 the rows do so, too
       rows * columns numbers  1 where there is a square, else 0
       rim                     the colour that outer sides show, or -1 for any
       colours, and which colour fits each of 1, 2, ... that many
       pieces, and for each    up right down left, whether it may be turned, whether it may be turned over
       fixed, and for each     row column piece rotation
       most steps score_steps  how many pictures and arrangements may be kept, and how many placements tried

   Sides are up, right, down, left; 0 is the border side, which fits nothing.  In rotation 4 + r a piece is turned over
   first (left and right change places), then turned clockwise by r quarter turns.

   A picture is what a board shows: on each square four sides, and of which pieces one lies there.  Pieces are alike if
   they may be moved in the same ways and can look the same.  Pictures are counted by a search that knows no single
   pieces, arrangements by another one that knows nothing else; the two must agree. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 16, SQUARES = 64, PIECES = 80, COLORS = 128, ROTATIONS = 8, MOVES = 8 * 4 * LENGTH * LENGTH };

typedef struct {
    int sides[4], turn, flip, alike, fixed;
    int looks, shown[ROTATIONS + 1][4]; /* what it can show, each once */
} Piece;

typedef struct {
    unsigned char alike, sides[4];
} Look;

typedef struct {
    int rotation, to[SQUARES];
} Move;

static int rows, columns, wrap, rim, colors, mates[COLORS], number_of_pieces, squares, number_of_moves;
static int at[LENGTH][LENGTH], row_of[SQUARES], column_of[SQUARES], beside[SQUARES][4];
static int fixed_piece[SQUARES], fixed_rotation[SQUARES];
static Piece pieces[PIECES];
static Move moves[MOVES];
static int most;
static long steps;

static int number(void)
{
    int value;
    if (scanf("%d", &value) != 1)
        exit(0);
    return value;
}

/* ---- the board ---- */

static int square_at(int row, int column)
{
    if (wrap == 2)
        row = (row + rows) % rows;
    if (wrap >= 1)
        column = (column + columns) % columns;
    return row < 0 || row >= rows || column < 0 || column >= columns ? -1 : at[row][column];
}

static void read_board(void)
{
    wrap = number();
    squares = 0;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++) {
            at[row][column] = -1;
            if (number()) {
                row_of[squares] = row, column_of[squares] = column;
                at[row][column] = squares++;
            }
        }
    for (int square = 0; square < squares; square++)
        for (int side = 0; side < 4; side++) {
            int down = side == 2 ? 1 : side == 0 ? -1 : 0, right = side == 1 ? 1 : side == 3 ? -1 : 0;
            beside[square][side] = square_at(row_of[square] + down, column_of[square] + right);
        }
}

static int may_lie(const Piece *piece, int rotation)
{
    return (piece->turn || rotation % 4 == 0) && (piece->flip || rotation < 4);
}

static void turn_sides(const int *sides, int rotation, int *shown)
{
    int over[4] = {sides[0], sides[1], sides[2], sides[3]};
    if (rotation >= 4)
        over[1] = sides[3], over[3] = sides[1];
    for (int side = 0; side < 4; side++)
        shown[side] = over[(side - rotation % 4 + 4) % 4];
}

/* All ways to lay the whole board onto itself in which every piece may be moved. */
static void find_moves(int any_fixed)
{
    number_of_moves = 0;
    for (int rotation = 0; rotation < ROTATIONS; rotation++) {
        int allowed = rotation == 0 || !any_fixed;
        for (int i = 0; i < number_of_pieces; i++)
            allowed &= may_lie(&pieces[i], rotation);
        if (rotation % 2 && (wrap == 1 || (wrap == 2 && rows != columns)))
            allowed = 0;
        for (int down = -2 * LENGTH; allowed && down <= 2 * LENGTH; down++)
            for (int right = -2 * LENGTH; right <= 2 * LENGTH; right++) {
                if ((wrap == 2 && (down < 0 || down >= rows)) || (wrap >= 1 && (right < 0 || right >= columns)))
                    continue; /* the same as another one */
                if (any_fixed && (down || right))
                    continue;
                Move move = {.rotation = rotation};
                int taken[SQUARES] = {0}, onto = 1;
                for (int square = 0; square < squares && onto; square++) {
                    int row = row_of[square], column = rotation >= 4 ? -column_of[square] : column_of[square];
                    for (int turn = 0; turn < rotation % 4; turn++) {
                        int kept = row;
                        row = column, column = -kept;
                    }
                    row += down, column += right;
                    if (wrap == 2)
                        row = (row % rows + rows) % rows;
                    if (wrap >= 1)
                        column = (column % columns + columns) % columns;
                    int there = row < 0 || row >= rows || column < 0 || column >= columns ? -1 : at[row][column];
                    onto = there >= 0 && !taken[there];
                    if (onto)
                        taken[there] = 1, move.to[square] = there;
                }
                if (onto)
                    moves[number_of_moves++] = move;
            }
    }
}

/* ---- what lies where ---- */

static int can_look(const Piece *piece, const int *shown)
{
    int sides[4], ways = 0;
    for (int rotation = 0; rotation < ROTATIONS; rotation++)
        if (may_lie(piece, rotation)) {
            turn_sides(piece->sides, rotation, sides);
            ways += !memcmp(sides, shown, sizeof sides);
        }
    return ways;
}

static void find_looks(Piece *piece)
{
    piece->looks = 0;
    for (int rotation = 0; rotation < ROTATIONS; rotation++) {
        int *shown = piece->shown[piece->looks], known = !may_lie(piece, rotation);
        turn_sides(piece->sides, rotation, shown);
        for (int look = 0; look < piece->looks; look++)
            known |= !memcmp(piece->shown[look], shown, 4 * sizeof *shown);
        piece->looks += !known;
    }
}

static int are_alike(const Piece *a, const Piece *b)
{
    if (a->turn != b->turn || a->flip != b->flip)
        return 0;
    for (int rotation = 0; rotation < ROTATIONS; rotation++) {
        int shown[4];
        turn_sides(a->sides, rotation, shown);
        if (may_lie(a, rotation) && !can_look(b, shown))
            return 0;
        turn_sides(b->sides, rotation, shown);
        if (may_lie(b, rotation) && !can_look(a, shown))
            return 0;
    }
    return 1;
}

/* Whether a square may show these sides at the rim, and no border side within. */
static int keeps_the_rim(int square, const int *shown)
{
    for (int side = 0; side < 4; side++) {
        if (beside[square][side] < 0 && rim >= 0 && shown[side] != rim)
            return 0;
        if (beside[square][side] >= 0 && shown[side] == 0)
            return 0;
    }
    return 1;
}

static int fits(int color, int facing)
{
    return color && facing && mates[color] == facing;
}

/* Whether a join lies between two squares of one stretch of a frame, where it must always be valid. */
static int along_frame(int square, int side)
{
    int there = beside[square][side], left = (side + 3) % 4, right = (side + 1) % 4;
    return rim == 0 && ((beside[square][left] < 0 && beside[there][left] < 0) ||
                        (beside[square][right] < 0 && beside[there][right] < 0));
}

/* How many joins with squares that are filled become invalid; -1 if one may not be. */
static int invalid_joins(const int (*board)[4], const char *filled, int square, const int *shown)
{
    int invalid = 0;
    for (int side = 0; side < 4; side++) {
        int there = beside[square][side];
        if (there < 0 || !filled[there] || fits(shown[side], board[there][(side + 2) % 4]))
            continue;
        if (along_frame(square, side))
            return -1;
        invalid++;
    }
    return invalid;
}

/* ---- pictures: no single pieces ---- */

typedef struct {
    int keep, invalid, left[PIECES], shown[SQUARES][4];
    char filled[SQUARES];
    Look look[SQUARES];
    long steps;
    Look (*kept)[SQUARES];
    int number;
} Pictures;

enum { DONE, TOO_MUCH, FOUND };

static int paint(Pictures *p, int square)
{
    if (square == squares) {
        if (!p->keep)
            return FOUND;
        if (p->number == most)
            return TOO_MUCH;
        memcpy(p->kept[p->number++], p->look, sizeof p->look);
        return DONE;
    }
    for (int i = 0; i < number_of_pieces; i++) {
        int alike = pieces[i].alike, fixed = fixed_piece[square], lies[4];
        if (fixed >= 0 ? i != fixed : alike != i || !p->left[alike])
            continue;
        if (fixed >= 0)
            turn_sides(pieces[i].sides, fixed_rotation[square], lies);
        for (int look = 0; look < (fixed >= 0 ? 1 : pieces[i].looks); look++) {
            const int *shown = fixed >= 0 ? lies : pieces[i].shown[look];
            if (!keeps_the_rim(square, shown))
                continue;
            int invalid = invalid_joins(p->shown, p->filled, square, shown);
            if (invalid < 0 || invalid > p->invalid)
                continue;
            if (--p->steps < 0)
                return TOO_MUCH;
            memcpy(p->shown[square], shown, 4 * sizeof *shown);
            p->look[square].alike = alike;
            for (int side = 0; side < 4; side++)
                p->look[square].sides[side] = shown[side];
            p->filled[square] = 1, p->invalid -= invalid, p->left[alike] -= fixed < 0;
            int end = paint(p, square + 1);
            p->filled[square] = 0, p->invalid += invalid, p->left[alike] += fixed < 0;
            if (end != DONE)
                return end;
        }
    }
    return DONE;
}

static int paint_all(Pictures *p)
{
    memset(p->left, 0, sizeof p->left);
    memset(p->filled, 0, sizeof p->filled);
    memset(p->look, 0, sizeof p->look);
    for (int i = 0; i < number_of_pieces; i++)
        p->left[pieces[i].alike] += !pieces[i].fixed;
    return paint(p, 0);
}

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, SQUARES * sizeof(Look));
}

static int number_of_picture(const Pictures *p, const Look *picture)
{
    const void *found = bsearch(picture, p->kept, p->number, sizeof *p->kept, compare);
    return found ? (int)((const Look(*)[SQUARES])found - (const Look(*)[SQUARES])p->kept) : -1;
}

/* In how many ways numbered pieces make a picture. */
static double ways_to_make(const Look *picture)
{
    int left[PIECES] = {0};
    double ways = 1;
    for (int i = 0; i < number_of_pieces; i++)
        left[pieces[i].alike] += !pieces[i].fixed;
    for (int square = 0; square < squares; square++)
        if (fixed_piece[square] < 0) {
            int shown[4];
            for (int side = 0; side < 4; side++)
                shown[side] = picture[square].sides[side];
            ways *= can_look(&pieces[picture[square].alike], shown) * left[picture[square].alike]--;
        }
    return ways;
}

/* The number of the orbit of each picture under the moves of the board; how many there are, or -1. */
static int find_orbits(const Pictures *p, int *orbit)
{
    int orbits = 0;
    memset(orbit, -1, p->number * sizeof(int));
    for (int i = 0; i < p->number; i++) {
        if (orbit[i] >= 0)
            continue;
        for (int m = 0; m < number_of_moves; m++) {
            Look image[SQUARES];
            memset(image, 0, sizeof image);
            for (int square = 0; square < squares; square++) {
                int sides[4], shown[4], there = moves[m].to[square];
                for (int side = 0; side < 4; side++)
                    sides[side] = p->kept[i][square].sides[side];
                turn_sides(sides, moves[m].rotation, shown);
                image[there].alike = p->kept[i][square].alike;
                for (int side = 0; side < 4; side++)
                    image[there].sides[side] = shown[side];
            }
            int found = number_of_picture(p, image);
            if (found < 0 || (orbit[found] >= 0 && orbit[found] != orbits))
                return -1;
            orbit[found] = orbits;
        }
        orbits++;
    }
    return orbits;
}

/* ---- arrangements: nothing but single pieces ---- */

typedef struct {
    int shown[SQUARES][4], piece[SQUARES], rotation[SQUARES], used[PIECES];
    char filled[SQUARES];
    long number;
    const Pictures *pictures;
    const int *orbit;
    char *met;
    long steps;
} Arrangements;

static int keep_arrangement(Arrangements *a)
{
    Look picture[SQUARES];
    memset(picture, 0, sizeof picture);
    printf("board");
    for (int square = 0; square < squares; square++) {
        picture[square].alike = pieces[a->piece[square]].alike;
        for (int side = 0; side < 4; side++)
            picture[square].sides[side] = a->shown[square][side];
        printf(" %d %d", a->piece[square], a->rotation[square]);
    }
    int found = number_of_picture(a->pictures, picture);
    if (found < 0)
        return -1;
    a->met[found] = 1;
    a->number++;
    printf(" %d\n", a->orbit[found]);
    return 0;
}

static int arrange(Arrangements *a, int square)
{
    if (square == squares)
        return keep_arrangement(a);
    for (int i = 0; i < number_of_pieces; i++)
        for (int rotation = 0; rotation < ROTATIONS; rotation++) {
            int shown[4];
            if (a->used[i] || !may_lie(&pieces[i], rotation) || (fixed_piece[square] < 0 && pieces[i].fixed))
                continue;
            if (fixed_piece[square] >= 0 && (i != fixed_piece[square] || rotation != fixed_rotation[square]))
                continue;
            if (--a->steps < 0)
                return TOO_MUCH;
            turn_sides(pieces[i].sides, rotation, shown);
            if (!keeps_the_rim(square, shown) || invalid_joins(a->shown, a->filled, square, shown))
                continue;
            memcpy(a->shown[square], shown, sizeof shown);
            a->filled[square] = 1, a->used[i] = 1, a->piece[square] = i, a->rotation[square] = rotation;
            int error = arrange(a, square + 1);
            a->filled[square] = 0, a->used[i] = 0;
            if (error)
                return error;
        }
    return 0;
}

/* ---- answers ---- */

static int joins(void)
{
    int twice = 0;
    for (int square = 0; square < squares; square++)
        for (int side = 0; side < 4; side++)
            twice += beside[square][side] >= 0;
    return twice / 2;
}

/* The most valid joins of a full board: -1 without one, -2 if that takes too long. */
static int best_score(long score_steps)
{
    Pictures p = {.keep = 0, .steps = score_steps};
    for (int invalid = 0; invalid <= joins(); invalid++) {
        p.invalid = invalid;
        int end = paint_all(&p);
        if (end != DONE)
            return end == FOUND ? joins() - invalid : -2;
    }
    return -1;
}

static void answer(long score_steps)
{
    Pictures p = {.keep = 1, .steps = steps, .kept = malloc((most + 1) * sizeof *p.kept)};
    int *orbit = malloc((most + 1) * sizeof(int));
    if (paint_all(&p) == TOO_MUCH)
        printf("too much\n");
    else {
        qsort(p.kept, p.number, sizeof *p.kept, compare);
        int orbits = find_orbits(&p, orbit), met = 0;
        double count = 0;
        for (int i = 0; i < p.number; i++)
            count += ways_to_make(p.kept[i]);
        if (count <= most) {
            Arrangements a = {.pictures = &p, .orbit = orbit, .met = calloc(most + 1, 1), .steps = steps};
            int error = arrange(&a, 0);
            for (int i = 0; i < p.number; i++)
                met += a.met[i];
            free(a.met);
            /* Few arrangements may still take many steps: then they are not listed completely. */
            if (error != TOO_MUCH && (error || met != p.number || a.number != (long)count))
                printf("wrong: the two searches differ\n");
        }
        if (orbits < 0)
            printf("wrong: a move of the board leads out of the pictures\n");
        printf("count %.0f\npicture_count %d\ncanonical_count %d\n", count, p.number, orbits);
        printf("joins %d\nbest %d\n", joins(), best_score(score_steps));
    }
    printf("end\n");
    fflush(stdout);
    free(p.kept);
    free(orbit);
}

static void read_pieces(void)
{
    colors = number();
    for (int color = 1; color <= colors; color++)
        mates[color] = number();
    number_of_pieces = number();
    for (int i = 0; i < number_of_pieces; i++) {
        for (int side = 0; side < 4; side++)
            pieces[i].sides[side] = number();
        pieces[i].turn = number(), pieces[i].flip = number(), pieces[i].fixed = 0;
    }
    for (int i = 0; i < number_of_pieces; i++) {
        find_looks(&pieces[i]);
        pieces[i].alike = 0;
        while (!are_alike(&pieces[pieces[i].alike], &pieces[i]))
            pieces[i].alike++;
    }
}

int main(void)
{
    for (;;) {
        rows = number(), columns = number();
        read_board();
        rim = number();
        read_pieces();
        memset(fixed_piece, -1, sizeof fixed_piece);
        int fixed = number();
        for (int i = 0; i < fixed; i++) {
            int row = number(), column = number();
            fixed_piece[at[row][column]] = number();
            fixed_rotation[at[row][column]] = number();
            pieces[fixed_piece[at[row][column]]].fixed = 1;
        }
        most = number(), steps = number();
        find_moves(fixed > 0);
        answer(number());
    }
}
