#include "record/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/command.h"
#include "compare/compare.h"
#include "facts/series_unit.h"
#include "files/heap_warnings.h"
#include "files/outputs.h"
#include "files/picture_options.h"
#include "hints/hints.h"
#include "proc/owner.h"
#include "record/as_root.h"
#include "record/open_picture.h"
#include "record/record_warnings.h"
#include "record/session.h"
#include "symbolize/heap_calls.h"
#include "symbolize/symbolize.h"
#include "symbolize/thread_names.h"
#include "target/attach.h"
#include "target/unwatched.h"
#include "view/summary.h"

enum { USUAL_TOP = 10, SAMPLE_FOLDERS = 3 };

static int check_outputs(const struct options *options, const struct sampler_request *sampling,
                         struct error *err)
{
    if (outputs_check(options, err) < 0)
        return -1;
    for (size_t i = 1; i < sampling->event_count; i++)
        if (outputs_check_event(options, slice_of(sampling->events[i].name), err) < 0)
            return -1;
    return 0;
}

int record_settings_read(const struct options *options, struct record_settings *out, struct error *err)
{
    uint64_t top = 0;

    *out = (struct record_settings){0};
    if (as_root_begin(options, err) < 0 || recording_read(options, &out->recording, err) < 0 ||
        picture_look(options, &out->arena, &out->look, err) < 0 ||
        options_number(options, "top", USUAL_TOP, &top, err) < 0 ||
        (!compare_is_wanted(options) && check_outputs(options, &out->recording.session.sampling, err) < 0))
        return -1;
    if (options_has(options, "open") && !outputs_picture(options)) {
        error_hint(err, "add one: -o flamegraph.svg");
        return error_set(err, ERROR_USAGE, "--open: no picture is among the outputs");
    }
    out->top = (size_t)top;
    return 0;
}

void record_settings_done(struct record_settings *settings)
{
    recording_done(&settings->recording);
    arena_done(&settings->arena);
}

static void write_summary(struct text *summary)
{
    if (summary->length > 0)
        fwrite(summary->data, 1, summary->length, stderr);
    text_clear(summary);
}

/* What is not in the figures of memory stands above them, where it is read before they are believed. */
static void print_summary(const struct options *options, const struct collection *collection, size_t top,
                          struct warnings *warnings)
{
    struct terminal terminal = terminal_of(STDERR_FILENO, command_color(options));
    SCOPED(text_done) struct text summary = {0};
    bool has_warned = false;
    size_t before_hints = 0;

    for (uint32_t series = 0; series < collection->profile.series.count; series++) {
        if (series > 0)
            text_add_byte(&summary, '\n');
        if (!has_warned && series_is_of_heap(&collection->profile, series)) {
            write_summary(&summary);
            heap_warn(options, &collection->profile, PROFILE_NONE, "", warnings);
            has_warned = true;
        }
        summary_add(&summary, &collection->profile, series, top,
                    (struct render_look){terminal.columns, terminal.has_color});
    }
    before_hints = summary.length;
    text_add_byte(&summary, '\n');
    hints_add(&summary, &collection->profile, 0);
    if (summary.length == before_hints + 1)
        summary.length = before_hints;
    write_summary(&summary);
}

/* The picture is there all the same, so its not being shown is no failure. */
void record_show_picture(const struct options *options)
{
    struct error err = {0};

    if (options_has(options, "open") && open_picture(outputs_picture(options), &err) < 0)
        command_warn(options, "--open: %s; %s", err.message, err.hint);
}

/* What is watched, with the program that is started. */
static struct session_request session_of(const struct record_request *request)
{
    struct session_request session = request->settings->recording.session;
    bool has_fixed_layout = session.launch.has_fixed_layout;

    session.launch = request->launch;
    session.launch.has_fixed_layout = has_fixed_layout;
    return session;
}

/*
 * Where samples go while they come, for a recording may go on for hours: beside what is to be written, as
 * there has to be room for that.
 */
static void choose_sample_folders(const struct options *options, struct text *beside,
                                  const char *folders[SAMPLE_FOLDERS + 1])
{
    const char *chosen = getenv("TMPDIR");
    size_t count = 0;

    outputs_add_folder(options, beside);
    folders[count++] = text_string(beside);
    if (chosen && chosen[0])
        folders[count++] = chosen;
    folders[count++] = "/var/tmp";
    folders[count] = NULL;
}

/* Watching others and the kernel's names take the right of root, where there is one. */
static int record_as_root(const struct session_request *wanted, const struct symbolize_request *names,
                          struct collection *out, struct error *err)
{
    bool is_raised = owner_raise();
    int result = session_run(wanted, out, err);

    if (result == 0) {
        result = symbolize_recorded(&out->profile, &out->files.jit_dumps, names, &out->jit_doubts, err);
        if (result == 0)
            result = heap_calls_leave_out(&out->profile, err);
        thread_names_complete(&out->profile);
    }
    owner_lower(is_raised);
    return result;
}

/* Whether it was not recorded from the start of what runs to an end of its own. */
static bool is_part(const struct record_request *request, const struct collection *collection)
{
    const struct session_request *session = &request->settings->recording.session;

    return collection->was_cut_short || request->is_timed || session->duration_ns > 0 ||
           session->delay_ns > 0 || !request->launch.argv;
}

/* session_left_fn */
static void tell_of_left(const void *context, const struct descendant *left)
{
    const struct record_request *request = context;
    SCOPED(text_done) struct text name = {0};

    text_add_terminal(&name, slice_of(left->name));
    command_note(request->options,
                 "the program has ended; still recording process %d (%s), which it started; Ctrl-C ends that",
                 (int)left->pid, text_string(&name));
}

/* session_left_fn */
static void tell_of_unended(const void *context, const struct descendant *left)
{
    const struct record_request *request = context;
    SCOPED(text_done) struct text name = {0};

    text_add_terminal(&name, slice_of(left->name));
    command_warn(
        request->options,
        "process %d (%s) goes on: it has taken other rights than ours, so we may not end it; sudo kill %d "
        "does",
        (int)left->pid, text_string(&name), (int)left->pid);
}

/* What watched processes have started before goes unnoticed, often all that works: a server's workers. */
static void tell_of_unwatched(const struct options *options, const struct pids *watched)
{
    enum { MOST_NUMBERS = 100 };
    SCOPED(text_done) struct text numbers = {0};
    struct pids all = {0};
    size_t count = 0;

    unwatched_find(watched, &all);
    count = all.count;
    for (size_t i = 0; i < watched->count; i++)
        if (!pids_have(&all, watched->items[i]))
            *vec_add(&all) = watched->items[i];
    for (size_t i = 0; i < all.count; i++)
        text_format(&numbers, "%s%d", i ? "," : "", (int)all.items[i]);
    if (count > MOST_NUMBERS)
        command_note(options,
                     "%zu processes that it had started before are not watched; with --all-cpus all are",
                     count);
    else if (count > 0)
        command_note(options, "%zu process%s that it had started before %s not watched; with --pid %s %s",
                     count, count == 1 ? "" : "es", count == 1 ? "is" : "are", text_string(&numbers),
                     count == 1 ? "it is" : "they are");
    vec_done(&all);
}

/* Whether the processes may be watched that each of the numbers is of, or of a thread of: into `processes`.
 */
static int find_watched(const struct pids *numbers, struct pids *processes, struct error *err)
{
    if (numbers->count > 0 && attach_check_proc(err) < 0)
        return -1;
    for (size_t i = 0; i < numbers->count; i++) {
        pid_t pid = numbers->items[i];

        if (attach_check(&pid, err) < 0)
            return -1;
        *vec_add(processes) = pid;
    }
    return 0;
}

static void tell_of_threads(const struct options *options, const struct pids *numbers,
                            const struct pids *processes)
{
    for (size_t i = 0; i < numbers->count; i++)
        if (processes->items[i] != numbers->items[i] && !pids_have(numbers, processes->items[i]))
            command_note(options,
                         "%d is a thread, all of whose process is watched; report --by tid tells its samples "
                         "apart",
                         (int)numbers->items[i]);
}

/* Refuses what cannot be watched, and tells what else is and what is not. */
static int check_watched(const struct options *options, const struct pids *numbers, struct error *err)
{
    struct pids processes = {0};
    bool is_raised = owner_raise();
    int result = find_watched(numbers, &processes, err);

    owner_lower(is_raised);
    if (result == 0 && processes.count > 0 && !options_has(options, "quiet")) {
        tell_of_threads(options, numbers, &processes);
        tell_of_unwatched(options, &processes);
    }
    vec_done(&processes);
    return result;
}

int record_make(const struct record_request *request, struct collection *out, struct error *err)
{
    const struct recording *recording = &request->settings->recording;
    SCOPED(text_done) struct text beside = {0};
    const char *folders[SAMPLE_FOLDERS + 1];
    struct session_request wanted = session_of(request);
    struct symbolize_request names = {.own_crates = request->own_crates,
                                      .program_crates = request->program_crates,
                                      .packages = request->packages,
                                      .package_count = request->package_count,
                                      .kernel_symbols = "/proc/kallsyms",
                                      .may_ask_kernel = true,
                                      .has_no_inlined = recording->has_no_inlined};

    choose_sample_folders(request->options, &beside, folders);
    wanted.sample_folders = folders;
    wanted.tell_of_left = options_has(request->options, "quiet") ? NULL : tell_of_left;
    wanted.tell_of_unended = tell_of_unended;
    wanted.tell_context = request;
    if (check_watched(request->options, &wanted.pids, err) < 0)
        return -1;
    if (wanted.run_count > 1)
        record_warn_of_input(request->options);
    if (record_as_root(&wanted, &names, out, err) < 0)
        return -1;
    out->profile.is_part = is_part(request, out);
    return 0;
}

int record_tell(const struct record_request *request, struct collection *collection, int *exit_code,
                struct error *err)
{
    const struct options *options = request->options;
    const struct recording *recording = &request->settings->recording;
    SCOPED(warnings_done) struct warnings warnings = {0};
    struct output_look look = request->settings->look;

    look.warnings = &warnings;
    if (options_has(options, "quiet"))
        heap_warn(options, &collection->profile, PROFILE_NONE, "", &warnings);
    else
        print_summary(options, collection, request->settings->top, &warnings);
    record_warn(request, collection);
    if (!request->writes_nothing) {
        if (outputs_write_all(options, &collection->profile, PROFILE_NONE, &look, err) < 0)
            return -1;
        record_show_picture(options);
    }
    *exit_code = recording->ignores_status ? 0 : collection->exit_code;
    return 0;
}

int record_run(const struct record_request *request, int *exit_code, struct error *err)
{
    SCOPED(collection_done) struct collection collection = {0};

    if (record_make(request, &collection, err) < 0)
        return -1;
    return record_tell(request, &collection, exit_code, err);
}
