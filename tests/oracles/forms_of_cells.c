/* Tilings of cells (squares, triangles or hexagons), of every form, by plain search written from the definitions.

   Reads puzzles as whole numbers, one puzzle after the other, and answers each before it reads the next:

       grid                    4 squares, 3 triangles, 6 hexagons
       cells, and for each     row column, of what is to be covered
       gaps                    1 if cells may stay free
       pieces, and for each    cells, and for each row column; whether it may be turned, turned over, left over
       most steps most_listed  how many pictures may be kept, placements tried, and arrangements listed

   Rows go down.  Triangles point up where row + column is even.  Hexagons stand on a corner, odd rows are half a cell
   further to the right.  Turned over, a piece has left and right changed.

   A picture is which cells lie together under a piece, and of which pieces one it is: alike are pieces that can look
   the same, if both or none may be left over.  Pictures are counted by a search that knows no single pieces, arrangements by another one that knows
   nothing else; the two must agree. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 64, PIECES = 64, SIZE = 64, PLACES = 20000, TURNS = 6, WAYS = 2 * TURNS, MOVES = 12, LOOKS = WAYS };

typedef unsigned long long Set;

typedef struct {
    int a, b;
} Cell;

typedef struct {
    int size, turn, flip, spare, alike, looks;
    Cell cells[SIZE], look[LOOKS][SIZE];
} Piece;

typedef struct {
    int alike; /* the first piece of those that are alike */
    Set cells;
} Place;

typedef struct {
    int to[CELLS], alike[PIECES], place[PLACES];
} Move;

typedef short Picture[CELLS]; /* the place that covers each cell, or -1 */

static int grid, turns, cells, gaps, number_of_pieces, number_of_places, number_of_moves, most;
static int at_cell[CELLS][PLACES], number_at[CELLS]; /* the places whose first cell it is */
static Cell target[CELLS];
static Piece pieces[PIECES];
static Place places[PLACES];
static Move moves[MOVES];
static long steps;
static Picture *pictures;
static int number_of_pictures;

static int number(void)
{
    int value;
    if (scanf("%d", &value) != 1)
        exit(0);
    return value;
}

/* ---- cells ---- */

/* A point that lies `right` half steps to the right and `down` rows down, along two axes that meet at 60 degrees. */
static Cell slanted(int right, int down)
{
    return (Cell){(right + down) / 2, -down};
}

/* A square: its place.  A hexagon: its centre.  A triangle: the sum of its corners, three times its centre. */
static Cell read_cell(void)
{
    int row = number(), column = number();
    if (grid == 4)
        return (Cell){column, -row};
    if (grid == 6)
        return slanted(2 * column + row % 2, row);
    int up = (row + column) % 2 == 0;
    Cell p = slanted(column + (up ? 0 : 1), row + !up), q = slanted(column - 1, row + up);
    Cell r = slanted(column + 1, row + up);
    return (Cell){p.a + q.a + r.a, p.b + q.b + r.b};
}

/* A cell turned over about the vertical axis if `over`, and then turned by `turns` quarters or sixths. */
static Cell moved(Cell cell, int over, int turn)
{
    if (over)
        cell.a = grid == 4 ? -cell.a : -cell.a - cell.b;
    for (; turn; turn--)
        cell = grid == 4 ? (Cell){-cell.b, cell.a} : (Cell){-cell.b, cell.a + cell.b};
    return cell;
}

/* Whether a shift by that much carries cells to cells. */
static int is_step(int a, int b)
{
    return grid != 3 || (a % 3 == 0 && b % 3 == 0);
}

static int ascending(const void *left, const void *right)
{
    const Cell *p = left, *q = right;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

/* The cells in order, as near to the origin as a shift can bring the first one. */
static void put_in_order(Cell *all, int size)
{
    qsort(all, size, sizeof *all, ascending);
    int unit = grid == 3 ? 3 : 1, a = ((all->a % unit) + unit) % unit - all->a, b = ((all->b % unit) + unit) % unit - all->b;
    for (int i = 0; i < size; i++)
        all[i].a += a, all[i].b += b;
}

static int target_cell(Cell cell)
{
    for (int i = 0; i < cells; i++)
        if (target[i].a == cell.a && target[i].b == cell.b)
            return i;
    return -1;
}

/* ---- pieces and places ---- */

static int has_look(const Piece *piece, const Cell *look, int size)
{
    for (int i = 0; i < piece->looks; i++)
        if (piece->size == size && !memcmp(piece->look[i], look, size * sizeof *look))
            return 1;
    return 0;
}

static void find_looks(Piece *piece)
{
    piece->looks = 0;
    for (int over = 0; over <= piece->flip; over++)
        for (int turn = 0; turn < (piece->turn ? turns : 1); turn++) {
            Cell look[SIZE];
            for (int i = 0; i < piece->size; i++)
                look[i] = moved(piece->cells[i], over, turn);
            put_in_order(look, piece->size);
            if (!has_look(piece, look, piece->size))
                memcpy(piece->look[piece->looks++], look, piece->size * sizeof *look);
        }
}

static int are_alike(const Piece *one, const Piece *other)
{
    if (one->looks != other->looks || one->spare != other->spare)
        return 0;
    for (int i = 0; i < one->looks; i++)
        if (!has_look(other, one->look[i], one->size))
            return 0;
    return 1;
}

static void find_places(int alike)
{
    const Piece *piece = &pieces[alike];
    for (int look = 0; look < piece->looks; look++)
        for (int first = 0; first < cells; first++) {
            int a = target[first].a - piece->look[look][0].a, b = target[first].b - piece->look[look][0].b, fits = is_step(a, b);
            Set covered = 0;
            for (int i = 0; i < piece->size && fits; i++) {
                int at = target_cell((Cell){piece->look[look][i].a + a, piece->look[look][i].b + b});
                fits = at >= 0;
                covered |= fits ? 1ULL << at : 0;
            }
            if (!fits || number_of_places == PLACES)
                continue;
            int least = 0;
            while (!(covered >> least & 1))
                least++;
            at_cell[least][number_at[least]++] = number_of_places;
            places[number_of_places++] = (Place){alike, covered};
        }
}

/* ---- the moves of the target ---- */

/* For each kind of pieces the kind of its images; whether there are as many of these. */
static int find_images(Move *move, int over, int turn)
{
    for (int i = 0; i < number_of_pieces; i++) {
        if (pieces[i].alike != i)
            continue;
        Piece image = {.size = pieces[i].size, .looks = pieces[i].looks, .spare = pieces[i].spare};
        for (int look = 0; look < image.looks; look++) {
            for (int cell = 0; cell < image.size; cell++)
                image.look[look][cell] = moved(pieces[i].look[look][cell], over, turn);
            put_in_order(image.look[look], image.size);
        }
        int other = 0, here = 0, there = 0;
        while (other < number_of_pieces && !are_alike(&pieces[other], &image))
            other++;
        for (int j = 0; j < number_of_pieces; j++) {
            here += pieces[j].alike == i;
            there += pieces[j].alike == other;
        }
        if (other == number_of_pieces || here != there)
            return 0;
        move->alike[i] = other;
    }
    return 1;
}

static int place_of(int alike, Set covered)
{
    for (int i = 0; i < number_of_places; i++)
        if (places[i].alike == alike && places[i].cells == covered)
            return i;
    return -1;
}

static int find_moves(void)
{
    number_of_moves = 0;
    for (int over = 0; over < 2; over++)
        for (int turn = 0; turn < turns; turn++)
            for (int first = 0; first < cells; first++) {
                Move move;
                Cell image = moved(target[0], over, turn);
                int a = target[first].a - image.a, b = target[first].b - image.b, onto = is_step(a, b);
                for (int i = 0; i < cells && onto; i++) {
                    image = moved(target[i], over, turn);
                    move.to[i] = target_cell((Cell){image.a + a, image.b + b});
                    onto = move.to[i] >= 0;
                }
                if (!onto || !find_images(&move, over, turn))
                    continue;
                for (int i = 0; i < number_of_places; i++) {
                    Set covered = 0;
                    for (int cell = 0; cell < cells; cell++)
                        if (places[i].cells >> cell & 1)
                            covered |= 1ULL << move.to[cell];
                    move.place[i] = place_of(move.alike[places[i].alike], covered);
                    if (move.place[i] < 0)
                        return -1;
                }
                moves[number_of_moves++] = move;
            }
    return 0;
}

/* ---- pictures: no single pieces ---- */

typedef struct {
    int left[PIECES], must[PIECES]; /* of each kind, how many pieces are left, and how many must still be used */
    Set covered;
    Picture picture;
    long steps;
} Painting;

enum { DONE, TOO_MUCH };

static int paint(Painting *p, int cell)
{
    while (cell < cells && p->covered >> cell & 1)
        cell++;
    if (cell == cells) {
        for (int i = 0; i < number_of_pieces; i++)
            if (p->must[i] > 0)
                return DONE;
        if (number_of_pictures == most)
            return TOO_MUCH;
        memcpy(pictures[number_of_pictures++], p->picture, sizeof p->picture);
        return DONE;
    }
    for (int k = 0; k < number_at[cell]; k++) {
        int i = at_cell[cell][k], alike = places[i].alike;
        if (!p->left[alike] || places[i].cells & p->covered)
            continue;
        if (--p->steps < 0)
            return TOO_MUCH;
        for (int other = 0; other < cells; other++)
            if (places[i].cells >> other & 1)
                p->picture[other] = i;
        p->covered |= places[i].cells, p->left[alike]--, p->must[alike]--;
        int end = paint(p, cell + 1);
        p->covered &= ~places[i].cells, p->left[alike]++, p->must[alike]++;
        for (int other = 0; other < cells; other++)
            if (places[i].cells >> other & 1)
                p->picture[other] = -1;
        if (end != DONE)
            return end;
    }
    return gaps ? paint(p, cell + 1) : DONE;
}

static int compare(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(Picture));
}

static int number_of_picture(const short *picture)
{
    const void *found = bsearch(picture, pictures, number_of_pictures, sizeof(Picture), compare);
    return found ? (int)((const Picture *)found - (const Picture *)pictures) : -1;
}

/* In how many ways numbered pieces make a picture. */
static double ways_to_make(const short *picture)
{
    double ways = 1;
    int used[PIECES] = {0}, spare[PIECES] = {0}, all[PIECES] = {0};
    for (int cell = 0; cell < cells; cell++) {
        int first = picture[cell] >= 0;
        for (int before = 0; before < cell; before++)
            first &= picture[before] != picture[cell];
        if (first)
            used[places[picture[cell]].alike]++;
    }
    for (int i = 0; i < number_of_pieces; i++)
        all[pieces[i].alike]++, spare[pieces[i].alike] += pieces[i].spare;
    for (int i = 0; i < number_of_pieces; i++) {
        int over = all[i] - used[i]; /* which of the spare pieces are left over, and which place each other one has */
        for (int k = 0; k < over; k++)
            ways = ways * (spare[i] - k) / (k + 1);
        for (int k = 2; k <= used[i]; k++)
            ways *= k;
    }
    return ways;
}

static int find_orbits(int *orbit)
{
    int orbits = 0;
    memset(orbit, -1, number_of_pictures * sizeof(int));
    for (int i = 0; i < number_of_pictures; i++) {
        if (orbit[i] >= 0)
            continue;
        for (int m = 0; m < number_of_moves; m++) {
            Picture image;
            memset(image, -1, sizeof image);
            for (int cell = 0; cell < cells; cell++)
                if (pictures[i][cell] >= 0)
                    image[moves[m].to[cell]] = moves[m].place[pictures[i][cell]];
            int found = number_of_picture(image);
            if (found < 0 || (orbit[found] >= 0 && orbit[found] != orbits))
                return -1;
            orbit[found] = orbits;
        }
        orbits++;
    }
    return orbits;
}

/* ---- arrangements: nothing but single pieces, one after the other ---- */

typedef struct {
    Set covered;
    int place[PIECES]; /* or -1: left over */
    long number, steps;
    const int *orbit;
    char *met;
} Arrangements;

enum { WRONG = 2 };

static int keep_arrangement(Arrangements *a)
{
    Picture picture;
    memset(picture, -1, sizeof picture);
    printf("tiling");
    for (int i = 0; i < number_of_pieces; i++) {
        printf(" %llu", a->place[i] < 0 ? 0 : places[a->place[i]].cells);
        for (int cell = 0; cell < cells && a->place[i] >= 0; cell++)
            if (places[a->place[i]].cells >> cell & 1)
                picture[cell] = a->place[i];
    }
    int found = number_of_picture(picture);
    if (found < 0)
        return WRONG;
    a->met[found] = 1;
    a->number++;
    printf(" %d\n", a->orbit[found]);
    return DONE;
}

static int arrange(Arrangements *a, int piece)
{
    if (piece == number_of_pieces) {
        Set all = cells == CELLS ? ~0ULL : (1ULL << cells) - 1;
        return gaps || a->covered == all ? keep_arrangement(a) : DONE;
    }
    for (int i = -(pieces[piece].spare != 0); i < number_of_places; i++) {
        if (i >= 0 && (places[i].alike != pieces[piece].alike || places[i].cells & a->covered))
            continue;
        if (--a->steps < 0)
            return TOO_MUCH;
        a->place[piece] = i;
        a->covered |= i < 0 ? 0 : places[i].cells;
        int end = arrange(a, piece + 1);
        a->covered &= ~(i < 0 ? 0 : places[i].cells);
        if (end != DONE)
            return end;
    }
    return DONE;
}

/* ---- answers ---- */

static void answer(int most_listed)
{
    int *orbit = malloc((most + 1) * sizeof(int));
    Painting p = {.steps = steps};
    memset(p.picture, -1, sizeof p.picture);
    for (int i = 0; i < number_of_pieces; i++)
        p.left[pieces[i].alike]++, p.must[pieces[i].alike] += !pieces[i].spare;
    pictures = malloc((most + 1) * sizeof *pictures);
    number_of_pictures = 0;
    if (paint(&p, 0) == TOO_MUCH)
        printf("too much\n");
    else {
        qsort(pictures, number_of_pictures, sizeof *pictures, compare);
        int orbits = find_moves() < 0 ? -1 : find_orbits(orbit), met = 0, end = DONE;
        double count = 0;
        for (int i = 0; i < number_of_pictures; i++)
            count += ways_to_make(pictures[i]);
        if (orbits < 0)
            printf("wrong: a move of the target leads out of the pictures\n");
        else if (count <= most_listed) {
            Arrangements a = {.orbit = orbit, .met = calloc(most + 1, 1), .steps = steps};
            end = arrange(&a, 0);
            for (int i = 0; i < number_of_pictures; i++)
                met += a.met[i];
            free(a.met);
            if (end == WRONG || (end == DONE && (met != number_of_pictures || a.number != (long)count)))
                printf("wrong: the two searches differ\n");
        }
        if (end == TOO_MUCH)
            printf("too much\n");
        printf("count %.0f\npicture_count %d\ncanonical_count %d\n", count, number_of_pictures, orbits);
    }
    printf("end\n");
    fflush(stdout);
    free(pictures);
    free(orbit);
}

static void read_pieces(void)
{
    number_of_pieces = number();
    number_of_places = 0;
    memset(number_at, 0, sizeof number_at);
    for (int i = 0; i < number_of_pieces; i++) {
        pieces[i].size = number();
        for (int cell = 0; cell < pieces[i].size; cell++)
            pieces[i].cells[cell] = read_cell();
        pieces[i].turn = number(), pieces[i].flip = number(), pieces[i].spare = number();
        find_looks(&pieces[i]);
        pieces[i].alike = 0;
        while (!are_alike(&pieces[pieces[i].alike], &pieces[i]))
            pieces[i].alike++;
        if (pieces[i].alike == i)
            find_places(i);
    }
}

int main(void)
{
    for (;;) {
        grid = number(), turns = grid == 4 ? 4 : 6;
        cells = number();
        for (int i = 0; i < cells; i++)
            target[i] = read_cell();
        gaps = number();
        read_pieces();
        most = number(), steps = number();
        answer(number());
    }
}
