#include "uncounted.h"

#include <stdlib.h>

#include "base/intern.h"

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

void uncounted_add_note(struct text *text, const struct units *units, const struct cargo_artifacts *artifacts)
{
    enum { MOST_NAMES = 6 };
    SCOPED(intern_done) struct intern seen = {0};
    VEC(struct slice) names = {0};

    for (size_t i = 0; i < artifacts->items.count; i++) {
        const struct cargo_artifact *artifact = &artifacts->items.items[i];

        if (artifact->target.kind != CARGO_BUILD_SCRIPT && !has_counted(units, artifact) &&
            intern_add(&seen, artifact->target.name) == names.count)
            *vec_add(&names) = artifact->target.name;
    }
    if (names.count > 0) {
        qsort(names.items, names.count, sizeof(*names.items), compare_names);
        text_format(text,
                    names.count == 1 ? "%zu crate runs while compiling and is not counted: "
                                     : "%zu crates run while compiling and are not counted: ",
                    names.count);
    }
    for (size_t i = 0; i < names.count && i < MOST_NAMES; i++) {
        text_add_string(text, i > 0 ? ", " : "");
        text_add(text, names.items[i]);
    }
    if (names.count > MOST_NAMES)
        text_format(text, " and %zu more (-v names them)", names.count - MOST_NAMES);
    vec_done(&names);
}
