/* elementary.c - see elementary.h. */
#include "elementary.h"

#include <math.h>

/* x = 2^n m with m in [sqrt(1/2), sqrt(2)), f = m - 1, s = f / (2 + f):
 * log m = 2 artanh s = f - f^2/2 + s (f^2/2 + R), R = 2 s^2/3 + 2 s^4/5 + ..., s^2 < 0.0295. */
double rg_log(double x)
{
    const double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
    if (!(x > 0))
        return x == 0 ? -INFINITY : x < 0 ? (double)NAN : x;
    if (isinf(x))
        return x;
    int exponent;
    double m = frexp(x, &exponent); /* exact */
    if (m < 0.70710678118654752440) {
        m *= 2;
        exponent--;
    }
    double n = exponent, f = m - 1, s = f / (2 + f), z = s * s, half = 0.5 * f * f;
    double r = 2.0 / 23;
    for (int odd = 21; odd >= 3; odd -= 2)
        r = r * z + 2.0 / odd;
    r *= z;
    return n * ln2_high - ((half - (s * (half + r) + n * ln2_low)) - f);
}

double rg_cos_turns(double turns)
{
    double quarter = floor(4 * turns + 0.5),
           x = 6.283185307179586476925286766559 * (turns - quarter / 4);
    double z = x * x, cosine = 1, sine = 1; /* Taylor, |x| <= pi/4: degrees 18 and 17 */
    for (int k = 18; k >= 2; k -= 2)
        cosine = 1 - cosine * z / (k * (k - 1));
    for (int k = 17; k >= 3; k -= 2)
        sine = 1 - sine * z / (k * (k - 1));
    sine *= x;
    switch ((int)quarter & 3) {
    case 0:
        return cosine;
    case 1:
        return -sine;
    case 2:
        return -cosine;
    default:
        return sine;
    }
}
