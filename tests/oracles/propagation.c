/* Unit propagation over constraints "at least N of these literals are true".
 *
 * The literal of the variable v is 2 v, that of its negation 2 v + 1.  A *level* is what follows from an assumption and
 * those before it; level 0 is what follows from none.  Levels that a call has in common with the one before are kept:
 * they are always what the constraints that are there imply, neither more nor less.
 *
 * Of a clause ("at least one") the first two literals are watched: it is looked at only if one of these becomes false.
 * If one is false, so is no other literal that became so later, unless the other watched one is true.  Of any other
 * constraint the false literals are counted. */

#include <stdlib.h>
#include <string.h>

typedef struct { int needed, size, deleted, false_now, uses; int *literals; } constraint;
typedef struct { int size, room, *members; } list;

static int variables, constraints, room;
static constraint *all;
static list *holders;               /* for each literal the constraints that contain it, other than clauses */
static list *watchers;              /* for each literal the clauses that watch it */
static list forced;                 /* the constraints all of whose literals must be true whatever is assumed */
static unsigned char *value;        /* 1 for a literal that is true */
static int *trail, *reason, *place; /* the true literals, the constraint by which each is (or -1), where each is */
static int size, done;              /* how many there are, and how many have been propagated */
static int *assumed, *begin, depth; /* the assumptions, and where the level of each begins */
static int hopeless;                /* whether level 0 is a contradiction */

static void put(list *in, int member)
{
    if (in->size == in->room) {
        in->room = 2 * in->room + 4;
        in->members = realloc(in->members, in->room * sizeof(int));
    }
    in->members[in->size++] = member;
}

static void take(list *from, int member)
{
    for (int i = from->size - 1; i >= 0; i--)
        if (from->members[i] == member) {
            memmove(from->members + i, from->members + i + 1, (--from->size - i) * sizeof(int));
            return;
        }
}

static void assign(int literal, int why)
{
    value[literal] = 1;
    place[literal >> 1] = size;
    reason[size] = why;
    trail[size++] = literal;
    if (why >= 0)
        all[why].uses++;
}

static void undo(int first)
{
    while (size > first) {
        int literal = trail[--size];
        value[literal] = 0;
        if (reason[size] >= 0)
            all[reason[size]].uses--;
        if (size < done)
            for (int k = 0; k < holders[literal ^ 1].size; k++)
                all[holders[literal ^ 1].members[k]].false_now--;
    }
    if (done > size)
        done = size;
}

static void leave(void) { undo(begin[--depth]); }

/* The other literals of a constraint whose slack is used up are true. */
static void imply(int number)
{
    constraint *one = all + number;
    for (int i = 0; i < one->size; i++)
        if (!value[one->literals[i]] && !value[one->literals[i] ^ 1])
            assign(one->literals[i], number);
}

/* Look at the clauses that watch a literal that has become false; whether none of them is false. */
static int watched(int literal)
{
    list *with = watchers + literal;
    for (int k = 0; k < with->size; k++) {
        int number = with->members[k], *own = all[number].literals, i = 2;
        if (own[0] == literal)
            own[0] = own[1], own[1] = literal;
        if (value[own[0]])
            continue;
        while (i < all[number].size && value[own[i] ^ 1])
            i++;
        if (i < all[number].size) {
            own[1] = own[i], own[i] = literal;
            put(watchers + own[1], number);
            with->members[k--] = with->members[--with->size];
        } else if (value[own[0] ^ 1])
            return 0;
        else
            assign(own[0], number);
    }
    return 1;
}

static int fixpoint(void)
{
    int possible = 1;
    while (done < size && possible) {
        int literal = trail[done++] ^ 1;
        list *with = holders + literal;
        for (int k = 0; k < with->size; k++) {
            constraint *one = all + with->members[k];
            int may = one->size - one->needed - ++one->false_now;
            if (may < 0)
                possible = 0;
            else if (may == 0 && possible)
                imply(with->members[k]);
        }
        possible = possible && watched(literal);
    }
    return possible;
}

static void restart(void)
{
    depth = 0;
    undo(0);
    hopeless = 0;
    for (int k = 0; k < forced.size; k++) {
        hopeless |= all[forced.members[k]].needed > all[forced.members[k]].size;
        imply(forced.members[k]);
    }
    hopeless |= !fixpoint();
}

/* Begin with no constraint. */
void reset(int number)
{
    for (int i = 0; i < constraints; i++)
        free(all[i].literals);
    for (int i = 0; holders && i < 2 * variables + 2; i++)
        free(holders[i].members), free(watchers[i].members);
    free(holders), free(watchers), free(value), free(trail), free(reason), free(place), free(assumed), free(begin);
    constraints = forced.size = size = done = depth = hopeless = 0;
    variables = number;
    holders = calloc(2 * number + 2, sizeof(list)), watchers = calloc(2 * number + 2, sizeof(list));
    value = calloc(2 * number + 2, 1);
    trail = calloc(number + 1, sizeof(int)), reason = calloc(number + 1, sizeof(int));
    place = calloc(number + 1, sizeof(int));
    assumed = calloc(number + 1, sizeof(int)), begin = calloc(number + 1, sizeof(int));
}

/* How many literals of a constraint are false by the first ones of the trail. */
static int false_before(constraint *one, int first)
{
    int number = 0;
    for (int i = 0; i < one->size; i++)
        number += value[one->literals[i] ^ 1] && place[one->literals[i] >> 1] < first;
    return number;
}

static int is_watched(constraint *one) { return one->needed == 1 && one->size > 1; }

/* Watch two literals that are not false, or else those that became so last. */
static void watch(constraint *one, int number)
{
    for (int first = 0; first < 2; first++) {
        int best = first, latest = -1;
        for (int i = first; i < one->size; i++) {
            int literal = one->literals[i], when = value[literal ^ 1] ? place[literal >> 1] : size;
            if (when > latest)
                best = i, latest = when;
        }
        int literal = one->literals[best];
        one->literals[best] = one->literals[first], one->literals[first] = literal;
        put(watchers + literal, number);
    }
}

/* Add a constraint; constraints are numbered from 0. */
void add(int needed, int length, const int *literals)
{
    if (constraints == room) {
        room = 2 * room + 64;
        all = realloc(all, room * sizeof(constraint));
    }
    constraint made = {needed, length, 0, 0, 0, malloc((length + 1) * sizeof(int))};
    memcpy(made.literals, literals, length * sizeof(int));
    if (is_watched(&made))
        watch(&made, constraints);
    else
        for (int i = 0; i < length; i++)
            put(holders + literals[i], constraints);
    if (needed >= length)
        put(&forced, constraints);
    all[constraints++] = made;
    constraint *one = all + constraints - 1;
    if (hopeless) {
        /* What is not counted here would be taken back all the same. */
        one->false_now = is_watched(one) ? 0 : false_before(one, done);
        return;
    }
    /* Back to the first level where it implies anything. */
    while (depth && false_before(one, begin[depth - 1]) >= length - needed)
        leave();
    int false_now = false_before(one, size);
    if (!is_watched(one))
        one->false_now = false_now;
    if (false_now == length - needed)
        imply(constraints - 1);
    if (false_now > length - needed || !fixpoint()) {
        if (depth)
            leave();
        else
            hopeless = 1;
    }
}

void delete(int number)
{
    constraint *gone = all + number;
    int used = gone->uses || hopeless;
    if (used) {
        depth = 0;
        undo(0);
    }
    for (int i = 0; i < (is_watched(gone) ? 2 : gone->size); i++)
        take((is_watched(gone) ? watchers : holders) + gone->literals[i], number);
    take(&forced, number);
    gone->deleted = 1;
    if (used)
        restart();
}

/* Whether a constraint is there and can never be true. */
int is_contradiction(int number)
{
    return number >= 0 && number < constraints && !all[number].deleted && all[number].needed > all[number].size;
}

/* What follows from literals: -1 for a contradiction, otherwise the number of variables that have a value. */
int propagate(int number, const int *literals, unsigned char *values)
{
    int common = 0;
    if (hopeless)
        return -1;
    while (common < depth && common < number && assumed[common] == literals[common])
        common++;
    while (depth > common)
        leave();
    while (depth < number) {
        int literal = literals[depth], possible = !value[literal ^ 1];
        assumed[depth] = literal;
        begin[depth++] = size;
        if (possible && !value[literal])
            assign(literal, -1);
        if (!possible || !fixpoint()) {
            leave();
            return -1;
        }
    }
    if (values)
        memcpy(values, value, 2 * variables + 2);
    return size;
}
