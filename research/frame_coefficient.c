/* The number of class sequences of a frame, modulo a prime, as one coefficient of a polynomial.

Edge pieces with the same two frame colours are one class.  Give each class a variable; the matrix M has the variable of
the class (a, b) in row a and column b.  The entry (a, b) of a power of M lists all sides of a frame that lead from
colour a to colour b, and the coefficient of the monomial with the number of pieces of each class lists those that
together use each piece once.  The coefficient is a mean over roots of unity of the values of the polynomial.

Input, on standard input, all numbers decimal:
  prime, -1/prime modulo 2^52, 2^52 mod prime, 2^104 mod prime
  colours, lengths of the four sides
  number of closings; for each: its weight, then for the four sides the first and the last colour
  number of classes; for each: first colour, last colour, order r of its roots (1: always 1), a primitive root of this
  order, the exponent of the weight (-n mod r)
  first and last+1 index of the outer points to be summed up; with 0 0 only their number is printed
Output: number of outer points, the sum (not divided by the number of points) modulo the prime.
*/
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__AVX512IFMA__)
#include <immintrin.h>
typedef __m512i vec;
#define LANES 8
#else
typedef uint64_t vec;
#define LANES 1
#endif
#ifndef K
#define K 5
#endif
#define LOW52 ((1ULL << 52) - 1)
#define MOST_CLASSES (K * K)
#define MOST_LANES 4096

typedef struct { vec lo, hi; } sum;
static uint64_t P, PINV, ONE, SQUARE;
typedef vec matrix[K][K];

#if LANES == 8
static inline vec all(uint64_t x) { return _mm512_set1_epi64((long long)x); }
static inline vec plus(vec a, vec b) { return _mm512_add_epi64(a, b); }
static inline sum none(void) { return (sum){_mm512_setzero_si512(), _mm512_setzero_si512()}; }
static inline sum mac(sum s, vec a, vec b) {
    return (sum){_mm512_madd52lo_epu64(s.lo, a, b), _mm512_madd52hi_epu64(s.hi, a, b)};
}
static inline vec reduced(sum s) {
    vec zero = _mm512_setzero_si512(), p = all(P);
    vec q = _mm512_madd52lo_epu64(zero, s.lo, all(PINV));
    vec t = _mm512_madd52lo_epu64(s.lo, q, p);
    return _mm512_madd52hi_epu64(_mm512_add_epi64(s.hi, _mm512_srli_epi64(t, 52)), q, p);
}
#else
static inline vec all(uint64_t x) { return x; }
static inline vec plus(vec a, vec b) { return a + b; }
static inline sum none(void) { return (sum){0, 0}; }
static inline sum mac(sum s, vec a, vec b) {
    unsigned __int128 c = (unsigned __int128)a * b;
    return (sum){s.lo + ((uint64_t)c & LOW52), s.hi + (uint64_t)(c >> 52)};
}
static inline vec reduced(sum s) {
    uint64_t q = s.lo * PINV & LOW52;
    unsigned __int128 c = (unsigned __int128)q * P;
    uint64_t t = s.lo + ((uint64_t)c & LOW52);
    return s.hi + (t >> 52) + (uint64_t)(c >> 52);
}
#endif
/* The prime is below 2^47: with factors below 1.3 primes, 5 products reduce to less than 1.3 primes again. */
static inline vec times(vec a, vec b) { return reduced(mac(none(), a, b)); }
static uint64_t scalar(uint64_t a, uint64_t b) {
    unsigned __int128 c = (unsigned __int128)a * b;
    uint64_t q = ((uint64_t)c & LOW52) * PINV & LOW52;
    uint64_t r = (uint64_t)((c + (unsigned __int128)q * P) >> 52);
    return r >= P ? r - P : r;
}
static inline void multiply(matrix c, matrix a, matrix b) {
    for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++) {
            sum s = none();
            for (int k = 0; k < K; k++) s = mac(s, a[i][k], b[k][j]);
            c[i][j] = reduced(s);
        }
}
static void power(matrix c, matrix m, int exponent) {
    matrix t;
    if (exponent == 0) {
        for (int i = 0; i < K; i++) for (int j = 0; j < K; j++) c[i][j] = all(i == j ? ONE : 0);
    } else if (exponent == 1) {
        memcpy(c, m, sizeof(matrix));
    } else if (exponent % 2) {
        power(t, m, exponent - 1);
        multiply(c, t, m);
    } else {
        power(t, m, exponent / 2);
        multiply(c, t, t);
    }
}

typedef struct { int a, b, r; uint64_t root[64], weight[64]; } class;
static class classes[MOST_CLASSES];
static int lengths[4], closings, n;
static int ends[4096][8];
static uint64_t weights[4096];

static vec value(matrix m) {
    matrix powers[4];
    int of_side[4];
    for (int side = 0; side < 4; side++) {
        of_side[side] = 0;
        while (lengths[of_side[side]] != lengths[side]) of_side[side]++;
        if (of_side[side] == side) power(powers[side], m, lengths[side]);
    }
    vec value = all(0);
    for (int i = 0; i < closings;) {
        sum s = none();
        for (int j = 0; j < 4 && i < closings; j++, i++) {
            int *e = ends[i];
            vec first = times(powers[of_side[0]][e[0]][e[1]], powers[of_side[1]][e[2]][e[3]]);
            vec last = times(powers[of_side[2]][e[4]][e[5]], powers[of_side[3]][e[6]][e[7]]);
            if (weights[i] != ONE) last = times(last, all(weights[i]));
            s = mac(s, first, last);
        }
        value = i <= 4 ? reduced(s) : times(plus(value, reduced(s)), all(ONE));
    }
    return value;
}

int main(void) {
    int colors;
    uint64_t from, until;
    if (scanf("%lu %lu %lu %lu %d", &P, &PINV, &ONE, &SQUARE, &colors) != 5 || colors > K) return 2;
    for (int i = 0; i < 4; i++) if (scanf("%d", &lengths[i]) != 1) return 2;
    if (scanf("%d", &closings) != 1 || closings > 4096) return 2;
    for (int i = 0; i < closings; i++) {
        uint64_t weight;
        if (scanf("%lu", &weight) != 1) return 2;
        weights[i] = scalar(weight, SQUARE);
        for (int j = 0; j < 8; j++) if (scanf("%d", &ends[i][j]) != 1) return 2;
    }
    if (scanf("%d", &n) != 1 || n > MOST_CLASSES) return 2;
    for (int c = 0; c < n; c++) {
        class *one = &classes[c];
        uint64_t root;
        int exponent;
        if (scanf("%d %d %d %lu %d", &one->a, &one->b, &one->r, &root, &exponent) != 5 || one->r > 64) return 2;
        one->root[0] = ONE;
        for (int j = 1; j < one->r; j++) one->root[j] = scalar(one->root[j - 1], scalar(root, SQUARE));
        for (int j = 0; j < one->r; j++) one->weight[j] = one->root[j * exponent % one->r];
    }
    if (scanf("%lu %lu", &from, &until) != 2) return 2;
    /* The first classes vary within vectors, the others from one outer point to the next. */
    int lanes = 0, inner = 1;
    while (lanes < n && inner % LANES && inner < 8 * LANES) inner *= classes[lanes++].r;
    int rounded = (inner + LANES - 1) / LANES * LANES;
    uint64_t (*in_lanes)[MOST_LANES] = calloc(MOST_CLASSES, sizeof *in_lanes), weight_in_lanes[MOST_LANES] = {0};
    if (rounded > MOST_LANES) return 2;
    for (int lane = 0; lane < inner; lane++) {
        int rest = lane;
        weight_in_lanes[lane] = ONE;
        for (int c = 0; c < lanes; c++) {
            in_lanes[c][lane] = classes[c].root[rest % classes[c].r];
            weight_in_lanes[lane] = scalar(weight_in_lanes[lane], classes[c].weight[rest % classes[c].r]);
            rest /= classes[c].r;
        }
    }
    uint64_t outer = 1, total = 0;
    for (int c = lanes; c < n; c++) outer *= classes[c].r;
    int vectors = rounded / LANES;
    matrix *m = aligned_alloc(64, vectors * sizeof(matrix));
    memset(m, 0, vectors * sizeof(matrix));
    for (int v = 0; v < vectors; v++)
        for (int c = 0; c < lanes; c++)
            memcpy(&m[v][classes[c].a][classes[c].b], &in_lanes[c][v * LANES], sizeof(vec));
    int digit[MOST_CLASSES];
    uint64_t weight_from[MOST_CLASSES + 1], rest = from;
    for (int c = lanes; c < n; c++) digit[c] = rest % classes[c].r, rest /= classes[c].r;
    int changed = n - 1;
    weight_from[n] = ONE;
    for (uint64_t point = from; point < until; point++) {
        for (int c = changed; c >= lanes; c--) {
            for (int v = 0; v < vectors; v++)
                m[v][classes[c].a][classes[c].b] = all(classes[c].root[digit[c]]);
            weight_from[c] = scalar(weight_from[c + 1], classes[c].weight[digit[c]]);
        }
        uint64_t weight = weight_from[lanes];
        for (changed = lanes; changed < n - 1 && ++digit[changed] == classes[changed].r; changed++) digit[changed] = 0;
        if (changed == n - 1 && n > lanes) digit[changed]++;
        for (int v = 0; v < vectors; v++) {
            vec w;
            uint64_t lane[LANES];
            memcpy(&w, &weight_in_lanes[v * LANES], sizeof w);
            w = times(value(m[v]), w);
            memcpy(lane, &w, sizeof lane);
            uint64_t s = 0;
            for (int i = 0; i < LANES; i++) s += lane[i] % P;
            total = (total + scalar(s % P, weight)) % P;
        }
    }
    /* In ordinary form: in Montgomery form one factor 2^52 has been left at the value, and one at the weights. */
    printf("%lu %lu\n", outer, scalar(total, 1));
    return 0;
}
