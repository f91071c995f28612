#include <string.h>
#include <unistd.h>

#include "counts/ir_collect.h"
#include "counts/unit_crate.h"
#include "ir/sources.h"
#include "measure/parts.h"
#include "measure/sizes.h"

static const char *label_of_file(struct measurement *out, const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : arena_copy(&out->arena, slice_of(path));
}

/* A file while it is counted. */
struct counted_file {
    struct measurement *out;
    struct unit_crate crate; /* where rows are by whose code it is */
};

/* ir_visitor.crate */
static void take_crate(void *context, struct slice name, uint64_t disambiguator)
{
    struct counted_file *file = context;

    file->crate.told.name = arena_slice(&file->out->arena, name);
    file->crate.told.disambiguator = disambiguator;
}

/* ir_visitor.function */
static void take_function(void *context, const struct ir_function *function)
{
    struct counted_file *file = context;
    struct groups *groups = &file->out->groups;

    groups_add(groups, function);
    if (groups->by == GROUP_BY_CRATE || groups->by == GROUP_BY_MODULE)
        unit_crate_see(&file->crate, &groups->symbol, &file->out->arena);
}

/* What the module told of itself. */
static void take_sources(struct measurement *out, const char *label, struct ir_sources *sources)
{
    if (sources->is_optimised)
        out->optimised = label;
    if (out->made_for.machine.length == 0)
        out->made_for = sources->made_for;
    ir_sources_tell(sources, &out->crates);
}

/* Whatever the size of the file, in little memory. */
static int count_file(const char *path, struct measurement *out, struct error *err)
{
    SCOPED(ir_sources_done) struct ir_sources sources = {0};
    struct counted_file file = {.out = out};
    const struct ir_visitor visitor = {
        .context = &file,
        .function = take_function,
        .crate = take_crate,
        .sources = &sources,
    };
    const char *label = label_of_file(out, path);
    uint64_t lines = out->groups.lines;
    uint64_t copies = out->groups.copies;
    int counted = strcmp(path, "-") == 0 ? ir_count_descriptor(STDIN_FILENO, label, &visitor, err)
                                         : ir_count_file(path, &visitor, err);

    if (counted < 0)
        return -1;
    /* Without rustc's word for it what is linked of several would seem to be of one. */
    groups_end_unit(&out->groups, file.crate.told.name.length > 0 ? unit_crate_result(&file.crate)
                                                                  : (struct symbol_crate){0});
    measure_add_part(out, label, lines, copies);
    take_sources(out, label, &sources);
    return 0;
}

static int collect_file(const struct llvmlines_settings *settings, const char *path, struct measurement *out,
                        struct error *err)
{
    struct measured_unit unit = {.label = label_of_file(out, path), .is_own = true};
    SCOPED(ir_sources_done) struct ir_sources sources = {0};
    int collected = strcmp(path, "-") == 0
                        ? ir_collect_descriptor(STDIN_FILENO, unit.label, &unit.counts, &sources, err)
                        : ir_collect_file(path, &unit.counts, &sources, err);

    take_sources(out, unit.label, &sources);
    unit.crate = unit_crate_of_counts(&out->arena, &unit.counts);
    own_crates_add(&out->own, unit.crate);
    if (collected == 0)
        measure_add_unit(settings, &unit, out);
    unit_counts_done(&unit.counts);
    return collected;
}

int measure_nothing(const struct llvmlines_settings *settings, struct measurement *out)
{
    measure_begin(settings, out);
    out->has_sizes = settings->wants_sizes;
    return 0;
}

int measure_files(const struct llvmlines_settings *settings, struct measurement *out, struct error *err)
{
    measure_begin(settings, out);
    out->crates.is_partial = true;
    for (size_t i = 0; i < settings->files.count; i++) {
        const char *path = settings->files.items[i];

        if ((settings->needs_units ? collect_file(settings, path, out, err) : count_file(path, out, err)) < 0)
            return -1;
    }
    out->crates.is_std_v0 = groups_show_std_by_v0(&out->groups);
    return settings->binary ? measure_sizes_of_file(out, settings->binary, err) : 0;
}
