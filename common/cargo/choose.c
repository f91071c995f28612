#include "cargo/choose.h"

#include <fnmatch.h>
#include <string.h>

#include "base/file.h"
#include "cargo/product.h"
#include "rust/crate_name.h"

/* The targets that may be meant, in the order of the graph. */
struct candidates {
    VEC(struct cargo_choice) items;
};

static void candidates_done(struct candidates *candidates)
{
    vec_done(&candidates->items);
}

/* What is asked of each target of each selected package. */
struct question {
    const struct cargo_graph *graph;
    const struct cargo_selection *selection;
    struct slice default_run; /* the one that is set; empty for none or several */
};

typedef bool fits_fn(const struct question *question, const struct cargo_package *package,
                     const struct cargo_target *target);

static void collect(const struct question *question, fits_fn *fits, struct candidates *out)
{
    for (size_t i = 0; i < question->graph->package_count; i++) {
        const struct cargo_package *package = &question->graph->packages[i];

        if (!cargo_package_is_selected(question->graph, package, question->selection))
            continue;
        for (size_t at = 0; at < package->target_count; at++)
            if (fits(question, package, &package->targets[at]))
                *vec_add(&out->items) = (struct cargo_choice){package, &package->targets[at],
                                                              question->selection->harness, false};
    }
}

bool cargo_selection_names_targets(const struct cargo_selection *selection)
{
    return selection->wishes.count > 0 || selection->all_targets;
}

static bool is_wished(const struct question *question, const struct cargo_package *package,
                      const struct cargo_target *target)
{
    const struct cargo_selection *selection = question->selection;

    if (selection->all_targets)
        return cargo_kind_option(target->kind) && cargo_target_is_enabled(package, target, selection);
    for (size_t i = 0; i < selection->wishes.count; i++) {
        const struct cargo_wish *wish = &selection->wishes.items[i];

        /* cargo counts a procedural macro as its package's library. */
        if (wish->kind != (target->kind == CARGO_PROC_MACRO ? CARGO_LIB : target->kind))
            continue;
        /* cargo refuses a target that is named and not enabled, and says why; it skips the others. */
        if (wish->name && slice_is(target->name, wish->name))
            return true;
        if ((!wish->name || fnmatch(wish->name, target->name.data, 0) == 0) &&
            cargo_target_is_enabled(package, target, selection))
            return true;
    }
    return false;
}

/* A program, or where that is enough also a shared or static library. */
static bool is_looked_for(const struct question *question, const struct cargo_target *target)
{
    return question->selection->wants_program ? cargo_target_is_program(target)
                                              : cargo_target_is_final(target);
}

static bool is_wished_and_final(const struct question *question, const struct cargo_package *package,
                                const struct cargo_target *target)
{
    return is_looked_for(question, target) && is_wished(question, package, target);
}

/* --lib and --bin say which of those with the same name. */
static bool may_be_unit(const struct question *question, const struct cargo_package *package,
                        const struct cargo_target *target)
{
    if (target->kind != CARGO_LIB && target->kind != CARGO_PROC_MACRO && target->kind != CARGO_BIN)
        return false;
    return !cargo_selection_names_targets(question->selection) || is_wished(question, package, target);
}

static bool is_unit(const struct question *question, const struct cargo_package *package,
                    const struct cargo_target *target)
{
    const char *name = question->selection->unit;

    return may_be_unit(question, package, target) &&
           (name ? slice_is(target->name, name)
                 : cargo_target_is_enabled(package, target, question->selection));
}

/* The library of a package my-lib has been my_lib to cargo since 1.79. */
static bool is_unit_of_crate(const struct question *question, const struct cargo_package *package,
                             const struct cargo_target *target)
{
    return may_be_unit(question, package, target) &&
           crate_name_is(target->name, slice_of(question->selection->unit));
}

static bool is_binary(const struct question *question, const struct cargo_package *package,
                      const struct cargo_target *target)
{
    (void)question;
    (void)package;
    return target->kind == CARGO_BIN;
}

static bool is_default_binary(const struct question *question, const struct cargo_package *package,
                              const struct cargo_target *target)
{
    if (target->kind != CARGO_BIN)
        return false;
    if (question->default_run.length > 0)
        return slice_equal(package->default_run, target->name);
    return cargo_target_is_enabled(package, target, question->selection);
}

static bool is_final_library(const struct question *question, const struct cargo_package *package,
                             const struct cargo_target *target)
{
    return target->kind == CARGO_LIB && is_looked_for(question, target) &&
           cargo_target_is_enabled(package, target, question->selection);
}

static bool is_example_or_test(const struct question *question, const struct cargo_package *package,
                               const struct cargo_target *target)
{
    (void)package;
    return is_looked_for(question, target) && target->kind != CARGO_BIN && target->kind != CARGO_LIB;
}

/* `cargo run` heeds default-run only when the selected packages set just one. */
static struct slice find_default_run(const struct cargo_graph *graph, const struct cargo_selection *selection)
{
    struct slice found = {0};

    for (size_t i = 0; i < graph->package_count; i++) {
        const struct cargo_package *package = &graph->packages[i];

        if (package->default_run.length == 0 || !cargo_package_is_selected(graph, package, selection))
            continue;
        if (found.length > 0)
            return (struct slice){0};
        found = package->default_run;
    }
    return found;
}

static bool selects(const char *name)
{
    return cargo_option_selects_packages(name) || cargo_option_selects_targets(name);
}

/* What stood beside the options: what is compared, and the program's arguments. */
static void add_words(struct text *text, const struct options *options)
{
    const char *const *argument = options->program_arguments;

    for (size_t i = 0; i < options->positionals.count; i++) {
        text_add_byte(text, ' ');
        text_add_shell(text, slice_of(options->positionals.items[i]));
    }
    if (argument && *argument)
        text_add_string(text, " --");
    for (; argument && *argument; argument++) {
        text_add_byte(text, ' ');
        text_add_shell(text, slice_of(*argument));
    }
}

/* "cargo bloatc --release -p pkg --features a,b --bin name -- 5": what was typed, but for this one target. */
static void add_command(struct text *text, const char *verb, const struct question *question,
                        const struct cargo_choice *choice, bool with_package)
{
    const struct cargo_names *required = &choice->target->required_features;
    bool is_library = choice->target->kind == CARGO_LIB || choice->target->kind == CARGO_PROC_MACRO;

    text_format(text, "cargo %s", verb);
    options_add_typed(text, question->selection->options,
                      with_package ? selects : cargo_option_selects_targets);
    if (with_package)
        text_format(text, " -p %.*s", SLICE_ARGUMENTS(choice->package->name));
    if (!cargo_target_is_enabled(choice->package, choice->target, question->selection)) {
        text_add_string(text, " --features ");
        for (size_t i = 0; i < required->count; i++)
            text_format(text, "%s%.*s", i ? "," : "", SLICE_ARGUMENTS(required->items[i]));
    }
    if (choice->harness)
        text_add_string(text, choice->harness == CARGO_TEST_HARNESS ? " --unit-test" : " --unit-bench");
    text_format(text, " --%s", is_library ? "lib" : cargo_kind_option(choice->target->kind));
    if (!is_library)
        text_format(text, " %.*s", SLICE_ARGUMENTS(choice->target->name));
    add_words(text, question->selection->options);
}

/* As many commands as a hint holds whole, and at most SHOWN. */
static void hint_commands(const char *verb, const struct question *question,
                          const struct candidates *candidates, struct error *err)
{
    enum { SHOWN = 6, REST_BYTES = 40 };
    SCOPED(text_done) struct text text = {0};
    size_t count = candidates->items.count;
    size_t shown = 0;
    bool several_packages = false;

    for (size_t i = 1; i < count; i++)
        several_packages |= candidates->items.items[i].package != candidates->items.items[0].package;
    for (; shown < count && shown < SHOWN; shown++) {
        size_t before = text.length;

        text_add_string(&text, shown ? ", or " : "");
        add_command(&text, verb, question, &candidates->items.items[shown], several_packages);
        if (shown > 0 && text.length + REST_BYTES > sizeof(err->hint)) {
            text.length = before;
            break;
        }
    }
    if (count > shown)
        text_format(&text, ", or one of %zu more", count - shown);
    error_hint(err, "%s", text_string(&text));
}

/*
 * What the candidate is called, and where another is called so, of what kind it is and of which package: "app
 * (lib of tool)".
 */
static void add_name(struct text *text, const struct candidates *candidates, size_t index)
{
    const struct cargo_choice *choice = &candidates->items.items[index];
    bool is_library = choice->target->kind == CARGO_LIB || choice->target->kind == CARGO_PROC_MACRO;
    bool is_shared = false;
    bool has_other_package = false;

    for (size_t i = 0; i < candidates->items.count; i++) {
        const struct cargo_choice *other = &candidates->items.items[i];

        if (i == index || !slice_equal(other->target->name, choice->target->name))
            continue;
        is_shared = true;
        has_other_package |= other->package != choice->package;
    }
    text_add(text, choice->target->name);
    if (!is_shared)
        return;
    text_format(text, " (%s", is_library ? "lib" : cargo_kind_option(choice->target->kind));
    if (has_other_package)
        text_format(text, " of %.*s", SLICE_ARGUMENTS(choice->package->name));
    text_add_byte(text, ')');
}

static int refuse_several(const char *verb, const struct question *question,
                          const struct candidates *candidates, struct error *err)
{
    SCOPED(text_done) struct text names = {0};

    hint_commands(verb, question, candidates, err);
    for (size_t i = 0; i < candidates->items.count; i++) {
        text_add_string(&names, i ? ", " : "");
        add_name(&names, candidates, i);
    }
    return error_set(err, ERROR_USAGE, "several targets could be meant: %s", text_string(&names));
}

/* The libraries and binaries of the selected packages. */
static int refuse_no_unit(const char *verb, const struct question *question, struct error *err)
{
    SCOPED(candidates_done) struct candidates all = {0};
    struct cargo_selection any = *question->selection;
    struct question open = {question->graph, &any, {0}};

    any.unit = NULL;
    any.all_targets = true; /* whatever --lib and the like say */
    collect(&open, is_unit, &all);
    if (all.items.count > 0)
        hint_commands(verb, question, &all, err);
    return error_set(err, ERROR_USAGE, "there is no library or binary%s%s here to run the unit tests of",
                     question->selection->unit ? " " : "",
                     question->selection->unit ? question->selection->unit : "");
}

static bool is_procedural_macro(const struct question *question, const struct cargo_package *package,
                                const struct cargo_target *target)
{
    (void)package;
    return target->kind == CARGO_PROC_MACRO && !question->selection->wants_program;
}

static bool is_rust_library(const struct question *question, const struct cargo_package *package,
                            const struct cargo_target *target)
{
    (void)package;
    return target->kind == CARGO_LIB && (target->crate_types & CARGO_TYPE_LIB) &&
           !question->selection->wants_program;
}

/* Where cargo puts a library's file, as a shell takes it. */
static void add_library_path(struct text *text, const struct question *question, const char *triple,
                             const struct cargo_target *target, const char *ending)
{
    SCOPED(text_done) struct text path = {0};

    text_format(&path, "%.*s/%s%s%s/lib", SLICE_ARGUMENTS(question->graph->target_directory),
                triple ? triple : "", triple ? "/" : "", cargo_product_folder(question->selection->profile));
    /* Older cargo calls a library as its package is called. */
    crate_name_add(&path, target->name);
    text_add_string(&path, ending);
    text_add_shell(text, slice_of(file_from_here(text_string(&path))));
}

/* " once built (cargo build --release)", of the options those that are cargo's. */
static void add_once_built(struct text *text, const struct options *options)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(cargo_words_done) struct cargo_words words = {0};

    cargo_words_add_build(&arena, options, &words);
    text_add_string(text, " once built (cargo build");
    for (size_t i = 0; i < words.items.count; i++) {
        text_add_byte(text, ' ');
        text_add_shell(text, slice_of(words.items.items[i]));
    }
    text_add_byte(text, ')');
}

/* What can be looked at although no program is here. */
static void hint_remedy(const char *verb, const struct question *question, struct error *err)
{
    const struct options *options = question->selection->options;
    SCOPED(candidates_done) struct candidates macros = {0};
    SCOPED(candidates_done) struct candidates libraries = {0};
    SCOPED(text_done) struct text hint = {0};

    collect(question, is_procedural_macro, &macros);
    collect(question, is_rust_library, &libraries);
    if (macros.items.count > 0) {
        text_add_string(&hint, "a procedural macro is looked at by its file,");
        add_once_built(&hint, options);
        text_format(&hint, ": cargo %s ", verb);
        add_library_path(&hint, question, NULL, macros.items.items[0].target, ".so");
        error_hint(err, "%s", text_string(&hint));
        return;
    }
    text_format(&hint, "write a small program that uses it, as examples/NAME.rs: cargo %s", verb);
    options_add_typed(&hint, options, cargo_option_selects_targets);
    text_add_string(&hint, " --example NAME");
    if (libraries.items.count > 0) {
        text_add_string(&hint, "; code that is compiled in the library itself is measured by its file,");
        add_once_built(&hint, options);
        text_add_string(&hint, ": cargo bloatc ");
        add_library_path(&hint, question, options_value(options, "target"), libraries.items.items[0].target,
                         ".rlib");
    }
    error_hint(err, "%s", text_string(&hint));
}

static int refuse_none(const char *verb, const struct question *question, struct error *err)
{
    SCOPED(candidates_done) struct candidates others = {0};
    bool has_binaries = false;

    collect(question, is_binary, &others);
    has_binaries = others.items.count > 0;
    if (!has_binaries)
        collect(question, is_example_or_test, &others);
    if (others.items.count > 0)
        hint_commands(verb, question, &others, err);
    else
        hint_remedy(verb, question, err);
    if (has_binaries && !cargo_selection_names_targets(question->selection))
        return error_set(err, ERROR_USAGE, "every binary here needs a feature that is off");
    return error_set(err, ERROR_USAGE,
                     "there is no program here: a library has its final code only in a program that uses it");
}

/* The candidates, one kind after the other until there are some. */
static void collect_candidates(const struct question *question, struct candidates *out)
{
    if (question->selection->harness) {
        collect(question, is_unit, out);
        if (out->items.count == 0 && question->selection->unit)
            collect(question, is_unit_of_crate, out);
        return;
    }
    if (cargo_selection_names_targets(question->selection)) {
        collect(question, is_wished_and_final, out);
        return;
    }
    collect(question, is_default_binary, out);
    if (out->items.count == 0 && question->default_run.length == 0)
        collect(question, is_final_library, out);
}

/* Whether cargo would build something for the options, though nothing that is linked. */
static bool selects_something(const struct question *question)
{
    SCOPED(candidates_done) struct candidates all = {0};
    size_t packages = 0;

    if (cargo_selection_names_targets(question->selection)) {
        collect(question, is_wished, &all);
        return all.items.count > 0;
    }
    for (size_t i = 0; i < question->graph->package_count; i++)
        packages +=
            cargo_package_is_selected(question->graph, &question->graph->packages[i], question->selection);
    return packages > 0;
}

static bool is_test(const struct cargo_target *target)
{
    return target->kind == CARGO_TEST || target->kind == CARGO_BENCH;
}

/* --tests and --benches take more than the targets that are tests: unit tests of libraries and binaries. */
static bool may_be_unit_tests(const struct cargo_selection *selection, const struct candidates *candidates)
{
    if (selection->all_targets || selection->wants_program || candidates->items.count > 1 ||
        (candidates->items.count == 1 && !is_test(candidates->items.items[0].target)))
        return false;
    for (size_t i = 0; i < selection->wishes.count; i++) {
        const struct cargo_wish *wish = &selection->wishes.items[i];

        if (!wish->name && (wish->kind == CARGO_TEST || wish->kind == CARGO_BENCH))
            return true;
    }
    return false;
}

static bool has_unit_tests(const struct question *question, const struct cargo_package *package,
                           const struct cargo_target *target)
{
    return (target->kind == CARGO_LIB || target->kind == CARGO_PROC_MACRO || target->kind == CARGO_BIN) &&
           cargo_target_is_enabled(package, target, question->selection);
}

static bool wishes_any_test(const struct cargo_selection *selection)
{
    for (size_t i = 0; i < selection->wishes.count; i++)
        if (!selection->wishes.items[i].name && selection->wishes.items[i].kind == CARGO_TEST)
            return true;
    return false;
}

/* What runs under --tests is also the unit tests of libraries and binaries: one test beside them is not all.
 */
static void add_unit_tests(const struct question *question, struct candidates *candidates)
{
    size_t before = candidates->items.count;

    if (!question->selection->wants_program || !wishes_any_test(question->selection) || before != 1)
        return;
    collect(question, has_unit_tests, candidates);
    for (size_t i = before; i < candidates->items.count; i++)
        candidates->items.items[i].harness = CARGO_TEST_HARNESS;
}

int cargo_choose(const char *verb, const struct cargo_graph *graph, const struct cargo_selection *selection,
                 struct cargo_choice *out, struct error *err)
{
    SCOPED(candidates_done) struct candidates candidates = {0};
    struct question question = {graph, selection, find_default_run(graph, selection)};

    if (!selection->asks_for_names)
        collect_candidates(&question, &candidates);
    add_unit_tests(&question, &candidates);
    if (candidates.items.count > 1)
        return refuse_several(verb, &question, &candidates, err);
    if (may_be_unit_tests(selection, &candidates)) {
        *out = (struct cargo_choice){.is_any_test = true};
        return 0;
    }
    if (candidates.items.count == 0 && !selection->asks_for_names && selects_something(&question))
        return selection->harness ? refuse_no_unit(verb, &question, err) : refuse_none(verb, &question, err);
    *out = candidates.items.count == 1 ? candidates.items.items[0] : (struct cargo_choice){0};
    return 0;
}
