#include "sizes/code_sizes.h"

#include <elf.h>
#include <stdlib.h>

#include "base/memory.h"
#include "size/images.h"
#include "size/source.h"
#include "size/used/used.h"

void code_sizes_done(struct code_sizes *sizes)
{
    vec_done(&sizes->functions);
    vec_done(&sizes->paths);
    arena_done(&sizes->arena);
}

struct reader {
    const char *path;
    const struct symbol_crate *holder; /* of all; NULL: to be found out */
    struct code_sizes *out;
    struct symbol symbol; /* scratch */
};

/* One file, and what is found out about who holds its functions. */
struct holders {
    struct reader *reader;
    const struct source *source;
    struct size_crates crates;
    struct used *used;            /* by function */
    uint32_t *units;              /* by function: the compile unit, UNIT_NONE */
    struct symbol_crate *of_unit; /* by compile unit; without a name while nothing tells */
};

static void holders_done(struct holders *holders)
{
    size_crates_done(&holders->crates);
    free(holders->used);
    free(holders->units);
    free(holders->of_unit);
}

/* A unit's name says it, but in incremental builds. */
static void read_unit_names(struct holders *holders)
{
    const struct units *units = &holders->source->debug.units;

    holders->of_unit = memory_new(units->items.count, sizeof(*holders->of_unit));
    for (size_t i = 0; i < units->items.count; i++) {
        const struct unit *unit = &units->items.items[i];
        struct crate_fact fact;

        if (crate_fact_of_codegen_unit(unit_codegen_unit(unit), &fact))
            holders->of_unit[i] =
                (struct symbol_crate){arena_slice(&holders->reader->out->arena, fact.name), fact.id};
    }
}

/*
 * What one of a unit's functions tells of all of them: who instantiated it, or with `by_definition` that it
 * is of the crate that the unit's source is of.
 */
static void learn_units(struct holders *holders, bool by_definition)
{
    const struct code_map *map = &holders->source->map;
    struct symbol *symbol = &holders->reader->symbol;

    for (size_t i = 0; i < map->functions.count; i++) {
        struct symbol_crate *unit =
            holders->units[i] == UNIT_NONE ? NULL : &holders->of_unit[holders->units[i]];
        struct symbol_crate crate = {0};

        if (!unit || unit->name.length > 0 || holders->used[i].crate == SIZE_NO_CRATE)
            continue;
        symbol_parse(symbol, map->functions.items[i].names[0]->name);
        if (by_definition)
            crate = symbol_defining_crate(symbol).crate;
        else
            (void)symbol_instantiating_crate(symbol, &crate);
        if (crate.disambiguator != 0 &&
            slice_equal(crate.name, holders->crates.items.items[holders->used[i].crate].name))
            *unit = (struct symbol_crate){arena_slice(&holders->reader->out->arena, crate.name),
                                          crate.disambiguator};
    }
}

static void find_units(struct holders *holders)
{
    const struct source *source = holders->source;
    SCOPED(memory_free_at) uint64_t *starts = code_map_starts(&source->map);

    holders->units = memory_new(source->map.functions.count, sizeof(*holders->units));
    for (size_t i = 0; i < source->map.functions.count; i++)
        holders->units[i] = source->has_debug ? units_find(&source->debug.units, starts[i]) : UNIT_NONE;
    if (!source->has_debug)
        return;
    read_unit_names(holders);
    learn_units(holders, false);
    learn_units(holders, true);
}

static void find_holders(struct reader *reader, struct source *source, struct holders *out)
{
    struct used_request wanted = {.map = &source->map,
                                  .symbols = &source->symbols,
                                  .debug = source->has_debug ? &source->debug : NULL,
                                  .is_object = source->image.type == ET_REL,
                                  .library = source->library};

    *out = (struct holders){.reader = reader, .source = source};
    out->used = memory_new(source->map.functions.count, sizeof(*out->used));
    used_find(&wanted, &out->crates, out->used);
    find_units(out);
}

/* By the unit that a symbol stands under, else by what names alone tell. */
static struct symbol_crate infer_holder(const struct holders *holders, size_t function)
{
    const struct source *source = holders->source;
    uint32_t unit = source->map.functions.items[function].names[0]->unit;
    struct used used = holders->used[function];
    struct crate_fact fact;

    if (used.crate == SIZE_NO_CRATE)
        return (struct symbol_crate){0};
    if (used.source == USED_FROM_FILE_SYMBOL && unit != SYMBOL_NO_UNIT &&
        crate_fact_of_codegen_unit(source->symbols.units[unit], &fact))
        return (struct symbol_crate){fact.name, fact.id};
    return (struct symbol_crate){holders->crates.items.items[used.crate].name, 0};
}

/* Debug information says it of every address, the name of who instantiated it; an object is of its library.
 */
static struct symbol_crate holder_of(const struct holders *holders, size_t function)
{
    const struct source *source = holders->source;
    uint32_t unit = holders->units[function];
    struct symbol_crate holder = {0};

    if (holders->reader->holder)
        return *holders->reader->holder;
    if (unit != UNIT_NONE && holders->of_unit[unit].name.length > 0)
        return holders->of_unit[unit];
    symbol_parse(&holders->reader->symbol, source->map.functions.items[function].names[0]->name);
    if (symbol_instantiating_crate(&holders->reader->symbol, &holder))
        return holder;
    if (source->library.name.length > 0)
        return (struct symbol_crate){source->library.name, source->library.id};
    return infer_holder(holders, function);
}

static void add_functions(struct reader *reader, struct source *source)
{
    SCOPED(holders_done) struct holders holders = {0};

    find_holders(reader, source, &holders);
    for (size_t i = 0; i < source->map.functions.count; i++) {
        const struct code_function *function = &source->map.functions.items[i];
        struct symbol_crate holder = {0};

        if (function->size_bytes == 0)
            continue;
        holder = holder_of(&holders, i);
        holder.name = arena_slice(&reader->out->arena, holder.name);
        *vec_add(&reader->out->functions) = (struct sized_function){
            arena_slice(&reader->out->arena, function->names[0]->name), function->size_bytes, holder};
    }
}

static int read_image(void *context, struct image *image, const struct crate_fact *library, struct error *err)
{
    struct reader *reader = context;
    SCOPED(source_done) struct source source = {.library = *library};
    struct source_files files = {0};

    if (source_open(image, &files, &source, err) < 0)
        return -1;
    if (!symbols_name_all_functions(&source.symbols)) {
        error_hint(err, "build without strip = true; with cargo: --config profile.release.strip=false");
        return error_set(err, ERROR_MISSING, "%s was stripped: it has no symbols that name its functions",
                         reader->path);
    }
    if (code_map_build(&source.image, &source.symbols, SLICE(".text"), &source.map, err) < 0)
        return -1;
    add_functions(reader, &source);
    reader->out->total_bytes += source.map.total_bytes;
    reader->out->padding_bytes += source.map.padding_bytes;
    reader->out->unnamed_bytes += source.map.unnamed_bytes;
    return 0;
}

int code_sizes_read(const char *path, const struct symbol_crate *holder, struct code_sizes *out,
                    struct error *err)
{
    struct reader reader = {.path = path, .holder = holder, .out = out};
    struct images_seen seen = {0};
    int result = images_visit(path, &(struct images_visitor){&reader, read_image}, &seen, err);

    symbol_done(&reader.symbol);
    if (result < 0)
        return -1;
    if (seen.bitcode_count > 0) {
        error_hint(err,
                   "measure a program that uses it, or build without: --config profile.release.lto=false");
        return error_set(err, ERROR_MISSING,
                         "%s holds LLVM bitcode for link-time optimisation, and no code yet", path);
    }
    *vec_add(&out->paths) = arena_copy(&out->arena, slice_of(path));
    return 0;
}
