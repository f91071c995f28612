#include "bloatc.h"

#include <string.h>

#include "base/file.h"
#include "cargo/flag_wrapper.h"
#include "cargo/output_check.h"
#include "cli/command.h"
#include "command_line.h"
#include "compare/asked.h"
#include "compare/compare.h"
#include "content/measure.h"
#include "elf/made_for.h"
#include "rust/std_crates.h"
#include "size/images.h"
#include "subject/relink.h"
#include "subject/subject.h"
#include "tables/group_tables.h"
#include "tables/picture.h"
#include "tables/sections.h"
#include "tables/tables.h"

/* Figures of a build without optimisation mislead who takes them for those of the program that ships. */
static void tell_what_is_done(const struct compare_subject *asked, const struct subject *subject)
{
    const struct options *options = asked->options;
    const char *profile = subject->built.selection.profile;

    command_status(options, "Analyzing", asked->called ? asked->called : file_from_here(subject->path));
    if (subject->is_built && slice_is(subject->built.artifact->opt_level, "0"))
        command_note(options, "this build is not optimised (profile %s), so its sizes are not what ships%s",
                     profile, strcmp(profile, "dev") == 0 ? ": add --release" : "");
}

/* What one side's rows borrow from, until all is written. */
struct side_result {
    struct subject subject;
    struct measurement measurement;
    struct filter filter;
    struct picture picture;
    struct rows rows;
};

struct work {
    struct bloatc_settings settings;
    const char *filter; /* of what changed; NULL: all */
    struct side_result sides[COMPARE_PLACES];
};

static void work_done(struct work *work)
{
    for (size_t i = 0; i < COMPARE_PLACES; i++) {
        rows_done(&work->sides[i].rows);
        filter_done(&work->sides[i].filter);
        measurement_done(&work->sides[i].measurement);
        subject_done(&work->sides[i].subject);
    }
}

/*
 * The build that tells of the subject: against a file the head's tells of both, as a file mostly was built
 * from the same crates, and a file as head has both taken for files. What only one side's build tells is no
 * change.
 */
static const struct subject *build_of(const struct work *work, const struct subject *subject)
{
    const struct subject *head = &work->sides[COMPARE_HEAD].subject;

    if (!head->is_built)
        return NULL;
    return subject->is_built ? subject : head;
}

static struct measure_request request_of(struct work *work, const struct subject *subject)
{
    const struct bloatc_settings *settings = &work->settings;
    const struct subject *build = build_of(work, subject);

    return (struct measure_request){
        .path = subject->path,
        .debug_path = settings->debug_path,
        .section = settings->section,
        .program_crates = build ? &build->crates : NULL,
        .packages = build ? build->packages.items : NULL,
        .package_count = build ? build->packages.count : 0,
        .is_other_build = !subject->is_built,
        .other_std = build && build != subject ? &work->sides[COMPARE_HEAD].measurement.std : NULL,
        .attribute = settings->attribute,
        .with_data = settings->with_data,
        .tells_definers = settings->by == BY_GENERIC || settings->instances,
        .split_std = settings->split_std,
        .accepts_stripped = settings->with_data && !subject->is_built,
        .grain = settings->by == BY_LINE   ? GRAIN_LINE
                 : settings->by == BY_FILE ? GRAIN_FILE
                                           : GRAIN_FUNCTION,
    };
}

/* What cargo stripped is linked again with its symbols, which are then taken from there. */
static int measure_relinked(const struct options *options, struct measure_request *request,
                            struct subject *subject, struct measurement *measurement, struct error *err)
{
    struct error stripped = *err;
    bool is_same = false;

    *err = (struct error){0};
    if (subject_relink(options, subject, err) < 0) {
        if (err->kind == ERROR_CHILD)
            return -1;
        *err = stripped;
        return subject_explain_stripped(subject, err);
    }
    measurement_done(measurement);
    if (relink_compare(subject->path, subject->relinked.path.data, &is_same, err) < 0)
        return -1;
    if (is_same)
        request->relinked_path = subject->relinked.path.data;
    else
        request->path = subject->relinked.path.data;
    if (!is_same)
        command_warn(options,
                     "linked anew its code differs from that of %s: measured is what was linked anew, %s",
                     subject->path, request->path);
    if (measure_file(request, measurement, err) == 0)
        return 0;
    if (measurement->lacks_lines)
        return subject_explain_lines(subject, err);
    return measurement->is_stripped ? subject_explain_stripped(subject, err) : -1;
}

static int measure_subject(const struct options *options, struct work *work, struct subject *subject,
                           struct measurement *measurement, struct error *err)
{
    struct measure_request request = request_of(work, subject);

    if (measure_file(&request, measurement, err) == 0)
        return 0;
    if (measurement->lacks_lines)
        return subject_explain_lines(subject, err);
    if (!measurement->is_stripped || !subject->is_built)
        return -1;
    if (!work->settings.is_quiet)
        command_status(options, "Relinking", "the last crate alone, with its symbols");
    return measure_relinked(options, &request, subject, measurement, err);
}

/* Of the functions that are wanted; `wanted` NULL: all. */
static int fill_tables(const struct bloatc_settings *settings, const char *wanted, struct side_result *side,
                       struct error *err)
{
    if (filter_make(&side->measurement, wanted, settings->split_std, &side->filter, err) < 0)
        return -1;
    return tables_fill(&side->measurement, settings, &side->filter, &side->rows, err);
}

static int fill_functions(const struct options *options, struct work *work, struct side_result *side,
                          struct error *err)
{
    const struct bloatc_settings *settings = &work->settings;

    side->picture = (struct picture){&side->measurement, settings, &side->filter, side->subject.path};
    if (measure_subject(options, work, &side->subject, &side->measurement, err) < 0)
        return -1;
    return fill_tables(settings, settings->filter, side, err);
}

static int measure(void *context, const struct compare_subject *subject, struct rows **out, struct error *err)
{
    struct work *work = context;
    struct side_result *side = &work->sides[subject->place];
    const struct options *options = subject->options;

    *out = &side->rows;
    if (subject->place == COMPARE_NOTHING)
        return work->settings.by == BY_SECTION
                   ? sections_fill(NULL, &work->settings, &side->rows, err)
                   : tables_fill(&side->measurement, &work->settings, &side->filter, &side->rows, err);
    if (subject_find(options, subject->graph, &side->subject, err) < 0)
        return -1;
    if (!work->settings.is_quiet)
        tell_what_is_done(subject, &side->subject);
    return work->settings.by == BY_SECTION
               ? sections_fill(side->subject.path, &work->settings, &side->rows, err)
               : fill_functions(options, work, side, err);
}

/* A compare_narrow_fn. Sections have no names of functions. */
static int narrow(void *context, struct rows **out, struct error *err)
{
    struct work *work = context;
    struct side_result *side = &work->sides[COMPARE_HEAD];
    const struct bloatc_settings *settings = &work->settings;

    if (settings->by == BY_SECTION)
        return 0;
    filter_done(&side->filter);
    rows_done(&side->rows);
    side->filter = (struct filter){0};
    side->rows = (struct rows){0};
    *out = &side->rows;
    return fill_tables(settings, work->filter, side, err);
}

/* A compare_check_fn. */
static int check_file(const struct options *options, struct error *err)
{
    SCOPED(work_done) struct work work = {0};
    struct side_result *side = &work.sides[COMPARE_BASE];
    struct measure_request request;

    if (bloatc_settings_read(options, &work.settings, err) < 0 ||
        subject_find(options, NULL, &side->subject, err) < 0)
        return -1;
    if (work.settings.by == BY_SECTION)
        return sections_fill(side->subject.path, &work.settings, &side->rows, err);
    request = request_of(&work, &side->subject);
    return measure_check(&request, err);
}

/* What a file was made for, and who keeps that. */
struct target_seen {
    struct arena *arena;
    struct made_for *out;
};

/* An images_visitor; of an archive the first object tells of all. */
static int see_target(void *context, struct image *image, const struct crate_fact *library, struct error *err)
{
    const struct target_seen *target = context;

    (void)library;
    (void)err;
    if (target->out->machine.length == 0)
        made_for_read(target->arena, image, target->out);
    image_close(image);
    return 0;
}

/* A compare_made_for_fn. What cannot be read any more tells nothing. */
static void made_for(void *context, enum compare_place place, struct arena *arena, struct made_for *out)
{
    const struct work *work = context;
    struct target_seen target = {arena, out};
    struct images_seen seen = {0};
    struct error unread = {0};

    if (images_visit(work->sides[place].subject.path, &(struct images_visitor){&target, see_target}, &seen,
                     &unread) < 0)
        *out = (struct made_for){0};
}

/* What the rows that are compared add up to. */
static const char *section_subject(const struct bloatc_settings *settings)
{
    return settings->by == BY_DATA ? "Data" : settings->section;
}

/* Rows of two sides have the crate that they show, and are held against each other by that. */
static int check_compared(const struct bloatc_settings *settings, struct error *err)
{
    struct slice word = slice_of(settings->filter);

    if (settings->instances)
        return error_set(err, ERROR_USAGE, "--diff compares tables: not with --instances");
    if (!settings->filter || settings->split_std || slice_is(word, "std") || !std_crates_own(word))
        return 0;
    error_hint(err,
               "add --split-std; functions with this in their names are --filter %s::", settings->filter);
    return error_set(err, ERROR_USAGE, "--filter %s: what is compared has this as a part of std",
                     settings->filter);
}

static int run(const struct options *options, int *exit_code, struct error *err)
{
    static const char *const not_for_files[] = {"exact", NULL};
    static const struct asked_option asked[] = {
        {"attribute", "used"},        {"data", NULL}, {"exact", NULL}, {"full-fn", NULL}, {"split-std", NULL},
        {"symbols-section", ".text"}, {NULL, NULL}};
    SCOPED(work_done) struct work work = {0};
    struct compare_request request = {.options = options,
                                      .outputs = &work.settings.outputs,
                                      .measure = measure,
                                      .check_files = check_file,
                                      .made_for = made_for,
                                      .context = &work,
                                      .forms_context = &work.sides[COMPARE_HEAD].picture,
                                      .not_for_files = not_for_files,
                                      .asked = asked};

    bool is_whole_file = false;

    *exit_code = 0;
    if (bloatc_settings_read(options, &work.settings, err) < 0 || cargo_check_outputs(options, err) < 0)
        return -1;
    if (compare_is_wanted(options) && check_compared(&work.settings, err) < 0)
        return -1;
    is_whole_file =
        work.settings.by == BY_SECTION || (work.settings.with_data && work.settings.by != BY_DATA);
    request.inferred_fact = tables_tell_crates(&work.settings) ? "inferred-size" : NULL;
    request.rows_are_crates = work.settings.by == BY_CRATE;
    request.whole_fact = is_whole_file ? "file-size" : "text-section-size";
    request.words = (struct delta_words){
        .subject = is_whole_file ? "The file" : section_subject(&work.settings),
        .fact = is_whole_file ? NULL : "file-size",
        .fact_subject = "the file",
        .mark = work.settings.by == BY_CRATE && !work.settings.show_known ? CRATES_INFERRED_MARK : NULL,
        .inferred_hint = options_has(options, "exact") ? NULL : CRATES_INFERRED_HINT};
    if (compare_is_wanted(options) && work.settings.filter) {
        request.filter = work.filter = work.settings.filter;
        request.filter_may_be_crate = true;
        request.filter_joins_std = !work.settings.split_std;
        request.narrow = narrow;
        work.settings.filter = NULL;
    }
    return compare_run(&request, err);
}

int bloatc_run(int argc, char **argv)
{
    if (flag_wrapper_is_wanted())
        return flag_wrapper_run(argc, argv);
    return command_main(&bloatc_command, run, argc, argv);
}
