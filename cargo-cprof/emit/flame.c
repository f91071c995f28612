#include "emit/flame.h"

#include "base/hash.h"
#include "base/memory.h"

static const enum flame_hue hue_of_category[CATEGORY_COUNT] = {
    [CATEGORY_UNKNOWN] = FLAME_UNKNOWN,       [CATEGORY_OWN] = FLAME_OWN,
    [CATEGORY_DEPENDENCY] = FLAME_DEPENDENCY, [CATEGORY_STD] = FLAME_STD,
    [CATEGORY_KERNEL] = FLAME_KERNEL,         [CATEGORY_OTHER] = FLAME_OTHER,
};

/* The same for the same name on every run. */
static uint32_t shade_of(struct slice name)
{
    uint32_t hash = hash_fnv1a_32(name);

    return hash ^ (hash >> 15);
}

/* Of a function. Many calls of it may have a box. */
struct shades {
    uint32_t of_name;
    uint32_t of_box;
};

/* By function of the profile; to be freed. */
static struct shades *find_shades(const struct profile *profile)
{
    size_t count = profile->functions.count;
    struct shades *shades = memory_new(count, sizeof(*shades));

    for (size_t i = 0; i < count; i++) {
        const struct profile_function *function = &profile->functions.items[i];

        shades[i].of_name = shade_of(profile_text(profile, function->name));
        shades[i].of_box = function->category == CATEGORY_OWN
                               ? shades[i].of_name
                               : shade_of(profile_text(profile, function->crate));
    }
    return shades;
}

/* "weblog/src/record.rs:12-40" */
static void add_place(struct short_paths *paths, const struct call_node *node, struct text *text)
{
    if (node->file == PROFILE_NO_STRING)
        return;
    text_add(text, short_paths_get(paths, node->file));
    if (node->first_line > 0) {
        text_add_byte(text, ':');
        text_add_decimal(text, node->first_line);
    }
    if (node->last_line > node->first_line) {
        text_add_byte(text, '-');
        text_add_decimal(text, node->last_line);
    }
}

void flame_add_detail(struct text *text, struct short_paths *paths, const struct call_node *node)
{
    const struct profile *profile = paths->profile;
    size_t start = text->length;

    if (node->kind == CALL_THREAD)
        text_add_string(text, "thread");
    if (node->kind != CALL_FUNCTION)
        return;
    text_add(text, profile_text(profile, profile->functions.items[node->function].crate));
    if (node->inlined_weight > 0 && text->length > start)
        text_add_string(text, ", ");
    if (node->inlined_weight > 0)
        text_add_string(text, node->inlined_weight >= node->weights.total ? "inlined" : "partly inlined");
    if (node->file != PROFILE_NO_STRING && text->length > start)
        text_add_string(text, ", ");
    add_place(paths, node, text);
}

static void describe(const struct profile *profile, const struct shades *shades, const struct call_node *node,
                     struct flame_frame *frame)
{
    frame->name = profile_text(profile, node->name);
    frame->weight = node->weights.total;
    frame->self = node->weights.self;
    frame->depth = node->depth;
    frame->hue = node->kind == CALL_UNKNOWN ? FLAME_UNKNOWN : FLAME_FRAMEWORK;
    if (node->kind == CALL_FUNCTION) {
        frame->hue = hue_of_category[profile->functions.items[node->function].category];
        frame->is_inlined = node->inlined_weight > 0 && node->inlined_weight >= node->weights.total;
        frame->name_shade = shades[node->function].of_name;
        frame->shade = shades[node->function].of_box;
    }
}

/* Each call begins where the one before it under the same caller ended. */
void flame_lay_out(struct flame_frame *frames, size_t count)
{
    VEC(uint64_t) ends = {0}; /* by depth: where the next call of that depth begins */

    for (size_t i = 0; i < count; i++) {
        uint32_t depth = frames[i].depth;

        if (ends.count <= depth)
            *vec_add(&ends) = 0;
        frames[i].start = ends.items[depth];
        ends.items[depth] += frames[i].weight;
        /* Its calls begin with it. */
        ends.count = depth + 1;
        *vec_add(&ends) = frames[i].start;
    }
    vec_done(&ends);
}

void flame_add(struct text *svg, const struct profile *profile, const struct call_tree *tree,
               const struct flame_look *look)
{
    struct arena arena = {0};
    SCOPED(short_paths_done) struct short_paths paths;
    SCOPED(text_done) struct text scratch = {0};
    SCOPED(memory_free_at) struct shades *shades = find_shades(profile);
    VEC(struct flame_frame) frames = {0};

    short_paths_init(&paths, profile);
    for (size_t i = 0; i < tree->nodes.count; i++) {
        struct flame_frame *frame = vec_add(&frames);

        *frame = (struct flame_frame){0};
        describe(profile, shades, &tree->nodes.items[i], frame);
        /* Samples were taken at the other end of the path. */
        if (look->is_reversed)
            frame->self = frame->depth == 1 ? frame->weight : 0;
        text_clear(&scratch);
        flame_add_detail(&scratch, &paths, &tree->nodes.items[i]);
        frame->detail = (struct slice){arena_copy(&arena, text_slice(&scratch)), scratch.length};
    }
    flame_lay_out(frames.items, frames.count);
    flame_graph_add(svg, frames.items, tree->nodes.items[0].weights.total > 0 ? frames.count : 0, look);
    vec_done(&frames);
    arena_done(&arena);
}
