#include "llvmlines.h"

#include <signal.h>
#include <unistd.h>

#include "base/file.h"
#include "base/regex.h"
#include "callers.h"
#include "cli/command.h"
#include "command_line.h"
#include "compat.h"
#include "dups.h"
#include "instances.h"
#include "measure.h"
#include "rustc_wrapper.h"
#include "tables.h"

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

static int write_compat(const struct tables *tables, struct error *err)
{
    SCOPED(text_done) struct text text = {0};

    compat_render(&text, &tables->functions);
    return file_write_stdout(text_slice(&text), err);
}

static int write_table(const struct llvmlines_settings *settings, const struct measurement *measurement,
                       const struct regex *filter, struct error *err)
{
    SCOPED(tables_done) struct tables tables = {0};

    if (tables_make(measurement, settings, filter, &tables, err) < 0)
        return -1;
    if (settings->is_compat)
        return write_compat(&tables, err);
    return outputs_write(&settings->outputs, &tables.functions, NULL, err);
}

/* What is asked of single functions and of who uses them. */
static int write_list(const struct llvmlines_settings *settings, struct measurement *measurement,
                      struct error *err)
{
    SCOPED(program_done) struct program program = {0};
    SCOPED(rows_done) struct rows rows = {0};
    SCOPED(dups_done) struct dups dups = {0};

    program_build(measurement, &program);
    if (settings->dups) {
        dups_fill(&program, &dups);
        return outputs_write(&settings->outputs, &dups.groups, NULL, err);
    }
    if ((settings->instances ? instances_list(&program, settings->instances, &rows, err)
                             : callers_fill(&program, settings->callers, &rows, err)) < 0)
        return -1;
    return outputs_write(&settings->outputs, &rows, NULL, err);
}

static int run(const struct options *options, int *exit_code, struct error *err)
{
    SCOPED(llvmlines_settings_done) struct llvmlines_settings settings = {0};
    SCOPED(measure_done) struct measurement measurement = {0};
    SCOPED(regex_free_at) struct regex *filter = NULL;

    *exit_code = 0;
    /* A mistake in the filter shows before anything is compiled, which may take minutes. */
    if (llvmlines_settings_read(options, &settings, err) < 0 ||
        (settings.filter && regex_compile(slice_of(settings.filter), &filter, err) < 0) ||
        measure(options, &settings, &measurement, err) < 0)
        return -1;
    return settings.needs_units ? write_list(&settings, &measurement, err)
                                : write_table(&settings, &measurement, filter, err);
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
