//|# gpkit export FILE --to tree reads the program back from these lines
//|# SHA-256 of the code below: 32121958d82006cfee16783be16a85b254ec4b58d1d5d2d16ede490664a25a84
//|= simple.tree
//|> // game: sevens
//|> // title: plays the card furthest out and with the most own cards behind it; sends the card that will wait lon
//|+ gest
//|> // source: hand-written baseline; evolution has to beat it
//|> // trained: nothing
//|> play: env.depth + env.selfblock
//|> send: env.dist
/* simple: written by gpkit 0.1.0; the meaning is that of f64-v1. */
/* game: sevens */
/* title: plays the card furthest out and with the most own cards behind it; sends the card that will
 * wait longest
 */
/* source: hand-written baseline; evolution has to beat it */
/* trained: nothing */
/* Compile it with -std=c99 -O2 -ffp-contract=off; -lm links the library. With -DGPKIT_MAIN it is a
 * program that tests itself.
 */

#include <float.h>
#include <math.h>

#ifdef __FAST_MATH__
#error "without -ffast-math: it changes what the formulas compute"
#endif
#if FLT_EVAL_METHOD != 0
#error "doubles have to be computed as doubles: -msse2 -mfpmath=sse"
#endif
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

/* env.depth + env.selfblock. It reads the numbers of play_inputs, in this order. */
const char *const play_inputs[] = {"env.depth", "env.selfblock", 0};

double play(const double in[])
{
    double depth = in[0] + 0.0;
    double selfblock = in[1] + 0.0;
    return depth + selfblock;
}

/* env.dist. It reads the numbers of send_inputs, in this order. */
const char *const send_inputs[] = {"env.dist", 0};

double send(const double in[])
{
    double dist = in[0] + 0.0;
    return dist;
}

#ifdef GPKIT_MAIN
#include <stdio.h>
#include <string.h>

static int same(double a, double b)
{
    return (a != a && b != b) || (a == b && !signbit(a) == !signbit(b));
}

static int run_play(void)
{
    double row[2];
    int k;
    for (;;) {
        for (k = 0; k < 2; k++) {
            if (scanf("%lf", row + k) != 1) {
                return 0;
            }
        }
        printf("%.17g\n", play(row));
    }
}

static const double play_rows[][2] = {
    {0.0, 0.0},
    {7.0, 12.0},
    {6.0, 6.0},
    {7.0, 10.0},
    {1.0, 4.0},
    {6.0, 11.0},
    {7.0, 7.0},
    {0.0, 4.0},
    {5.0, 5.0},
    {3.0, 12.0},
    {5.0, 11.0},
    {2.0, 8.0},
    {0.0, 10.0},
    {7.0, 10.0},
    {2.0, 6.0},
    {0.0, 5.0},
    {5.0, 4.0},
    {3.0, 4.0},
    {3.0, 3.0},
    {0.0, 8.0},
};
static double const play_results[] = {
    0.0,
    19.0,
    12.0,
    17.0,
    5.0,
    17.0,
    14.0,
    4.0,
    10.0,
    15.0,
    16.0,
    10.0,
    10.0,
    17.0,
    8.0,
    5.0,
    9.0,
    7.0,
    6.0,
    8.0,
};

static int test_play(void)
{
    int failures = 0;
    int k;
    for (k = 0; k < 20; k++) {
        const double *row = play_rows[k];
        double wanted = play_results[k];
        double found;
        found = play(row);
        if (!same(found, wanted)) {
            failures++;
            printf("play, row %d: %.17g instead of %.17g\n", k + 1, found, wanted);
        }
    }
    return failures;
}

static int run_send(void)
{
    double row[1];
    int k;
    for (;;) {
        for (k = 0; k < 1; k++) {
            if (scanf("%lf", row + k) != 1) {
                return 0;
            }
        }
        printf("%.17g\n", send(row));
    }
}

static const double send_rows[][1] = {
    {0.0},
    {8.0},
    {4.0},
    {3.0},
    {1.0},
    {4.0},
    {7.0},
    {3.0},
    {2.0},
    {7.0},
    {6.0},
    {3.0},
    {3.0},
    {8.0},
    {7.0},
    {2.0},
    {8.0},
    {7.0},
    {2.0},
    {4.0},
};
static double const send_results[] = {
    0.0,
    8.0,
    4.0,
    3.0,
    1.0,
    4.0,
    7.0,
    3.0,
    2.0,
    7.0,
    6.0,
    3.0,
    3.0,
    8.0,
    7.0,
    2.0,
    8.0,
    7.0,
    2.0,
    4.0,
};

static int test_send(void)
{
    int failures = 0;
    int k;
    for (k = 0; k < 20; k++) {
        const double *row = send_rows[k];
        double wanted = send_results[k];
        double found;
        found = send(row);
        if (!same(found, wanted)) {
            failures++;
            printf("send, row %d: %.17g instead of %.17g\n", k + 1, found, wanted);
        }
    }
    return failures;
}

/* without arguments it tests this file; with the name of a section it computes that of every row that it reads */
int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "play") == 0) {
        return run_play();
    }
    if (argc > 1 && strcmp(argv[1], "send") == 0) {
        return run_send();
    }
    return test_play() + test_send() > 0;
}
#endif
