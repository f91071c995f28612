#include "code_sizes.h"

#include <elf.h>

#include "base/memory.h"
#include "size/images.h"
#include "size/source.h"
#include "size/used.h"

void code_sizes_done(struct code_sizes *sizes)
{
    vec_done(&sizes->functions);
    vec_done(&sizes->paths);
    arena_done(&sizes->arena);
}

struct reader {
    const char *path;
    struct code_sizes *out;
    struct symbol symbol; /* scratch */
};

static struct symbol_crate crate_of_fact(struct crate_fact fact)
{
    return (struct symbol_crate){fact.name, fact.id};
}

/* Debug information says it of every address, the name of who instantiated it; an object is of its library.
 */
static bool find_holder(struct reader *reader, const struct source *source,
                        const struct code_function *function, uint64_t svma, struct symbol_crate *holder)
{
    uint32_t unit = source->has_debug ? units_find(&source->debug.units, svma) : UNIT_NONE;
    struct crate_fact fact = source->library;

    if (unit != UNIT_NONE) {
        struct slice name = source->debug.units.items.items[unit].name;
        size_t root = unit_root(&source->debug.units.items.items[unit]).length;

        if (crate_fact_of_codegen_unit(slice_range(name, root + SLICE("/@/").length, name.length), &fact)) {
            *holder = crate_of_fact(fact);
            return true;
        }
    }
    symbol_parse(&reader->symbol, function->names[0]->name);
    if (symbol_instantiating_crate(&reader->symbol, holder))
        return true;
    *holder = crate_of_fact(source->library);
    return holder->name.length > 0;
}

/* By the unit that a symbol stands under, else by what names alone tell. */
static struct symbol_crate infer_holder(const struct source *source, const struct size_crates *crates,
                                        const struct code_function *function, const struct used *used)
{
    uint32_t unit = function->names[0]->unit;
    struct crate_fact fact;

    if (used->crate == SIZE_NO_CRATE)
        return (struct symbol_crate){0};
    if (used->source == USED_FROM_FILE_SYMBOL && unit != SYMBOL_NO_UNIT &&
        crate_fact_of_codegen_unit(source->symbols.units[unit], &fact))
        return crate_of_fact(fact);
    return (struct symbol_crate){crates->items.items[used->crate].name, 0};
}

static struct slice copied(struct code_sizes *out, struct slice text)
{
    return (struct slice){arena_copy(&out->arena, text), text.length};
}

static void add_functions(struct reader *reader, const struct source *source)
{
    const struct code_map *map = &source->map;
    struct used_request wanted = {.map = map,
                                  .symbols = &source->symbols,
                                  .units = source->has_debug ? &source->debug.units : NULL,
                                  .is_object = source->image.type == ET_REL,
                                  .library = source->library};
    struct size_crates crates = {0};
    SCOPED(memory_free_at) struct used *used = memory_new(map->functions.count, sizeof(*used));
    SCOPED(memory_free_at) uint64_t *starts = code_map_starts(map);

    used_find(&wanted, &crates, used);
    for (size_t i = 0; i < map->functions.count; i++) {
        const struct code_function *function = &map->functions.items[i];
        struct symbol_crate holder = {0};

        if (function->size_bytes == 0)
            continue;
        if (!find_holder(reader, source, function, starts[i], &holder))
            holder = infer_holder(source, &crates, function, &used[i]);
        holder.name = copied(reader->out, holder.name);
        *vec_add(&reader->out->functions) = (struct sized_function){
            copied(reader->out, function->names[0]->name), function->size_bytes, holder};
    }
    size_crates_done(&crates);
}

static int read_image(void *context, struct image *image, const struct crate_fact *library, struct error *err)
{
    struct reader *reader = context;
    SCOPED(source_done) struct source source = {.library = *library};
    struct source_files files = {0};

    if (source_open(image, &files, &source, err) < 0)
        return -1;
    if (source.symbols.source != SYMBOLS_FULL) {
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

int code_sizes_read(const char *path, struct code_sizes *out, struct error *err)
{
    struct reader reader = {.path = path, .out = out};
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
