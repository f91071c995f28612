#include "build/sized_build.h"

#include <stdio.h>

#include "base/text.h"
#include "cargo/exact_build.h"
#include "cli/command.h"
#include "size/rlibs.h"

static bool is_counted(const struct sized_build_request *request, const struct unit *unit)
{
    return unit->is_selected || request->with_dependencies;
}

/* What to ask for instead: the program that is selected where it is one alone. */
static void hint_one_program(const struct sized_build_request *request, struct error *err)
{
    const struct cargo_target *program = NULL;
    size_t count = 0;

    for (size_t i = 0; i < request->units->items.count; i++) {
        const struct unit *unit = &request->units->items.items[i];

        if (!unit->is_selected || !unit_is_final(unit))
            continue;
        program = &unit->artifact->target;
        count += unit->artifact->is_test || program->kind != CARGO_BIN ? 2 : 1;
    }
    if (count == 1)
        error_hint(err, "the program and what it is made of: --bin %.*s --deps",
                   SLICE_ARGUMENTS(program->name));
    else
        error_hint(err, "name the one program and what it is made of: --bin NAME --deps, --test NAME, …");
}

/* A procedural macro beside a program: the program's compiler has it, and all of it would read as left out.
 */
static int refuse_macros(const struct sized_build_request *request, struct error *err)
{
    SCOPED(text_done) struct text label = {0};

    for (size_t i = 0; i < request->units->items.count; i++) {
        const struct unit *unit = &request->units->items.items[i];

        if (!is_counted(request, unit) || unit->artifact->target.kind != CARGO_PROC_MACRO ||
            unit_is_final(unit))
            continue;
        unit_add_label(&label, unit);
        hint_one_program(request, err);
        return error_set(err, ERROR_USAGE, "--sizes measures one program, and %s is no part of it",
                         text_string(&label));
    }
    return 0;
}

/* A procedural macro by itself: its code is in a file that only --binary reads. */
static int refuse_macros_alone(const struct sized_build_request *request, struct error *err)
{
    SCOPED(text_done) struct text label = {0};

    for (size_t i = 0; i < request->units->items.count; i++) {
        const struct unit *unit = &request->units->items.items[i];

        if (!unit->is_selected || unit->artifact->target.kind != CARGO_PROC_MACRO)
            continue;
        unit_add_label(&label, unit);
        error_hint(err, "build it with cargo build, and name the file: --binary FILE, a lib*.so");
        return error_set(err, ERROR_USAGE, "--sizes builds no procedural macro by itself: %s",
                         text_string(&label));
    }
    return 0;
}

/* Whether it is the same target of the same package, as a check and as a build. */
static bool is_same(const struct cargo_artifact *a, const struct cargo_artifact *b)
{
    return a->target.kind == b->target.kind && a->is_test == b->is_test &&
           slice_equal(a->target.name, b->target.name) && slice_equal(a->package_id, b->package_id);
}

static int refuse_apart(const struct sized_build_request *request, const struct unit *unit,
                        const struct cargo_built *built, struct error *err)
{
    SCOPED(text_done) struct text label = {0};

    unit_add_label(&label, unit);
    if (!built->artifact)
        return error_set(err, ERROR_MISSING, "cargo build makes nothing of %s that --sizes could measure",
                         text_string(&label));
    hint_one_program(request, err);
    return error_set(err, ERROR_USAGE, "--sizes measures one program, %.*s, and %s is no part of it",
                     SLICE_ARGUMENTS(built->artifact->target.name), text_string(&label));
}

/* What was built of a unit. */
struct built_unit {
    const char *rlib;           /* NULL: it has none */
    struct symbol_crate holder; /* as it is called there; the number 0 when nothing tells */
};

/* Finds a unit among what was built, a host's build of it too. */
static bool find_built(const struct sized_build_request *request, size_t index,
                       const struct cargo_built *built, struct crate_match *match, struct built_unit *out)
{
    const struct unit *unit = &request->units->items.items[index];
    bool is_found = false;

    *out = (struct built_unit){.holder = {request->crates[index].name, 0}};
    for (size_t i = 0; i < built->artifacts.items.count; i++) {
        const struct cargo_artifact *artifact = &built->artifacts.items.items[i];
        const char *path = cargo_artifact_rlib(artifact);

        if (!is_same(artifact, unit->artifact))
            continue;
        is_found = true;
        if (!path)
            continue;
        out->rlib = path;
        if (request->crates[index].disambiguator != 0 &&
            rlib_find_hash(path, out->holder.name, &out->holder.disambiguator))
            crate_match_pair(match, request->crates[index], out->holder);
    }
    return is_found;
}

static int read_library(const struct unit *unit, const struct built_unit *built, struct code_sizes *code,
                        struct error *err)
{
    SCOPED(text_done) struct text label = {0};

    if (built->rlib)
        return code_sizes_read(built->rlib, &built->holder, code, err);
    unit_add_label(&label, unit);
    error_hint(err,
               "select what has it: --bin NAME, --test NAME, --example NAME, or a library that is a cdylib");
    return error_set(err, ERROR_MISSING, "%s has no code that is its own alone", text_string(&label));
}

static int read_built(const struct sized_build_request *request, const struct cargo_built *built,
                      struct code_sizes *code, struct crate_match *match, struct error *err)
{
    for (size_t i = 0; i < request->units->items.count; i++) {
        const struct unit *unit = &request->units->items.items[i];
        struct built_unit found;
        bool is_built = find_built(request, i, built, match, &found);

        if (!is_counted(request, unit))
            continue;
        if (!is_built)
            return refuse_apart(request, unit, built, err);
        if (!built->artifact && read_library(unit, &found, code, err) < 0)
            return -1;
    }
    return built->artifact ? code_sizes_read(built->path.data, NULL, code, err) : 0;
}

/* The same sources have the same warnings, but what is only built or linked now has its own. */
static void tell_new(const struct check_request *check, const struct cargo_diagnostics *diagnostics)
{
    SCOPED(cargo_diagnostics_done) struct cargo_diagnostics said = {0};
    SCOPED(text_done) struct text text = {0};

    if (diagnostics->texts.entries.count == 0)
        return;
    check_read_diagnostics(check, &said);
    cargo_diagnostics_add_new(&text, diagnostics, &said);
    fputs(text_string(&text), stderr);
}

int sized_build_run(const struct sized_build_request *request, struct code_sizes *code,
                    struct crate_match *match, struct error *err)
{
    SCOPED(cargo_diagnostics_done) struct cargo_diagnostics diagnostics = {0};
    struct cargo_request build = {.verb = "llvmlines",
                                  .options = request->options,
                                  .graph = request->graph,
                                  .diagnostics = &diagnostics,
                                  .is_unlinked = !units_select_final(request->units)};
    struct cargo_built built;
    int result = build.is_unlinked ? refuse_macros_alone(request, err) : refuse_macros(request, err);

    if (result < 0)
        return -1;
    /* cargo names the same crates once more, and does work for them. */
    if (!options_has(request->options, "quiet"))
        command_status(request->options, "Building", "the code of what was counted (--sizes)");
    result = exact_build(&build, &built, err);
    tell_new(request->check, &diagnostics);
    if (result < 0)
        return -1;
    result = read_built(request, &built, code, match, err);
    cargo_built_done(&built);
    return result;
}
