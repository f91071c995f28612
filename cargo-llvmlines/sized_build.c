#include "sized_build.h"

#include "base/text.h"
#include "cargo/exact_build.h"
#include "elf/archive.h"
#include "size/rlibs.h"

static bool is_counted(const struct sized_build_request *request, const struct unit *unit)
{
    return unit->is_selected || request->with_dependencies;
}

/* With the harness around it anything is a program. */
static bool is_linked(const struct unit *unit)
{
    return unit->artifact->is_test || cargo_target_is_linked(&unit->artifact->target);
}

static bool selects_linked(const struct sized_build_request *request)
{
    for (size_t i = 0; i < request->units->items.count; i++)
        if (request->units->items.items[i].is_selected && is_linked(&request->units->items.items[i]))
            return true;
    return false;
}

/* Whether it is the same target of the same package, as a check and as a build. */
static bool is_same(const struct cargo_artifact *a, const struct cargo_artifact *b)
{
    return a->target.kind == b->target.kind && a->is_test == b->is_test &&
           slice_equal(a->target.name, b->target.name) && slice_equal(a->package_id, b->package_id);
}

static const char *rlib_of(const struct cargo_artifact *artifact)
{
    for (size_t i = 0; i < artifact->filenames.count; i++)
        if (slice_ends_with(artifact->filenames.items[i], SLICE(".rlib")))
            return artifact->filenames.items[i].data;
    return NULL;
}

/* The names of an rlib's objects say what the crate is called there. One that cannot be read tells nothing.
 */
static void pair_by_rlib(const char *path, struct symbol_crate counted, struct crate_match *match)
{
    struct archive archive;
    struct error ignored = {0};
    struct crate_fact fact;

    if (archive_open(path, &archive, &ignored) < 0)
        return;
    for (size_t i = 0; i < archive.members.count; i++)
        if (rlib_member_crate(archive.members.items[i].name, &fact) && slice_equal(fact.name, counted.name))
            crate_match_pair(match, counted, (struct symbol_crate){fact.name, fact.id});
    archive_close(&archive);
}

static int refuse_apart(const struct unit *unit, const struct cargo_built *built, struct error *err)
{
    SCOPED(text_done) struct text label = {0};

    unit_add_label(&label, unit);
    if (!built->artifact)
        return error_set(err, ERROR_MISSING, "cargo build makes nothing of %s that --sizes could measure",
                         text_string(&label));
    error_hint(err, "name the one program and what it is made of: --bin NAME --deps, --test NAME, …");
    return error_set(err, ERROR_USAGE, "--sizes measures one program, %.*s, and %s is no part of it",
                     SLICE_ARGUMENTS(built->artifact->target.name), text_string(&label));
}

/*
 * Finds a unit among what was built, a host's build of it too. `rlib` gets its library, NULL when there is
 * none.
 */
static bool find_built(const struct sized_build_request *request, size_t index,
                       const struct cargo_built *built, struct crate_match *match, const char **rlib)
{
    const struct unit *unit = &request->units->items.items[index];
    bool is_found = false;

    *rlib = NULL;
    for (size_t i = 0; i < built->artifacts.items.count; i++) {
        const struct cargo_artifact *artifact = &built->artifacts.items.items[i];
        const char *path = rlib_of(artifact);

        if (!is_same(artifact, unit->artifact))
            continue;
        is_found = true;
        if (path && request->crates[index].disambiguator != 0)
            pair_by_rlib(path, request->crates[index], match);
        if (path)
            *rlib = path;
    }
    return is_found;
}

static int read_library(const struct unit *unit, const char *rlib, struct code_sizes *code, struct error *err)
{
    SCOPED(text_done) struct text label = {0};

    if (rlib)
        return code_sizes_read(rlib, code, err);
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
        const char *rlib = NULL;
        bool is_built = find_built(request, i, built, match, &rlib);

        if (!is_counted(request, unit))
            continue;
        if (!is_built)
            return refuse_apart(unit, built, err);
        if (!built->artifact && read_library(unit, rlib, code, err) < 0)
            return -1;
    }
    return built->artifact ? code_sizes_read(built->path.data, code, err) : 0;
}

int sized_build_run(const struct sized_build_request *request, struct code_sizes *code,
                    struct crate_match *match, struct error *err)
{
    struct cargo_request build = {
        .verb = "llvmlines", .options = request->options, .is_unlinked = !selects_linked(request)};
    struct cargo_built built;
    int result = 0;

    if (exact_build(&build, &built, err) < 0)
        return -1;
    result = read_built(request, &built, code, match, err);
    cargo_built_done(&built);
    return result;
}
