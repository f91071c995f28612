#include "llvmlines.h"

#include <signal.h>
#include <unistd.h>

#include "advice/advice.h"
#include "base/file.h"
#include "base/regex.h"
#include "build/rustc_wrapper.h"
#include "cargo/flag_wrapper.h"
#include "cargo/output_check.h"
#include "cli/command.h"
#include "command_line.h"
#include "compare/asked.h"
#include "compare/compare.h"
#include "ir/count.h"
#include "measure/measure.h"
#include "view/callers.h"
#include "view/compat_table.h"
#include "view/dups.h"
#include "view/instances.h"
#include "view/lines_page.h"
#include "view/tables.h"

/* What one side's rows borrow from, until all is written. */
struct side_result {
    struct llvmlines_settings settings;
    struct measurement measurement;
    struct tables tables;
    struct program program;
    struct lines_page page;
    struct dups dups;
    struct rows list;
    struct advice_list advice;
    struct rows advice_rows;
};

struct work {
    struct llvmlines_settings settings;
    struct regex *filter;
    struct side_result sides[COMPARE_PLACES];
};

static void work_done(struct work *work)
{
    for (size_t i = 0; i < COMPARE_PLACES; i++) {
        struct side_result *side = &work->sides[i];

        rows_done(&side->list);
        rows_done(&side->advice_rows);
        advice_done(&side->advice);
        dups_done(&side->dups);
        program_done(&side->program);
        tables_done(&side->tables);
        measure_done(&side->measurement);
        llvmlines_settings_done(&side->settings);
    }
    regex_free(work->filter);
    llvmlines_settings_done(&work->settings);
}

static int count(const struct compare_subject *subject, const struct llvmlines_settings *settings,
                 struct measurement *out, struct error *err)
{
    if (subject->place == COMPARE_NOTHING)
        return measure_nothing(settings, out);
    if (llvmlines_settings_check_side(settings, subject->options, err) < 0)
        return -1;
    if (settings->files.count > 0)
        return measure_files(settings, out, err);
    if (measure_project(subject->options, subject->graph, settings, out, err) < 0)
        return -1;
    for (size_t i = 0; i < out->kept.count && !settings->is_quiet; i++)
        command_status(subject->options, "Kept", out->kept.items[i]);
    return 0;
}

/* What is asked of single functions and of who uses them. */
static int fill_list(struct side_result *side, struct rows **out, struct error *err)
{
    const struct llvmlines_settings *settings = &side->settings;

    program_build(&side->measurement, &side->program);
    if (settings->dups) {
        dups_fill(&side->program, &side->dups);
        *out = &side->dups.groups;
        return 0;
    }
    if ((settings->instances ? instances_list(&side->program, settings->instances, &side->list, err)
                             : callers_fill(&side->program, settings->callers, &side->list, err)) < 0)
        return -1;
    *out = &side->list;
    return 0;
}

static void add_advice(struct side_result *side)
{
    advice_find(&side->program, &side->advice);
    advice_tell(&side->advice, side->measurement.groups.lines, &side->tables.functions, &side->advice_rows);
}

/* Its sizes would read as if all that was counted had been optimised away. */
static void warn_of_other_program(const struct options *options, const struct side_result *side)
{
    const struct measurement *measurement = &side->measurement;

    if (side->settings.binary && measurement->groups.copies > 0 && !measurement->sizes.has_counted)
        command_warn(options,
                     "no function in %s was compiled in what is counted here: is it of another program?",
                     side->settings.binary);
}

/* What is built here is counted before any optimisation. */
static void warn_of_optimised(const struct work *work, const struct options *options)
{
    for (size_t i = 0; i < 2; i++) {
        const struct measurement *file = &work->sides[i].measurement;
        const struct side_result *other = &work->sides[1 - i];

        if (file->optimised && other->measurement.parts.count > 0 && other->settings.files.count == 0)
            command_warn(options,
                         "%s was written after optimisation, what is built here is counted before: compare "
                         "with IR that --keep-ir kept, or that rustc wrote with -Cno-prepopulate-passes",
                         file->optimised);
    }
}

static int measure(void *context, const struct compare_subject *subject, struct rows **out, struct error *err)
{
    struct work *work = context;
    struct side_result *side = &work->sides[subject->place];

    if (llvmlines_settings_read(subject->options, &side->settings, err) < 0 ||
        count(subject, &side->settings, &side->measurement, err) < 0)
        return -1;
    if (subject->place != COMPARE_NOTHING)
        warn_of_other_program(subject->options, side);
    if (subject->place == COMPARE_BASE)
        warn_of_optimised(work, subject->options);
    if (side->settings.is_list)
        return fill_list(side, out, err);
    if (tables_make(&side->measurement, &side->settings, work->filter, &side->tables, err) < 0)
        return -1;
    if (work->settings.needs_units)
        program_build(&side->measurement, &side->program);
    side->page = (struct lines_page){&side->program, &side->tables, work->settings.filter};
    if (work->settings.wants_advice)
        add_advice(side);
    *out = &side->tables.functions;
    return 0;
}

/* A compare_made_for_fn. */
static void made_for(void *context, enum compare_place place, struct arena *arena, struct made_for *out)
{
    const struct work *work = context;

    (void)arena;
    *out = work->sides[place].measurement.made_for;
}

/* A compare_narrow_fn. */
static int narrow(void *context, struct rows **out, struct error *err)
{
    struct work *work = context;
    struct side_result *side = &work->sides[COMPARE_HEAD];

    if (regex_compile(slice_of(work->settings.filter), &work->filter, err) < 0)
        return -1;
    tables_done(&side->tables);
    side->tables = (struct tables){0};
    *out = &side->tables.functions;
    return tables_make(&side->measurement, &side->settings, work->filter, &side->tables, err);
}

static int write_compat(struct work *work, const struct options *options, struct error *err)
{
    SCOPED(text_done) struct text text = {0};
    struct rows *rows = NULL;

    if (measure(work, &(struct compare_subject){.place = COMPARE_HEAD, .options = options}, &rows, err) < 0)
        return -1;
    compat_render(&text, rows);
    return file_write_stdout(text_slice(&text), err);
}

/* Before anything is compiled, which may take minutes. */
static int prepare(const struct options *options, struct work *work, struct error *err)
{
    struct llvmlines_settings *settings = &work->settings;

    if (llvmlines_settings_read(options, settings, err) < 0 || cargo_check_outputs(options, err) < 0)
        return -1;
    if (compare_is_wanted(options)) {
        if (settings->is_list || settings->is_compat)
            return error_set(err, ERROR_USAGE, "--diff compares tables: not with %s",
                             settings->is_compat   ? "--compat"
                             : settings->dups      ? "--dups"
                             : settings->instances ? "--instances"
                                                   : "--callers");
        return 0; /* changes are what it filters then */
    }
    return settings->filter ? regex_compile(slice_of(settings->filter), &work->filter, err) : 0;
}

/* What a comparison goes by, and what it is called. */
static void choose_words(const struct llvmlines_settings *settings, struct compare_request *request)
{
    if (settings->counts_instructions)
        request->words.unit = "instructions";
    if (settings->order == ORDER_BY_COPIES) {
        request->primary_key = "copies";
        request->words = (struct delta_words){.subject = "Copies of functions", .unit = "copies"};
    } else if (settings->order == ORDER_BY_SIZE) {
        request->primary_key = "size";
        request->words = (struct delta_words){.subject = "Code of what is counted"};
    } else if (settings->wants_sizes) {
        request->primary_key = request->words.unit;
    }
}

static int check_files(const struct options *options, struct error *err)
{
    struct llvmlines_settings settings;
    int result = llvmlines_settings_read(options, &settings, err);

    for (size_t i = 0; result == 0 && i < settings.files.count; i++)
        result = ir_count_check(settings.files.items[i], err);
    llvmlines_settings_done(&settings);
    return result;
}

static int run(const struct options *options, int *exit_code, struct error *err)
{
    static const char *const not_for_files[] = {"files", "keep-ir", "deps", NULL};
    static const struct asked_option asked[] = {
        {"by", "generic"}, {"count", "lines"}, {"deps", NULL}, {"split", NULL}, {NULL, NULL}};
    SCOPED(work_done) struct work work = {0};
    struct compare_request request = {
        .options = options,
        .outputs = &work.settings.outputs,
        .measure = measure,
        .check_files = check_files,
        .made_for = made_for,
        .context = &work,
        .forms_context = &work.sides[COMPARE_HEAD].page,
        .not_for_files = not_for_files,
        .file_option = "files",
        .asked = asked,
        .words = {.subject = "LLVM IR", .unit = "lines"},
    };

    *exit_code = 0;
    if (prepare(options, &work, err) < 0)
        return -1;
    if (work.settings.is_compat)
        return write_compat(&work, options, err);
    if (compare_is_wanted(options))
        request.filter = work.settings.filter;
    request.narrow = narrow;
    choose_words(&work.settings, &request);
    return compare_run(&request, err);
}

/* Ctrl-C ends cargo and rustc by itself; one line says that nothing comes any more. */
static void say_interrupted(int signal_number)
{
    static const char line[] = "cargo-llvmlines: error: interrupted\n";

    (void)!write(STDERR_FILENO, line, sizeof(line) - 1);
    _exit(128 + signal_number);
}

int llvmlines_run(int argc, char **argv)
{
    if (rustc_wrapper_is_wanted())
        return rustc_wrapper_run(argc, argv);
    if (flag_wrapper_is_wanted())
        return flag_wrapper_run(argc, argv);
    signal(SIGINT, say_interrupted);
    return command_main(&llvmlines_command, run, argc, argv);
}
