#include "compared/compared.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/file.h"
#include "built/build_profile.h"
#include "cli/command.h"
#include "compare/build_facts.h"
#include "revision/named_revision.h"
#include "revision/side_word.h"

static void side_done(struct compared_side *side)
{
    run_built_done(&side->built);
    options_done(&side->for_cargo);
    options_done(&side->options);
    rows_done(&side->facts);
    if (side->kind == COMPARED_REVISION)
        revision_done(&side->revision);
}

void compared_done(struct compared *compared)
{
    for (size_t i = 0; i < TIMING_SIDES; i++)
        side_done(&compared->sides[i]);
    kept_program_done(&compared->kept);
    repository_close(&compared->repository);
    arena_done(&compared->arena);
}

/* --- What a word stands for ------------------------------------------------------------ */

static bool has_blank(const char *word)
{
    return word[strcspn(word, " \t\r\n")] != '\0';
}

static bool is_executable(const char *path)
{
    return file_is_regular(path) && access(path, X_OK) == 0;
}

/* Whether execvp(3) would find a program of this name. */
static bool is_in_path(struct arena *arena, const char *name)
{
    const char *path = getenv("PATH");

    for (struct slice rest = slice_of(path); rest.length > 0;) {
        size_t colon = slice_find_byte(rest, ':');
        struct slice folder = slice_range(rest, 0, colon);

        if (folder.length > 0 && is_executable(arena_format(arena, "%.*s/%s", SLICE_ARGUMENTS(folder), name)))
            return true;
        rest = slice_range(rest, colon + 1, rest.length);
    }
    return false;
}

static void set_command(const char *word, bool is_file, struct compared_side *out)
{
    out->kind = COMPARED_COMMAND;
    out->label = word;
    out->word = word;
    out->is_file = is_file;
}

static int take_file(struct compared *compared, const char *path, struct compared_side *out,
                     struct error *err)
{
    if (!is_executable(path)) {
        int cause = access(path, F_OK) == 0 ? 0 : errno;

        if (cause != 0 && cause != ENOENT && cause != ENOTDIR)
            return error_set(err, cause == EACCES ? ERROR_DENIED : ERROR_IO, "%s: %s", path, strerror(cause));
        if (cause == 0 && file_forbids_code(path))
            return error_set(err, ERROR_DENIED, "%s: its file system is mounted noexec", path);
        return error_set(err, cause ? ERROR_MISSING : ERROR_DENIED, "%s: %s", path,
                         cause ? "no such file" : "not an executable file");
    }
    /* A name alone would be looked up in PATH. */
    set_command(strchr(path, '/') ? path : arena_format(&compared->arena, "./%s", path), true, out);
    return 0;
}

static int take_revision(struct compared *compared, const struct options *options, const char *name,
                         struct compared_side *out, struct error *err)
{
    if (named_revision_find(&compared->arena, options, &compared->repository, name, &out->revision, err) < 0)
        return -1;
    out->kind = COMPARED_REVISION;
    out->label = named_revision_label(&compared->arena, &out->revision);
    return 0;
}

/* hyperfine's letters that are cargo's here: what follows them looks like a side. */
static void hint_letters(const struct options *options, const char *word, struct error *err)
{
    if (ascii_is_number(word) && options_has(options, "release"))
        error_hint(err, "-r is cargo's and means --release; did you mean --runs %s?", word);
}

/* A word that does not say by itself what it is. */
static int take_name(struct compared *compared, const struct options *options, const char *word,
                     struct compared_side *out, struct error *err)
{
    struct error unknown = {0};
    bool is_revision = take_revision(compared, options, word, out, &unknown) == 0;

    if (is_revision && is_executable(word))
        return side_word_refuse_both("", word, err);
    if (is_revision)
        return 0;
    if (is_executable(word))
        return take_file(compared, word, out, err);
    if (is_in_path(&compared->arena, word)) {
        set_command(word, false, out);
        return 0;
    }
    *err = unknown;
    hint_letters(options, word, err);
    return error_set(err, unknown.kind == ERROR_MISSING ? ERROR_MISSING : unknown.kind,
                     "%s is no revision, no executable file and no program in PATH: %s", word,
                     unknown.message);
}

/* A command with its arguments, as a shell takes it. */
static bool is_command(const struct side_word *word, const char *typed)
{
    return word->text == typed && has_blank(typed) && !is_executable(typed);
}

static int take_word(struct compared *compared, const struct options *options, const char *typed,
                     struct compared_side *out, struct error *err)
{
    struct side_word word;

    side_word_read(&compared->arena, typed, &word);
    if (is_command(&word, typed)) {
        set_command(typed, false, out);
        return 0;
    }
    if (word.kind == SIDE_WORD_FILE)
        return take_file(compared, word.text, out, err);
    if (word.kind == SIDE_WORD_REVISION)
        return take_revision(compared, options, word.text, out, err);
    return take_name(compared, options, typed, out, err);
}

static int take_range(struct compared *compared, const struct options *options, const struct range *range,
                      struct error *err)
{
    struct compared_side *before = &compared->sides[TIMING_BEFORE];
    struct compared_side *after = &compared->sides[TIMING_AFTER];

    if (take_revision(compared, options, range->left, before, err) < 0 ||
        take_revision(compared, options, range->right, after, err) < 0)
        return -1;
    if (!range->is_merge_base)
        return 0;
    if (named_revision_merge_base(&compared->arena, range, &after->revision, &before->revision, err) < 0)
        return -1;
    before->label = named_revision_label(&compared->arena, &before->revision);
    return 0;
}

static const char letters_hint[] =
    "hyperfine's -p is --prepare here, its -r is --runs: the letters are cargo's";

/* What only cargo reads would be passed over in silence where it builds nothing: hyperfine's -p and -r, too.
 */
static int check_options(const struct options *options, const struct compared *compared, struct error *err)
{
    const struct option_spec *first = cargo_first_option(options);

    for (size_t i = 0; i < TIMING_SIDES; i++)
        if (compared->sides[i].kind != COMPARED_COMMAND)
            return 0;
    if (!first)
        return 0;
    error_hint(err, "%s", letters_hint);
    return error_set(err, ERROR_USAGE, "--%s tells cargo what to build, and both sides are built already",
                     first->name);
}

/* Two of hyperfine's habits: to measure one command alone, and to give all of a command in quotes. Nothing
 * says then that the program that cargo builds here is meant to be the other side. So it is with a revision
 * that is not here, and is called like a program (git's `HEAD`, where libwww-perl has one). */
static int check_one_command(const struct options *options, const struct compared_side *side,
                             struct error *err)
{
    SCOPED(text_done) struct text quoted = {0};
    const char *word = side->word;

    if (side->kind != COMPARED_COMMAND || side->is_file || options->program_arguments ||
        cargo_first_option(options))
        return 0;
    text_add_shell(&quoted, slice_of(word));
    error_hint(
        err,
        "the other side is missing: cargo cprof compare OTHER %s; where the time of one goes: cargo "
        "cprof exec --runs 10 -- PROGRAM ARGS; against what cargo builds here: with --bin NAME, or with "
        "arguments for both behind `--`",
        text_string(&quoted));
    return error_set(err, ERROR_USAGE, "one command is nothing to compare: %s%s", word,
                     has_blank(word) ? "" : ", a program in PATH; no revision here is called so");
}

int compared_read(const struct options *options, const char *const *words, size_t count, struct compared *out,
                  struct error *err)
{
    struct side_word first;

    *out = (struct compared){.sides = {{.label = "the working tree"}, {.label = "the working tree"}}};
    if (count == 0 || count > TIMING_SIDES) {
        /* "-r 10" leaves a word too many: -r takes none. */
        error_hint(err, "%s",
                   count > 0 && options_has(options, "release")
                       ? letters_hint
                       : "cargo cprof compare main, or: A B, where each is a revision, an executable, "
                         "or a quoted command");
        return error_set(err, ERROR_USAGE,
                         count == 0 ? "nothing to compare with" : "compare takes two sides");
    }
    side_word_read(&out->arena, words[0], &first);
    if (first.kind == SIDE_WORD_RANGE && !is_command(&first, words[0])) {
        if (count > 1)
            return error_set(err, ERROR_USAGE, "%s names both sides, and %s one of them", words[0], words[1]);
        return take_range(out, options, &first.range, err);
    }
    for (size_t i = 0; i < count; i++)
        if (take_word(out, options, words[i], &out->sides[i], err) < 0)
            return -1;
    if (count == 1 && check_one_command(options, &out->sides[TIMING_BEFORE], err) < 0)
        return -1;
    return check_options(options, out, err);
}

/* --- Commands -------------------------------------------------------------------------- */

/* The words of a command behind what is typed, as they may be typed again. */
static void add_shell_words(struct text *text, const char *const *words)
{
    for (; words && *words; words++) {
        text_add_string(text, text->length > 0 ? " " : "");
        text_add_shell(text, slice_of(*words));
    }
}

static int make_command_ready(const struct compared_request *request, struct compared *compared,
                              struct compared_side *side, struct error *err)
{
    const struct command_rule *rule = &request->rule;
    SCOPED(cargo_words_done) struct cargo_words words = {0};
    SCOPED(text_done) struct text line = {0};
    const char *const *split = (const char *const[]){side->word, NULL};
    const char *const *arguments = request->options->program_arguments;

    text_add_string(&line, side->word);
    add_shell_words(&line, arguments);
    side->command = arena_copy(&compared->arena, text_slice(&line));
    if (rule->shell && !side->is_file)
        arguments = NULL;
    if (!side->is_file &&
        command_split(&compared->arena, rule->shell ? side->command : side->word, rule, &split, err) < 0)
        return -1;
    for (const char *const *at = split; *at; at++)
        cargo_words_add(&words, *at);
    for (const char *const *at = arguments; at && *at; at++)
        cargo_words_add(&words, *at);
    side->launch = (struct launch){.argv = cargo_words_keep(&compared->arena, &words)};
    return 0;
}

/* --- What cargo builds ----------------------------------------------------------------- */

static void copy_options(const struct options *options, struct options *out)
{
    *out = (struct options){.command = options->command, .program_arguments = options->program_arguments};
    for (size_t i = 0; i < options->uses.count; i++)
        *vec_add(&out->uses) = options->uses.items[i];
}

static int refuse_criterion(const char *name, struct error *err)
{
    error_hint(err,
               "cargo bench --bench %s -- --save-baseline NAME before the change, cargo bench after it: then "
               "cargo cprof compare REV --bench %s --baseline NAME shows what changed since REV, and where",
               name, name);
    return error_set(err, ERROR_USAGE,
                     "%s is a benchmark of Criterion's, which runs as long as it chooses to", name);
}

static int refuse_libtest(const struct run_built *run, const char *name, struct error *err)
{
    bool is_unit = run->built.choice.harness == CARGO_BENCH_HARNESS;

    error_hint(err,
               "cargo bench tells what an iteration takes; cargo cprof %s%s --diff REV -- --exact NAME shows "
               "which functions have more or less of one benchmark's samples",
               is_unit ? "--unit-bench" : "--bench ", is_unit ? "" : name);
    return error_set(err, ERROR_USAGE,
                     "the benchmarks of %s are libtest's, which runs as long as it chooses to", name);
}

/* How long these run tells nothing of how fast they are. Criterion has a comparison of its own. */
static int check_harness(const struct compared_request *request, const struct compared_side *side,
                         struct error *err)
{
    const struct run_built *run = &side->built;
    const char *name = run->built.artifact->target.name.data;

    if (request->wants_criterion)
        return run->has_profile_time ? 0
                                     : error_set(err, ERROR_USAGE, "%s is no benchmark of Criterion's", name);
    if (run->harness == BENCH_NONE || run->harness == BENCH_OTHER || run->harness == BENCH_DIVAN ||
        bench_arguments_are_for_once(run->report.arguments, run->harness))
        return 0;
    return run->harness == BENCH_CRITERION ? refuse_criterion(name, err) : refuse_libtest(run, name, err);
}

/* A program reads the same files on both sides; a test or benchmark has those of its package. */
static void set_launch(struct compared *compared, struct compared_side *side)
{
    const struct cargo_built *built = &side->built.built;
    bool is_program =
        built->choice.harness == CARGO_NO_HARNESS &&
        (built->artifact->target.kind == CARGO_BIN || built->artifact->target.kind == CARGO_EXAMPLE);
    SCOPED(text_done) struct text line = {0};

    side->launch = side->built.launch;
    if (is_program)
        side->launch.directory = NULL;
    add_shell_words(&line, side->launch.argv);
    side->command = arena_copy(&compared->arena, text_slice(&line));
}

static int build(const struct compared_request *request, const struct options *options,
                 struct compared *compared, struct compared_side *side, struct error *err)
{
    struct cargo_request build = {.verb = "cprof compare",
                                  .options = &side->for_cargo,
                                  .typed = request->options,
                                  .file_verb = "cprof compare"};

    if (build_profile_choose(&compared->arena, options, false, &side->for_cargo, err) < 0 ||
        run_built_make(&build, &side->built, err) < 0 || check_harness(request, side, err) < 0)
        return -1;
    set_launch(compared, side);
    build_facts_add(&side->for_cargo, side->built.built.graph, &side->built.runner.platform, &side->facts);
    return 0;
}

static int build_revision(const struct compared_request *request, struct compared *compared,
                          struct compared_side *side, struct error *err)
{
    struct revision_notes notes = {0};
    int result = revision_prepare(&compared->arena, &side->options, &side->revision, &notes, err);

    for (size_t i = 0; i < notes.items.count; i++)
        command_warn(request->options, "%s: %s", side->label, notes.items.items[i]);
    vec_done(&notes.items);
    if (result == 0)
        result = revision_enter(&side->revision, err);
    if (result == 0)
        result = build(request, &side->revision.options, compared, side, err);
    revision_leave(&side->revision);
    return result < 0 ? error_wrap(err, "%s", side->label) : 0;
}

static int make_ready(const struct compared_request *request, struct compared *compared,
                      struct compared_side *side, struct error *err)
{
    if (side->kind == COMPARED_COMMAND)
        return make_command_ready(request, compared, side, err);
    if (!options_has(request->options, "quiet"))
        command_status(request->options, "Building", side->label);
    copy_options(request->options, &side->options);
    if (side->kind == COMPARED_TREE && compared->repository.root)
        revision_take_working_tree(&compared->repository, &side->options, &side->revision);
    return side->kind == COMPARED_REVISION ? build_revision(request, compared, side, err)
                                           : build(request, &side->options, compared, side, err);
}

static void run_instead(struct arena *arena, const char *program, struct launch *launch)
{
    SCOPED(cargo_words_done) struct cargo_words words = {0};

    cargo_words_add(&words, program);
    for (const char *const *at = launch->argv + 1; *at; at++)
        cargo_words_add(&words, *at);
    launch->argv = cargo_words_keep(arena, &words);
}

/* What is run of an executable that cargo has, or may have, replaced. */
static int keep_program(const struct compared_request *request, struct compared *compared, struct error *err)
{
    struct compared_side *before = &compared->sides[TIMING_BEFORE];
    const struct compared_side *after = &compared->sides[TIMING_AFTER];
    const char *program = before->launch.argv[0];

    if (kept_program_keep(&compared->arena, &compared->kept, err) < 0)
        return -1;
    if (compared->kept.copy) {
        run_instead(&compared->arena, compared->kept.copy, &before->launch);
        if (!options_has(request->options, "quiet"))
            command_note(request->options, "the build has replaced %s, which is run as it was before",
                         program);
    } else if (before->is_file && file_is_one(program, after->built.built.path.data)) {
        command_warn(
            request->options,
            "%s is what the working tree builds: both sides are the same program; a revision, such as "
            "HEAD, in its place is built as it was",
            program);
    }
    return 0;
}

/* The executable is found, and held open, before cargo may replace it. */
static int make_command_and_tree_ready(const struct compared_request *request, struct compared *compared,
                                       struct error *err)
{
    struct compared_side *before = &compared->sides[TIMING_BEFORE];

    if (make_ready(request, compared, before, err) < 0)
        return -1;
    kept_program_hold(before->launch.argv[0], &compared->kept);
    return make_ready(request, compared, &compared->sides[TIMING_AFTER], err) < 0
               ? -1
               : keep_program(request, compared, err);
}

/*
 * The second side first: it is built already more often than the first, so that what is wrong with either, as
 * a benchmark that is refused, is said before a build of minutes.
 */
int compared_make_ready(const struct compared_request *request, struct compared *compared, struct error *err)
{
    if (compared->sides[TIMING_BEFORE].kind == COMPARED_COMMAND &&
        compared->sides[TIMING_AFTER].kind == COMPARED_TREE)
        return make_command_and_tree_ready(request, compared, err);
    for (size_t i = TIMING_SIDES; i-- > 0;)
        if (make_ready(request, compared, &compared->sides[i], err) < 0)
            return -1;
    return 0;
}
