#include "build/uncounted.h"

#include <stdlib.h>

#include "base/intern.h"
#include "dwarf/source_path.h"

bool uncounted_is(const struct units *units, const struct cargo_artifact *artifact)
{
    for (size_t i = 0; i < units->items.count; i++)
        if (units->items.items[i].artifact == artifact)
            return false;
    return true;
}

void uncounted_add_name(struct text *text, const struct cargo_artifact *artifact)
{
    if (artifact->target.kind == CARGO_BUILD_SCRIPT) {
        text_add_string(text, "the build script of ");
        text_add(text, cargo_package_id_read(artifact->package_id).name);
    } else {
        text_add(text, artifact->target.name);
    }
}

/* Dependencies of both the program and a procedural macro are compiled twice where settings differ. */
static bool has_counted(const struct units *units, const struct cargo_artifact *artifact)
{
    for (size_t i = 0; i < units->items.count; i++)
        if (slice_equal(units->items.items[i].artifact->package_id, artifact->package_id))
            return true;
    return false;
}

static int compare_names(const void *left, const void *right)
{
    const struct slice *a = left;
    const struct slice *b = right;

    return slice_compare(*a, *b);
}

/* The folder that the artifact's files are in; empty where it has none. */
static struct slice folder_of(const struct cargo_artifact *artifact)
{
    struct slice file = artifact->filenames.count > 0 ? artifact->filenames.items[0] : (struct slice){0};

    return slice_folder(file);
}

/* Std's own packages are below rust-src, what it depends on is built beside them. */
static bool is_of_std(const struct cargo_artifacts *artifacts, const struct cargo_artifact *artifact)
{
    if (artifact->target.kind == CARGO_BUILD_SCRIPT || artifact->target.kind == CARGO_PROC_MACRO)
        return false;
    for (size_t i = 0; i < artifacts->items.count; i++) {
        const struct cargo_artifact *other = &artifacts->items.items[i];

        if (other->target.kind != CARGO_BUILD_SCRIPT &&
            source_path_origin(other->manifest_path).kind == SOURCE_STD &&
            slice_equal(folder_of(other), folder_of(artifact)))
            return true;
    }
    return false;
}

const char *uncounted_why(const struct cargo_artifacts *artifacts, const struct cargo_artifact *artifact)
{
    return is_of_std(artifacts, artifact) ? "which is std's, built for it" : "which runs while compiling";
}

/* Names in order, the first six of them. */
static void add_names(struct text *text, struct slice *names, size_t count)
{
    enum { MOST_NAMES = 6 };

    if (count > 0)
        qsort(names, count, sizeof(*names), compare_names);
    for (size_t i = 0; i < count && i < MOST_NAMES; i++) {
        text_add_string(text, i > 0 ? ", " : "");
        text_add(text, names[i]);
    }
    if (count > MOST_NAMES)
        text_format(text, " and %zu more (-v names them)", count - MOST_NAMES);
}

void uncounted_add_note(struct text *text, const struct units *units, const struct cargo_artifacts *artifacts)
{
    SCOPED(intern_done) struct intern seen = {0};
    VEC(struct slice) run = {0};
    VEC(struct slice) std = {0};

    for (size_t i = 0; i < artifacts->items.count; i++) {
        const struct cargo_artifact *artifact = &artifacts->items.items[i];

        if (artifact->target.kind == CARGO_BUILD_SCRIPT || has_counted(units, artifact) ||
            intern_add(&seen, artifact->target.name) != run.count + std.count)
            continue;
        if (is_of_std(artifacts, artifact))
            *vec_add(&std) = artifact->target.name;
        else
            *vec_add(&run) = artifact->target.name;
    }
    if (run.count > 0)
        text_format(text,
                    run.count == 1 ? "%zu crate runs while compiling and is not counted: "
                                   : "%zu crates run while compiling and are not counted: ",
                    run.count);
    add_names(text, run.items, run.count);
    if (std.count > 0)
        text_format(text, "%sstd was built for it and is not counted: ", run.count > 0 ? "; " : "");
    add_names(text, std.items, std.count);
    vec_done(&run);
    vec_done(&std);
}
