#include "measure/measure.h"

#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "build/check.h"
#include "build/sized_build.h"
#include "build/uncounted.h"
#include "build/units.h"
#include "cargo/one_platform.h"
#include "cli/command.h"
#include "counts/unit_crate.h"
#include "measure/parts.h"
#include "measure/sizes.h"
#include "rust/std_crates.h"
#include "rust/symbol_path.h"

void measure_done(struct measurement *measurement)
{
    for (size_t i = 0; i < measurement->units.count; i++)
        unit_counts_done(&measurement->units.items[i].counts);
    vec_done(&measurement->units);
    groups_done(&measurement->groups);
    crates_done(&measurement->crates);
    own_crates_done(&measurement->own);
    vec_done(&measurement->parts);
    vec_done(&measurement->kept);
    vec_done(&measurement->sized);
    group_sizes_done(&measurement->sizes);
    arena_done(&measurement->arena);
}

/* What one project's measuring needs beside the result. */
struct project {
    struct arena arena;
    const struct cargo_graph *graph;
    struct cargo_graph own_graph; /* where none was given */
    struct cargo_selection selection;
    struct cargo_artifacts artifacts; /* of the latest run of cargo */
    struct units units;
    struct intern compiled; /* stems of what was not up to date, in any run */
    struct text macros;     /* labels of those that were selected and let go */
    const struct llvmlines_settings *settings;
    struct check_request request;
};

static void project_done(struct project *project)
{
    units_done(&project->units);
    intern_done(&project->compiled);
    text_done(&project->macros);
    cargo_artifacts_done(&project->artifacts);
    cargo_selection_done(&project->selection);
    cargo_graph_done(&project->own_graph);
    arena_done(&project->arena);
}

static int refuse_empty(const struct project *project, struct error *err)
{
    if (project->selection.asks_for_names)
        return error_set(err, ERROR_USAGE, "an option lacks the name of a target");
    error_hint(err, "build scripts, and procedural macros of a package that was not asked for, run while "
                    "compiling and are not counted");
    return error_set(err, ERROR_MISSING, "cargo compiles nothing that could be counted for this selection");
}

static bool is_wanted(const struct project *project, const struct unit *unit)
{
    return unit->is_selected || project->settings->with_dependencies;
}

static bool has_selected(const struct units *units)
{
    for (size_t i = 0; i < units->items.count; i++)
        if (units->items.items[i].is_selected)
            return true;
    return false;
}

/*
 * With --sizes a procedural macro that was selected beside a program is let go: that is what is measured, and
 * the compiler has the macro. Beside --deps what it needs would have to go with it.
 */
static void leave_macros(struct project *project)
{
    bool is_beside = project->settings->wants_sizes && !project->settings->binary &&
                     !project->settings->with_dependencies && units_select_final(&project->units);

    text_clear(&project->macros);
    for (size_t i = 0; is_beside && i < project->units.items.count; i++) {
        struct unit *unit = &project->units.items.items[i];

        if (!unit->is_selected || unit->artifact->target.kind != CARGO_PROC_MACRO || unit->artifact->is_test)
            continue;
        unit->is_selected = false;
        text_add_string(&project->macros, project->macros.length > 0 ? ", " : "");
        unit_add_label(&project->macros, unit);
    }
}

static int check(struct project *project, struct error *err)
{
    units_done(&project->units);
    cargo_artifacts_done(&project->artifacts);
    project->artifacts = (struct cargo_artifacts){0};
    if (check_run(&project->request, &project->artifacts, err) < 0)
        return -1;
    units_select(&project->arena, project->graph, &project->selection, &project->artifacts, &project->units);
    leave_macros(project);
    for (size_t i = 0; i < project->units.items.count; i++)
        if (!project->units.items.items[i].artifact->is_fresh)
            intern_add(&project->compiled, slice_of(project->units.items.items[i].stem));
    return has_selected(&project->units) ? 0 : refuse_empty(project, err);
}

static const char *ir_path(struct arena *arena, const struct unit *unit)
{
    return arena_format(arena, "%s.ll", unit->stem);
}

/* Whether its name alone would not tell the crate, so that its counts are asked for its disambiguator. */
static bool needs_disambiguator(const struct units *units, const struct unit *unit)
{
    return units_share_crate_name(units, unit) || std_crates_depend_on(unit->crate_name);
}

/* Makes cargo compile again what it takes for up to date though what we need of it is gone. */
static int forget_incomplete(struct project *project, size_t *forgotten, struct error *err)
{
    *forgotten = 0;
    for (size_t i = 0; i < project->units.items.count; i++) {
        const struct unit *unit = &project->units.items.items[i];
        bool lacks_ir = is_wanted(project, unit) && project->request.keep_ir &&
                        access(ir_path(&project->arena, unit), R_OK) < 0;
        SCOPED(unit_counts_done) struct unit_counts counts = {0};
        struct error unread = {0};

        if ((!is_wanted(project, unit) && !needs_disambiguator(&project->units, unit)) ||
            (!lacks_ir && unit_load(unit, &counts, &unread) == 0))
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

static const char *unit_label(struct arena *arena, const struct unit *unit)
{
    SCOPED(text_done) struct text label = {0};

    unit_add_label(&label, unit);
    return arena_copy(arena, text_slice(&label));
}

static struct slice stem_of(struct arena *arena, const struct unit *unit)
{
    struct slice stem = slice_file_name(slice_of(unit->stem));

    return arena_slice(arena, stem);
}

/* Adds which crate the unit is to those that are told apart. */
static void add_crate(const struct unit *unit, const struct symbol_crate *crate, struct measurement *out)
{
    SCOPED(text_done) struct text kind = {0};

    if (crate->disambiguator == 0) {
        /* That nothing is known of it keeps it from being taken for std's. */
        if (std_crates_depend_on(unit->crate_name))
            crates_add(&out->crates, (struct crate){.name = unit->crate_name, .version = unit->version});
        return;
    }
    unit_add_kind(&kind, unit);
    crates_add(&out->crates, (struct crate){.name = crate->name,
                                            .disambiguator = crate->disambiguator,
                                            .version = unit->version,
                                            .kind = text_slice(&kind),
                                            .package = unit->package});
}

static bool is_own(const struct unit *unit)
{
    return unit->is_member || unit->is_selected;
}

/* Whether the name alone says that something is of the user's own. */
static bool has_name_of_its_own(const struct units *units, const struct unit *unit)
{
    for (size_t i = 0; i < units->items.count; i++)
        if (slice_equal(units->items.items[i].crate_name, unit->crate_name) &&
            !is_own(&units->items.items[i]))
            return false;
    return !symbol_crate_is_std(unit->crate_name);
}

/* Without a disambiguator `crate` may be any of its name: nothing tells it, as in an incremental build. */
static void note_own(const struct project *project, const struct unit *unit, struct symbol_crate crate,
                     struct measurement *out)
{
    if (!is_own(unit))
        return;
    if (has_name_of_its_own(&project->units, unit))
        crate = (struct symbol_crate){.name = arena_slice(&out->arena, unit->crate_name)};
    else if (crate.disambiguator == 0)
        return;
    own_crates_add(&out->own, crate);
}

/*
 * Generics of crates that are not asked for stand in those that are. Where two crates share a name, both must
 * be known by more; where the counts of one cannot be read, it has a hash.
 */
static void note_uncounted(const struct project *project, struct measurement *out)
{
    for (size_t i = 0; i < project->units.items.count; i++) {
        const struct unit *unit = &project->units.items.items[i];
        SCOPED(unit_counts_done) struct unit_counts counts = {0};
        struct error unread = {0};
        struct symbol_crate crate = {0};

        if (is_wanted(project, unit))
            continue;
        if (needs_disambiguator(&project->units, unit) && unit_load(unit, &counts, &unread) == 0)
            crate = unit_crate_of_counts(&out->arena, &counts);
        add_crate(unit, &crate, out);
        note_own(project, unit, crate, out);
    }
}

static int read_unit(const struct project *project, const struct unit *unit, struct measurement *out,
                     struct error *err)
{
    struct measured_unit measured = {
        .label = unit_label(&out->arena, unit), .stem = stem_of(&out->arena, unit), .is_own = is_own(unit)};

    if (unit_load(unit, &measured.counts, err) < 0)
        return -1;
    measured.crate = unit_crate_of_counts(&out->arena, &measured.counts);
    add_crate(unit, &measured.crate, out);
    note_own(project, unit, measured.crate, out);
    measure_add_unit(project->settings, &measured, out);
    unit_counts_done(&measured.counts);
    if (project->request.keep_ir)
        *vec_add(&out->kept) = ir_path(&out->arena, unit);
    return 0;
}

static int read_units(const struct project *project, struct measurement *out, struct error *err)
{
    note_uncounted(project, out);
    for (size_t i = 0; i < project->units.items.count; i++) {
        const struct unit *unit = &project->units.items.items[i];

        if (is_wanted(project, unit) && read_unit(project, unit, out, err) < 0)
            return -1;
    }
    return 0;
}

static void tell_unit(const struct project *project, const struct unit *unit, struct text *line)
{
    SCOPED(unit_counts_done) struct unit_counts counts = {0};
    struct error unread = {0};
    bool is_compiled = intern_find(&project->compiled, slice_of(unit->stem)) != INTERN_NONE;

    unit_add_label(line, unit);
    text_add_string(line, ": ");
    if (unit_load(unit, &counts, &unread) == 0) {
        units_add_count(line, unit_counts_lines(&counts));
        text_add_string(line, " lines");
    } else {
        text_add_string(line, "no counts");
    }
    command_status(project->request.options, is_compiled ? "Counted" : "Cached", text_string(line));
}

/* With -v: each unit that cargo named, what was done for it, and what it has. */
static void tell_units(const struct project *project)
{
    SCOPED(text_done) struct text line = {0};

    for (size_t i = 0; i < project->artifacts.items.count; i++) {
        const struct cargo_artifact *artifact = &project->artifacts.items.items[i];

        if (!uncounted_is(&project->units, artifact))
            continue;
        text_clear(&line);
        uncounted_add_name(&line, artifact);
        text_format(&line, ", %s", uncounted_why(&project->artifacts, artifact));
        command_status(project->request.options, "Not counted", text_string(&line));
    }
    for (size_t i = 0; i < project->units.items.count; i++) {
        text_clear(&line);
        tell_unit(project, &project->units.items.items[i], &line);
    }
}

/* As its IR calls it, also where it is not to be counted; no name when its counts cannot be read. */
static struct symbol_crate crate_of_unit(struct project *project, const struct unit *unit)
{
    SCOPED(unit_counts_done) struct unit_counts counts = {0};
    struct error unread = {0};

    return unit_load(unit, &counts, &unread) == 0 ? unit_crate_of_counts(&project->arena, &counts)
                                                  : (struct symbol_crate){0};
}

static int measure_code(struct project *project, struct measurement *out, struct error *err)
{
    SCOPED(code_sizes_done) struct code_sizes code = {0};
    SCOPED(crate_match_done) struct crate_match match = {0};
    size_t count = project->units.items.count;
    struct symbol_crate *crates = ARENA_ARRAY(&project->arena, count, struct symbol_crate);
    struct sized_build_request request = {.options = project->request.options,
                                          .graph = project->graph,
                                          .units = &project->units,
                                          .crates = crates,
                                          .check = &project->request,
                                          .with_dependencies = project->settings->with_dependencies};

    for (size_t i = 0; i < count; i++)
        crates[i] = crate_of_unit(project, &project->units.items.items[i]);
    if (sized_build_run(&request, &code, &match, err) < 0)
        return -1;
    measure_sizes_join(out, &code, &match);
    return 0;
}

/* Who asks for the whole graph, or for a program, is told what of it is left out. */
static void note_left_out(const struct project *project, struct measurement *out)
{
    SCOPED(text_done) struct text note = {0};

    if (project->settings->with_dependencies)
        uncounted_add_note(&note, &project->units, &project->artifacts);
    if (project->macros.length > 0)
        text_format(&note, "Not counted, as no part of the program: %.*s",
                    SLICE_ARGUMENTS(text_slice(&project->macros)));
    if (note.length > 0)
        out->left_out = arena_copy(&out->arena, text_slice(&note));
}

/* Beside the counts, what else is asked for. */
static int add_sizes(struct project *project, struct measurement *out, struct error *err)
{
    if (!project->settings->wants_sizes)
        return 0;
    return project->settings->binary ? measure_sizes_of_file(out, project->settings->binary, err)
                                     : measure_code(project, out, err);
}

int measure_project(const struct options *options, const struct cargo_graph *graph,
                    const struct llvmlines_settings *settings, struct measurement *out, struct error *err)
{
    SCOPED(project_done)
    struct project project = {.settings = settings,
                              .graph = graph ? graph : &project.own_graph,
                              .request = {.options = options, .keep_ir = settings->keep_ir}};
    size_t forgotten = 0;

    measure_begin(settings, out);
    out->crates.has_namesakes_of_std = true;
    cargo_selection_read(&project.arena, options, &project.selection);
    if (!graph && cargo_graph_load(options, &project.own_graph, err) < 0)
        return -1;
    project.request.graph = project.graph;
    project.request.target_directory = check_target_directory(&project.arena, options, project.graph);
    if (cargo_one_platform_check(options, err) < 0 || check(&project, err) < 0 ||
        forget_incomplete(&project, &forgotten, err) < 0)
        return -1;
    if (forgotten > 0 && check(&project, err) < 0)
        return -1;
    if (options_has(options, "verbose"))
        tell_units(&project);
    note_left_out(&project, out);
    return read_units(&project, out, err) < 0 || add_sizes(&project, out, err) < 0 ? -1 : 0;
}
