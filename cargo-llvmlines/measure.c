#include "measure.h"

#include <string.h>
#include <unistd.h>

#include "check.h"
#include "units.h"

void measurement_done(struct measurement *measurement)
{
    groups_done(&measurement->groups);
    vec_done(&measurement->parts);
    vec_done(&measurement->kept);
    arena_done(&measurement->arena);
}

/* Notes what the groups have grown by since the numbers given. */
static void add_part(struct measurement *measurement, const char *label, uint64_t lines_before,
                     uint64_t copies_before)
{
    *vec_add(&measurement->parts) = (struct part){label, measurement->groups.lines - lines_before,
                                                  measurement->groups.copies - copies_before};
}

/* --- Files ----------------------------------------------------------------------------- */

static int measure_file(const char *path, struct measurement *out, struct error *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    uint64_t lines = out->groups.lines;
    uint64_t copies = out->groups.copies;
    int counted = is_stdin
                      ? ir_count_descriptor(STDIN_FILENO, "standard input", groups_add, &out->groups, err)
                      : ir_count_file(path, groups_add, &out->groups, err);

    if (counted < 0)
        return -1;
    add_part(out, is_stdin ? "standard input" : arena_copy(&out->arena, slice_of(path)), lines, copies);
    return 0;
}

int measure_files(const struct llvmlines_settings *settings, struct measurement *out, struct error *err)
{
    for (size_t i = 0; i < settings->files.count; i++)
        if (measure_file(settings->files.items[i], out, err) < 0)
            return -1;
    return 0;
}

/* --- What cargo builds ----------------------------------------------------------------- */

/* What one project's measuring needs beside the result. */
struct project {
    struct arena arena;
    struct cargo_graph graph;
    struct cargo_selection selection;
    struct cargo_artifacts artifacts; /* of the latest run of cargo */
    struct units units;
    struct check_request request;
};

static void project_done(struct project *project)
{
    units_done(&project->units);
    cargo_artifacts_done(&project->artifacts);
    cargo_selection_done(&project->selection);
    cargo_graph_done(&project->graph);
    arena_done(&project->arena);
}

static int refuse_empty(const struct project *project, struct error *err)
{
    if (project->selection.asks_for_names)
        return error_set(err, ERROR_USAGE, "an option lacks the name of a target");
    error_hint(err, "build scripts and procedural macros run while compiling, and are not counted");
    return error_set(err, ERROR_MISSING, "cargo compiles nothing that could be counted for this selection");
}

static int check(struct project *project, struct error *err)
{
    units_done(&project->units);
    cargo_artifacts_done(&project->artifacts);
    project->artifacts = (struct cargo_artifacts){0};
    if (check_run(&project->request, &project->artifacts, err) < 0)
        return -1;
    units_select(&project->arena, &project->graph, &project->selection, &project->artifacts, &project->units);
    return project->units.items.count > 0 ? 0 : refuse_empty(project, err);
}

static void ignore(void *context, struct slice symbol, uint64_t lines)
{
    (void)context;
    (void)symbol;
    (void)lines;
}

static const char *ir_path(struct arena *arena, const struct unit *unit)
{
    return arena_format(arena, "%s.ll", unit->stem);
}

/* Makes cargo compile again what it takes for up to date though what we need of it is gone. */
static int forget_incomplete(struct project *project, size_t *forgotten, struct error *err)
{
    *forgotten = 0;
    for (size_t i = 0; i < project->units.items.count; i++) {
        const struct unit *unit = &project->units.items.items[i];
        bool lacks_ir = project->request.keep_ir && access(ir_path(&project->arena, unit), R_OK) < 0;
        struct error unread = {0};

        if (!lacks_ir && unit_read(unit, ignore, NULL, &unread) == 0)
            continue;
        if (!lacks_ir && unread.kind == ERROR_IO) {
            *err = unread;
            return -1;
        }
        if (unit_forget(unit, err) < 0)
            return -1;
        ++*forgotten;
    }
    return 0;
}

static int read_units(const struct project *project, struct measurement *out, struct error *err)
{
    for (size_t i = 0; i < project->units.items.count; i++) {
        const struct unit *unit = &project->units.items.items[i];
        SCOPED(text_done) struct text label = {0};
        uint64_t lines = out->groups.lines;
        uint64_t copies = out->groups.copies;

        if (unit_read(unit, groups_add, &out->groups, err) < 0)
            return -1;
        unit_add_label(&label, unit);
        add_part(out, arena_copy(&out->arena, text_slice(&label)), lines, copies);
        if (project->request.keep_ir)
            *vec_add(&out->kept) = ir_path(&out->arena, unit);
    }
    return 0;
}

int measure_project(const struct options *options, const struct llvmlines_settings *settings,
                    struct measurement *out, struct error *err)
{
    SCOPED(project_done)
    struct project project = {.request = {.options = options, .keep_ir = settings->keep_ir}};
    size_t forgotten = 0;

    cargo_selection_read(&project.arena, options, &project.selection);
    if (cargo_graph_load("llvmlines", options, &project.graph, err) < 0)
        return -1;
    project.request.target_directory = check_target_directory(&project.arena, options, &project.graph);
    if (check(&project, err) < 0 || forget_incomplete(&project, &forgotten, err) < 0)
        return -1;
    if (forgotten > 0 && check(&project, err) < 0)
        return -1;
    return read_units(&project, out, err);
}
