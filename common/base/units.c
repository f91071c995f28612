#include "base/units.h"

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

void units_add_count(struct text *text, uint64_t count)
{
    char digits[24];
    int length = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)count);

    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            text_add_byte(text, ',');
        text_add_byte(text, digits[i]);
    }
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
