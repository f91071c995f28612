#include "llvmlines.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/command.h"
#include "command_line.h"
#include "measure.h"
#include "rustc_wrapper.h"
#include "tables.h"

/* The tables as one format shows them, the limit that is usual for it considered. */
static void render_as(struct text *out, struct tables *tables, const struct llvmlines_settings *settings,
                      enum render_format format, struct render_look look)
{
    bool for_people = format == RENDER_TABLE || format == RENDER_MARKDOWN;

    tables->functions.limit = llvmlines_row_limit(settings, format);
    /* For people the only target says nothing that the total does not; programs get the same shape always. */
    tables->functions.beside = for_people && rows_count(&tables->parts) < 2 ? NULL : &tables->parts;
    render(out, &tables->functions, format, look);
}

static int write_files(const struct options *options, struct tables *tables,
                       const struct llvmlines_settings *settings, struct error *err)
{
    for (size_t i = 0; i < options->uses.count; i++) {
        const struct option_use *use = &options->uses.items[i];
        SCOPED(text_done) struct text content = {0};
        enum render_format format = RENDER_TABLE;

        if (strcmp(use->spec->name, "output") != 0 || !render_format_of_name(use->value, &format))
            continue;
        render_as(&content, tables, settings, format, (struct render_look){0});
        if (file_replace(use->value, text_slice(&content), err) < 0)
            return -1;
    }
    return 0;
}

static int show(const struct options *options, struct tables *tables,
                const struct llvmlines_settings *settings, struct error *err)
{
    struct terminal terminal = terminal_of(STDOUT_FILENO, command_color(options));
    struct render_look look = {settings->wide ? 0 : terminal.columns, terminal.has_color};
    SCOPED(text_done) struct text shown = {0};

    render_as(&shown, tables, settings, settings->format, look);
    return file_write_stdout(text_slice(&shown), err);
}

static int measure(const struct options *options, const struct llvmlines_settings *settings,
                   struct measurement *out, struct error *err)
{
    if (settings->files.count > 0)
        return measure_files(settings, out, err);
    if (measure_project(options, settings, out, err) < 0)
        return -1;
    for (size_t i = 0; i < out->kept.count && !settings->is_quiet; i++)
        command_status(options, "Kept", out->kept.items[i]);
    return 0;
}

static int run(const struct options *options, int *exit_code, struct error *err)
{
    SCOPED(llvmlines_settings_done) struct llvmlines_settings settings = {0};
    SCOPED(measurement_done) struct measurement measurement = {0};
    SCOPED(tables_done) struct tables tables = {0};

    *exit_code = 0;
    if (llvmlines_settings_read(options, &settings, err) < 0 ||
        measure(options, &settings, &measurement, err) < 0 ||
        tables_fill(&measurement, &settings, &tables, err) < 0 ||
        write_files(options, &tables, &settings, err) < 0)
        return -1;
    return show(options, &tables, &settings, err);
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
    signal(SIGINT, say_interrupted);
    return command_main(&llvmlines_command, run, argc, argv);
}
