#include "delta/pairing.h"

#include "base/memory.h"
#include "delta/same_name.h"

void pairing_done(struct pairing *pairing)
{
    intern_done(&pairing->names);
    vec_done(&pairing->items);
    vec_done(&pairing->is_one_name);
}

/* The id of all texts together. */
static uint32_t add_names(struct intern *names, const struct slice *texts, size_t count, bool is_common)
{
    SCOPED(text_done) struct text key = {0};

    for (size_t i = 0; i < count; i++) {
        if (is_common)
            same_name_add(&key, texts[i]);
        else
            text_add(&key, texts[i]);
        text_add_byte(&key, '\0');
    }
    return intern_add(names, text_slice(&key));
}

void pairing_add(struct pairing *pairing, const struct slice *texts, size_t count, bool is_after)
{
    struct pairing_item item = {.is_after = is_after};

    item.name = add_names(&pairing->names, texts, count, false);
    item.common_name = add_names(&pairing->names, texts, count, true);
    *vec_add(&pairing->items) = item;
}

static int compare_ids(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_places(const void *left, const void *right, void *context)
{
    const struct pairing_item *items = context;
    const struct pairing_item *a = &items[*(const uint32_t *)left];
    const struct pairing_item *b = &items[*(const uint32_t *)right];
    int order = compare_ids(a->common_name, b->common_name);

    order = order ? order : compare_ids(a->name, b->name);
    return order ? order : (int)a->is_after - (int)b->is_after;
}

/* Items by name, and where in them the grouping stands. */
struct walk {
    struct pairing *pairing;
    const uint32_t *places; /* of items, sorted: what was before comes first of each name */
};

static const struct pairing_item *item_at(const struct walk *walk, size_t at)
{
    return &walk->pairing->items.items[walk->places[at]];
}

static size_t name_end(const struct walk *walk, size_t start, size_t end)
{
    size_t at = start;

    while (at < end && item_at(walk, at)->name == item_at(walk, start)->name)
        at++;
    return at;
}

static bool names_are_on_both_sides(const struct walk *walk, size_t start, size_t end)
{
    while (start < end) {
        size_t next = name_end(walk, start, end);

        if (item_at(walk, start)->is_after || !item_at(walk, next - 1)->is_after)
            return false;
        start = next;
    }
    return true;
}

static void add_group(const struct walk *walk, size_t start, size_t end)
{
    uint32_t group = (uint32_t)walk->pairing->is_one_name.count;

    *vec_add(&walk->pairing->is_one_name) = name_end(walk, start, end) == end;
    for (size_t i = start; i < end; i++)
        walk->pairing->items.items[walk->places[i]].group = group;
}

/* Groups items whose names are the same without what does not last. */
static void add_groups(const struct walk *walk, size_t start, size_t end)
{
    if (!names_are_on_both_sides(walk, start, end)) {
        add_group(walk, start, end);
        return;
    }
    while (start < end) {
        size_t next = name_end(walk, start, end);

        add_group(walk, start, next);
        start = next;
    }
}

void pairing_finish(struct pairing *pairing)
{
    size_t count = pairing->items.count;
    SCOPED(memory_free_at) uint32_t *places = memory_new(count + 1, sizeof(uint32_t));
    struct walk walk = {pairing, places};

    for (uint32_t i = 0; i < count; i++)
        places[i] = i;
    qsort_r(places, count, sizeof(uint32_t), compare_places, pairing->items.items);
    for (size_t start = 0, end = 0; start < count; start = end) {
        while (end < count && item_at(&walk, end)->common_name == item_at(&walk, start)->common_name)
            end++;
        add_groups(&walk, start, end);
    }
}
