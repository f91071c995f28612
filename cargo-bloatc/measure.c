#include "measure.h"

#include "attribution.h"
#include "dwarf/debug_info.h"
#include "elf/image.h"
#include "elf/symbols.h"
#include "names.h"
#include "size/code_map.h"

/* The files and tables that measuring reads from. */
struct source {
    struct image image;
    struct symbols symbols;
    struct code_map map;
    struct debug_info debug;
    bool has_debug;
    bool has_image;
};

static void source_done(struct source *source)
{
    if (source->has_debug)
        debug_info_close(&source->debug);
    code_map_done(&source->map);
    symbols_done(&source->symbols);
    if (source->has_image)
        image_close(&source->image);
}

static int refuse_stripped(const char *path, struct error *err)
{
    error_hint(err, "build without strip = true; with cargo: --config profile.release.strip=false");
    return error_set(err, ERROR_MISSING, "%s was stripped: it has no symbols that name its functions", path);
}

static int source_open(const char *path, struct source *out, struct error *err)
{
    if (image_open(path, &out->image, err) < 0)
        return -1;
    out->has_image = true;
    return symbols_read(&out->image, &out->symbols, err);
}

/* Damaged debug information costs what it would have told, no more. */
static void open_debug(struct source *source, struct measurement *out)
{
    struct error err = {0};

    source->has_debug = debug_info_open(&source->image, &source->debug, &err) == 0;
    if (!source->has_debug)
        text_format(&out->problem, "debug information is ignored: %s", err.message);
    else if (source->debug.units.damaged_count > 0)
        text_format(&out->problem, "%zu units of debug information are damaged and tell nothing",
                    source->debug.units.damaged_count);
}

static int refuse_without_lines(const char *path, struct error *err)
{
    error_hint(err,
               "build with line tables; with cargo: --config 'profile.release.debug=\"line-tables-only\"'");
    return error_set(err, ERROR_MISSING, "%s has no debug information that tells source lines", path);
}

static void add_gap(struct measurement *out, const char *name, enum measured_kind kind, uint64_t size_bytes)
{
    if (size_bytes > 0)
        *vec_add(&out->items) =
            (struct measured){.name = slice_of(name), .size_bytes = size_bytes, .kind = kind};
}

int measure_file(const struct measure_request *request, struct measurement *out, struct error *err)
{
    SCOPED(source_done) struct source source = {0};

    if (source_open(request->path, &source, err) < 0)
        return -1;
    out->is_stripped = source.symbols.source != SYMBOLS_FULL;
    if (out->is_stripped)
        return refuse_stripped(request->path, err);
    if (code_map_build(&source.image, &source.symbols, slice_of(request->section), &source.map, err) < 0)
        return -1;
    out->file_bytes = source.image.size_bytes;
    out->section_bytes = source.map.total_bytes;
    names_add(&source.map, request->program_crates, out);
    open_debug(&source, out);
    if (request->attribute == ATTRIBUTE_LINE && (!source.has_debug || source.debug.units.items.count == 0))
        return refuse_without_lines(request->path, err);
    attribution_apply(request, &source.map, &source.symbols, source.has_debug ? &source.debug : NULL, out);
    add_gap(out, "[padding]", MEASURED_PADDING, source.map.padding_bytes);
    add_gap(out, "[unnamed]", MEASURED_UNNAMED, source.map.unnamed_bytes);
    return 0;
}

void measurement_done(struct measurement *measurement)
{
    vec_done(&measurement->items);
    size_crates_done(&measurement->crates);
    text_done(&measurement->problem);
    arena_done(&measurement->arena);
}
