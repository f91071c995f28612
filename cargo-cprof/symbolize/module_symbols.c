#include "symbolize/module_symbols.h"

#include <elf.h>

#include "dwarf/source_path.h"
#include "elf/find_debug.h"

/* How far behind a symbol's end an address may be for the symbol to be worth naming. */
enum { NEAR_BYTES = 4096 };

static void find_separate(struct module_symbols *module)
{
    module->has_debug_image = !find_debug_is_inside(&module->image) && module->image.name &&
                              find_debug_open(&module->image, &module->debug_image, &module->separate) == 0;
}

/* Fills in the debug information where there is any; the file is as good without. */
static void open_debug(struct module_symbols *module)
{
    struct image *image = module->has_debug_image ? &module->debug_image : &module->image;

    module->has_debug = debug_info_open(image, DEBUG_PARTS, &module->debug, &module->problem) == 0;
}

/* code_map_choice: the sections that compilers put functions into, of the large code model the second. */
static bool is_text(const struct section *section)
{
    struct slice family = section_family(section->name);

    return slice_is(family, ".text") || slice_is(family, ".ltext");
}

/* Leaves `out` empty when the file has none that can be read. */
static void read_symbols(struct image *image, const struct places *wanted, struct symbols *out)
{
    struct error unread = {0};
    int result =
        wanted ? symbols_read_around(image, wanted, out, &unread) : symbols_read(image, out, &unread);

    if (result < 0)
        *out = (struct symbols){0};
}

/* A separate debug file has the full symbol table that was stripped from the program. */
static void read_fullest_symbols(struct module_symbols *module, const struct places *wanted,
                                 struct symbols *out)
{
    struct symbols full = {0};

    read_symbols(&module->image, wanted, out);
    if (out->source != SYMBOLS_FULL && module->has_debug_image)
        read_symbols(&module->debug_image, wanted, &full);
    if (full.source == SYMBOLS_FULL) {
        symbols_move(&full, &module->debug_image, &module->image);
        symbols_done(out);
        *out = full;
    } else {
        symbols_done(&full);
    }
}

static void open_symbols(struct module_symbols *module, const struct places *wanted)
{
    read_fullest_symbols(module, wanted, &module->symbols);
    code_map_build_names(&module->image, &module->symbols, is_text, &module->map);
}

/* What was stripped may be in a file that the program names: one that is missing, or of another build. */
static void explain_stripped(const struct recorded_file *file, struct module_symbols *module)
{
    bool has_nothing = module->symbols.source == SYMBOLS_NONE &&
                       (!module->has_debug || module->debug.units.items.count == 0);
    struct slice link = find_debug_link_name(&module->image);
    struct text *why = &module->why_stripped;

    text_add_string(why, has_nothing ? "the file has neither symbols nor debug information"
                                     : "the file is stripped");
    if (module->separate.kind == ERROR_MISSING && link.length > 0) {
        text_format(why, ", and its debug file, %.*s, is ", SLICE_ARGUMENTS(link));
        find_debug_add_places(&module->image, why);
    } else if (module->separate.kind != ERROR_NONE && module->separate.kind != ERROR_MISSING) {
        text_add_string(why, ", and its debug file was not taken: ");
        recorded_file_add_message(file, module->separate.message, why);
    }
    if (module->symbols.mini_problem.kind != ERROR_NONE) {
        text_add_string(why, ", and its function names could not be unpacked: ");
        recorded_file_add_message(file, module->symbols.mini_problem.message, why);
    }
    if (has_nothing)
        module->why_not = text_string(why);
}

static void open_parts(const struct recorded_file *file, enum module_detail detail,
                       const struct places *wanted, struct module_symbols *module)
{
    module->is_open = true;
    module->blocks = code_blocks_new();
    find_separate(module);
    open_symbols(module, wanted);
    if (detail == MODULE_LINES || module->symbols.source != SYMBOLS_FULL)
        open_debug(module);
    if (!symbols_name_all_functions(&module->symbols))
        explain_stripped(file, module);
}

void module_symbols_refuse_replaced(struct module_symbols *out)
{
    *out = (struct module_symbols){.why_not = "the file is another one by now"};
}

void module_symbols_open(const struct recorded_file *file, enum module_detail detail,
                         const struct places *wanted, struct module_symbols *out)
{
    struct error err = {0};

    *out = (struct module_symbols){0};
    if (image_open(file->name, &out->image, &err) < 0) {
        out->why_not = "the file cannot be read";
        return;
    }
    if (file->build_id.length > 0 && out->image.build_id.length > 0 &&
        !slice_equal(file->build_id, out->image.build_id)) {
        image_close(&out->image);
        module_symbols_refuse_replaced(out);
        return;
    }
    image_set_place(&out->image, file->root, file->path);
    open_parts(file, detail, wanted, out);
}

void module_symbols_open_bytes(struct slice bytes, const char *name, struct module_symbols *out)
{
    struct error err = {0};

    *out = (struct module_symbols){0};
    if (image_open_bytes(bytes, name, &out->image, &err) < 0)
        out->why_not = "it cannot be read";
    else
        open_parts(&(struct recorded_file){.name = name, .path = slice_of(name)}, MODULE_LINES, NULL, out);
}

void module_symbols_close(struct module_symbols *module)
{
    if (module->has_debug)
        debug_info_close(&module->debug);
    hashed_units_done(&module->hashed_units);
    local_crates_done(&module->local_crates);
    code_map_done(&module->map);
    symbols_done(&module->symbols);
    text_done(&module->why_stripped);
    if (module->has_debug_image)
        image_close(&module->debug_image);
    if (module->is_open)
        image_close(&module->image);
    code_blocks_free(module->blocks);
    *module = (struct module_symbols){0};
}

/* Of all functions: those that were asked for may not be among those that tell. */
static void read_hashed_units(struct module_symbols *module)
{
    SCOPED(symbols_done) struct symbols symbols = {0};
    SCOPED(code_map_done) struct code_map map = {0};

    read_fullest_symbols(module, NULL, &symbols);
    code_map_build_names(&module->image, &symbols, is_text, &map);
    hashed_units_read(&module->hashed_units, &module->debug, &map);
}

/* `skeleton` is what stays in the program of a unit that is split. */
static struct slice crate_of_unit(struct module_symbols *module, const struct unit *skeleton,
                                  const struct unit *unit)
{
    struct crate_fact fact;

    if (crate_fact_of_split_unit(unit, &fact))
        return fact.name;
    if (!codegen_unit_is_hashed(unit_codegen_unit(unit)))
        return unit_crate(unit);
    if (crate_fact_of_object(slice_file_name(skeleton->split_name), &fact))
        return fact.name;
    if (!module->hashed_units.is_read)
        read_hashed_units(module);
    return hashed_units_crate(&module->hashed_units, unit);
}

bool module_symbols_is_rust(const struct module_symbols *module, const struct source_frame *frame)
{
    const struct unit *unit = debug_info_unit(&module->debug, frame);
    struct crate_fact fact;

    /* What stays of a unit tells no language where what is split off is missing; its name is rustc's. */
    return unit->language == UNIT_LANGUAGE_RUST || crate_fact_of_split_unit(unit, &fact);
}

struct slice module_symbols_unit_crate(struct module_symbols *module, const struct source_frame *frame)
{
    return crate_of_unit(module, &module->debug.units.items.items[frame->unit],
                         debug_info_unit(&module->debug, frame));
}

static void read_local_crates(struct module_symbols *module)
{
    struct units *units = &module->debug.units;

    module->local_crates.is_read = true;
    for (uint32_t i = 0; i < units->items.count; i++) {
        const struct unit *unit = &units->items.items[i];

        if (unit->language != UNIT_LANGUAGE_RUST)
            continue;
        units_read_names(units, i);
        local_crates_add(&module->local_crates, unit, crate_of_unit(module, unit, unit));
    }
}

struct slice module_symbols_local_crate(struct module_symbols *module, const struct source_frame *frame,
                                        struct slice path)
{
    enum source_kind kind = source_path_origin(path).kind;

    if (kind != SOURCE_LOCAL && kind != SOURCE_GIT)
        return (struct slice){0};
    if (!module->local_crates.is_read)
        read_local_crates(module);
    return local_crates_find(&module->local_crates, debug_info_unit(&module->debug, frame), path);
}

/* The function whose bytes these are, under the name that reads best. */
static bool find_exact(const struct module_symbols *module, const struct section *section, uint64_t svma,
                       struct found_symbol *out)
{
    const struct code_range *range = code_map_find(&module->map, section->index, svma);
    const struct elf_symbol *symbol = NULL;

    if (!range || range->function >= module->map.functions.count)
        return false;
    symbol = module->map.functions.items[range->function].names[0];
    /* What has no size reaches to the next symbol only as far as nothing else is known to begin. */
    *out = (struct found_symbol){symbols_without_version(symbol->name), svma - symbol->svma,
                                 symbol->size_bytes == 0, symbol->size_bytes == 0};
    return true;
}

static bool is_function(const struct elf_symbol *symbol)
{
    return symbol->name.length > 0 && symbol->name.data[0] != '$' &&
           (symbol->type == STT_FUNC || symbol->type == STT_GNU_IFUNC || symbol->type == STT_NOTYPE);
}

/* The last function that starts at or before the address in its section. Symbols are sorted by both. */
static const struct elf_symbol *last_before(const struct symbols *symbols, uint32_t section, uint64_t svma)
{
    size_t low = 0;
    size_t high = symbols->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct elf_symbol *symbol = &symbols->items[middle];

        if (symbol->section < section || (symbol->section == section && symbol->svma <= svma))
            low = middle + 1;
        else
            high = middle;
    }
    while (low > 0 && symbols->items[low - 1].section == section) {
        if (is_function(&symbols->items[low - 1]))
            return &symbols->items[low - 1];
        low--;
    }
    return NULL;
}

bool module_symbols_find(const struct module_symbols *module, uint64_t svma, struct found_symbol *out)
{
    const struct section *section = module->is_open ? sections_code_at(&module->image.sections, svma) : NULL;
    const struct elf_symbol *symbol = NULL;
    uint64_t offset = 0;

    if (!section)
        return false;
    if (find_exact(module, section, svma, out))
        return true;
    symbol = last_before(&module->symbols, section->index, svma);
    if (!symbol)
        return false;
    offset = svma - symbol->svma;
    if (offset >= symbol->size_bytes && offset - symbol->size_bytes > NEAR_BYTES)
        return false;
    *out = (struct found_symbol){symbols_without_version(symbol->name), offset, offset >= symbol->size_bytes,
                                 symbol->size_bytes == 0};
    return true;
}
