#include "report/column.h"

static const struct {
    bool has_sum;
    bool is_inclusive;
    bool is_change; /* its numbers say how much more or less: int64_t */
} kinds[] = {
    [COLUMN_DECIMAL] = {.has_sum = false},
    [COLUMN_BYTES] = {.has_sum = true},
    [COLUMN_COUNT] = {.has_sum = true},
    [COLUMN_TIME] = {.has_sum = true},
    [COLUMN_PART] = {.has_sum = true},
    [COLUMN_BYTES_CHANGE] = {.has_sum = true, .is_change = true},
    [COLUMN_COUNT_CHANGE] = {.has_sum = true, .is_change = true},
    [COLUMN_TIME_CHANGE] = {.has_sum = true, .is_change = true},
    [COLUMN_PART_CHANGE] = {.has_sum = true, .is_change = true},
    [COLUMN_INCLUSIVE] = {.is_inclusive = true},
    [COLUMN_INCLUSIVE_BYTES] = {.is_inclusive = true},
    [COLUMN_INCLUSIVE_TIME] = {.is_inclusive = true},
    [COLUMN_INCLUSIVE_PART] = {.is_inclusive = true},
    [COLUMN_INCLUSIVE_POINTS] = {.is_inclusive = true},
    [COLUMN_INCLUSIVE_BYTES_CHANGE] = {.is_inclusive = true, .is_change = true},
    [COLUMN_INCLUSIVE_COUNT_CHANGE] = {.is_inclusive = true, .is_change = true},
    [COLUMN_INCLUSIVE_TIME_CHANGE] = {.is_inclusive = true, .is_change = true},
    [COLUMN_INCLUSIVE_PART_CHANGE] = {.is_inclusive = true, .is_change = true},
    [COLUMN_GROWTH] = {.has_sum = false},
};

bool column_is_text(enum column_kind kind)
{
    return column_is_string(kind) || kind == COLUMN_DECIMAL || kind == COLUMN_AMOUNT;
}

bool column_is_string(enum column_kind kind)
{
    return kind == COLUMN_TEXT || kind == COLUMN_WORD;
}

bool column_has_sum(enum column_kind kind)
{
    return kinds[kind].has_sum;
}

bool column_is_inclusive(enum column_kind kind)
{
    return kinds[kind].is_inclusive;
}

static bool is_part(enum column_kind kind)
{
    return kind == COLUMN_INCLUSIVE_POINTS || kind == COLUMN_PART || kind == COLUMN_PART_CHANGE ||
           kind == COLUMN_INCLUSIVE_PART || kind == COLUMN_INCLUSIVE_PART_CHANGE;
}

/* All nine decimals: what adds up in the rows does so for who reads them. */
static void add_part(struct text *text, uint64_t billionths)
{
    enum { BILLION = 1000000000 };

    text_format(text, "%llu.%09u", (unsigned long long)(billionths / BILLION),
                (unsigned)(billionths % BILLION));
}

void column_add_number(struct text *text, enum column_kind kind, uint64_t number)
{
    bool is_negative = kinds[kind].is_change && (int64_t)number < 0;

    if (is_negative) {
        text_add_byte(text, '-');
        number = 0 - number;
    }
    if (is_part(kind))
        add_part(text, number);
    else
        text_format(text, "%llu", (unsigned long long)number);
}
