#include "symbolize/code_slots.h"

#include <elf.h>
#include <stdlib.h>

#include "elf/relocation_table.h"
#include "elf/symbol_table.h"

/* R_*_IRELATIVE: the loader calls the function there (STT_GNU_IFUNC, gABI's GNU extensions). */
static bool is_chosen(const struct image *image, uint32_t type)
{
    return (image->machine == EM_X86_64 && type == R_X86_64_IRELATIVE) ||
           (image->machine == EM_AARCH64 && type == R_AARCH64_IRELATIVE);
}

static void read_table(struct image *image, const struct section *section, enum code_slots_wanted wanted,
                       struct code_slots *out)
{
    struct relocation_table table;
    struct relocation_entry entry;
    struct error unread = {0};

    if (relocation_table_open(image, section, &table, &unread) < 0)
        return;
    while (relocation_table_take(&table, &entry)) {
        struct code_slot slot = {.place_svma = entry.place,
                                 .target_svma = entry.addend,
                                 .is_chosen = is_chosen(image, entry.type)};

        if (entry.symbol == 0 ? wanted == CODE_SLOTS_ALL || slot.is_chosen
                              : relocation_table_symbol_name(&table, entry.symbol, &slot.name))
            *vec_add(&out->items) = slot;
    }
}

static int compare_places(const void *left, const void *right)
{
    const struct code_slot *a = left;
    const struct code_slot *b = right;

    return (a->place_svma > b->place_svma) - (a->place_svma < b->place_svma);
}

/* A function that chooses another one, and stands for it where that is called by name. */
struct chooser {
    uint64_t svma;
    uint32_t name_offset;
};

static int compare_choosers(const void *left, const void *right)
{
    const struct chooser *a = left;
    const struct chooser *b = right;

    return (a->svma > b->svma) - (a->svma < b->svma);
}

static void name_by(const struct symbol_table *table, struct code_slots *slots)
{
    VEC(struct chooser) choosers = {0};

    for (size_t i = 0; i < table->count; i++) {
        struct symbol_entry entry = symbol_table_entry(table, i);

        if (entry.symbol.type == STT_GNU_IFUNC)
            *vec_add(&choosers) = (struct chooser){entry.symbol.svma, entry.name_offset};
    }
    vec_sort(&choosers, compare_choosers);
    for (size_t i = 0; i < slots->items.count && choosers.count > 0; i++) {
        struct code_slot *slot = &slots->items.items[i];
        const struct chooser wanted = {.svma = slot->target_svma};
        const struct chooser *found = NULL;

        if (slot->is_chosen)
            found = bsearch(&wanted, choosers.items, choosers.count, sizeof(wanted), compare_choosers);
        if (found)
            (void)symbol_table_name(table, found->name_offset, &slot->name);
    }
    vec_done(&choosers);
}

/* Of those that are chosen the relocation has no symbol. */
static void name_chosen(struct image *image, struct code_slots *slots)
{
    struct symbol_table table;
    struct error unread = {0};
    size_t first = 0;

    while (first < slots->items.count && !slots->items.items[first].is_chosen)
        first++;
    if (first == slots->items.count || symbol_table_open(image, SYMBOLS_AT_ONCE, &table, &unread) < 0)
        return;
    name_by(&table, slots);
    symbol_table_close(&table);
}

void code_slots_read(struct image *image, enum code_slots_wanted wanted, struct code_slots *out)
{
    for (size_t i = 0; i < image->sections.count; i++) {
        const struct section *section = &image->sections.items[i];

        if (section->flags & SHF_ALLOC && relocation_table_is(image, section))
            read_table(image, section, wanted, out);
    }
    vec_sort(&out->items, compare_places);
    name_chosen(image, out);
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
