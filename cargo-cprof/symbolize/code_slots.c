#include "symbolize/code_slots.h"

#include <elf.h>
#include <stdlib.h>

#include "elf/relocation_table.h"

static void read_table(struct image *image, const struct section *section, struct code_slots *out)
{
    struct relocation_table table;
    struct relocation_entry entry;
    struct error unread = {0};

    if (relocation_table_open(image, section, &table, &unread) < 0)
        return;
    while (relocation_table_take(&table, &entry)) {
        struct code_slot slot = {.place_svma = entry.place, .target_svma = entry.addend};

        if (entry.symbol == 0 || relocation_table_symbol_name(&table, entry.symbol, &slot.name))
            *vec_add(&out->items) = slot;
    }
}

static int compare_places(const void *left, const void *right)
{
    const struct code_slot *a = left;
    const struct code_slot *b = right;

    return (a->place_svma > b->place_svma) - (a->place_svma < b->place_svma);
}

void code_slots_read(struct image *image, struct code_slots *out)
{
    for (size_t i = 0; i < image->sections.count; i++) {
        const struct section *section = &image->sections.items[i];

        if (section->flags & SHF_ALLOC && relocation_table_is(image, section))
            read_table(image, section, out);
    }
    vec_sort(&out->items, compare_places);
}

void code_slots_done(struct code_slots *slots)
{
    vec_done(&slots->items);
}

const struct code_slot *code_slots_find(const struct code_slots *slots, uint64_t place_svma)
{
    const struct code_slot wanted = {.place_svma = place_svma};

    if (slots->items.count == 0)
        return NULL;
    return bsearch(&wanted, slots->items.items, slots->items.count, sizeof(wanted), compare_places);
}
