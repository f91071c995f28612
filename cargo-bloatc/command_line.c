#include "command_line.h"

#include "base/regex.h"
#include "cargo/args.h"
#include "cli/command.h"
#include "compare/compare.h"
#include "revision/clean.h"
#include "tables/picture.h"

static const char *const sort_names[] = {"size", "name", NULL};

static const char *const by_names[] = {"function", "generic", "crate", "module", "file",
                                       "line",     "section", "data",  NULL};

static const char *const attribute_names[] = {"used", "defined", "line", NULL};

static const struct option_spec report_specs[] = {
    {"by", 0, OPTION_VALUE, "WHAT", "What a row stands for", by_names, NULL},
    {"attribute", 0, OPTION_VALUE, "HOW",
     "Whose code it is: of the crate that pays for it (used, the default), whose source has the function "
     "(defined) or whose source text it is, through inlining (line)",
     attribute_names, NULL},
    {"data", 0, OPTION_FLAG, NULL,
     "The whole file: functions and crates with the data, unwind tables, relocations and symbols that are "
     "there "
     "for them",
     NULL, NULL},
    {"known", 0, OPTION_FLAG, NULL, "Show how the crate of each row is known", NULL, NULL},
    {"crates", 0, OPTION_FLAG, NULL, "Short for --by crate", NULL, NULL},
    {"sections", 0, OPTION_FLAG, NULL,
     "Short for --by section: the whole file, with headers and what alignment leaves between", NULL, NULL},
    {"instances", 0, OPTION_VALUE, "NAME",
     "The copies of one generic function, with the types each was made for", NULL, NULL},
    {"filter", 0, OPTION_VALUE, "CRATE|REGEXP",
     "Only functions of this crate or, when no crate has that name, whose name matches", NULL, NULL},
    {"top", 'n', OPTION_VALUE, "NUM", "Rows to show; 0 shows all. 20 unless the output is for programs", NULL,
     NULL},
    {"sort", 's', OPTION_VALUE, "KEY", "Order of the rows", sort_names, NULL},
    {"full-fn", 0, OPTION_FLAG, NULL, "Function names with the hashes that tell instances apart", NULL, NULL},
    {"split-std", 0, OPTION_FLAG, NULL, "Show core, alloc and the like instead of std for all of them", NULL,
     NULL},
    {"symbols-section", 0, OPTION_VALUE, "NAME", "The section to measure instead of .text", NULL, NULL},
    {"debug-file", 0, OPTION_VALUE, "FILE",
     "The file that has the symbols and debug information; without it they are looked for as gdb does", NULL,
     NULL},
    {"exact", 0, OPTION_FLAG, NULL,
     "Build in target/bloatc with v0 names and line tables, so that hardly anything has to be inferred", NULL,
     NULL},
    {"no-relative-size", 0, OPTION_FLAG, NULL, "Leave out the columns File and .text", NULL, NULL},
};

static const struct option_table report_options = {"Report", report_specs, ARRAY_COUNT(report_specs)};

static const struct option_table *const tables[] = {
    &report_options,     &compare_options,        &outputs_picture_options,
    CARGO_OPTION_TABLES, &command_common_options, NULL,
};

#define FORM "the form of the output is --format json, csv or markdown"
#define ROWS_STAND_FOR "what a row stands for is --by section, crate, file, function, ..."
#define HOW_MANY "how many rows is -n NUM"
#define EXPRESSION "functions by their names are --filter REGEXP"
#define IN_ORDER "the largest stands first, or the order is --sort name"
#define DEMANGLED "names are always demangled; the hashes of their symbols are shown by --full-fn"
#define FILE_BYTES "bytes are those of the file"
#define AT_ADDRESS "what is at an address of a file: addr2line -f -e FILE ADDRESS"

/* Of bloaty, twiggy, cargo-bloat and others. */
static const struct option_answer other_answers[] = {
    {"all", 'a', "all rows are -n 0"},
    {"all-generics", 0, "all rows are -n 0"},
    {"all-monos", 0, "the copies of one generic are --instances NAME, all of them with -n 0"},
    {"completions", 0, "completions are printed by --generate bash, zsh or fish"},
    {"diff=", 0, "a base is a revision (main, HEAD~3), or what was saved before: --diff old.json"},
    {"config", 'c', "rows are of functions, generics, modules, crates, files or lines: --by WHAT"},
    {"csv", 0, FORM},
    {"data", 'd', ROWS_STAND_FOR},
    {"debug-fileoff", 0, AT_ADDRESS},
    {"debug-vmaddr", 0, AT_ADDRESS},
    {"demangle", 'C', DEMANGLED},
    {"descending", 0, IN_ORDER},
    {"dev", 0, "the profile is dev unless --release or --profile says otherwise"},
    {"disassemble", 0, "machine code is not shown: objdump -d FILE"},
    {"domain", 0, "code is measured; where all bytes of the file are is --sections, who needs them --data"},
    {"format", 'f', FORM},
    {"format=text", 0, "text is what is called table"},
    {"html", 0, "a page to look at is -o size.html"},
    {"input", 'i', "a file to measure is named without an option: cargo bloatc FILE"},
    {"json", 0, FORM},
    {"list-sources", 0, ROWS_STAND_FOR},
    {"markdown", 0, FORM},
    {"max-generics", 'm', HOW_MANY},
    {"max-items", 0, HOW_MANY},
    {"max-monos", 0, HOW_MANY},
    {"mode", 0, "the kind of a file is found out: leave it out"},
    {"no-demangle", 0, DEMANGLED},
    {"only-generics", 'g', "what the copies of each generic take is --by generic"},
    {"open", 0, "nothing is opened: -o size.html, then xdg-open size.html"},
    {"raw-map", 0, AT_ADDRESS},
    {"regex", 0, EXPRESSION},
    {"retained", 0, "what a function or crate needs beside its code is --data"},
    {"retaining-paths", 0, "who needs a string or a table is told by --by data"},
    {"reverse", 0, IN_ORDER},
    {"show-data-segments", 0, "strings and tables are --by data"},
    {"sort=both", 0, FILE_BYTES},
    {"sort=file", 0, FILE_BYTES},
    {"sort=vm", 0, FILE_BYTES},
    {"source-filter", 0, EXPRESSION},
    {"source-map", 0, "names of a stripped file come from --debug-file FILE"},
    {"time", 0, "how long crates take to compile: cargo build --timings"},
    {"timings", 0, "how long crates take to compile: cargo build --timings"},
    {"tsv", 0, FORM},
    {"unsorted", 0, IN_ORDER},
    {NULL, 0, NULL},
};

static const struct option_answer *const answers[] = {other_answers, NULL};

static const char *const usages[] = {"[OPTIONS] [WHAT CARGO BUILDS]", "[OPTIONS] FILE", "clean", NULL};

static const struct command clean = CLEAN_COMMAND("bloatc");

static const struct command_verb verbs[] = {{&clean, clean_run}};

static const struct command_example examples[] = {
    {"cargo bloatc --release", "The largest functions of the program, built as for release"},
    {"cargo bloatc --release --crates", "What each crate takes"},
    {"cargo bloatc --release --by generic", "Which generics were copied most, and what that costs"},
    {"cargo bloatc --release --instances drop_in_place", "The types that one of them was made for"},
    {"cargo bloatc target/release/app --sections", "Where all bytes of a file are, stripped or not"},
    {"cargo bloatc --release --crates --data", "The same for the whole file: code, data, tables"},
    {"cargo bloatc --release --by data", "The largest strings, tables and vtables, and who uses them"},
    {"cargo bloatc --release --filter serde_json -n 0", "All functions of one crate"},
    {"cargo bloatc --release --filter '^core::fmt'", "Functions by a regular expression"},
    {"cargo bloatc target/release/app --format json", "A file as it is, for a program to read"},
    {"cargo bloatc --release -o size.html", "A page to look at: what is large, crate by crate"},
    {"cargo bloatc --release --diff main",
     "What changed since the branch main, uncommitted changes included"},
    {"cargo bloatc --release --diff origin/main...HEAD --format markdown --fail-over 1%",
     "For a pull request: a comment, and exit code 3 when the program grew by more than 1%"},
    {"cargo bloatc clean", "Remove the checkouts of revisions that are kept for --diff"},
    {"cargo bloatc --release -o size.json -o size.md", "The table here, and two files of the same"},
};

const struct command bloatc_command = {
    .name = "bloatc",
    .verbs = verbs,
    .verb_count = ARRAY_COUNT(verbs),
    .summary = "What takes the space in a binary: its functions and crates, to the last byte",
    .description =
        "Builds like `cargo build` with the same options and measures the program that cargo made, or "
        "measures FILE as it is. Nothing is rebuilt for the measuring.\n"
        "The rows add up to the section exactly: what fills the gaps between functions is the row "
        "[padding], and code that no symbol names is the row [unnamed].\n"
        "Crate is the crate that pays for a function: whose codegen unit holds the code, also of generics "
        "that "
        "another crate defines and of C that a -sys crate built. --attribute defined goes by whose source "
        "has the "
        "function. Debug information, symbols and the libraries of the build tell; what is inferred from "
        "names "
        "alone is added up below the table, and marked in JSON.",
    .exit_status = COMMAND_EXIT_STATUS_WITH_CARGO,
    .usages = usages,
    .positional = "FILE",
    .positional_help = "A program, library, object or archive to measure instead of building one; with "
                       "--diff also a saved result",
    .tables = tables,
    .answers = answers,
    .examples = examples,
    .example_count = ARRAY_COUNT(examples),
};

static int read_by(const struct options *options, enum bloatc_by *out, struct error *err)
{
    static const struct {
        const char *name;
        enum bloatc_by by;
    } short_forms[] = {{"crates", BY_CRATE}, {"sections", BY_SECTION}};
    const char *given = options_value(options, "by") ? "by" : NULL;

    *out = (enum bloatc_by)options_choice(options, "by", BY_FUNCTION);
    for (size_t i = 0; i < ARRAY_COUNT(short_forms); i++) {
        if (!options_has(options, short_forms[i].name))
            continue;
        if (given && *out != short_forms[i].by)
            return error_set(err, ERROR_USAGE, "--%s and --%s ask for different tables", given,
                             short_forms[i].name);
        given = short_forms[i].name;
        *out = short_forms[i].by;
    }
    return 0;
}

/* Files and lines are what debug information tells of source text, and nothing else. */
static int read_attribute(const struct options *options, enum bloatc_by by, enum attribution *out,
                          struct error *err)
{
    bool is_of_lines = by == BY_FILE || by == BY_LINE;

    *out =
        (enum attribution)options_choice(options, "attribute", is_of_lines ? ATTRIBUTE_LINE : ATTRIBUTE_USED);
    if (is_of_lines && *out != ATTRIBUTE_LINE)
        return error_set(err, ERROR_USAGE, "--by %s goes with --attribute line alone",
                         by == BY_FILE ? "file" : "line");
    return 0;
}

/*
 * What cannot be a pattern is told before a build of minutes. Names of crates are patterns, too; they need no
 * PCRE2, so that it may be missing.
 */
static int check_filter(const char *filter, struct error *err)
{
    SCOPED(regex_free_at) struct regex *regex = NULL;
    struct error found = {0};

    if (!filter || regex_compile(slice_of(filter), &regex, &found) == 0 || found.kind != ERROR_USAGE)
        return 0;
    *err = found;
    return -1;
}

static int check_picture(const struct bloatc_settings *settings, struct error *err)
{
    static const char *const others[] = {[BY_GENERIC] = "generics",
                                         [BY_FILE] = "files",
                                         [BY_LINE] = "lines",
                                         [BY_SECTION] = "sections",
                                         [BY_DATA] = NULL};
    const char *rows = settings->instances ? "instances" : others[settings->by];

    if (!rows || !outputs_want_form(&settings->outputs))
        return 0;
    if (settings->instances)
        error_hint(err, "--filter draws the functions whose name matches");
    return error_set(err, ERROR_USAGE,
                     "pictures show crates, modules and functions: they go with no table of %s", rows);
}

/* Options that have no meaning for what is asked are mistakes, not to be passed over. */
static int check_settings(const struct options *options, const struct bloatc_settings *settings,
                          struct error *err)
{
    const char *section = options_value(options, "symbols-section");
    static const char *const of_functions[] = {"filter",  "instances", "symbols-section", "split-std",
                                               "full-fn", "attribute", "known",           "debug-file"};

    if (settings->with_data && (settings->attribute == ATTRIBUTE_LINE || settings->by == BY_SECTION))
        return error_set(err, ERROR_USAGE,
                         settings->by == BY_SECTION
                             ? "--data goes by who needs the bytes, --sections by where they are"
                             : "--data and --by data are of functions and crates, not of source lines");
    if (settings->with_data && section)
        return error_set(err, ERROR_USAGE, "data is measured in the whole file: not with --symbols-section");
    if (settings->show_known && (settings->instances || settings->by == BY_GENERIC ||
                                 settings->by == BY_FILE || settings->by == BY_LINE))
        return error_set(err, ERROR_USAGE,
                         "--known goes with tables of functions, crates, modules and data alone");
    if (settings->instances && settings->by != BY_FUNCTION)
        return error_set(err, ERROR_USAGE, "--instances lists functions: it goes with no other table");
    if (check_picture(settings, err) < 0)
        return -1;
    for (size_t i = 0; settings->by == BY_SECTION && i < ARRAY_COUNT(of_functions); i++)
        if (options_has(options, of_functions[i]))
            return error_set(err, ERROR_USAGE, "--%s is about functions, but the table is one of sections",
                             of_functions[i]);
    return check_filter(settings->filter, err);
}

int bloatc_settings_read(const struct options *options, struct bloatc_settings *out, struct error *err)
{
    enum { USUAL_ROWS = 20 };
    struct outputs outputs;
    const char *section = options_value(options, "symbols-section");
    enum bloatc_by by = BY_FUNCTION;
    enum attribution attribute = ATTRIBUTE_USED;

    if (outputs_read(options, USUAL_ROWS, picture_forms, &outputs, err) < 0 ||
        read_by(options, &by, err) < 0 || read_attribute(options, by, &attribute, err) < 0)
        return -1;
    *out = (struct bloatc_settings){
        .by = by,
        .attribute = attribute,
        .with_data = options_has(options, "data") || by == BY_DATA,
        .show_known = options_has(options, "known"),
        .split_std = options_has(options, "split-std"),
        .full_names = options_has(options, "full-fn"),
        .hide_shares = options_has(options, "no-relative-size"),
        .sort_by_name = options_choice(options, "sort", 0) == 1,
        .is_quiet = options_has(options, "quiet"),
        .instances = options_value(options, "instances"),
        .debug_path = options_value(options, "debug-file"),
        .filter = options_value(options, "filter"),
        .section = section ? section : ".text",
        .outputs = outputs,
    };
    return check_settings(options, out, err);
}
