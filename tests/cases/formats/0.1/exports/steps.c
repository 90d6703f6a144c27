//|# gpkit export FILE --to tree reads the program back from these lines
//|# SHA-256 of the code below: 914d8ac0e1d652893ae41825d9bd66d15223f695d6794bc3a0f5cdf0f600f444
//|= steps.decide
//|> // game: sevens
//|> // title: plays and sends as `simple` does: in 15 leaves what it adds up
//|> // source: hand-written
//|> // trained: nothing
//|> play: test env.depth < 1.0
//|>   yes: switch env.block
//|>     below 5.0: 8.0
//|>     below 6.0: 7.0
//|>     below 7.0: 6.0
//|>     below 8.0: 5.0
//|>     below 9.0: 4.0
//|>     else: switch env.block
//|>       below 10.0: 3.0
//|>       below 11.0: 2.0
//|>       below 12.0: 1.0
//|>       else: 0.0
//|>   no: switch env.block
//|>     below 1.0: 6.0
//|>     below 2.0: 5.0
//|>     below 3.0: 4.0
//|>     below 4.0: 3.0
//|>     below 5.0: 2.0
//|>     else: 1.0
//|> send: switch env.dist
//|>   below 1.0: 0.0
//|>   below 2.0: 1.0
//|>   below 3.0: 2.0
//|>   below 4.0: 3.0
//|>   below 5.0: 4.0
//|>   else: test env.dist < 6.0
//|>     yes: 5.0
//|>     no: 6.0
/* steps: written by gpkit 0.1.0; the meaning is that of f64-v1. */
/* game: sevens */
/* title: plays and sends as `simple` does: in 15 leaves what it adds up */
/* source: hand-written */
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

/* A decision tree of 15 leaves. It reads the numbers of play_inputs, in this order. */
const char *const play_inputs[] = {"env.depth", "env.block", 0};

double play(const double in[])
{
    double depth = in[0] + 0.0;
    double block = in[1] + 0.0;
    if (!(depth >= 1.0)) {
        if (!(block >= 5.0)) {
            return 8.0;
        } else if (!(block >= 6.0)) {
            return 7.0;
        } else if (!(block >= 7.0)) {
            return 6.0;
        } else if (!(block >= 8.0)) {
            return 5.0;
        } else if (!(block >= 9.0)) {
            return 4.0;
        } else if (!(block >= 10.0)) {
            return 3.0;
        } else if (!(block >= 11.0)) {
            return 2.0;
        } else if (!(block >= 12.0)) {
            return 1.0;
        } else {
            return 0.0;
        }
    } else if (!(block >= 1.0)) {
        return 6.0;
    } else if (!(block >= 2.0)) {
        return 5.0;
    } else if (!(block >= 3.0)) {
        return 4.0;
    } else if (!(block >= 4.0)) {
        return 3.0;
    } else if (!(block >= 5.0)) {
        return 2.0;
    } else {
        return 1.0;
    }
}

/* A decision tree of 7 leaves. It reads the numbers of send_inputs, in this order. */
const char *const send_inputs[] = {"env.dist", 0};

double send(const double in[])
{
    double dist = in[0] + 0.0;
    if (!(dist >= 1.0)) {
        return 0.0;
    } else if (!(dist >= 2.0)) {
        return 1.0;
    } else if (!(dist >= 3.0)) {
        return 2.0;
    } else if (!(dist >= 4.0)) {
        return 3.0;
    } else if (!(dist >= 5.0)) {
        return 4.0;
    } else if (!(dist >= 6.0)) {
        return 5.0;
    } else {
        return 6.0;
    }
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
    8.0,
    1.0,
    1.0,
    1.0,
    2.0,
    1.0,
    1.0,
    8.0,
    1.0,
    1.0,
    1.0,
    1.0,
    2.0,
    1.0,
    1.0,
    7.0,
    2.0,
    2.0,
    3.0,
    4.0,
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
    6.0,
    4.0,
    3.0,
    1.0,
    4.0,
    6.0,
    3.0,
    2.0,
    6.0,
    6.0,
    3.0,
    3.0,
    6.0,
    6.0,
    2.0,
    6.0,
    6.0,
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
