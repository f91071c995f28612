#include "measure.h"

#include <elf.h>

#include "attribution.h"
#include "base/file.h"
#include "data_costs.h"
#include "elf/archive.h"
#include "names.h"
#include "size/images.h"
#include "size/source.h"

static int refuse_stripped(const char *path, struct error *err)
{
    error_hint(
        err, "build without strip = true; with cargo: --config profile.release.strip=false; or name the file "
             "that its symbols were moved to: --debug-file FILE");
    return error_set(err, ERROR_MISSING, "%s was stripped: it has no symbols that name its functions", path);
}

static int refuse_without_lines(const struct source *source, const char *path, struct error *err)
{
    if (source->image.type == ET_REL) {
        error_hint(err, "name the program or library that it was linked into");
        return error_set(err, ERROR_MISSING, "%s is not linked: its line tables have no addresses yet", path);
    }
    error_hint(err,
               "build with line tables; with cargo: --config 'profile.release.debug=\"line-tables-only\"'");
    return error_set(err, ERROR_MISSING, "%s has no debug information that tells source lines", path);
}

static int refuse_data_of_objects(const char *path, struct error *err)
{
    error_hint(err, "name the program or library that it was linked into");
    return error_set(err, ERROR_MISSING, "%s is not linked: nothing tells yet what refers to its data", path);
}

static void add_gap(struct measurement *out, const char *name, enum measured_kind kind, uint64_t size_bytes)
{
    if (size_bytes > 0)
        *vec_add(&out->items) = (struct measured){
            .name = slice_of(name), .size_bytes = size_bytes, .kind = kind, .crate_index = SIZE_NO_CRATE};
}

/* What all files of the measurement add up to. */
struct totals {
    uint64_t padding_bytes;
    uint64_t unnamed_bytes;
    size_t object_count; /* with symbols */
};

struct work {
    const struct measure_request *request;
    struct totals *totals;
    struct measurement *out;
};

/* Adds one linked file or object, which is taken over. */
static int measure_image(void *context, struct image *image, const struct crate_fact *library,
                         struct error *err)
{
    const struct work *work = context;
    const struct measure_request *request = work->request;
    struct totals *totals = work->totals;
    struct measurement *out = work->out;
    SCOPED(source_done) struct source source = {.library = *library};
    struct source_files files = {request->debug_path, request->relinked_path};
    size_t first = out->items.count;

    if (source_open(image, &files, &source, err) < 0)
        return -1;
    out->is_stripped = source.symbols.source != SYMBOLS_FULL;
    if (out->is_stripped && !request->accepts_stripped)
        return refuse_stripped(request->path, err);
    out->has_no_symbols = out->is_stripped;
    out->is_stripped = false;
    if (request->with_data && source.image.type == ET_REL)
        return refuse_data_of_objects(request->path, err);
    totals->object_count++;
    if (code_map_build(&source.image, &source.symbols, slice_of(request->section), &source.map, err) < 0)
        return -1;
    if (request->attribute == ATTRIBUTE_LINE && (!source.has_debug || source.debug.units.items.count == 0))
        return refuse_without_lines(&source, request->path, err);
    if (source.problem.kind != ERROR_NONE && out->problem.length == 0)
        text_format(&out->problem, "Debug information that is ignored: %s.", source.problem.message);
    names_add(&source.map, request->program_crates, out);
    attribution_apply(request, &source, first, out);
    out->section_bytes += source.map.total_bytes;
    if (request->with_data)
        return data_costs_apply(request, &source, out, err);
    totals->padding_bytes += source.map.padding_bytes;
    totals->unnamed_bytes += source.map.unnamed_bytes;
    return 0;
}

static int refuse_without_code(const struct images_seen *seen, const struct totals *totals, const char *path,
                               const char *section, struct error *err)
{
    if (seen->member_count == 0)
        return error_set(err, ERROR_MISSING, "%s: an archive without members", path);
    error_hint(err, "libraries built for LTO hold LLVM bitcode: measure what they were linked into");
    if (totals->object_count > 0)
        return error_set(err, ERROR_MISSING, "%s: no object in it has a section %s", path, section);
    return error_set(err, ERROR_MISSING, "%s: none of its %zu members is an object with symbols", path,
                     seen->member_count);
}

static int measure_images(const struct measure_request *request, struct totals *totals,
                          struct measurement *out, struct error *err)
{
    struct work work = {request, totals, out};
    struct images_seen seen = {0};

    if (request->attribute == ATTRIBUTE_LINE && archive_is_at(request->path))
        return error_set(err, ERROR_MISSING, "%s is not linked: its line tables have no addresses yet",
                         request->path);
    if (request->with_data && archive_is_at(request->path))
        return refuse_data_of_objects(request->path, err);
    if (images_visit(request->path, &(struct images_visitor){&work, measure_image}, &seen, err) < 0)
        return -1;
    out->file_bytes = seen.file_bytes;
    if (!seen.is_archive)
        return 0;
    out->is_stripped = false;
    return out->section_bytes > 0 ? 0
                                  : refuse_without_code(&seen, totals, request->path, request->section, err);
}

int measure_file(const struct measure_request *request, struct measurement *out, struct error *err)
{
    struct totals totals = {0};

    if (measure_images(request, &totals, out, err) < 0)
        return -1;
    attribution_give_labels(out);
    add_gap(out, "[padding]", MEASURED_PADDING, totals.padding_bytes);
    add_gap(out, "[unnamed]", MEASURED_UNNAMED, totals.unnamed_bytes);
    return 0;
}

void measurement_done(struct measurement *measurement)
{
    vec_done(&measurement->items);
    vec_done(&measurement->data);
    size_crates_done(&measurement->crates);
    text_done(&measurement->problem);
    arena_done(&measurement->arena);
    *measurement = (struct measurement){0};
}
