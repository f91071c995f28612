#include "cargo/choose_refusal.h"

#include "base/file.h"
#include "cargo/product.h"
#include "rust/crate_name.h"

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
static void add_command(struct text *text, const char *verb, const struct cargo_question *question,
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
static void hint_commands(const char *verb, const struct cargo_question *question,
                          const struct cargo_candidates *candidates, struct error *err)
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
static void add_name(struct text *text, const struct cargo_candidates *candidates, size_t index)
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

int cargo_refuse_several(const char *verb, const struct cargo_question *question,
                         const struct cargo_candidates *candidates, struct error *err)
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
int cargo_refuse_no_unit(const char *verb, const struct cargo_question *question, struct error *err)
{
    SCOPED(cargo_candidates_done) struct cargo_candidates all = {0};
    struct cargo_selection any = *question->selection;
    struct cargo_question open = {question->graph, &any, {0}};

    any.unit = NULL;
    any.all_targets = true; /* whatever --lib and the like say */
    cargo_candidates_collect(&open, cargo_fits_unit, &all);
    if (all.items.count > 0)
        hint_commands(verb, question, &all, err);
    return error_set(err, ERROR_USAGE, "there is no library or binary%s%s here to run the unit tests of",
                     question->selection->unit ? " " : "",
                     question->selection->unit ? question->selection->unit : "");
}

static bool is_procedural_macro(const struct cargo_question *question, const struct cargo_package *package,
                                const struct cargo_target *target)
{
    (void)question;
    (void)package;
    return target->kind == CARGO_PROC_MACRO;
}

static bool is_rust_library(const struct cargo_question *question, const struct cargo_package *package,
                            const struct cargo_target *target)
{
    (void)package;
    return target->kind == CARGO_LIB && (target->crate_types & CARGO_TYPE_LIB) &&
           !question->selection->wants_program;
}

/* Where cargo puts a library's file, as a shell takes it. */
static void add_library_path(struct text *text, const struct cargo_question *question, const char *triple,
                             const struct cargo_target *target, const char *ending)
{
    const char *given = options_value(question->selection->options, "target-dir");
    struct slice folder = given ? slice_of(given) : question->graph->target_directory;
    SCOPED(text_done) struct text path = {0};

    text_format(&path, "%.*s/%s%s%s/lib", SLICE_ARGUMENTS(folder), triple ? triple : "", triple ? "/" : "",
                cargo_product_folder(question->selection->profile));
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

/* Where a macro runs, for who wants to run it, or else its file. */
static void add_remedy_for_macro(struct text *hint, const char *verb, const struct cargo_question *question,
                                 const struct cargo_target *macro)
{
    const struct options *options = question->selection->options;

    if (question->selection->wants_program) {
        text_format(hint, "a procedural macro runs in the compiler: cargo %s", verb);
        options_add_typed(hint, options, cargo_option_selects_targets);
        text_add_string(
            hint, " --unit-test for its own tests, or cargo cprof exec -- cargo build where it is used");
        return;
    }
    text_add_string(hint, "a procedural macro is looked at by its file,");
    add_once_built(hint, options);
    text_format(hint, ": cargo %s ", verb);
    add_library_path(hint, question, NULL, macro, ".so");
}

/* What can be looked at although no program is here. */
static void hint_remedy(const char *verb, const struct cargo_question *question, struct error *err)
{
    const struct options *options = question->selection->options;
    SCOPED(cargo_candidates_done) struct cargo_candidates macros = {0};
    SCOPED(cargo_candidates_done) struct cargo_candidates libraries = {0};
    SCOPED(text_done) struct text hint = {0};

    cargo_candidates_collect(question, is_procedural_macro, &macros);
    cargo_candidates_collect(question, is_rust_library, &libraries);
    if (macros.items.count > 0) {
        add_remedy_for_macro(&hint, verb, question, macros.items.items[0].target);
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

static bool is_binary(const struct cargo_question *question, const struct cargo_package *package,
                      const struct cargo_target *target)
{
    (void)question;
    (void)package;
    return target->kind == CARGO_BIN;
}

static bool is_example_or_test(const struct cargo_question *question, const struct cargo_package *package,
                               const struct cargo_target *target)
{
    (void)package;
    return cargo_is_looked_for(question, target) && target->kind != CARGO_BIN && target->kind != CARGO_LIB;
}

int cargo_refuse_none(const char *verb, const struct cargo_question *question, struct error *err)
{
    SCOPED(cargo_candidates_done) struct cargo_candidates others = {0};
    bool has_binaries = false;

    cargo_candidates_collect(question, is_binary, &others);
    has_binaries = others.items.count > 0;
    if (!has_binaries)
        cargo_candidates_collect(question, is_example_or_test, &others);
    if (others.items.count > 0)
        hint_commands(verb, question, &others, err);
    else
        hint_remedy(verb, question, err);
    if (has_binaries && !cargo_selection_names_targets(question->selection))
        return error_set(err, ERROR_USAGE, "every binary here needs a feature that is off");
    return error_set(err, ERROR_USAGE,
                     "there is no program here: a library has its final code only in a program that uses it");
}
