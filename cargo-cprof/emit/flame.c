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

/* What the boxes of a function have in common. There may be many. */
struct function_look {
    uint32_t name_shade;
    uint32_t shade;
    const struct call_node *described; /* the last call that was; NULL: none yet */
    struct slice detail;               /* of that */
};

/* By function of the profile; to be freed. */
static struct function_look *find_looks(const struct profile *profile)
{
    size_t count = profile->functions.count;
    struct function_look *looks = memory_new(count, sizeof(*looks));

    for (size_t i = 0; i < count; i++) {
        const struct profile_function *function = &profile->functions.items[i];

        looks[i].name_shade = shade_of(profile_text(profile, function->name));
        looks[i].shade = function->category == CATEGORY_OWN
                             ? looks[i].name_shade
                             : shade_of(profile_text(profile, function->crate));
    }
    return looks;
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
        text_add_string(text, call_node_is_inlined(node) ? "inlined" : "partly inlined");
    if (node->file != PROFILE_NO_STRING && text->length > start)
        text_add_string(text, ", ");
    add_place(paths, node, text);
}

/* Whether flame_add_detail says the same of two calls of a function. */
static bool has_same_detail(const struct call_node *a, const struct call_node *b)
{
    return a->file == b->file && a->first_line == b->first_line && a->last_line == b->last_line &&
           (a->inlined_weight > 0) == (b->inlined_weight > 0) &&
           call_node_is_inlined(a) == call_node_is_inlined(b);
}

/* One picture's frames in the making. */
struct making {
    const struct profile *profile;
    struct short_paths paths;
    struct function_look *looks;
    struct arena arena; /* of the details */
    struct text scratch;
};

static void add_detail(struct making *making, const struct call_node *node, struct flame_frame *frame)
{
    text_clear(&making->scratch);
    flame_add_detail(&making->scratch, &making->paths, node);
    frame->detail = arena_slice(&making->arena, text_slice(&making->scratch));
}

static void describe_function(struct making *making, const struct call_node *node, struct flame_frame *frame)
{
    struct function_look *look = &making->looks[node->function];

    frame->hue = hue_of_category[making->profile->functions.items[node->function].category];
    frame->is_inlined = call_node_is_inlined(node);
    frame->name_shade = look->name_shade;
    frame->shade = look->shade;
    if (look->described && has_same_detail(look->described, node)) {
        frame->detail = look->detail;
        return;
    }
    add_detail(making, node, frame);
    look->described = node;
    look->detail = frame->detail;
}

static void describe(struct making *making, const struct call_node *node, struct flame_frame *frame)
{
    *frame = (struct flame_frame){
        .name = profile_text(making->profile, node->name),
        .weight = node->weights.total,
        .self = node->weights.self,
        .depth = node->depth,
        .start = node->start,
        .is_thread = node->kind == CALL_THREAD,
        .hue = node->kind == CALL_UNKNOWN ? FLAME_UNKNOWN : FLAME_FRAMEWORK,
    };
    if (node->kind == CALL_FUNCTION)
        describe_function(making, node, frame);
    else
        add_detail(making, node, frame);
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

/*
 * What is in no node has something of its own all the same, as the key tells and the line of what is left
 * out: frames that are too narrow to be drawn beside so many that are wider stand for it. How many there are.
 */
static size_t add_left_out(const struct call_tree *tree, struct flame_frame *frames, size_t count)
{
    uint32_t deepest = 0;
    size_t added = count;

    for (size_t i = 0; i < count; i++)
        if (frames[i].depth > deepest)
            deepest = frames[i].depth;
    for (size_t category = 0; category < CATEGORY_COUNT; category++)
        if (tree->left_out_weights[category] > 0)
            frames[added++] = (struct flame_frame){.weight = 1,
                                                   .self = tree->left_out_weights[category],
                                                   .depth = deepest + 1,
                                                   .hue = hue_of_category[category]};
    return added;
}

void flame_add(struct text *svg, const struct profile *profile, const struct call_tree *tree,
               const struct flame_look *look)
{
    size_t count = tree->nodes.count;
    struct making making = {.profile = profile, .looks = find_looks(profile)};
    SCOPED(memory_free_at)
    struct flame_frame *frames = memory_new_unset((count + CATEGORY_COUNT) * sizeof(*frames));

    short_paths_init(&making.paths, profile);
    for (size_t i = 0; i < count; i++) {
        describe(&making, &tree->nodes.items[i], &frames[i]);
        /* Samples were taken at the other end of the path. */
        if (look->is_reversed)
            frames[i].self = frames[i].depth == 1 ? frames[i].weight : 0;
    }
    if (!tree->is_chart && !tree->has_starts)
        flame_lay_out(frames, count);
    if (!look->is_reversed)
        count = add_left_out(tree, frames, count);
    flame_graph_add(svg, frames, tree->nodes.items[0].weights.total > 0 ? count : 0, look);
    text_done(&making.scratch);
    arena_done(&making.arena);
    short_paths_done(&making.paths);
    memory_free_at(&making.looks);
}
