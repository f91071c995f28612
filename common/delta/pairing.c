#include "delta/pairing.h"

#include "base/memory.h"
#include "delta/same_name.h"

void pairing_done(struct pairing *pairing)
{
    intern_done(&pairing->names);
    vec_done(&pairing->items);
    vec_done(&pairing->groups);
}

/* The id of all texts together. */
static uint32_t add_names(struct intern *names, const struct slice *texts, size_t count,
                          void add(struct text *, struct slice))
{
    SCOPED(text_done) struct text key = {0};

    for (size_t i = 0; i < count; i++) {
        add(&key, texts[i]);
        text_add_byte(&key, '\0');
    }
    return intern_add(names, text_slice(&key));
}

void pairing_add(struct pairing *pairing, const struct slice *texts, size_t count, bool is_after)
{
    struct pairing_item item = {.is_after = is_after};

    item.name = add_names(&pairing->names, texts, count, text_add);
    item.typed_name = add_names(&pairing->names, texts, count, same_name_add_with_type);
    item.common_name = add_names(&pairing->names, texts, count, same_name_add);
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

    order = order ? order : compare_ids(a->typed_name, b->typed_name);
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

static size_t typed_name_end(const struct walk *walk, size_t start, size_t end)
{
    size_t at = start;

    while (at < end && item_at(walk, at)->typed_name == item_at(walk, start)->typed_name)
        at++;
    return at;
}

static enum pairing_likeness likeness(const struct walk *walk, size_t start, size_t end)
{
    if (name_end(walk, start, end) == end)
        return PAIRING_WHOLE_NAMES;
    return typed_name_end(walk, start, end) == end ? PAIRING_TYPED_NAMES : PAIRING_COMMON_NAMES;
}

static void add_group(const struct walk *walk, size_t start, size_t end)
{
    uint32_t group = (uint32_t)walk->pairing->groups.count;

    *vec_add(&walk->pairing->groups) = likeness(walk, start, end);
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

static bool all_tell_types(const struct walk *walk, size_t start, size_t end)
{
    for (size_t i = start; i < end; i++)
        if (item_at(walk, i)->typed_name == item_at(walk, i)->common_name)
            return false;
    return true;
}

static void add_groups_by_type(const struct walk *walk, size_t start, size_t end)
{
    while (start < end) {
        size_t next = typed_name_end(walk, start, end);

        add_groups(walk, start, next);
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
        if (all_tell_types(&walk, start, end))
            add_groups_by_type(&walk, start, end);
        else
            add_groups(&walk, start, end);
    }
}

void pairing_add_name(const struct pairing *pairing, uint32_t group, struct slice name, struct text *text)
{
    switch (pairing->groups.items[group]) {
    case PAIRING_WHOLE_NAMES:
        text_add(text, name);
        break;
    case PAIRING_TYPED_NAMES:
        same_name_add_with_type(text, name);
        break;
    case PAIRING_COMMON_NAMES:
        same_name_add(text, name);
        break;
    }
}
