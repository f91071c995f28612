#include "build/units.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/remove.h"
#include "cargo/unit_folder.h"
#include "counts/counts.h"

void units_done(struct units *units)
{
    vec_done(&units->items);
}

/* --- Which are selected ---------------------------------------------------------------- */

static struct cargo_package package_of_id(struct arena *arena, struct slice id)
{
    struct cargo_package_id read = cargo_package_id_read(id);

    /* Patterns are matched against a string that ends. */
    return (struct cargo_package){
        .name = slice_of(arena_copy(arena, read.name)), .version = read.version, .id = id};
}

static bool package_is_selected(struct arena *arena, const struct cargo_graph *graph,
                                const struct cargo_selection *selection, struct slice id)
{
    const struct cargo_package *member = cargo_graph_find(graph, id);
    struct cargo_package other;

    if (member)
        return cargo_package_is_selected(graph, member, selection);
    other = package_of_id(arena, id);
    for (size_t i = 0; i < selection->packages.count; i++)
        if (cargo_package_is(&other, selection->packages.items[i]))
            return true;
    return false;
}

/* The name of a target is NUL-terminated: it comes from a document or an arena. */
static bool name_fits(const struct cargo_artifact *artifact, const char *pattern)
{
    return !pattern || fnmatch(pattern, artifact->target.name.data, 0) == 0;
}

/* A procedural macro is a library for those who ask for one. */
static bool is_kind(const struct cargo_artifact *artifact, enum cargo_kind kind)
{
    return artifact->target.kind == kind || (artifact->target.kind == CARGO_PROC_MACRO && kind == CARGO_LIB);
}

static bool fits_wish(const struct cargo_artifact *artifact, const struct cargo_wish *wish, bool harness)
{
    switch (wish->kind) {
    case CARGO_TEST:
    case CARGO_BENCH:
        /* --tests and --benches build every kind of target with the harness. */
        return wish->name ? artifact->target.kind == wish->kind && name_fits(artifact, wish->name)
                          : artifact->is_test;
    default:
        return is_kind(artifact, wish->kind) && artifact->is_test == harness &&
               name_fits(artifact, wish->name);
    }
}

static bool target_is_selected(const struct cargo_selection *selection, const struct cargo_artifact *artifact)
{
    /* With the profile "test", and no other, `cargo check` builds all it is asked for with the harness. */
    bool harness = selection->profile && strcmp(selection->profile, "test") == 0;

    if (selection->all_targets)
        return true;
    if (selection->wishes.count == 0)
        return (is_kind(artifact, CARGO_LIB) || is_kind(artifact, CARGO_BIN)) && artifact->is_test == harness;
    for (size_t i = 0; i < selection->wishes.count; i++)
        if (fits_wish(artifact, &selection->wishes.items[i], harness))
            return true;
    return false;
}

/* Fills the unit from its only file, "…/libCRATE-HASH.rmeta"; false for what runs while compiling: it is
 * linked. */
static bool unit_of(struct arena *arena, const struct cargo_artifact *artifact, struct unit *out)
{
    struct slice path = artifact->filenames.count == 1 ? artifact->filenames.items[0] : (struct slice){0};
    struct slice file = slice_file_name(path);
    struct slice name;
    size_t dash = 0;

    if (!slice_starts_with(file, SLICE("lib")) || !slice_ends_with(file, SLICE(".rmeta")))
        return false;
    name = slice_range(file, strlen("lib"), file.length - strlen(".rmeta"));
    dash = slice_find_last_byte(name, '-');
    *out = (struct unit){
        .artifact = artifact,
        .metadata_path = arena_copy(arena, path),
        .stem = arena_format(arena, "%.*s/%.*s", SLICE_ARGUMENTS(slice_folder(path)), SLICE_ARGUMENTS(name)),
        .crate_name = slice_range(name, 0, dash),
        .hash = slice_range(name, dash + 1, name.length),
    };
    return true;
}

/* An order that does not depend on how fast cargo was with which of them. */
static int compare_units(const void *left, const void *right)
{
    const struct unit *a = left;
    const struct unit *b = right;
    int order = slice_compare(a->artifact->target.name, b->artifact->target.name);

    order = order ? order : slice_compare(a->version, b->version);
    order = order ? order : (int)a->artifact->target.kind - (int)b->artifact->target.kind;
    order = order ? order : (int)a->artifact->is_test - (int)b->artifact->is_test;
    order = order ? order : slice_compare(a->package, b->package);
    return order ? order : strcmp(a->stem, b->stem);
}

/* Of units whose targets have one name. */
static bool are_namesakes(const struct unit *a, const struct unit *b)
{
    return a->artifact->target.kind == b->artifact->target.kind &&
           a->artifact->is_test == b->artifact->is_test && a->is_member == b->is_member &&
           (a->is_member || slice_equal(a->version, b->version)) && !slice_equal(a->package, b->package);
}

/* In the order of compare_units those of one name are together. */
static void mark_namesakes(struct units *units)
{
    for (size_t i = 0; i < units->items.count; i++) {
        struct unit *unit = &units->items.items[i];

        for (size_t at = i + 1; at < units->items.count; at++) {
            struct unit *other = &units->items.items[at];

            if (!slice_equal(unit->artifact->target.name, other->artifact->target.name))
                break;
            if (are_namesakes(unit, other))
                unit->has_namesake = other->has_namesake = true;
        }
    }
}

void units_select(struct arena *arena, const struct cargo_graph *graph,
                  const struct cargo_selection *selection, const struct cargo_artifacts *artifacts,
                  struct units *out)
{
    for (size_t i = 0; i < artifacts->items.count; i++) {
        const struct cargo_artifact *artifact = &artifacts->items.items[i];
        struct unit unit;

        if (artifact->target.kind == CARGO_BUILD_SCRIPT || !unit_of(arena, artifact, &unit))
            continue;
        unit.package = package_of_id(arena, artifact->package_id).name;
        unit.version = package_of_id(arena, artifact->package_id).version;
        unit.is_member = cargo_graph_find(graph, artifact->package_id) != NULL;
        unit.is_selected = target_is_selected(selection, artifact) &&
                           package_is_selected(arena, graph, selection, artifact->package_id);
        *vec_add(&out->items) = unit;
    }
    vec_sort(&out->items, compare_units);
    mark_namesakes(out);
}

bool unit_is_final(const struct unit *unit)
{
    return unit->artifact->is_test || cargo_target_is_final(&unit->artifact->target);
}

bool units_select_final(const struct units *units)
{
    for (size_t i = 0; i < units->items.count; i++)
        if (units->items.items[i].is_selected && unit_is_final(&units->items.items[i]))
            return true;
    return false;
}

bool units_share_crate_name(const struct units *units, const struct unit *unit)
{
    for (size_t i = 0; i < units->items.count; i++)
        if (&units->items.items[i] != unit && slice_equal(units->items.items[i].crate_name, unit->crate_name))
            return true;
    return false;
}

static const char *kind_of(const struct unit *unit)
{
    static const char *const kinds[] = {
        [CARGO_LIB] = "lib",
        [CARGO_BIN] = "bin",
        [CARGO_EXAMPLE] = "example",
        [CARGO_TEST] = "test",
        [CARGO_BENCH] = "bench",
        [CARGO_PROC_MACRO] = "proc-macro",
        [CARGO_BUILD_SCRIPT] = "build script",
        [CARGO_OTHER] = "target",
    };

    return kinds[unit->artifact->target.kind];
}

/* Tests and benches are, without saying so. */
static bool has_extra_harness(const struct unit *unit)
{
    enum cargo_kind kind = unit->artifact->target.kind;

    return unit->artifact->is_test && kind != CARGO_TEST && kind != CARGO_BENCH;
}

void unit_add_kind(struct text *text, const struct unit *unit)
{
    text_add_string(text, kind_of(unit));
    if (has_extra_harness(unit))
        text_add_string(text, " test");
}

void unit_add_label(struct text *text, const struct unit *unit)
{
    text_format(text, "%s %.*s", kind_of(unit), SLICE_ARGUMENTS(unit->artifact->target.name));
    if (!unit->is_member)
        text_format(text, "@%.*s", SLICE_ARGUMENTS(unit->version));
    if (has_extra_harness(unit))
        text_add_string(text, " (test)");
    if (unit->has_namesake)
        text_format(text, " of %.*s", SLICE_ARGUMENTS(unit->package));
}

/* --- Their counts ---------------------------------------------------------------------- */

int unit_load(const struct unit *unit, struct unit_counts *out, struct error *err)
{
    SCOPED(text_done) struct text path = {0};

    *out = (struct unit_counts){0};
    text_format(&path, "%s" COUNTS_ENDING, unit->stem);
    /* Another version of this command may have compiled the unit since, for its own files. */
    if (file_is_older(text_string(&path), unit->metadata_path))
        return error_set(err, ERROR_FORMAT, "%s: older than what it was counted for", text_string(&path));
    return counts_load(text_string(&path), unit->crate_name, out, err);
}

/* The unit's folder among the fingerprints: "PACKAGE-HASH". */
static bool find_fingerprint(const char *fingerprints, struct slice hash, struct text *found)
{
    SCOPED(folder_close) DIR *open_folder = opendir(fingerprints);

    for (const struct dirent *entry = open_folder ? readdir(open_folder) : NULL; entry;
         entry = readdir(open_folder)) {
        struct slice name = slice_of(entry->d_name);

        if (found->length > 0 || name.length <= hash.length || !slice_ends_with(name, hash) ||
            name.data[name.length - hash.length - 1] != '-')
            continue;
        text_format(found, "%s/%s", fingerprints, entry->d_name);
    }
    return found->length > 0;
}

int unit_forget(const struct unit *unit, struct error *err)
{
    SCOPED(text_done) struct text fingerprints = {0};
    SCOPED(text_done) struct text found = {0};
    struct slice profile = slice_folder(slice_folder(slice_of(unit->stem)));

    if (cargo_unit_own_notes(slice_of(unit->stem), &found))
        return remove_all(text_string(&found), NULL, err);
    text_add(&fingerprints, profile);
    text_add_string(&fingerprints, "/.fingerprint");
    if (unit->hash.length == 0 || !find_fingerprint(text_string(&fingerprints), unit->hash, &found)) {
        error_hint(err, "remove the folder %.*s, so that all of it is made again", SLICE_ARGUMENTS(profile));
        return error_set(err, ERROR_IO, "%.*s: nothing in %s is cargo's record of it",
                         SLICE_ARGUMENTS(unit->crate_name), text_string(&fingerprints));
    }
    return remove_all(text_string(&found), NULL, err);
}
