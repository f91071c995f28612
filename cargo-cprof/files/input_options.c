#include "files/input_options.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/command.h"
#include "facts/quality.h"
#include "facts/series_unit.h"
#include "facts/short_stacks.h"
#include "files/untimed_names.h"
#include "import/folded.h"
#include "import/input.h"
#include "sampler/perf/event_name.h"
#include "view/narrow.h"

#define INPUT_SPECS(input_letter)                                                                            \
    {"input", input_letter, OPTION_MANY, "FILE", "A file to read, as if named without the option",           \
     NULL,    NULL},                                                                                         \
        {"perfdata", 0, OPTION_MANY, "FILE", NULL, NULL, "input"},                                           \
        {"symfs",                                                                                            \
         0,                                                                                                  \
         OPTION_VALUE,                                                                                       \
         "FOLDER",                                                                                           \
         "Of perf.data: where the files that ran are, below this folder at the paths they had",              \
         NULL,                                                                                               \
         NULL},                                                                                              \
        {"thread", 0, OPTION_VALUE, "REGEXP", "Only samples of threads whose name matches", NULL, NULL},     \
        {"process", 0, OPTION_VALUE, "REGEXP", "Only samples of processes whose name matches", NULL, NULL},  \
        {"pid", 0, OPTION_MANY, "PID[,PID]...", "Only samples of these processes", NULL, NULL},              \
        {"tid", 0, OPTION_MANY, "TID[,TID]...", "Only samples of these threads", NULL, NULL},                \
    {                                                                                                        \
        "time", 0, OPTION_VALUE, "RANGE",                                                                    \
            "Only samples of this time, in seconds since the recording began: 1.5..3, 2.. or ..10; "         \
            "500ms.., ..2m",                                                                                 \
            NULL, NULL                                                                                       \
    }

static const struct option_spec specs[] = {INPUT_SPECS('i')};
static const struct option_spec specs_without_letter[] = {INPUT_SPECS(0)};

const struct option_table input_options = {"Input", specs, ARRAY_COUNT(specs)};
const struct option_table input_options_without_letter = {"Input", specs_without_letter,
                                                          ARRAY_COUNT(specs_without_letter)};

static void warn_of_lines(const struct options *options, const struct input_lines *lines, uint64_t of_count,
                          const char *which)
{
    if (lines->count > 0)
        command_warn(options,
                     "lines that are %s are left out: %llu of %llu, the first of them is line %llu of %s",
                     which, (unsigned long long)lines->count, (unsigned long long)of_count,
                     (unsigned long long)lines->first_number, lines->first_file);
}

static void warn(const struct options *options, const struct input_losses *losses)
{
    warn_of_lines(options, &losses->bad, losses->line_count, "no folded stacks");
    warn_of_lines(options, &losses->too_long, losses->line_count, "longer than " FOLDED_LINE_MOST_TEXT);
    if (losses->fraction_count > 0)
        command_warn(options, "the fractions of counts are left out, in %llu line%s",
                     (unsigned long long)losses->fraction_count, losses->fraction_count == 1 ? "" : "s");
    if (losses->perf.damaged_count > 0)
        command_warn(options, "records that are damaged are left out: %llu",
                     (unsigned long long)losses->perf.damaged_count);
    if (losses->perf.idle_count > 0)
        command_warn(options,
                     "samples of processors that were idle (swapper) are left out, as they are of no "
                     "CPU time: %llu",
                     (unsigned long long)losses->perf.idle_count);
    if (losses->perf.has_branch_calls)
        command_warn(options,
                     "calls that the processor kept (perf record --call-graph lbr) are not read: callers "
                     "are those that frame pointers lead to, and wrong or missing where the program "
                     "has none; perf record --call-graph dwarf finds any stack");
    if (losses->perf.has_other_counts)
        command_warn(options, "events that were counted with another's samples (perf record -e "
                              "'{cycles,instructions}:S') are not read: without the S each has samples of "
                              "its own, which are");
    if (losses->perf.jit_doubts.has_newest)
        command_warn(options,
                     "code made at run time has the last name that was told for its address, also where it "
                     "was other code before: perf's times are by another clock than those names; perf record "
                     "-k CLOCK_MONOTONIC has names by time");
    if (losses->perf.is_cut)
        command_warn(options, "the end is missing: perf was ended before it had written all, or the file is "
                              "not all there");
    if (losses->beyond_count > 0)
        command_warn(options, "counts add up to less than 2^63: %llu line%s left out that would add more",
                     (unsigned long long)losses->beyond_count, losses->beyond_count == 1 ? " is" : "s are");
}

/* Of a recording of ours that was said when it was made. Of few samples it tells nothing. */
static void warn_of_cut(const struct options *options, const struct profile *profile)
{
    enum { ENOUGH_SAMPLES = 20 };
    SCOPED(text_done) struct text warning = {0};
    const struct profile_series *first = &profile->series.items[0];

    if (first->samples.count >= ENOUGH_SAMPLES && quality_add_warning(&warning, first, false))
        command_warn(options, "%s", text_string(&warning));
}

/*
 * What the kernel has found by frame pointers ends at once in functions that keep none: without callers costs
 * are told as less than they are, or as nobody's.
 */
static void warn_of_frame_pointers(const struct options *options, const struct profile *profile)
{
    SCOPED(text_done) struct text share = {0};

    if (short_stacks_are_most(profile, &profile->series.items[0], &share))
        command_warn(options,
                     "%s of stacks end after one or two calls, their callers are missing: the program seems "
                     "to have no frame pointers; perf record --call-graph dwarf needs none, and "
                     "-Cforce-frame-pointers=yes (C: -fno-omit-frame-pointer) builds with them",
                     text_string(&share));
}

int input_regex(const struct options *options, const char *option, struct regex **out, struct error *err)
{
    const char *pattern = options_value(options, option);

    if (pattern && regex_compile(slice_of(pattern), out, err) < 0)
        return error_wrap(err, "--%s", option);
    return 0;
}

static int read_thread_choice(const struct options *options, struct thread_choice *out, struct error *err)
{
    if (input_regex(options, "thread", &out->names, err) < 0 ||
        input_regex(options, "process", &out->processes, err) < 0)
        return -1;
    for (size_t i = 0; i < options->uses.count; i++) {
        const struct option_use *use = &options->uses.items[i];
        const char *name = use->spec->name;
        bool is_tid = strcmp(name, "tid") == 0;

        if ((is_tid || strcmp(name, "pid") == 0) &&
            pid_list_read(name, slice_of(use->value), is_tid ? &out->tids : &out->pids, err) < 0)
            return -1;
    }
    return 0;
}

static int narrow(const struct options *options, struct profile *profile, struct error *err)
{
    const char *time = options_value(options, "time");
    SCOPED(thread_choice_done) struct thread_choice threads = {0};
    struct time_range range;

    /* By time first: it may count from the first sample of all threads. */
    if (time && (time_range_read(slice_of(time), &range, err) < 0 || narrow_to_time(profile, range, err) < 0))
        return -1;
    if (read_thread_choice(options, &threads, err) < 0)
        return -1;
    return thread_choice_is_set(&threads) ? narrow_to_threads(profile, &threads, err) : 0;
}

struct slice input_chosen(const struct options *options, struct arena *arena)
{
    static const char *const names[] = {"thread", "process", "pid", "tid", "time"};
    SCOPED(text_done) struct text text = {0};

    /* Where something is recorded, --pid and the like say what. */
    if (!command_find_option(options->command, "process"))
        return (struct slice){0};
    for (size_t i = 0; i < options->uses.count; i++) {
        const struct option_use *use = &options->uses.items[i];

        if (slice_is_any(slice_of(use->spec->name), names, ARRAY_COUNT(names)))
            text_format(&text, "%s--%s %s", text.length > 0 ? " " : "", use->spec->name, use->value);
    }
    return slice_of(arena_copy(arena, text_slice(&text)));
}

void input_tell_chosen(const struct options *options, struct rows *rows)
{
    SCOPED(text_done) struct text note = {0};
    struct slice chosen = input_chosen(options, &rows->arena);

    if (chosen.length == 0)
        return;
    rows_add_label(rows, "chosen", chosen);
    text_add_string(&note, "only samples of ");
    text_add_terminal(&note, chosen);
    *vec_add(&rows->notes) = arena_copy(&rows->arena, text_slice(&note));
}

/* The files named, with and without the option, NULL-terminated. */
static size_t collect_paths(const struct options *options, struct arena *arena, const char *const **out)
{
    size_t count = 0;
    const char **paths =
        ARENA_ARRAY(arena, options->positionals.count + options->uses.count + 2, const char *);

    for (size_t i = 0; i < options->uses.count; i++)
        if (strcmp(options->uses.items[i].spec->name, "input") == 0)
            paths[count++] = options->uses.items[i].value;
    for (size_t i = 0; i < options->positionals.count; i++)
        paths[count++] = options->positionals.items[i];
    if (count == 0 && !isatty(STDIN_FILENO))
        paths[count++] = "-";
    *out = paths;
    return count;
}

static size_t paths_typed(const struct options *options)
{
    SCOPED(arena_done) struct arena arena = {0};
    const char *const *paths = NULL;

    return collect_paths(options, &arena, &paths);
}

bool input_is_standard(const struct options *options)
{
    SCOPED(arena_done) struct arena arena = {0};
    const char *const *paths = NULL;

    return collect_paths(options, &arena, &paths) == 1 && strcmp(paths[0], "-") == 0;
}

/* The folder of --symfs, NULL without. */
static int read_root(const struct options *options, const char **out, struct error *err)
{
    struct stat folder;

    *out = options_value(options, "symfs");
    if (*out && stat(*out, &folder) < 0)
        return error_set(err, ERROR_IO, "--symfs %s: %s", *out, strerror(errno));
    if (*out && !S_ISDIR(folder.st_mode))
        return error_set(err, ERROR_IO, "--symfs %s: it is no folder", *out);
    return 0;
}

static int read_paths(const struct options *options, const char *const *paths, size_t count, const char *root,
                      struct profile *profile, struct error *err)
{
    struct input_losses losses = {0};

    if (input_read(paths, count, root, profile, &losses, err) < 0)
        return -1;
    warn(options, &losses);
    if (losses.perf.is_of_perf)
        warn_of_cut(options, profile);
    untimed_names_warn(options, &losses.perf.jit_doubts, profile);
    if (losses.perf.is_of_perf && !losses.perf.has_branch_calls)
        warn_of_frame_pointers(options, profile);
    return 0;
}

const char *input_label(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static int open_paths(const struct options *options, const char *const *paths, size_t count,
                      struct profile *profile, struct error *err)
{
    struct profile read = {0};
    const char *root = NULL;

    if (read_root(options, &root, err) < 0 || read_paths(options, paths, count, root, &read, err) < 0)
        return -1;
    if (narrow(options, &read, err) < 0) {
        profile_done(&read);
        return err->kind == ERROR_MISSING && count < paths_typed(options)
                   ? error_wrap(err, "%s", input_label(paths[0]))
                   : -1;
    }
    *profile = read;
    return 0;
}

int input_open(const struct options *options, struct profile *profile, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    const char *const *paths = NULL;
    size_t count = collect_paths(options, &arena, &paths);

    if (count == 0) {
        error_hint(err, "cargo cprof -o app.cprof records one; then: cargo cprof %s app.cprof",
                   options->command->verb);
        return error_set(err, ERROR_USAGE, "no profile was named");
    }
    return open_paths(options, paths, count, profile, err);
}

int input_open_file(const struct options *options, const char *path, struct profile *profile,
                    struct error *err)
{
    return open_paths(options, &path, 1, profile, err);
}

int input_open_whole(const struct options *options, const char *path, struct profile *profile,
                     struct error *err)
{
    return read_paths(options, &path, 1, NULL, profile, err);
}

int input_check_kept(const struct options *options, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    const char *const *paths = NULL;
    size_t count = collect_paths(options, &arena, &paths);

    for (size_t i = 0; i < options->uses.count; i++) {
        const struct option_use *use = &options->uses.items[i];

        for (size_t k = 0; k < count && strcmp(use->spec->name, "output") == 0; k++)
            if (file_is_one(paths[k], use->value)) {
                error_hint(err, "give it another name: what is left out of it could not be had again");
                return error_set(err, ERROR_USAGE, "--output %s: that is what is read", use->value);
            }
    }
    return 0;
}

size_t input_paths(const struct options *options, struct arena *arena, const char *const **out)
{
    return collect_paths(options, arena, out);
}

/* Counts in folded stacks are of whatever whoever wrote them sampled. */
static bool is_folded(const struct profile *profile)
{
    return profile->series.count == 1 && series_is_folded(profile, 0);
}

int input_choose_series(const struct options *options, struct profile *profile, uint32_t *out,
                        struct error *err)
{
    const char *event = options_value(options, "event");
    SCOPED(text_done) struct text others = {0};

    *out = 0;
    for (uint32_t i = 0; i < profile->series.count; i++) {
        struct slice name = profile_text(profile, profile->series.items[i].event);

        if (event && event_name_is_same(name, slice_of(event))) {
            *out = i;
            return 0;
        }
        text_add_string(&others, others.length ? ", " : "");
        text_add_terminal(&others, name);
    }
    if (!event)
        return 0;
    if (is_folded(profile) && strcmp(event, "off-cpu") == 0) {
        profile->series.items[0].unit = profile_string(profile, SLICE("us"));
        return 0;
    }
    if (is_folded(profile))
        error_hint(err, "folded stacks do not tell which event was counted; where their counts are "
                        "microseconds of waiting, --event off-cpu says so");
    else
        error_hint(err, "there are: %s", text_string(&others));
    return error_set(err, ERROR_USAGE, "--event %s: was not recorded", event);
}
