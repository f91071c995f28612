#include "cargo/cfg.h"

#include "base/ascii.h"
#include "base/scan.h"

enum { NESTING_MAX = 64 };

struct reader {
    struct scan scan;
    struct slice facts;
    unsigned depth;
    bool is_bad; /* what was read is no condition; all after that counts for nothing */
};

static bool is_name_byte(char byte)
{
    return ascii_is_name(byte) || byte == '-' || byte == '.';
}

static void skip_space(struct reader *reader)
{
    (void)scan_skip_any(&reader->scan, " \t\r\n");
}

static bool take(struct reader *reader, char byte)
{
    bool taken = false;

    skip_space(reader);
    taken = scan_byte(&reader->scan, byte);
    skip_space(reader);
    return taken;
}

static struct slice take_name(struct reader *reader)
{
    struct slice rest = reader->scan.rest;
    size_t length = 0;
    struct slice name = {0};

    while (length < rest.length && is_name_byte(rest.data[length]))
        length++;
    if (length == 0 || !scan_bytes(&reader->scan, length, &name))
        reader->is_bad = true;
    return name;
}

/* `name`, or `name="value"` when there is a value. */
static bool is_fact(struct slice facts, struct slice name, bool has_value, struct slice value)
{
    struct scan scan = scan_of(facts);
    struct slice line;

    while (scan_line(&scan, &line)) {
        struct slice rest = slice_range(line, name.length, line.length);

        if (!slice_starts_with(line, name))
            continue;
        if (!has_value && rest.length == 0)
            return true;
        if (has_value && rest.length == value.length + 3 && slice_starts_with(rest, SLICE("=\"")) &&
            slice_ends_with(rest, SLICE("\"")) && slice_equal(slice_range(rest, 2, rest.length - 1), value))
            return true;
    }
    return false;
}

static bool condition(struct reader *reader);

/* What follows "all(", "any(" or "not(". */
static bool list(struct reader *reader, struct slice name)
{
    bool is_any = slice_is(name, "any");
    bool is_not = slice_is(name, "not");
    bool result = !is_any;
    size_t count = 0;

    reader->is_bad |= ++reader->depth > NESTING_MAX || !(is_any || is_not || slice_is(name, "all"));
    while (!reader->is_bad && !take(reader, ')')) {
        bool holds = condition(reader);

        count++;
        result = is_any ? result || holds : result && holds;
        if (take(reader, ','))
            continue;
        reader->is_bad |= !take(reader, ')');
        break;
    }
    reader->depth--;
    reader->is_bad |= is_not && count != 1;
    return is_not ? !result : result;
}

static bool condition(struct reader *reader)
{
    struct slice value = {0};
    struct slice name;

    skip_space(reader);
    name = take_name(reader);
    if (take(reader, '('))
        return list(reader, name);
    if (!take(reader, '='))
        return slice_is(name, "true") ||
               (!slice_is(name, "false") && is_fact(reader->facts, name, false, value));
    reader->is_bad |= !scan_byte(&reader->scan, '"') || !scan_until(&reader->scan, '"', &value);
    return is_fact(reader->facts, name, true, value);
}

bool cargo_cfg_holds(struct slice key, struct slice facts)
{
    struct reader reader = {.scan = scan_of(key), .facts = facts};
    bool holds = false;

    if (!scan_text(&reader.scan, "cfg(") || !slice_ends_with(key, SLICE(")")))
        return false;
    holds = condition(&reader);
    return holds && take(&reader, ')') && !reader.is_bad && scan_at_end(&reader.scan);
}
