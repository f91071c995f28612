#include "command_line.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "cargo/args.h"
#include "cli/command.h"
#include "compare/compare.h"
#include "revision/clean.h"
#include "view/lines_page.h"

/* In the order of enum llvmlines_order. */
static const char *const sort_names[] = {"lines", "copies", "name", "size", NULL};

/* In the order of enum grouping. */
static const char *const grouping_names[] = {"function", "generic", "crate", "module", NULL};

/* In the order of enum llvmlines_count. */
static const char *const count_names[] = {"lines", "instructions", NULL};

static const struct option_spec report_specs[] = {
    {"by", 0, OPTION_VALUE, "WHAT", "What makes a row: each instance, all of one generic, crate or module",
     grouping_names, NULL},
    {"split", 0, OPTION_FLAG, NULL, "Tell closures apart, and drop glue and shims by the type they are for",
     NULL, NULL},
    {"count", 0, OPTION_VALUE, "WHAT",
     "What counts: lines as cargo-llvm-lines has them, or instructions alone", count_names, NULL},
    {"instances", 0, OPTION_VALUE, "NAME",
     "The copies of one generic: lines, type arguments and target of each", NULL, NULL},
    {"callers", 0, OPTION_VALUE, "NAME",
     "Who causes the copies of one generic: the ways that lead from your code to them", NULL, NULL},
    {"dups", 0, OPTION_FLAG, NULL,
     "What several crates have compiled alike, with --deps, and which crate could have it for all", NULL,
     NULL},
    {"advice", 0, OPTION_FLAG, NULL,
     "Give advice on having fewer copies where it is not given by itself: on files, beside a filter", NULL,
     NULL},
    {"no-advice", 0, OPTION_FLAG, NULL, "Leave the advice below the table out", NULL, NULL},
    {"sizes", 0, OPTION_FLAG, NULL,
     "Beside the lines, the bytes of .text that are left of the copies: builds what was counted in "
     "target/bloatc, with v0 names",
     NULL, NULL},
    {"binary", 0, OPTION_VALUE, "FILE", "With the sizes of this file instead of building one", NULL, NULL},
    {"compat", 0, OPTION_FLAG, NULL, "Print the table of cargo-llvm-lines, grouped and written as it does",
     NULL, NULL},
    {"deps", 0, OPTION_FLAG, NULL,
     "Count all that the selection depends on, too, but for what runs while compiling: build scripts, "
     "procedural macros and what these need",
     NULL, NULL},
    {"top", 'n', OPTION_VALUE, "NUM",
     "Rows to show; 0 shows all. 30 on a terminal and in Markdown, all in a pipe or a file", NULL, NULL},
    {"sort", 's', OPTION_VALUE, "KEY", "Order of the rows", sort_names, NULL},
    {"filter", 'f', OPTION_VALUE, "REGEXP", "Only functions whose name matches; the total stays", NULL, NULL},
    {"keep-ir", 0, OPTION_FLAG, NULL, "Keep the LLVM IR that was counted, and say where", NULL, NULL},
    {"files", 0, OPTION_MANY, "FILE", NULL, NULL, NULL},
    /* cargo-llvm-lines has a letter for it, cargo has none. */
    {"m", 'm', OPTION_VALUE, "PATH", NULL, NULL, "manifest-path"},
};

static const struct option_table report_options = {"Report", report_specs, ARRAY_COUNT(report_specs)};

static const struct option_table *const tables[] = {
    &report_options,     &compare_options,        &outputs_picture_options,
    CARGO_OPTION_TABLES, &command_common_options, NULL,
};

/* Of cargo-show-asm and others. */
static const struct option_answer other_answers[] = {
    {"asm", 0, "machine code is not shown; its size beside the lines is --sizes"},
    {"completions", 0, "completions are printed by --generate bash, zsh or fish"},
    {"crates", 0, "whose source it is that is compiled is --by crate"},
    {"csv", 0, "the form of the output is --format csv"},
    {"dev", 0, "the profile is dev unless --release or --profile says otherwise"},
    {"diff=", 0, "a base is a revision (main, HEAD~3), or what was saved before: --diff old.json"},
    {"full-fn", 0, "each instance with its types is --by function; -w cuts no name"},
    {"json", 0, "the form of the output is --format json"},
    {"llvm", 0, "the LLVM IR itself is kept by --keep-ir"},
    {"max-items", 0, "how many rows is -n NUM"},
    {"open", 0, "nothing is opened: -o lines.html, then xdg-open lines.html"},
    {"time", 0, "how long crates take to compile: cargo build --timings"},
    {NULL, 0, NULL},
};

static const struct option_answer *const answers[] = {other_answers, NULL};

static const char *const usages[] = {"[OPTIONS] [WHAT CARGO BUILDS]", "[OPTIONS] FILE...", "clean", NULL};

static const struct command clean = CLEAN_COMMAND("llvmlines");

static const struct command_verb verbs[] = {{&clean, clean_run}};

static const struct command_example examples[] = {
    {"cargo llvmlines --release", "The generics that give LLVM the most to do"},
    {"cargo llvmlines --lib -s copies", "What is instantiated most often"},
    {"cargo llvmlines -p serde_json --lib", "A dependency"},
    {"cargo llvmlines --bin app -f '^core::ptr' -n 0", "All functions whose name matches"},
    {"cargo llvmlines --release --deps --by crate", "Whose source it is that all crates together compile"},
    {"cargo llvmlines --instances drop_in_place", "The types that one generic was made for"},
    {"cargo llvmlines --callers drop_in_place", "Which of your functions its copies are there for"},
    {"cargo llvmlines --release --deps -o lines.html", "A page to look at: crates, modules, generics"},
    {"cargo llvmlines --release --dups", "What crates have compiled that others had already"},
    {"cargo llvmlines --release --bin app --deps --sizes", "What is left of each generic in the program"},
    {"cargo llvmlines --release --diff main",
     "What changed since the branch main, uncommitted changes included"},
    {"cargo llvmlines clean", "Remove the checkouts of revisions that are kept for --diff"},
    {"cargo llvmlines --release -o lines.json", "The table here, and a file of all rows"},
    {"cargo llvmlines target/llvmlines/debug/deps/app-0123456789abcdef.ll", "IR that is there already"},
};

const struct command llvmlines_command = {
    .name = "llvmlines",
    .verbs = verbs,
    .verb_count = ARRAY_COUNT(verbs),
    .summary = "Which generic functions give the compiler its work: lines of LLVM IR and copies",
    .description =
        "Compiles what `cargo check` would with the same options, in the folder llvmlines of the target "
        "directory, lets rustc write the LLVM IR before any optimisation, and counts the lines of each "
        "function. All instances of one generic are one row, and Copies tells how many there are. No machine "
        "code "
        "is made, and what did not change is not compiled again.\n"
        "The counts are those of cargo-llvm-lines. Each % is of all lines or copies, each Sum the share of "
        "the "
        "rows so far.",
    .exit_status = COMMAND_EXIT_STATUS_WITH_CARGO,
    .usages = usages,
    .positional = "FILE",
    .positional_help =
        "LLVM IR (.ll) to count instead of compiling; - is standard input; with --diff also a saved result",
    .tables = tables,
    .answers = answers,
    .examples = examples,
    .example_count = ARRAY_COUNT(examples),
};

void llvmlines_settings_done(struct llvmlines_settings *settings)
{
    vec_done(&settings->files);
}

/* The first option given that makes sense for what is compiled here alone; of the comparison's other side
 * cargo's may be. */
static const struct option_spec *first_of_built(const struct options *options)
{
    static const char *const names[] = {"keep-ir", "deps"};

    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (options_has(options, names[i]))
            return command_find_option(options->command, names[i]);
    return options_has(options, "diff") ? NULL : cargo_first_option(options);
}

static int refuse_beside_file(const struct option_spec *spec, const char *file, struct error *err)
{
    error_hint(err, "leave out --%s to count the file, or the file to count what cargo builds", spec->name);
    return error_set(err, ERROR_USAGE, "--%s is about what cargo builds, but the file %s was named",
                     spec->name, file);
}

int llvmlines_settings_check_side(const struct llvmlines_settings *settings, const struct options *options,
                                  struct error *err)
{
    const struct option_spec *spec = cargo_first_option(options);

    return spec && settings->files.count > 0 ? refuse_beside_file(spec, settings->files.items[0], err) : 0;
}

/* As other tools have it, a function, or a program that cargo builds. */
static int refuse_unknown_word(const char *word, struct error *err)
{
    error_hint(
        err,
        "files of LLVM IR are counted; the functions whose name matches are --filter %s, the instances of "
        "one generic --instances %s, a program that cargo builds --bin %s",
        word, word, word);
    return error_set(err, ERROR_MISSING, "open %s: %s", word, strerror(ENOENT));
}

/* Which files are named, to find one that is named twice. */
struct named_files {
    VEC(struct stat) items;
};

static void named_files_done(struct named_files *named)
{
    vec_done(&named->items);
}

static bool is_named(const struct named_files *named, const struct stat *file)
{
    for (size_t i = 0; i < named->items.count; i++)
        if (named->items.items[i].st_ino == file->st_ino && named->items.items[i].st_dev == file->st_dev)
            return true;
    return false;
}

/* All that is in it would count twice. One that is not there is told of when it is opened. */
static int refuse_named_twice(const struct llvmlines_settings *settings, struct error *err)
{
    SCOPED(named_files_done) struct named_files named = {0};

    for (size_t i = 0; i < settings->files.count; i++) {
        struct stat file;

        if (stat(settings->files.items[i], &file) < 0 || !S_ISREG(file.st_mode))
            continue;
        if (is_named(&named, &file))
            return error_set(err, ERROR_USAGE, "%s is named twice, and would count twice",
                             settings->files.items[i]);
        *vec_add(&named.items) = file;
    }
    return 0;
}

static int read_files(const struct options *options, struct llvmlines_settings *out, struct error *err)
{
    const struct option_spec *spec = NULL;

    for (size_t i = 0; i < options->uses.count; i++)
        if (strcmp(options->uses.items[i].spec->name, "files") == 0)
            *vec_add(&out->files) = options->uses.items[i].value;
    /* "--files a b": what follows the first is read as a word of its own. */
    for (size_t i = 0; i < options->positionals.count; i++)
        *vec_add(&out->files) = options->positionals.items[i];
    if (out->files.count == 0)
        return 0;
    if (options->positionals.count > 0 && !options_has(options, "files") &&
        !slice_ends_with(slice_of(options->positionals.items[0]), SLICE(".ll")) &&
        file_is_unknown_name(options->positionals.items[0]))
        return refuse_unknown_word(options->positionals.items[0], err);
    /* A saved result of what cargo builds is compared with the options of that. */
    if (options_has(options, "diff") && slice_ends_with(slice_of(out->files.items[0]), SLICE(".json")))
        return 0;
    spec = first_of_built(options);
    return spec ? refuse_beside_file(spec, out->files.items[0], err) : refuse_named_twice(out, err);
}

/* In cargo-llvm-lines the letter is that of --files: told before a build of minutes. */
static int refuse_file_as_filter(const struct options *options, struct error *err)
{
    const char *filter = options_value(options, "filter");
    SCOPED(text_done) struct text word = {0};

    if (!filter || !slice_ends_with(slice_of(filter), SLICE(".ll")))
        return 0;
    text_add_shell(&word, slice_of(filter));
    error_hint(err, "-f is --filter here, files are named as they are: cargo llvmlines %s",
               text_string(&word));
    return error_set(err, ERROR_USAGE, "--filter %s: a file, and no function's name", filter);
}

static int refuse_program_arguments(const struct options *options, struct error *err)
{
    if (!options->program_arguments)
        return 0;
    error_hint(err, "flags for rustc go into the environment: RUSTFLAGS=\"...\" cargo llvmlines");
    return error_set(err, ERROR_USAGE, "nothing is run here that would take what follows \"--\"");
}

/* Options of which the second has no meaning beside the first: mistakes, not to be passed over. */
static const struct {
    const char *option;
    const char *without;
} exclusions[] = {
    {"compat", "by"},        {"compat", "split"},      {"compat", "count"},     {"compat", "format"},
    {"compat", "top"},       {"compat", "output"},     {"compat", "instances"}, {"compat", "callers"},
    {"compat", "dups"},      {"instances", "callers"}, {"instances", "dups"},   {"instances", "filter"},
    {"instances", "sort"},   {"callers", "dups"},      {"callers", "filter"},   {"callers", "sort"},
    {"dups", "filter"},      {"dups", "sort"},         {"advice", "no-advice"}, {"advice", "compat"},
    {"advice", "instances"}, {"advice", "callers"},    {"advice", "dups"},      {"advice", "diff"},
    {"compat", "sizes"},     {"compat", "binary"},     {"dups", "sizes"},       {"dups", "binary"},
    {"callers", "sizes"},    {"callers", "binary"},    {"instances", "sizes"},  {"instances", "binary"},
    {"binary", "diff"},
};

/* What to do about what --compat goes without. */
static const struct {
    const char *option;
    const char *instead;
} beside_compat[] = {
    {"format", "that is text alone; without --compat it is what --format says"},
    {"output", "that is written to a file by: > FILE"},
    {"top",
     "that has all rows, as cargo-llvm-lines: | head shows the first; without --compat -n says how many"},
};

static void hint_beside_compat(const char *option, struct error *err)
{
    for (size_t i = 0; i < ARRAY_COUNT(beside_compat); i++)
        if (strcmp(beside_compat[i].option, option) == 0)
            error_hint(err, "%s", beside_compat[i].instead);
}

static int check_settings(const struct options *options, struct error *err)
{
    for (size_t i = 0; i < ARRAY_COUNT(exclusions); i++) {
        if (!options_has(options, exclusions[i].option) || !options_has(options, exclusions[i].without))
            continue;
        if (strcmp(exclusions[i].option, "compat") == 0)
            hint_beside_compat(exclusions[i].without, err);
        return error_set(err, ERROR_USAGE, "--%s goes without --%s", exclusions[i].option,
                         exclusions[i].without);
    }
    return 0;
}

static int check_picture(const struct llvmlines_settings *settings, struct error *err)
{
    if (outputs_want_form(&settings->outputs) && (settings->is_list || settings->by != GROUP_BY_GENERIC))
        return error_set(err, ERROR_USAGE, "pictures show all generics: they go with no other table");
    return 0;
}

/* What lists one function's instances or callers has no use for other rows. */
static int check_lists(const struct llvmlines_settings *settings, struct error *err)
{
    const char *list = settings->instances ? "instances" : "callers";
    bool is_usual = settings->by == GROUP_BY_GENERIC && !settings->is_split;
    bool is_by_name = settings->by == GROUP_BY_GENERIC || settings->by == GROUP_BY_FUNCTION;

    if ((settings->instances && !is_usual) || (settings->callers && !is_by_name))
        return error_set(err, ERROR_USAGE, "--%s tells of one function: it goes with no other rows", list);
    return 0;
}

static int check_advice(const struct llvmlines_settings *settings, struct error *err)
{
    if (settings->wants_advice && (settings->by != GROUP_BY_GENERIC || settings->is_split))
        return error_set(err, ERROR_USAGE, "advice is on generics: it goes with no other rows");
    return 0;
}

/* Files are counted in little memory, which knows no one function: advice on them is given when asked for. */
static bool wants_advice(const struct options *options, const struct llvmlines_settings *settings)
{
    bool is_usual = settings->by == GROUP_BY_GENERIC && !settings->is_split && !settings->is_list &&
                    !settings->is_compat && !settings->filter && !compare_is_wanted(options);

    return options_has(options, "advice") ||
           (is_usual && settings->files.count == 0 && !options_has(options, "no-advice"));
}

static int check_sizes(const struct options *options, const struct llvmlines_settings *settings,
                       struct error *err)
{
    if (settings->order == ORDER_BY_SIZE && !settings->wants_sizes)
        return error_set(err, ERROR_USAGE, "--sort size goes with --sizes or --binary");
    if (settings->files.count == 0 || !settings->wants_sizes || settings->binary)
        return 0;
    if (compare_is_wanted(options))
        error_hint(err, "leave out --sizes, or compare with what was saved with --sizes, -o FILE.json");
    else
        error_hint(err, "name the program that has its code: --binary FILE");
    return error_set(err, ERROR_USAGE, "%s is not built here, so --sizes has nothing to measure",
                     settings->files.items[0]);
}

int llvmlines_settings_read(const struct options *options, struct llvmlines_settings *out, struct error *err)
{
    enum { USUAL_ROWS = 30 };

    *out = (struct llvmlines_settings){
        .order = (enum llvmlines_order)options_choice(options, "sort", ORDER_BY_LINES),
        .by = (enum grouping)options_choice(options, "by", GROUP_BY_GENERIC),
        .is_split = options_has(options, "split"),
        .counts_instructions = options_choice(options, "count", COUNT_LINES) == COUNT_INSTRUCTIONS,
        .instances = options_value(options, "instances"),
        .callers = options_value(options, "callers"),
        .is_compat = options_has(options, "compat"),
        .dups = options_has(options, "dups"),
        .wants_sizes = options_has(options, "sizes") || options_has(options, "binary"),
        .binary = options_value(options, "binary"),
        .with_dependencies = options_has(options, "deps") || options_has(options, "dups"),
        .keep_ir = options_has(options, "keep-ir"),
        .is_quiet = options_has(options, "quiet"),
        .filter = options_value(options, "filter"),
    };
    if (refuse_program_arguments(options, err) < 0 || refuse_file_as_filter(options, err) < 0 ||
        read_files(options, out, err) < 0 ||
        outputs_read(options, USUAL_ROWS, lines_page_forms, &out->outputs, err) < 0)
        return -1;
    out->outputs.cuts_on_terminals_alone =
        true; /* cargo-llvm-lines has all rows, to be piped into head or grep */
    out->is_list = out->instances || out->callers || out->dups;
    out->needs_units = out->is_list || out->wants_sizes || outputs_want_form(&out->outputs);
    out->wants_advice = wants_advice(options, out);
    out->needs_units = out->needs_units || out->wants_advice;
    if (check_settings(options, err) < 0 || check_picture(out, err) < 0 || check_lists(out, err) < 0 ||
        check_advice(out, err) < 0 || check_sizes(options, out, err) < 0)
        return -1;
    if (out->is_compat)
        out->by = GROUP_AS_PEER;
    return 0;
}
