#include "bloatc.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/command.h"
#include "command_line.h"
#include "measure.h"
#include "subject.h"
#include "tables.h"

/* The rows as one format shows them, the limit that is usual for it considered. */
static void render_as(struct text *out, struct rows *rows, const struct bloatc_settings *settings,
                      enum render_format format, struct render_look look)
{
    rows->limit = bloatc_row_limit(settings, format);
    render(out, rows, format, look);
}

static int write_files(const struct options *options, struct rows *rows,
                       const struct bloatc_settings *settings, struct error *err)
{
    for (size_t i = 0; i < options->uses.count; i++) {
        const struct option_use *use = &options->uses.items[i];
        SCOPED(text_done) struct text content = {0};
        enum render_format format = RENDER_TABLE;

        if (strcmp(use->spec->name, "output") != 0 || !render_format_of_name(use->value, &format))
            continue;
        render_as(&content, rows, settings, format, (struct render_look){0});
        if (file_replace(use->value, text_slice(&content), err) < 0)
            return -1;
    }
    return 0;
}

static int show(const struct options *options, struct rows *rows, const struct bloatc_settings *settings,
                struct error *err)
{
    struct terminal terminal = terminal_of(STDOUT_FILENO, command_color(options));
    struct render_look look = {settings->wide ? 0 : terminal.columns, terminal.has_color};
    SCOPED(text_done) struct text shown = {0};

    render_as(&shown, rows, settings, settings->format, look);
    return file_write_stdout(text_slice(&shown), err);
}

/* Figures of a build without optimisation mislead who takes them for those of the program that ships. */
static void tell_what_is_done(const struct options *options, const struct subject *subject)
{
    const char *profile = subject->built.selection.profile;

    command_status(options, "Analyzing", subject->path);
    if (subject->is_built && slice_is(subject->built.artifact->opt_level, "0"))
        command_note(options, "this build is not optimised (profile %s), so its sizes are not what ships%s",
                     profile, strcmp(profile, "dev") == 0 ? ": add --release" : "");
}

static int run(const struct options *options, int *exit_code, struct error *err)
{
    struct bloatc_settings settings;
    struct measure_request request;
    SCOPED(subject_done) struct subject subject = {0};
    SCOPED(measurement_done) struct measurement measurement = {0};
    SCOPED(rows_done) struct rows rows = {0};

    *exit_code = 0;
    if (bloatc_settings_read(options, &settings, err) < 0)
        return -1;
    if (subject_find(options, &subject, err) < 0)
        return -1;
    if (!settings.is_quiet)
        tell_what_is_done(options, &subject);
    request =
        (struct measure_request){subject.path, settings.section, subject.is_built ? &subject.crates : NULL};
    if (measure_file(&request, &measurement, err) < 0)
        return measurement.is_stripped ? subject_explain_stripped(&subject, err) : -1;
    if (tables_fill(&measurement, &settings, &rows, err) < 0)
        return -1;
    if (write_files(options, &rows, &settings, err) < 0)
        return -1;
    return show(options, &rows, &settings, err);
}

int bloatc_run(int argc, char **argv)
{
    return command_main(&bloatc_command, run, argc, argv);
}
