/* Which of a package's features are on: the closure over its [features] table. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cargo/graph.h"

/* The features found to be on, each once, in the order found. */
struct closure {
    const struct cargo_package *package;
    bool *is_on;   /* by place in the package's table */
    size_t *queue; /* places, those before `done` followed already */
    size_t count;
    size_t done;
};

static int compare_name(const void *key, const void *item)
{
    const struct slice *name = key;
    const struct cargo_feature *feature = item;

    return slice_compare(*name, feature->name);
}

static void turn_on(struct closure *closure, struct slice name)
{
    const struct cargo_package *package = closure->package;
    const struct cargo_feature *feature = package->feature_count > 0
                                              ? bsearch(&name, package->features, package->feature_count,
                                                        sizeof(*package->features), compare_name)
                                              : NULL;
    size_t place = feature ? (size_t)(feature - package->features) : 0;

    if (!feature || closure->is_on[place])
        return;
    closure->is_on[place] = true;
    closure->queue[closure->count++] = place;
}

/* "name/feature" also turns on the optional dependency `name`, and so the feature of that name. */
static void follow(struct closure *closure, struct slice enabled)
{
    size_t slash = slice_find_byte(enabled, '/');

    if (slash < enabled.length && enabled.data[slash ? slash - 1 : 0] == '?')
        return;
    turn_on(closure, slice_range(enabled, 0, slash));
}

/* One of --features: "feature", or "package/feature". */
static void turn_on_selected(struct closure *closure, struct slice wanted)
{
    size_t slash = slice_find_byte(wanted, '/');

    if (slash == wanted.length)
        turn_on(closure, wanted);
    else if (slice_equal(slice_range(wanted, 0, slash), closure->package->name))
        turn_on(closure, slice_range(wanted, slash + 1, wanted.length));
    else
        follow(closure, wanted);
}

static void close_over(struct closure *closure, const struct cargo_selection *selection)
{
    const struct cargo_package *package = closure->package;

    for (size_t i = 0; selection->all_features && i < package->feature_count; i++)
        turn_on(closure, package->features[i].name);
    if (!selection->no_default_features)
        turn_on(closure, SLICE("default"));
    for (size_t i = 0; i < selection->features.count; i++)
        turn_on_selected(closure, slice_of(selection->features.items[i]));
    for (; closure->done < closure->count; closure->done++) {
        const struct cargo_names *enables = &package->features[closure->queue[closure->done]].enables;

        for (size_t i = 0; i < enables->count; i++)
            follow(closure, enables->items[i]);
    }
}

static bool is_on(const struct closure *closure, struct slice name)
{
    /* Of a dependency: its table is not here. */
    if (slice_find_byte(name, '/') < name.length)
        return true;
    for (size_t i = 0; i < closure->count; i++)
        if (slice_equal(closure->package->features[closure->queue[i]].name, name))
            return true;
    return false;
}

bool cargo_target_is_enabled(const struct cargo_package *package, const struct cargo_target *target,
                             const struct cargo_selection *selection)
{
    SCOPED(memory_free_at) bool *is_on_flags = NULL;
    SCOPED(memory_free_at) size_t *queue = NULL;
    struct closure closure = {.package = package};
    bool enabled = true;

    if (target->required_features.count == 0)
        return true;
    is_on_flags = memory_new(package->feature_count + 1, sizeof(*is_on_flags));
    queue = memory_new(package->feature_count + 1, sizeof(*queue));
    closure.is_on = is_on_flags;
    closure.queue = queue;
    close_over(&closure, selection);
    for (size_t i = 0; enabled && i < target->required_features.count; i++)
        enabled = is_on(&closure, target->required_features.items[i]);
    return enabled;
}
