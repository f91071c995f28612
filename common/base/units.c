#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void units_add_bytes(struct text *text, uint64_t bytes)
{
    static const char *const names[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes / 1024;
    size_t unit = 0;

    if (bytes < 1024) {
        text_format(text, "%uB", (unsigned)bytes);
        return;
    }
    for (; value >= 1024 && unit + 1 < ARRAY_COUNT(names); unit++)
        value /= 1024;
    text_format(text, "%.1f%s", value, names[unit]);
}

void units_add_percent(struct text *text, uint64_t part, uint64_t whole)
{
    text_format(text, "%.1f%%", whole ? (double)part / (double)whole * 100 : 0.0);
}

void units_add_share(struct text *text, uint64_t part, uint64_t whole, unsigned decimals)
{
    uint64_t scale = 1;
    uint64_t share = 0;

    for (unsigned i = 0; i < decimals; i++)
        scale *= 10;
    if (whole > 0) {
        unsigned __int128 scaled = (unsigned __int128)part * 100 * scale;
        unsigned __int128 rest = scaled % whole * 2;

        share = (uint64_t)(scaled / whole);
        share += rest > whole || (rest == whole && share % 2 == 1);
    }
    text_add_decimal(text, share / scale);
    text_add_byte(text, '.');
    for (uint64_t digit = scale / 10; digit > 0; digit /= 10)
        text_add_byte(text, (char)('0' + share / digit % 10));
    text_add_byte(text, '%');
}

void units_add_count(struct text *text, uint64_t count)
{
    enum { MOST_BYTES = 26 }; /* twenty digits and six commas */
    char digits[MOST_BYTES];
    size_t start = MOST_BYTES;

    for (unsigned written = 0; written == 0 || count > 0; written++, count /= 10) {
        if (written > 0 && written % 3 == 0)
            digits[--start] = ',';
        digits[--start] = (char)('0' + count % 10);
    }
    text_add(text, (struct slice){digits + start, MOST_BYTES - start});
}

void units_add_things(struct text *text, uint64_t count, const char *noun)
{
    size_t length = strlen(noun);
    bool hisses = length > 0 && noun[length - 1] == 's';

    units_add_count(text, count);
    text_format(text, " %s%s", noun, count == 1 ? "" : hisses ? "es" : "s");
}

/* The sign; returns how much it is without. */
static uint64_t add_sign(struct text *text, int64_t change)
{
    if (change != 0)
        text_add_byte(text, change < 0 ? '-' : '+');
    return change < 0 ? 0 - (uint64_t)change : (uint64_t)change;
}

void units_add_bytes_change(struct text *text, int64_t bytes)
{
    uint64_t size = add_sign(text, bytes);

    units_add_bytes(text, size);
}

void units_add_count_change(struct text *text, int64_t count)
{
    uint64_t size = add_sign(text, count);

    units_add_count(text, size);
}

void units_add_time(struct text *text, uint64_t ns)
{
    if (ns == 0)
        text_add_string(text, "0 s");
    else if (ns < 999500)
        text_format(text, "%.0f us", (double)ns / 1e3);
    else if (ns < 999950000)
        text_format(text, "%.1f ms", (double)ns / 1e6);
    else
        text_format(text, "%.2f s", (double)ns / 1e9);
}

void units_add_measured_time(struct text *text, double seconds)
{
    double size = fabs(seconds);

    if (size == 0)
        text_add_string(text, "0 s");
    else if (size >= 0.9995)
        text_format(text, "%.3f s", seconds);
    else if (size >= 0.0009995)
        text_format(text, "%.*f ms", size >= 0.09995 ? 1 : 2, seconds * 1e3);
    else if (size >= 0.0000009995)
        text_format(text, "%.*f us", size >= 0.000009995 ? 1 : 2, seconds * 1e6);
    else
        text_format(text, "%.2f ns", seconds * 1e9);
}

void units_add_seconds(struct text *text, uint64_t ns, unsigned decimals)
{
    text_format(text, "%.*f s", (int)decimals, (double)ns / 1e9);
}

void units_add_time_change(struct text *text, int64_t ns)
{
    uint64_t time = add_sign(text, ns);

    units_add_time(text, time);
}

void units_add_part(struct text *text, uint64_t billionths)
{
    text_format(text, "%.2f%%", (double)billionths / 1e7);
}

void units_add_points(struct text *text, uint64_t billionths)
{
    if (billionths == 0)
        text_add_string(text, "0 pp");
    else
        text_format(text, "%.2f pp", (double)billionths / 1e7);
}

void units_add_part_change(struct text *text, int64_t billionths)
{
    uint64_t points = add_sign(text, billionths);

    units_add_points(text, points);
}

void units_add_growth(struct text *text, uint64_t before, uint64_t after)
{
    if (after != before)
        text_add_byte(text, after < before ? '-' : '+');
    units_add_percent(text, after < before ? before - after : after - before, before);
}
