#include "bloatc.h"

#include <string.h>

#include "cli/command.h"
#include "command_line.h"
#include "measure.h"
#include "picture.h"
#include "sections.h"
#include "subject.h"
#include "tables.h"

/* Figures of a build without optimisation mislead who takes them for those of the program that ships. */
static void tell_what_is_done(const struct options *options, const struct subject *subject)
{
    const char *profile = subject->built.selection.profile;

    command_status(options, "Analyzing", subject->path);
    if (subject->is_built && slice_is(subject->built.artifact->opt_level, "0"))
        command_note(options, "this build is not optimised (profile %s), so its sizes are not what ships%s",
                     profile, strcmp(profile, "dev") == 0 ? ": add --release" : "");
}

static int show_sections(const struct bloatc_settings *settings, const struct subject *subject,
                         struct error *err)
{
    SCOPED(rows_done) struct rows rows = {0};

    if (sections_fill(subject->path, settings, &rows, err) < 0)
        return -1;
    return outputs_write(&settings->outputs, &rows, NULL, err);
}

static int show_functions(const struct bloatc_settings *settings, const struct subject *subject,
                          struct error *err)
{
    SCOPED(measurement_done) struct measurement measurement = {0};
    SCOPED(filter_done) struct filter filter = {0};
    SCOPED(rows_done) struct rows rows = {0};
    struct measure_request request = {
        .path = subject->path,
        .debug_path = settings->debug_path,
        .section = settings->section,
        .program_crates = subject->is_built ? &subject->crates : NULL,
        .packages = subject->packages.items,
        .package_count = subject->packages.count,
        .attribute = settings->attribute,
        .grain = settings->by == BY_LINE   ? GRAIN_LINE
                 : settings->by == BY_FILE ? GRAIN_FILE
                                           : GRAIN_FUNCTION,
    };
    struct picture picture = {&measurement, settings, &filter, subject->path};

    if (measure_file(&request, &measurement, err) < 0)
        return measurement.is_stripped ? subject_explain_stripped(subject, err) : -1;
    if (filter_make(&measurement, settings->filter, settings->split_std, &filter, err) < 0 ||
        tables_fill(&measurement, settings, &filter, &rows, err) < 0)
        return -1;
    return outputs_write(&settings->outputs, &rows, &picture, err);
}

static int run(const struct options *options, int *exit_code, struct error *err)
{
    struct bloatc_settings settings;
    SCOPED(subject_done) struct subject subject = {0};

    *exit_code = 0;
    if (bloatc_settings_read(options, &settings, err) < 0)
        return -1;
    if (subject_find(options, &subject, err) < 0)
        return -1;
    if (!settings.is_quiet)
        tell_what_is_done(options, &subject);
    return settings.by == BY_SECTION ? show_sections(&settings, &subject, err)
                                     : show_functions(&settings, &subject, err);
}

int bloatc_run(int argc, char **argv)
{
    return command_main(&bloatc_command, run, argc, argv);
}
