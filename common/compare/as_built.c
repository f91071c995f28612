#include "compare/as_built.h"

#include <string.h>

#include "cargo/choose.h"
#include "cargo/product.h"
#include "cargo/unit_notes.h"
#include "rust/crate_name.h"

void as_built_done(struct as_built *as_built)
{
    options_done(&as_built->options);
}

static void add(struct options *out, const char *name, const char *value)
{
    const struct option_spec *spec = command_find_option(out->command, name);

    if (spec)
        *vec_add(&out->uses) = (struct option_use){spec, value, name};
}

static bool is_given(const struct options *options, const char *name)
{
    return command_find_option(options->command, name) && options_has(options, name);
}

/* IR that was kept stands in a target directory of our own, in cargo's. */
static bool is_below(struct arena *arena, const char *path, const char *directory, struct cargo_product *out)
{
    return cargo_product_find_in(arena, path, directory, out) ||
           cargo_product_find_in(arena, path, arena_format(arena, "%s/llvmlines", directory), out);
}

/* Below what --target-dir names, too: that is no part of what cargo tells of the workspace. */
static bool find_product(struct arena *arena, const struct options *options, const struct cargo_graph *graph,
                         const char *path, struct cargo_product *out)
{
    const char *given = is_given(options, "target-dir") ? options_value(options, "target-dir") : NULL;

    return (given && is_below(arena, path, given, out)) ||
           is_below(arena, path, arena_copy(arena, graph->target_directory), out) ||
           (graph->build_directory.length > 0 &&
            is_below(arena, path, arena_copy(arena, graph->build_directory), out));
}

/* A library's file has '_' where the target, as cargo told before 1.79, may have '-'. */
static bool is_target_of(const struct cargo_target *target, const struct cargo_product *product)
{
    if (product->kind != CARGO_LIB)
        return target->kind == product->kind && slice_is(target->name, product->name);
    return (target->kind == CARGO_LIB || target->kind == CARGO_PROC_MACRO) &&
           target->crate_types & product->crate_types && crate_name_is(slice_of(product->name), target->name);
}

/* How many packages have the program or library, and one of them. */
static size_t find_packages(const struct cargo_graph *graph, const struct cargo_product *product,
                            const struct cargo_package **out, const struct cargo_target **target)
{
    size_t count = 0;

    for (size_t i = 0; i < graph->package_count; i++)
        for (size_t at = 0; at < graph->packages[i].target_count; at++) {
            if (!is_target_of(&graph->packages[i].targets[at], product))
                continue;
            count++;
            *out = &graph->packages[i];
            *target = &graph->packages[i].targets[at];
        }
    return count;
}

/* --bin and its like tell by themselves whose they are; --lib means those of all packages that are selected.
 */
static bool needs_package(const struct cargo_graph *graph, const struct cargo_package *package,
                          const struct cargo_target *target, const struct cargo_selection *selection)
{
    bool is_library = target->kind == CARGO_LIB || target->kind == CARGO_PROC_MACRO;

    return selection->packages.count == 0 && ((is_library && graph->package_count > 1) ||
                                              !cargo_package_is_selected(graph, package, selection));
}

static bool names_targets(struct arena *arena, const struct options *options)
{
    struct cargo_selection selection;
    bool names = false;

    cargo_selection_read(arena, options, &selection);
    names = cargo_selection_names_targets(&selection);
    cargo_selection_done(&selection);
    return names;
}

/* Where the only one is what the side may be compared with. */
static const char *only_program(struct arena *arena, const struct cargo_graph *graph)
{
    const struct cargo_target *found = NULL;

    for (size_t i = 0; i < graph->package_count; i++)
        for (size_t at = 0; at < graph->packages[i].target_count; at++) {
            if (graph->packages[i].targets[at].kind != CARGO_BIN)
                continue;
            if (found)
                return "NAME";
            found = &graph->packages[i].targets[at];
        }
    return found ? arena_copy(arena, found->name) : "NAME";
}

static int refuse_unit_tests(const struct as_built_file *file, const struct cargo_unit *unit,
                             struct error *err)
{
    error_hint(err, "two files are compared by naming both: NEW --diff OLD");
    return error_set(err, ERROR_USAGE, "%s holds the unit tests of %s, which nothing here builds", file->path,
                     unit->name);
}

static int refuse_unknown(struct arena *arena, const struct command *command,
                          const struct as_built_file *file, const struct cargo_graph *graph,
                          struct error *err)
{
    error_hint(err,
               "say which target of %s to compare with it: --bin %s; or two files: cargo %s NEW "
               "--diff OLD",
               file->side, only_program(arena, graph), command->name);
    return error_set(err, ERROR_USAGE, "%s is %s", file->path,
                     slice_ends_with(slice_of(file->path), SLICE(".rlib"))
                         ? "a library for Rust, whose code is final in programs alone"
                         : "of no target that this workspace has");
}

/*
 * Which target the file is of, where its name alone does not tell. That another revision may have it cargo
 * says there; IR that nothing is known of is compared with all targets, and warned of.
 */
static int find_target(struct arena *arena, const struct command *command, const struct cargo_graph *graph,
                       const struct as_built_file *file, struct cargo_product *product, struct error *err)
{
    const struct cargo_package *package = NULL;
    const struct cargo_target *target = NULL;
    struct cargo_unit unit = {0};
    bool is_ir = slice_ends_with(slice_of(product->name), SLICE(".ll"));

    if (find_packages(graph, product, &package, &target) > 0 || (is_ir && file->has_others))
        return 0;
    if (cargo_unit_find(arena, file->path, &unit)) {
        if (unit.has_harness)
            return refuse_unit_tests(file, &unit, err);
        product->kind = unit.kind;
        product->name = unit.name;
        product->crate_types = ~0U;
    }
    if (find_packages(graph, product, &package, &target) > 0 || is_ir ||
        (file->is_of_other && product->kind != CARGO_OTHER))
        return 0;
    return refuse_unknown(arena, command, file, graph, err);
}

/*
 * The program or library alone, unless the command line selects one. Which of several packages that have it
 * is meant, cargo's rules tell, or nothing does, which is then refused as ever.
 */
static void add_target(struct arena *arena, const struct cargo_graph *graph,
                       const struct cargo_product *product, struct options *out)
{
    struct cargo_selection selection;
    const struct cargo_package *package = NULL;
    const struct cargo_target *target = NULL;
    size_t count = find_packages(graph, product, &package, &target);

    cargo_selection_read(arena, out, &selection);
    if (product->kind != CARGO_OTHER && !cargo_selection_names_targets(&selection)) {
        if (count == 1 && needs_package(graph, package, target, &selection))
            add(out, "package", arena_copy(arena, package->name));
        if (product->kind == CARGO_LIB)
            add(out, "lib", NULL);
        else
            add(out, cargo_kind_option(product->kind), product->name);
    }
    cargo_selection_done(&selection);
}

/* Of a library that is built shared and static the shared one is measured. */
static bool is_unlike_what_is_measured(const struct cargo_graph *graph, const struct cargo_product *product)
{
    const struct cargo_package *package = NULL;
    const struct cargo_target *target = NULL;

    return product->kind == CARGO_LIB && find_packages(graph, product, &package, &target) == 1 &&
           product->crate_types == CARGO_TYPE_STATICLIB && cargo_target_is_linked(target);
}

/* What was added to options of which `given` were there before. */
static const char *added_options(struct arena *arena, const struct options *options, size_t given)
{
    SCOPED(text_done) struct text typed = {0};
    struct options added = {.command = options->command};

    added.uses.items = options->uses.items + given;
    added.uses.count = options->uses.count - given;
    options_add_typed(&typed, &added, NULL);
    return arena_copy(arena, text_slice(&typed));
}

static bool is_profile_given(const struct options *options)
{
    return is_given(options, "release") || is_given(options, "profile");
}

static void add_profile(const struct cargo_product *product, struct options *out)
{
    if (strcmp(product->profile, "release") == 0)
        add(out, "release", NULL);
    else
        add(out, "profile", product->profile);
}

static void copy(struct arena *arena, const struct options *options, const struct cargo_graph *graph,
                 const struct cargo_product *product, struct options *out)
{
    *out = (struct options){.command = options->command, .program_arguments = options->program_arguments};
    for (size_t i = 0; i < options->uses.count; i++)
        *vec_add(&out->uses) = options->uses.items[i];
    if (!is_profile_given(options))
        add_profile(product, out);
    if (product->triple && !is_given(options, "target"))
        add(out, "target", product->triple);
    add_target(arena, graph, product, out);
}

static const char *chosen_profile(struct arena *arena, const struct options *options)
{
    struct cargo_selection selection;
    const char *profile = NULL;

    cargo_selection_read(arena, options, &selection);
    profile = selection.profile;
    cargo_selection_done(&selection);
    return profile;
}

/* Where cargo puts what it builds with the profile. */
static const char *folder_of(const char *profile)
{
    return strcmp(profile, "dev") == 0 || strcmp(profile, "test") == 0 ? "debug"
           : strcmp(profile, "bench") == 0                             ? "release"
                                                                       : profile;
}

/* Whether the file may be of another package than cargo's rules, and no option, choose. */
static bool may_be_of_another_package(struct arena *arena, const struct options *options,
                                      const struct cargo_graph *graph, const struct cargo_product *product)
{
    const struct cargo_package *package = NULL;
    const struct cargo_target *target = NULL;
    struct cargo_selection selection;
    bool is_chosen = false;

    cargo_selection_read(arena, options, &selection);
    is_chosen = selection.packages.count > 0;
    cargo_selection_done(&selection);
    return !is_chosen && find_packages(graph, product, &package, &target) > 1;
}

/* What makes the side unlike the file; NULL: nothing that is known. */
static const char *doubt_of(struct arena *arena, const struct options *options,
                            const struct cargo_graph *graph, const struct as_built_file *file,
                            const struct cargo_product *product)
{
    const char *profile = is_profile_given(options) ? chosen_profile(arena, options) : NULL;

    if (!product)
        return profile ? NULL
                       : arena_format(arena,
                                      "%s is not from this workspace's target directory: %s is built with "
                                      "the profile dev; --release or --profile NAME says otherwise",
                                      file->path, file->side);
    if (profile && strcmp(folder_of(profile), folder_of(product->profile)) != 0)
        return arena_format(arena, "%s is of the profile %s, but %s is built with %s", file->path,
                            product->profile, file->side, profile);
    if (is_unlike_what_is_measured(graph, product))
        return arena_format(arena, "%s is a static library, but what is built of %s is measured shared",
                            file->path, file->side);
    if (may_be_of_another_package(arena, options, graph, product))
        return arena_format(arena,
                            "several packages have %s, and %s may be of another one than %s is built of: "
                            "--package NAME says which",
                            product->name, file->path, file->side);
    return NULL;
}

int as_built_find(struct arena *arena, const struct options *options, const struct cargo_graph *graph,
                  const struct as_built_file *file, struct as_built *out, struct error *err)
{
    struct cargo_product product;

    if (!find_product(arena, options, graph, file->path, &product)) {
        out->doubt = doubt_of(arena, options, graph, file, NULL);
        return 0;
    }
    if (!names_targets(arena, options) &&
        find_target(arena, options->command, graph, file, &product, err) < 0)
        return -1;
    copy(arena, options, graph, &product, &out->options);
    out->added = added_options(arena, &out->options, options->uses.count);
    out->is_known = out->options.uses.count > options->uses.count;
    out->doubt = doubt_of(arena, options, graph, file, &product);
    return 0;
}
