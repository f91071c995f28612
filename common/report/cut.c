#include "report/cut.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/memory.h"

enum { DOTS = 3, PLACES_MOST = 4 };

/* How many bytes the first `columns` of the name are. */
static size_t bytes_of(struct slice name, size_t columns)
{
    size_t at = 0;

    for (size_t i = 0; i < columns && at < name.length; i++) {
        size_t length = text_utf8_length(slice_range(name, at, name.length));

        at += length ? length : 1;
    }
    return at;
}

/* The columns from `start` up to `end`. */
static void add_part(struct text *text, struct slice name, size_t start, size_t end)
{
    text_add(text, slice_range(name, bytes_of(name, start), bytes_of(name, end)));
}

/* Where the word begins that column `at` is in, at most `most` columns before it. */
static size_t word_start(struct slice name, size_t at, size_t most)
{
    size_t byte = bytes_of(name, at);

    while (most > 0 && byte > 0 && ascii_is_name(name.data[byte - 1])) {
        byte--;
        at--;
        most--;
    }
    return at;
}

/*
 * Its beginning, its end, and between them what stands at the places, columns in order; dots for the rest.
 * The end gets twice what each of the others does.
 */
static void add_cut(struct text *text, struct slice name, size_t columns, const size_t *places, size_t count)
{
    size_t all = text_columns(name);
    size_t piece = (columns - DOTS * (count + 1)) / (count + 3);
    size_t shown = piece; /* of the name, from its beginning, with what dots stand for */
    size_t left = columns - piece;

    add_part(text, name, 0, piece);
    for (size_t i = 0; i < count && all - shown > left; i++) {
        size_t start = word_start(name, places[i], piece / 2);
        bool is_apart = start > shown + DOTS;
        size_t first = is_apart ? start : shown;
        size_t end = is_apart ? start + piece : shown + DOTS + piece;

        if (start >= all - (left - DOTS))
            break;
        text_add_string(text, is_apart ? "..." : "");
        add_part(text, name, first, end);
        shown = end;
        left -= DOTS + piece;
    }
    if (all - shown > left) {
        text_add_string(text, "...");
        shown = all - (left - DOTS);
    }
    add_part(text, name, shown, all);
}

void cut_add(struct text *text, struct slice name, size_t columns)
{
    if (text_columns(name) <= columns)
        text_add(text, name);
    else
        add_cut(text, name, columns, NULL, 0);
}

/* The first column that is not the same in both. */
static size_t first_difference(struct slice a, struct slice b)
{
    size_t same = 0;

    while (same < a.length && same < b.length && a.data[same] == b.data[same])
        same++;
    while (same > 0 && same < a.length && ((unsigned char)a.data[same] & 0xc0) == 0x80)
        same--;
    return text_columns(slice_range(a, 0, same));
}

/* A name that does not fit, with the columns that are to be seen of it beside its beginning and end. */
struct long_name {
    struct cut_name *name;
    size_t places[PLACES_MOST]; /* from the first to the last */
    size_t place_count;
};

/* Names that read alike stand together, those that are alike among them, too. */
static int compare_cuts(const void *left, const void *right)
{
    const struct cut_name *a = ((const struct long_name *)left)->name;
    const struct cut_name *b = ((const struct long_name *)right)->name;
    int result = slice_compare(a->cut, b->cut);

    return result ? result : slice_compare(a->name, b->name);
}

static void cut_long(struct arena *arena, struct long_name *name)
{
    SCOPED(text_done) struct text cut = {0};

    add_cut(&cut, name->name->name, name->name->columns, name->places, name->place_count);
    name->name->cut = arena_slice(arena, text_slice(&cut));
}

/* False when there is no room for one more. */
static bool add_place(struct long_name *name, size_t place)
{
    size_t at = name->place_count;

    if (at == PLACES_MOST || name->name->columns < DOTS * (at + 2) + at + 4)
        return false;
    for (; at > 0 && name->places[at - 1] > place; at--)
        name->places[at] = name->places[at - 1];
    name->places[at] = place;
    name->place_count++;
    return true;
}

/* `count` names in order that read alike. Whether any is cut otherwise now. */
static bool tell_apart(struct arena *arena, struct long_name *names, size_t count)
{
    struct slice first = names[0].name->name;
    struct slice last = names[count - 1].name->name;
    bool any = false;

    if (slice_equal(first, last))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!add_place(&names[i], first_difference(first, last)))
            continue;
        cut_long(arena, &names[i]);
        any = true;
    }
    return any;
}

/* Whether any is cut otherwise now: some may read alike yet, which differ further on. */
static bool tell_all_apart(struct arena *arena, struct long_name *names, size_t count)
{
    bool any = false;
    size_t end = 0;

    qsort(names, count, sizeof(*names), compare_cuts);
    for (size_t first = 0; first < count; first = end) {
        for (end = first + 1; end < count && slice_equal(names[end].name->cut, names[first].name->cut);)
            end++;
        any = tell_apart(arena, names + first, end - first) || any;
    }
    return any;
}

void cut_names(struct arena *arena, struct cut_name *names, size_t count)
{
    SCOPED(memory_free_at) struct long_name *too_long = memory_new(count + 1, sizeof(*too_long));
    size_t too_long_count = 0;

    for (size_t i = 0; i < count; i++) {
        names[i].cut = names[i].name;
        if (text_columns(names[i].name) <= names[i].columns)
            continue;
        too_long[too_long_count].name = &names[i];
        cut_long(arena, &too_long[too_long_count++]);
    }
    while (tell_all_apart(arena, too_long, too_long_count)) {
    }
}

void cut_lines(struct arena *arena, struct cut_name *lines, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        SCOPED(text_done) struct text cut = {0};

        lines[i].cut = lines[i].name;
        if (text_columns(lines[i].name) <= lines[i].columns)
            continue;
        add_part(&cut, lines[i].name, 0, lines[i].columns - DOTS);
        text_add_string(&cut, "...");
        lines[i].cut = arena_slice(arena, text_slice(&cut));
    }
}
