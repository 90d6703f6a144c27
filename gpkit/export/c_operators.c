/* a / b, or 1 where b is zero */
static double gp_div(double a, double b)
{
    return b != 0.0 ? a / b : 1.0;
}

/* written out: fmin orders NaN and equal numbers differently */
static double gp_min(double a, double b)
{
    return b < a ? b : a;
}

static double gp_max(double a, double b)
{
    return b > a ? b : a;
}

static double gp_abs(double a)
{
    return a < 0.0 ? -a : a;
}

/* the square root, or 0 unless a is positive */
static double gp_sqrt(double a)
{
    return a > 0.0 ? sqrt(a) : 0.0;
}

static double gp_square(double a)
{
    return a * a;
}

/* the largest whole number at most a, and never -0.0 */
static double gp_floor(double a)
{
    return floor(a) + 0.0;
}

/* x if a <= b, else y */
static double gp_ifle(double a, double b, double x, double y)
{
    return a <= b ? x : y;
}

/* the natural logarithm, or 0 unless a is positive */
static double gp_log(double a)
{
    return a > 0.0 ? log(a) : 0.0;
}

static double gp_exp(double a)
{
    return exp(a);
}

/* the sine, or 0 unless a is finite */
static double gp_sin(double a)
{
    return a - a == 0.0 ? sin(a) : 0.0;
}

/* the cosine, or 0 unless a is finite */
static double gp_cos(double a)
{
    return a - a == 0.0 ? cos(a) : 0.0;
}

static double gp_tanh(double a)
{
    return tanh(a);
}

/* a to the power of b; 1 where that divides by zero, 0 where a is negative and b a fraction */
static double gp_pow(double a, double b)
{
    if (a == 0.0 && b < 0.0) {
        return 1.0;
    }
    return a >= 0.0 || floor(b) == b ? pow(a, b) : 0.0;
}
