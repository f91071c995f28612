#include "delta/moved.h"

#include "base/intern.h"
#include "base/memory.h"
#include "delta/same_name.h"

/* Entries of one name, in whatever crates. */
struct of_name {
    struct delta_value values[DELTA_VALUES_MAX];
    size_t count;
};

/* What changed, by name. */
struct names {
    struct intern intern;
    VEC(struct of_name) sums; /* by the name's id */
};

static void names_done(struct names *names)
{
    intern_done(&names->intern);
    vec_done(&names->sums);
}

/* What an entry is called without its crate; false when that is nothing. */
static bool add_name(const struct delta *delta, const struct delta_entry *entry, size_t crate,
                     struct text *name)
{
    text_clear(name);
    for (size_t i = 0; i < delta->text_count; i++)
        if (i != crate && delta->texts[i].kind == COLUMN_TEXT && entry->texts[i].length > 0) {
            same_name_add(name, entry->texts[i]);
            text_add_byte(name, '\0');
        }
    return name->length > 0;
}

/* The id of what the entry is called; INTERN_NONE when it did not change, or has no name. */
static uint32_t add_entry(struct names *names, const struct delta *delta, const struct delta_entry *entry,
                          size_t crate, struct text *name)
{
    struct of_name *sum = NULL;
    uint32_t id = INTERN_NONE;

    if (!delta_entry_is_changed(delta, entry) || !add_name(delta, entry, crate, name))
        return INTERN_NONE;
    id = intern_add(&names->intern, text_slice(name));
    if (id == names->sums.count)
        *vec_add(&names->sums) = (struct of_name){0};
    sum = &names->sums.items[id];
    sum->count++;
    for (size_t i = 0; i < delta->value_count; i++) {
        sum->values[i].before += entry->values[i].before;
        sum->values[i].after += entry->values[i].after;
    }
    return id;
}

static bool is_moved(const struct delta *delta, const struct of_name *sum)
{
    for (size_t i = 0; i < delta->value_count; i++)
        if (sum->values[i].before != sum->values[i].after)
            return false;
    return sum->count > 1;
}

static void put_last(struct delta *delta)
{
    size_t count = delta->items.count;
    SCOPED(memory_free_at) struct delta_entry *moved = memory_new(count + 1, sizeof(*moved));
    size_t moved_count = 0;
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        if (delta->items.items[i].is_moved)
            moved[moved_count++] = delta->items.items[i];
        else
            delta->items.items[kept++] = delta->items.items[i];
    }
    for (size_t i = 0; i < moved_count; i++)
        delta->items.items[kept + i] = moved[i];
}

void delta_find_moved(struct delta *delta)
{
    SCOPED(names_done) struct names names = {0};
    SCOPED(text_done) struct text name = {0};
    SCOPED(memory_free_at) uint32_t *ids = memory_new(delta->items.count + 1, sizeof(*ids));
    size_t crate = delta_find_text(delta, "crate");

    if (crate == delta->text_count)
        return;
    for (size_t i = 0; i < delta->items.count; i++)
        ids[i] = add_entry(&names, delta, &delta->items.items[i], crate, &name);
    for (size_t i = 0; i < delta->items.count; i++)
        delta->items.items[i].is_moved = ids[i] != INTERN_NONE && is_moved(delta, &names.sums.items[ids[i]]);
    put_last(delta);
}
