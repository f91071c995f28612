#include "measure.h"

#include <elf.h>

#include "attribution.h"
#include "base/file.h"
#include "elf/archive.h"
#include "names.h"
#include "size/rlibs.h"
#include "source.h"

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

static void add_gap(struct measurement *out, const char *name, enum measured_kind kind, uint64_t size_bytes)
{
    if (size_bytes > 0)
        *vec_add(&out->items) = (struct measured){
            .name = slice_of(name), .size_bytes = size_bytes, .kind = kind, .crate_index = SIZE_NO_CRATE};
}

/* What all files of the measurement add up to. */
struct totals {
    struct crate_fact library; /* an archive's crate, when all of its Rust code is of one */
    uint64_t padding_bytes;
    uint64_t unnamed_bytes;
    size_t object_count; /* with symbols */
};

/* Adds one linked file or object, which is taken over. */
static int measure_image(const struct measure_request *request, struct image *image, struct totals *totals,
                         struct measurement *out, struct error *err)
{
    SCOPED(source_done) struct source source = {.library = totals->library};
    struct source_files files = {request->debug_path, request->relinked_path};
    size_t first = out->items.count;

    if (source_open(image, &files, &source, err) < 0)
        return -1;
    out->is_stripped = source.symbols.source != SYMBOLS_FULL;
    if (out->is_stripped)
        return refuse_stripped(request->path, err);
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
    totals->padding_bytes += source.map.padding_bytes;
    totals->unnamed_bytes += source.map.unnamed_bytes;
    return 0;
}

/* One member of an archive. What is no object, or has no code, is no failure. */
static int measure_member(const struct measure_request *request, const struct archive *archive,
                          const struct archive_member *member, struct totals *totals, struct measurement *out,
                          struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    struct error refused = {0};
    struct slice data;
    struct image image;

    if (archive_read_member(archive, member, &arena, &data, err) < 0)
        return -1;
    if (image_open_bytes(data, archive->name, &image, &refused) < 0)
        return 0;
    if (measure_image(request, &image, totals, out, &refused) == 0 || refused.kind == ERROR_MISSING) {
        out->is_stripped = false;
        return 0;
    }
    *err = refused;
    return error_wrap(err, "member %.*s", SLICE_ARGUMENTS(member->name));
}

static int refuse_without_code(const struct archive *archive, const char *section, size_t object_count,
                               struct error *err)
{
    if (archive->members.count == 0)
        return error_set(err, ERROR_MISSING, "%s: an archive without members", archive->name);
    error_hint(err, "libraries built for LTO hold LLVM bitcode: measure what they were linked into");
    if (object_count > 0)
        return error_set(err, ERROR_MISSING, "%s: no object in it has a section %s", archive->name, section);
    return error_set(err, ERROR_MISSING, "%s: none of its %zu members is an object with symbols",
                     archive->name, archive->members.count);
}

/* The crate that all codegen units of the archive are of; without a name when there are others, or none. */
static struct crate_fact crate_of_archive(const struct archive *archive)
{
    struct crate_fact found = {0};

    for (size_t i = 0; i < archive->members.count; i++) {
        struct crate_fact fact;

        if (!rlib_member_crate(archive->members.items[i].name, &fact))
            continue;
        if (found.name.length > 0 && found.id != fact.id)
            return (struct crate_fact){0};
        found = fact;
    }
    return found;
}

static int measure_archive(const struct measure_request *request, struct archive *archive,
                           struct totals *totals, struct measurement *out, struct error *err)
{
    if (request->attribute == ATTRIBUTE_LINE)
        return error_set(err, ERROR_MISSING, "%s is not linked: its line tables have no addresses yet",
                         archive->name);
    totals->library = crate_of_archive(archive);
    for (size_t i = 0; i < archive->members.count; i++)
        if (measure_member(request, archive, &archive->members.items[i], totals, out, err) < 0)
            return -1;
    out->file_bytes = archive->size_bytes;
    if (out->section_bytes == 0)
        return refuse_without_code(archive, request->section, totals->object_count, err);
    return 0;
}

static int measure_any(const struct measure_request *request, struct totals *totals, struct measurement *out,
                       struct error *err)
{
    struct archive archive;
    struct image image;
    int result = 0;

    if (archive_is_at(request->path)) {
        if (archive_open(request->path, &archive, err) < 0)
            return -1;
        result = measure_archive(request, &archive, totals, out, err);
        archive_close(&archive);
        return result;
    }
    if (image_open(request->path, &image, err) < 0)
        return -1;
    out->file_bytes = image.size_bytes;
    return measure_image(request, &image, totals, out, err);
}

int measure_file(const struct measure_request *request, struct measurement *out, struct error *err)
{
    struct totals totals = {0};

    if (measure_any(request, &totals, out, err) < 0)
        return -1;
    attribution_give_labels(out);
    add_gap(out, "[padding]", MEASURED_PADDING, totals.padding_bytes);
    add_gap(out, "[unnamed]", MEASURED_UNNAMED, totals.unnamed_bytes);
    return 0;
}

void measurement_done(struct measurement *measurement)
{
    vec_done(&measurement->items);
    size_crates_done(&measurement->crates);
    text_done(&measurement->problem);
    arena_done(&measurement->arena);
    *measurement = (struct measurement){0};
}
