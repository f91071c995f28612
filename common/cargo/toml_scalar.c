#include "cargo/toml_scalar.h"

#include "base/ascii.h"
#include "base/scan.h"

/* Digits of `base`, single underscores between them; saturates, as `fits` then tells. */
struct digit_run {
    uint64_t value;
    size_t count;
    bool starts_with_zero;
    bool fits;
};

static bool take_digit_run(struct scan *scan, unsigned base, struct digit_run *run)
{
    *run = (struct digit_run){.fits = true, .starts_with_zero = scan_peek(scan) == '0'};
    while (ascii_digit_value(scan_peek(scan)) < base) {
        char digit = scan_peek(scan);

        scan_byte(scan, digit);
        run->fits = run->fits && !__builtin_mul_overflow(run->value, base, &run->value) &&
                    !__builtin_add_overflow(run->value, ascii_digit_value(digit), &run->value);
        run->count++;
        if (scan_byte(scan, '_') && ascii_digit_value(scan_peek(scan)) >= base)
            return false;
    }
    return run->count > 0;
}

static bool is_decimal_start(const struct digit_run *run)
{
    return !run->starts_with_zero || run->count == 1;
}

/* 0x, 0o and 0b: no sign, zeros in front as one likes. */
static bool classify_prefixed(struct scan scan, int64_t *integer)
{
    unsigned base = scan_text(&scan, "0x") ? 16 : scan_text(&scan, "0o") ? 8 : scan_text(&scan, "0b") ? 2 : 0;
    struct digit_run run;

    if (base == 0 || !take_digit_run(&scan, base, &run) || !scan_at_end(&scan))
        return false;
    if (!run.fits || run.value > INT64_MAX)
        return false;
    *integer = (int64_t)run.value;
    return true;
}

static bool classify_decimal(struct scan scan, int64_t *integer)
{
    bool negative = scan_peek(&scan) == '-';
    uint64_t limit = (uint64_t)INT64_MAX + (negative ? 1 : 0);
    struct digit_run run;

    if (!scan_byte(&scan, '-'))
        scan_byte(&scan, '+');
    if (!take_digit_run(&scan, 10, &run) || !is_decimal_start(&run) || !scan_at_end(&scan))
        return false;
    if (!run.fits || run.value > limit)
        return false;
    *integer = negative ? -(int64_t)(run.value - (run.value > 0)) - (run.value > 0) : (int64_t)run.value;
    return true;
}

static bool classify_float(struct scan scan)
{
    struct digit_run run;
    bool has_part = false;

    if (!scan_byte(&scan, '-'))
        scan_byte(&scan, '+');
    if (scan_text(&scan, "inf") || scan_text(&scan, "nan"))
        return scan_at_end(&scan);
    if (!take_digit_run(&scan, 10, &run) || !is_decimal_start(&run))
        return false;
    if (scan_byte(&scan, '.')) {
        if (!take_digit_run(&scan, 10, &run))
            return false;
        has_part = true;
    }
    if (scan_byte(&scan, 'e') || scan_byte(&scan, 'E')) {
        if (!scan_byte(&scan, '-'))
            scan_byte(&scan, '+');
        if (!take_digit_run(&scan, 10, &run))
            return false;
        has_part = true;
    }
    return has_part && scan_at_end(&scan);
}

/* Exactly `count` decimal digits whose value is from `low` to `high`. */
static bool take_field(struct scan *scan, size_t count, unsigned low, unsigned high, unsigned *value)
{
    struct slice digits;

    *value = 0;
    if (!scan_bytes(scan, count, &digits))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (ascii_digit_value(digits.data[i]) >= 10)
            return false;
        *value = *value * 10 + ascii_digit_value(digits.data[i]);
    }
    return *value >= low && *value <= high;
}

static unsigned days_of(unsigned year, unsigned month)
{
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    return days[month - 1] + (month == 2 && leap ? 1U : 0U);
}

static bool take_date(struct scan *scan)
{
    struct scan at = *scan;
    unsigned year = 0;
    unsigned month = 0;
    unsigned day = 0;

    if (!take_field(&at, 4, 0, 9999, &year) || !scan_byte(&at, '-') || !take_field(&at, 2, 1, 12, &month) ||
        !scan_byte(&at, '-') || !take_field(&at, 2, 1, days_of(year, month), &day))
        return false;
    *scan = at;
    return true;
}

static bool take_time(struct scan *scan)
{
    unsigned value = 0;
    bool has_digits = false;

    if (!take_field(scan, 2, 0, 23, &value) || !scan_byte(scan, ':') || !take_field(scan, 2, 0, 59, &value) ||
        !scan_byte(scan, ':') || !take_field(scan, 2, 0, 60, &value))
        return false;
    if (!scan_byte(scan, '.'))
        return true;
    for (; ascii_digit_value(scan_peek(scan)) < 10; scan_byte(scan, scan_peek(scan)))
        has_digits = true;
    return has_digits;
}

static bool take_offset(struct scan *scan)
{
    unsigned value = 0;

    if (scan_byte(scan, 'Z') || scan_byte(scan, 'z'))
        return true;
    return (scan_byte(scan, '+') || scan_byte(scan, '-')) && take_field(scan, 2, 0, 23, &value) &&
           scan_byte(scan, ':') && take_field(scan, 2, 0, 59, &value);
}

static bool classify_time(struct scan scan, enum toml_kind *kind)
{
    bool has_date = take_date(&scan);

    *kind = TOML_DATE_LOCAL;
    if (has_date && scan_at_end(&scan))
        return true;
    if (has_date && !scan_byte(&scan, 'T') && !scan_byte(&scan, 't') && !scan_byte(&scan, ' '))
        return false;
    if (!take_time(&scan))
        return false;
    *kind = has_date ? TOML_DATETIME_LOCAL : TOML_TIME_LOCAL;
    if (scan_at_end(&scan))
        return true;
    *kind = TOML_DATETIME;
    return has_date && take_offset(&scan) && scan_at_end(&scan);
}

bool toml_classify(struct slice token, enum toml_kind *kind, int64_t *integer)
{
    struct scan scan = scan_of(token);
    enum toml_kind time_kind = TOML_TIME_LOCAL;
    int64_t value = 0;

    if (slice_is(token, "true") || slice_is(token, "false")) {
        *kind = TOML_BOOL;
        value = slice_is(token, "true");
    } else if (classify_decimal(scan, &value) || classify_prefixed(scan, &value)) {
        *kind = TOML_INTEGER;
    } else if (classify_float(scan)) {
        *kind = TOML_FLOAT;
    } else if (classify_time(scan, &time_kind)) {
        *kind = time_kind;
    } else {
        return false;
    }
    *integer = value;
    return true;
}
