#include "content/measure.h"

#include <elf.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cargo/product.h"
#include "content/attribution.h"
#include "content/data_costs.h"
#include "content/names.h"
#include "elf/archive.h"
#include "rust/crate_name.h"
#include "rust/std_crates.h"
#include "size/images.h"
#include "size/source.h"
#include "size/unit_crates.h"

/* The command that measures what was named, but builds it, and so can link it again with its symbols. */
static void add_command(struct text *text, const struct cargo_product *product)
{
    text_add_string(text, "cargo bloatc");
    if (strcmp(product->profile, "release") == 0)
        text_add_string(text, " --release");
    else if (strcmp(product->profile, "dev") != 0)
        text_format(text, " --profile %s", product->profile);
    if (product->triple)
        text_format(text, " --target %s", product->triple);
    if (product->kind == CARGO_BIN || product->kind == CARGO_EXAMPLE)
        text_format(text, " --%s %s", cargo_kind_option(product->kind), product->name);
    else if (product->kind == CARGO_LIB)
        text_add_string(text, " --lib");
}

static int refuse_stripped(const char *path, const struct symbols *symbols, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(text_done) struct text command = {0};
    struct cargo_product product;

    if (cargo_product_find(&arena, path, &product)) {
        add_command(&command, &product);
        error_hint(err,
                   "%s links it once more with its symbols; --sections and --data work without; or name the "
                   "file that they were moved to: --debug-file FILE",
                   text_string(&command));
    } else {
        error_hint(err, "build without strip = true; with cargo: --config profile.release.strip=false; or "
                        "name the file that its symbols were moved to: --debug-file FILE; --sections and "
                        "--data work without");
    }
    if (symbols->mini_problem.kind != ERROR_NONE)
        return error_set(err, symbols->mini_problem.kind,
                         "%s was stripped, and the names of its functions could not be unpacked: %s", path,
                         symbols->mini_problem.message);
    return error_set(err, ERROR_MISSING, "%s was stripped: it has no symbols that name its functions", path);
}

static bool has_no_bytes(const struct image *image, const char *section)
{
    for (size_t i = 0; i < image->sections.count; i++)
        if (slice_is(image->sections.items[i].name, section))
            return image->sections.items[i].type == SHT_NOBITS;
    return false;
}

/* What `objcopy --only-keep-debug` leaves: sections with their places, without what was in them. */
static bool holds_only_symbols(const struct image *image)
{
    for (size_t i = 0; i < image->sections.count; i++)
        if (section_is_code(&image->sections.items[i]))
            return false;
    return true;
}

static int refuse_only_symbols(const char *path, struct error *err)
{
    SCOPED(text_done) struct text word = {0};

    text_add_shell(&word, slice_of(path));
    error_hint(err, "name the program too: cargo bloatc PROGRAM --debug-file %s", text_string(&word));
    return error_set(err, ERROR_MISSING, "%s holds only symbols and debug information, no code", path);
}

static int refuse_without_lines(const char *path, const struct error *problem, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    struct cargo_product product;

    if (problem->kind != ERROR_NONE) {
        *err = *problem;
        return error_wrap(err, "reading source lines");
    }
    error_hint(err,
               "build with line tables; with cargo: --exact, or, in what ships, "
               "--config 'profile.%s.debug=\"line-tables-only\"'",
               cargo_product_find(&arena, path, &product) ? product.profile : "release");
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
    uint64_t padding_bytes;
    uint64_t unnamed_bytes;
    size_t object_count;   /* with symbols */
    size_t has_lines;      /* of these, with line tables */
    struct error problem;  /* the first with debug information */
    struct error failure;  /* of a file, that is not to be taken for one that has nothing to measure */
    struct std_copies std; /* of the whole program */
    struct cost_items costs;
};

static void totals_done(struct totals *totals)
{
    std_copies_done(&totals->std);
    cost_items_done(&totals->costs);
}

struct work {
    const struct measure_request *request;
    struct totals *totals;
    struct measurement *out;
    bool only_checks; /* whether it can be measured */
    struct images_seen seen;
};

/* The sections that hold code are what may have been meant. Where there is none, the linker was not told what
 * to keep. */
static void hint_sections(const struct image *image, struct error *err)
{
    SCOPED(text_done) struct text names = {0};

    for (size_t i = 0; i < image->sections.count; i++) {
        const struct section *section = &image->sections.items[i];

        if (!section_is_code(section))
            continue;
        text_add_string(&names, names.length > 0 ? ", " : "");
        text_add_terminal(&names, section->name);
    }
    if (names.length > 0)
        error_hint(err, "its sections of code are %s; --sections shows all", text_string(&names));
    else if (image->type != ET_REL)
        error_hint(err, "the linker left no code in it: without an operating system it has to be given the "
                        "linker script (-C link-arg=-Tlink.x); cargo reads the .cargo/config.toml of the "
                        "folder you are in, not that of the package");
}

/* With data what has no code, or no symbols, is measured too, as far as it goes. */
static int map_code(const struct work *work, struct source *source, struct error *err)
{
    const struct measure_request *request = work->request;
    bool is_object = source->image.type == ET_REL;
    bool is_stripped = !symbols_name_all_functions(&source->symbols);
    struct error unmapped = {0};

    work->out->is_stripped = is_stripped;
    if (is_stripped && !request->accepts_stripped && !(request->with_data && is_object))
        return refuse_stripped(request->path, &source->symbols, err);
    work->out->is_stripped = false;
    work->totals->object_count++;
    if (code_map_build(&source->image, &source->symbols, slice_of(request->section), &source->map,
                       &unmapped) < 0 &&
        (!request->with_data || unmapped.kind != ERROR_MISSING)) {
        bool is_empty = unmapped.kind == ERROR_MISSING && has_no_bytes(&source->image, request->section);

        if (is_empty && holds_only_symbols(&source->image))
            return refuse_only_symbols(request->path, err);
        if (is_empty)
            (void)error_set(&unmapped, ERROR_MISSING,
                            "%s: section %s has no bytes in the file: memory that starts as zeros",
                            request->path, request->section);
        if (unmapped.kind == ERROR_MISSING)
            hint_sections(&source->image, &unmapped);
        *err = unmapped;
        return -1;
    }
    work->out->has_no_symbols |= is_stripped && source->map.total_bytes > 0;
    return 0;
}

static int add_costs(const struct work *work, struct source *source, size_t first, struct error *err)
{
    if (data_costs_apply(work->request, source, first, &work->totals->costs, err) == 0)
        return 0;
    work->totals->failure = *err;
    return -1;
}

/* Adds one linked file or object, which is taken over. */
static int measure_image(void *context, struct image *image, const struct crate_fact *library,
                         struct error *err)
{
    const struct work *work = context;
    const struct measure_request *request = work->request;
    struct totals *totals = work->totals;
    struct measurement *out = work->out;
    SCOPED(source_done)
    struct source source = {.library = *library,
                            .is_merged = work->seen.is_merged,
                            .is_beside_builtins = work->seen.has_builtins,
                            .std = &totals->std};
    struct source_files files = {request->debug_path, request->relinked_path,
                                 request->with_data || request->attribute == ATTRIBUTE_LINE};
    SCOPED(unit_crates_done) struct unit_crates units = {0};
    size_t first = out->items.count;

    if (source_open(image, &files, &source, err) < 0 || map_code(work, &source, err) < 0)
        return -1;
    out->damaged_count += source.symbols.damaged_count;
    totals->has_lines += source.has_debug && source.debug.units.items.count > 0;
    if (work->only_checks) {
        out->section_bytes += source.map.total_bytes;
        return 0;
    }
    if (source.has_debug)
        std_copies_see_units(&totals->std, &source.debug.units);
    std_copies_see_linked(&totals->std, &source.symbols);
    attribution_find_units(request, &source, out, &units);
    source.unit_crates = &units;
    names_add(&source.map, source.std, out);
    attribution_apply(request, &source, first, out);
    if (totals->problem.kind == ERROR_NONE)
        (void)source_problem(&source, &totals->problem);
    out->section_bytes += source.map.total_bytes;
    out->is_of_parts |= source.map.is_of_parts;
    if (request->with_data)
        return add_costs(work, &source, first, err);
    totals->padding_bytes += source.map.padding_bytes;
    totals->unnamed_bytes += source.map.unnamed_bytes;
    return 0;
}

static int refuse_without_code(const struct images_seen *seen, const struct totals *totals, const char *path,
                               const char *section, struct error *err)
{
    if (seen->member_count == 0)
        return error_set(err, ERROR_MISSING, "%s: an archive without members", path);
    if (totals->object_count > 0) {
        error_hint(err, "instances of generics are in what uses them, and libraries built for LTO hold LLVM "
                        "bitcode: measure what they were linked into");
        return error_set(err, ERROR_MISSING, "%s: no object in it has anything in a section %s", path,
                         section);
    }
    error_hint(err, "libraries built for LTO hold LLVM bitcode: measure what they were linked into");
    return error_set(err, ERROR_MISSING, "%s: none of its %zu members is an object with symbols", path,
                     seen->member_count);
}

static void add_rest(struct cost_items *costs, struct slice name, uint64_t size_bytes)
{
    struct measured *item = NULL;
    size_t index = 0;

    if (size_bytes == 0)
        return;
    index = cost_items_rest(costs, name, MEASURED_REST); /* which may move the items */
    item = &costs->out->items.items[index];
    item->cost[ACCOUNT_OTHER] += size_bytes;
    item->size_bytes += size_bytes;
}

static int measure_archive(const struct measure_request *request, struct totals *totals,
                           const struct images_seen *seen, struct measurement *out, struct error *err)
{
    out->is_stripped = false;
    if (!request->with_data)
        return out->section_bytes > 0
                   ? 0
                   : refuse_without_code(seen, totals, request->path, request->section, err);
    add_rest(&totals->costs, SLICE("[members of other formats]"), seen->foreign_bytes);
    add_rest(&totals->costs, SLICE("[archive headers and index]"),
             seen->file_bytes - seen->image_bytes - seen->foreign_bytes);
    return 0;
}

static bool may_be_std_copy(const struct symbols *symbols)
{
    struct crate_fact fact;

    for (size_t i = 0; i < symbols->unit_count; i++)
        if (crate_fact_of_codegen_unit(symbols->units[i], &fact) && std_crates_depend_on(fact.name))
            return true;
    return false;
}

/*
 * Looks whether an archive's object of a crate like one of std's is of std, which its debug information
 * tells. What cannot be read tells nothing; the measuring says why.
 */
static int see_copy(void *context, struct image *image, const struct crate_fact *library, struct error *err)
{
    struct std_copies *std = context;
    SCOPED(symbols_done) struct symbols symbols = {0};
    SCOPED(source_done) struct source source = {.library = *library};
    struct source_files files = {.links_objects = true};
    struct error ignored = {0};

    (void)err;
    if (symbols_read(image, &symbols, &ignored) < 0 || !may_be_std_copy(&symbols)) {
        image_close(image);
        return 0;
    }
    if (source_open(image, &files, &source, &ignored) == 0 && source.has_debug)
        std_copies_see_units(std, &source.debug.units);
    return 0;
}

/* What all objects tell comes before the first question. */
static int look_at_archive(const char *path, struct std_copies *std, struct error *err)
{
    struct images_seen seen = {0};

    std_copies_see_archive(std, path);
    return images_visit(path, &(struct images_visitor){std, see_copy}, &seen, err);
}

/* The program's own copies of crates that std was built with. */
static void see_libraries(const struct measure_request *request, struct std_copies *std)
{
    SCOPED(text_done) struct text name = {0};

    for (size_t i = 0; i < request->package_count; i++) {
        const struct build_package *package = &request->packages[i];

        text_clear(&name);
        crate_name_add(&name, package->crate);
        if (package->is_for_std)
            std_copies_see_library_of_std(std, package->rlib, text_slice(&name));
        else if (!package->is_foreign)
            std_copies_see_library(std, package->rlib, text_slice(&name));
    }
}

static int visit_images(struct work *work, struct error *err)
{
    const struct measure_request *request = work->request;
    struct totals *totals = work->totals;
    struct measurement *out = work->out;

    if (images_visit(request->path, &(struct images_visitor){work, measure_image}, &work->seen, err) < 0)
        return -1;
    if (totals->failure.kind != ERROR_NONE) {
        *err = totals->failure;
        return -1;
    }
    out->file_bytes = work->seen.file_bytes;
    if (request->attribute == ATTRIBUTE_LINE && totals->object_count > 0 && totals->has_lines == 0) {
        out->lacks_lines = totals->problem.kind == ERROR_NONE;
        return refuse_without_lines(request->path, &totals->problem, err);
    }
    return work->seen.is_archive ? measure_archive(request, totals, &work->seen, out, err) : 0;
}

static int measure_images(const struct measure_request *request, struct totals *totals,
                          struct measurement *out, struct error *err)
{
    struct work work = {request, totals, out, false, {0}};

    totals->std.program_crates = request->program_crates;
    totals->std.is_other_build = request->is_other_build;
    totals->std.other = request->other_std;
    see_libraries(request, &totals->std);
    if (archive_is_at(request->path) && look_at_archive(request->path, &totals->std, err) < 0)
        return -1;
    return visit_images(&work, err);
}

int measure_check(const struct measure_request *request, struct error *err)
{
    struct measurement nothing = {0};
    struct totals totals = {.costs = {.out = &nothing, .split_std = request->split_std}};
    struct work work = {request, &totals, &nothing, true, {0}};
    int result = visit_images(&work, err);

    totals_done(&totals);
    measurement_done(&nothing);
    return result;
}

int measure_file(const struct measure_request *request, struct measurement *out, struct error *err)
{
    SCOPED(totals_done) struct totals totals = {.costs = {.out = out, .split_std = request->split_std}};

    if (measure_images(request, &totals, out, err) < 0)
        return -1;
    if (totals.problem.kind != ERROR_NONE)
        text_format(&out->problem, "Debug information that is ignored: %s.", totals.problem.message);
    out->std = totals.std;
    totals.std = (struct std_copies){0};
    attribution_give_labels(request, out);
    add_gap(out, "[padding]", MEASURED_PADDING, totals.padding_bytes);
    add_gap(out, "[unnamed]", MEASURED_UNNAMED, totals.unnamed_bytes);
    return 0;
}

void measurement_done(struct measurement *measurement)
{
    vec_done(&measurement->items);
    vec_done(&measurement->data);
    size_crates_done(&measurement->crates);
    std_copies_done(&measurement->std);
    text_done(&measurement->problem);
    arena_done(&measurement->arena);
    *measurement = (struct measurement){0};
}
