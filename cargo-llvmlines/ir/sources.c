#include "ir/sources.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/scan.h"
#include "base/text.h"
#include "dwarf/source_path.h"
#include "rust/crate_name.h"
#include "rust/symbol_path.h"

void ir_sources_done(struct ir_sources *sources)
{
    vec_done(&sources->files);
    vec_done(&sources->sourced);
    vec_done(&sources->crates);
    intern_done(&sources->pairs);
    intern_done(&sources->names);
    symbol_done(&sources->symbol);
    text_done(&sources->text);
    arena_done(&sources->arena);
}

/* What stands between `start` and the next quote, behind which the scan is then. */
static bool scan_quoted(struct scan *scan, struct slice start, struct slice *text)
{
    struct slice ignored;
    size_t at = slice_find(scan->rest, start);

    return at < scan->rest.length && scan_bytes(scan, at + start.length, &ignored) &&
           scan_until(scan, '"', text);
}

/* "filename: "src/map.rs", directory: "/home/…/hashbrown-0.15.5", …" */
static void see_file(struct ir_sources *sources, uint64_t number, struct scan fields)
{
    struct slice name;
    struct slice folder;
    struct source_origin origin;

    if (!scan_quoted(&fields, SLICE("filename: \""), &name) ||
        !scan_quoted(&fields, SLICE("directory: \""), &folder))
        return;
    text_clear(&sources->text);
    if (!slice_starts_with(name, SLICE("/"))) {
        text_add(&sources->text, folder);
        text_add_byte(&sources->text, '/');
    }
    text_add(&sources->text, name);
    origin = source_path_origin(text_slice(&sources->text));
    if (origin.kind != SOURCE_REGISTRY && origin.kind != SOURCE_STD_DEPS)
        return;
    *vec_add(&sources->files) = (struct ir_source){
        .number = number,
        .package = arena_slice(&sources->arena, origin.package),
        .version = arena_slice(&sources->arena, origin.version),
        .is_std = origin.kind == SOURCE_STD_DEPS,
    };
}

static uint64_t id_of(struct ir_sources *sources, const struct symbol_crate *crate)
{
    uint32_t id = 0;

    text_clear(&sources->text);
    text_format(&sources->text, "%.*s %llx", SLICE_ARGUMENTS(crate->name),
                (unsigned long long)crate->disambiguator);
    id = intern_add(&sources->names, text_slice(&sources->text));
    if (id == sources->crates.count)
        *vec_add(&sources->crates) = (struct crate){.name = arena_slice(&sources->arena, crate->name),
                                                    .disambiguator = crate->disambiguator,
                                                    .kind = SLICE("lib")};
    return id;
}

/* "name: "f", linkageName: "_R…", scope: !3, file: !7, …" */
static void see_function(struct ir_sources *sources, struct scan fields)
{
    static const struct slice file_start = SLICE("file: !");
    struct symbol_crate crate;
    struct ir_sourced sourced;
    struct slice linkage;
    struct slice ignored;
    uint64_t file = 0;

    if (!scan_quoted(&fields, SLICE("linkageName: \""), &linkage) ||
        !slice_starts_with(linkage, SLICE("_R")) ||
        !scan_bytes(&fields, slice_find(fields.rest, file_start) + file_start.length, &ignored) ||
        !scan_decimal(&fields, &file))
        return;
    symbol_parse(&sources->symbol, linkage);
    crate = symbol_defining_crate(&sources->symbol).crate;
    if (crate.name.length == 0 || crate.disambiguator == 0)
        return;
    sourced = (struct ir_sourced){id_of(sources, &crate), file};
    if (intern_add(&sources->pairs, (struct slice){(const char *)&sourced, sizeof(sourced)}) ==
        sources->sourced.count)
        *vec_add(&sources->sourced) = sourced;
}

void ir_sources_see(struct ir_sources *sources, struct slice line)
{
    struct scan scan = scan_of(line);
    uint64_t number = 0;

    if (!scan_byte(&scan, '!') || !scan_decimal(&scan, &number) || !scan_text(&scan, " = "))
        return;
    (void)scan_text(&scan, "distinct ");
    if (scan_text(&scan, "!DIFile("))
        see_file(sources, number, scan);
    else if (scan_text(&scan, "!DISubprogram("))
        see_function(sources, scan);
}

/* --- Whose they are ---------------------------------------------------------------------- */

static int compare_files(const void *left, const void *right)
{
    uint64_t a = ((const struct ir_source *)left)->number;
    uint64_t b = ((const struct ir_source *)right)->number;

    return (a > b) - (a < b);
}

/* Of files in the order of numbers. */
static const struct ir_source *find_file(const struct ir_sources *sources, uint64_t number)
{
    const struct ir_source wanted = {.number = number};

    return sources->files.count == 0
               ? NULL
               : bsearch(&wanted, sources->files.items, sources->files.count, sizeof(wanted), compare_files);
}

/* Takes in that a function of the crate is in the file. What a macro of another crate wrote is in that one's.
 */
static void see_sourced(const struct ir_sources *sources, const struct ir_sourced *sourced,
                        struct crate *crate, bool *is_doubtful)
{
    const struct ir_source *file = find_file(sources, sourced->file);

    if (!file || !crate_name_is(crate->name, file->package))
        return;
    *is_doubtful |= crate->version.length > 0 &&
                    (crate->is_std != file->is_std || !slice_equal(crate->version, file->version));
    crate->version = file->version;
    crate->package = file->package;
    crate->is_std = file->is_std;
}

void ir_sources_tell(struct ir_sources *sources, struct crates *crates)
{
    size_t count = sources->crates.count;
    SCOPED(memory_free_at) bool *is_doubtful = memory_new(count + 1, sizeof(*is_doubtful));

    vec_sort(&sources->files, compare_files);
    for (size_t i = 0; i < sources->sourced.count; i++) {
        uint64_t crate = sources->sourced.items[i].crate;

        see_sourced(sources, &sources->sourced.items[i], &sources->crates.items[crate], &is_doubtful[crate]);
    }
    for (size_t i = 0; i < count; i++)
        if (sources->crates.items[i].version.length > 0 && !is_doubtful[i])
            crates_add(crates, sources->crates.items[i]);
}
