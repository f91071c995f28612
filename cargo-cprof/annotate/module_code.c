#include "annotate/module_code.h"

#include "base/memory.h"
#include "rust/demangle.h"
#include "symbolize/stubs.h"

int module_code_open(const struct recorded_file *file, struct module_code *out, struct error *err)
{
    struct error unknown = {0};

    *out = (struct module_code){0};
    module_symbols_open(file, MODULE_NAMES, NULL, &out->symbols);
    if (!out->symbols.is_open) {
        (void)error_set(err, ERROR_MISSING, "%s: %s", file->name, out->symbols.why_not);
        module_symbols_close(&out->symbols);
        return -1;
    }
    if (cfi_lookup_open(&out->symbols.image, &out->frames, &unknown) < 0)
        out->frames = NULL;
    code_slots_read(&out->symbols.image, CODE_SLOTS_ALL, &out->slots);
    return 0;
}

void module_code_close(struct module_code *code)
{
    cfi_lookup_close(code->frames);
    code_slots_done(&code->slots);
    module_symbols_close(&code->symbols);
    *code = (struct module_code){0};
}

static bool find_by_symbols(const struct module_code *code, const struct section *section, uint64_t svma,
                            struct code_extent *out)
{
    const struct code_range *range = code_map_find(&code->symbols.map, section->index, svma);

    if (!range || range->function >= code->symbols.map.functions.count)
        return false;
    *out = (struct code_extent){range->svma, range->svma + range->size_bytes};
    return true;
}

bool module_code_find(const struct module_code *code, uint64_t svma, struct code_extent *out)
{
    const struct section *section = sections_code_at(&code->symbols.image.sections, svma);
    struct code_extent extent = {0};
    uint64_t section_end = 0;

    if (!section || (!find_by_symbols(code, section, svma, &extent) &&
                     !cfi_lookup_range(code->frames, svma, &extent.start_svma, &extent.end_svma)))
        return false;
    section_end = section->svma + section->file_bytes;
    if (extent.start_svma < section->svma)
        extent.start_svma = section->svma;
    if (extent.end_svma > section_end)
        extent.end_svma = section_end;
    if (svma < extent.start_svma || svma >= extent.end_svma ||
        extent.end_svma - extent.start_svma > MODULE_CODE_MOST_BYTES)
        return false;
    *out = extent;
    return true;
}

/* The instructions from `svma` to `end_svma`, which are in one section. */
static int read_code(const struct image *image, const struct section *section, struct code_extent extent,
                     enum instruction_syntax syntax, struct instructions *out, struct error *err)
{
    size_t length = (size_t)(extent.end_svma - extent.start_svma);
    SCOPED(memory_free_at) char *bytes = memory_new_unset(length + 1);

    if (image_read_at(image, section->file_offset + (extent.start_svma - section->svma), bytes, length, err) <
        0)
        return -1;
    if (instructions_read(image->machine, &(struct code_bytes){{bytes, length}, extent.start_svma}, syntax,
                          out, err) < 0)
        return error_wrap(err, "%s", image->name);
    return 0;
}

static bool add_name_at(const struct module_code *code, uint64_t svma, struct symbol *symbol,
                        struct text *text)
{
    struct found_symbol found;

    if (!module_symbols_find(&code->symbols, svma, &found) || (found.is_near && found.offset > 0))
        return false;
    demangle_add_name(text, symbol, found.name, DEMANGLE_SHORT);
    if (found.offset > 0)
        text_format(text, "+0x%llx", (unsigned long long)found.offset);
    return true;
}

void module_code_add_symbol(const struct module_code *code, uint64_t svma, struct slice name,
                            struct text *text)
{
    SCOPED(symbol_done) struct symbol symbol = {0};
    struct found_symbol found;

    text_clear(text);
    if (!module_symbols_find(&code->symbols, svma, &found) || found.offset > 0)
        return;
    for (int form = DEMANGLE_SHORT; form >= DEMANGLE_FULL; form--) {
        demangle_add_name(text, &symbol, found.name, (enum demangle_form)form);
        if (!slice_equal(text_slice(text), name))
            return;
        text_clear(text);
    }
}

/* Appends the name of what the instruction leads to; false when it is not known. */
static bool add_target(const struct module_code *code, const struct instruction *instruction,
                       struct symbol *symbol, struct text *text)
{
    uint64_t place_svma = instruction->target_svma;
    const struct code_slot *slot = NULL;

    if (!instruction->is_indirect && !stubs_are_at(&code->symbols.image, instruction->target_svma))
        return add_name_at(code, instruction->target_svma, symbol, text);
    if (!instruction->is_indirect &&
        !stubs_find_place(&code->symbols.image, instruction->target_svma, &place_svma))
        return false;
    slot = code_slots_find(&code->slots, place_svma);
    if (!slot)
        return false;
    if (slot->name.length == 0)
        return add_name_at(code, slot->target_svma, symbol, text);
    demangle_add_name(text, symbol, slot->name, DEMANGLE_SHORT);
    return true;
}

/* Appends names to those that lead out of the function. */
static void name_targets(const struct module_code *code, struct code_extent extent, size_t first,
                         struct instructions *instructions)
{
    SCOPED(text_done) struct text text = {0};
    SCOPED(symbol_done) struct symbol symbol = {0};

    for (size_t i = first; i < instructions->items.count; i++) {
        struct instruction *instruction = &instructions->items.items[i];
        uint64_t target = instruction->target_svma;

        if (!instruction->has_target ||
            (!instruction->is_indirect && target > extent.start_svma && target < extent.end_svma))
            continue;
        text_clear(&text);
        text_add(&text, instruction->text);
        text_add_string(&text, " <");
        if (!add_target(code, instruction, &symbol, &text))
            continue;
        text_add_byte(&text, '>');
        instruction->text = arena_slice(&instructions->arena, text_slice(&text));
    }
}

int module_code_read(const struct module_code *code, struct code_extent extent,
                     enum instruction_syntax syntax, struct instructions *out, struct error *err)
{
    const struct image *image = &code->symbols.image;
    const struct section *section = sections_code_at(&image->sections, extent.start_svma);
    size_t first = out->items.count;

    if (!section)
        return error_set(err, ERROR_MISSING, "%s: no code is at this address", image->name);
    if (read_code(image, section, extent, syntax, out, err) < 0)
        return -1;
    name_targets(code, extent, first, out);
    return 0;
}
