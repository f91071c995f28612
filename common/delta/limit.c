#include "delta/limit.h"

#include "base/scan.h"

static bool read_amount(struct slice text, struct limit *limit)
{
    static const struct {
        const char *name;
        enum limit_unit unit;
        double factor;
    } units[] = {{"%", LIMIT_PERCENT, 1},    {"", LIMIT_PLAIN, 1},          {"B", LIMIT_BYTES, 1},
                 {"KiB", LIMIT_BYTES, 1024}, {"MiB", LIMIT_BYTES, 1048576}, {"GiB", LIMIT_BYTES, 1073741824},
                 {"kB", LIMIT_BYTES, 1e3},   {"KB", LIMIT_BYTES, 1e3},      {"MB", LIMIT_BYTES, 1e6},
                 {"GB", LIMIT_BYTES, 1e9},   {"s", LIMIT_NS, 1e9},          {"ms", LIMIT_NS, 1e6},
                 {"us", LIMIT_NS, 1e3},      {"pp", LIMIT_PARTS, 1e7}};
    struct scan scan = scan_of(text);

    if (!scan_real(&scan, &limit->amount))
        return false;
    scan_byte(&scan, ' ');
    for (size_t i = 0; i < ARRAY_COUNT(units); i++)
        if (slice_is(scan.rest, units[i].name)) {
            limit->amount *= units[i].factor;
            limit->unit = units[i].unit;
            return true;
        }
    return false;
}

/* "crate", "crate:NAME". */
static bool read_subject(struct slice text, struct limit *limit)
{
    size_t colon = slice_find_byte(text, ':');

    limit->subject = slice_range(text, 0, colon);
    if (colon == text.length)
        return limit->subject.length > 0;
    limit->name = slice_range(text, colon + 1, text.length);
    return limit->subject.length > 0 && limit->name.length > 0;
}

bool limit_read(struct slice text, struct limit *out)
{
    /* A function's name may hold "=". */
    size_t equals = slice_find_last_byte(text, '=');
    bool has_subject = equals < text.length;
    struct limit limit = {0};

    if (has_subject && !read_subject(slice_range(text, 0, equals), &limit))
        return false;
    if (!read_amount(slice_range(text, has_subject ? equals + 1 : 0, text.length), &limit))
        return false;
    *out = limit;
    return true;
}

int limit_refuse(struct slice text, const char *from, const char *examples, struct error *err)
{
    error_hint(err, "limits are %s", examples);
    return error_set(err, ERROR_USAGE, "%s: \"%.*s\" is no limit", from, SLICE_ARGUMENTS(text));
}

void limit_begin_doubt(struct text *doubts)
{
    text_add_string(doubts, doubts->length > 0 ? "; " : "");
}
