#include "preload/chance.h"

/* xorshift64*, Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled" */
static uint64_t draw(uint64_t *random)
{
    *random ^= *random >> 12;
    *random ^= *random << 25;
    *random ^= *random >> 27;
    return *random * UINT64_C(0x2545f4914f6cdd1d);
}

/* The natural logarithm of what is above 0, to nine digits: of the mantissa by the series of artanh. */
static double logarithm(double number)
{
    const double ln2 = 0.69314718055994530942;
    union {
        double number;
        uint64_t bits;
    } parts = {.number = number};
    int exponent = (int)(parts.bits >> 52) - 1023;
    double s = 0;
    double s2 = 0;

    parts.bits = (parts.bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1023) << 52;
    if (parts.number > 1.41421356237309504880) {
        parts.number /= 2;
        exponent++;
    }
    s = (parts.number - 1) / (parts.number + 1);
    s2 = s * s;
    return exponent * ln2 +
           2 * s * (1 + s2 * (1.0 / 3 + s2 * (1.0 / 5 + s2 * (1.0 / 7 + s2 * (1.0 / 9 + s2 / 11)))));
}

int64_t chance_draw_bytes(uint64_t *random, uint64_t interval)
{
    const double unit = 1.0 / (double)(UINT64_C(1) << 53);
    double chance = ((double)(draw(random) >> 11) + 1) * unit; /* above 0, up to 1 */

    return interval == 0 ? 0 : (int64_t)(-logarithm(chance) * (double)interval) + 1;
}

double chance_of(double x)
{
    enum { HALVINGS = 10, FAR = 40 };
    double part = -x / (1 << HALVINGS);
    double left = 1 + part * (1 + part / 2 * (1 + part / 3 * (1 + part / 4)));

    if (x > FAR)
        return 1;
    for (int i = 0; i < HALVINGS; i++)
        left *= left;
    return 1 - left;
}
