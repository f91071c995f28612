#include "emit/flame_diff.h"

#include <math.h>

#include "base/units.h"
#include "changes/change_rows.h"
#include "emit/flame.h"

/* One picture while it is made. */
struct drawing {
    const struct changes *changes;
    const struct change_tree *tree;
    bool is_negated;
    bool is_reversed;   /* samples were taken at the root's calls */
    uint64_t most;      /* the largest change that is told of one call */
    struct arena arena; /* of the frames' texts */
    struct short_paths paths;
    struct text scratch;
    bool was_more; /* a call that was is in no frame */
    VEC(struct flame_frame) frames;
};

static void drawing_done(struct drawing *drawing)
{
    arena_done(&drawing->arena);
    short_paths_done(&drawing->paths);
    text_done(&drawing->scratch);
    vec_done(&drawing->frames);
}

static struct slice keep(struct drawing *drawing)
{
    return arena_slice(&drawing->arena, text_slice(&drawing->scratch));
}

/* --- What a call says ---------------------------------------------------------------------------- */

/* A call's own: reversed, all that the root's calls hold is theirs, and their callers have nothing. */
static const struct change_figure *own_figure(const struct drawing *drawing, size_t node)
{
    static const struct change_figure nothing;
    const struct change_node *figures = &drawing->tree->nodes[node];

    if (!drawing->is_reversed)
        return &figures->self;
    return drawing->tree->calls.nodes.items[node].depth == 1 ? &figures->total : &nothing;
}

static uint64_t distance(const struct change_figure *figure)
{
    int64_t difference = change_of(figure);

    return difference < 0 ? 0 - (uint64_t)difference : (uint64_t)difference;
}

/* The root of the proportion: a change of a tenth of the largest is still seen. */
static int heat_of(const struct drawing *drawing, const struct change_figure *figure)
{
    int heat = 0;

    if (figure->is_noise || drawing->most == 0)
        return 0;
    heat = (int)ceil(sqrt((double)distance(figure) / (double)drawing->most) * FLAME_HEAT_MOST);
    if (heat > FLAME_HEAT_MOST)
        heat = FLAME_HEAT_MOST;
    return (change_of(figure) > 0) == drawing->is_negated ? -heat : heat;
}

/* "1.20 s, was 0.60 s: +0.60 s (+100.0%)" */
static void add_figure(struct drawing *drawing, const struct change_figure *figure)
{
    struct text *text = &drawing->scratch;
    const struct measure *measure = &drawing->changes->measure;
    uint64_t before = figure->amounts[JOINED_BEFORE];
    uint64_t after = figure->amounts[JOINED_AFTER];

    change_add_amount(text, measure, after);
    text_add_string(text, ", was ");
    change_add_amount(text, measure, before);
    text_add_string(text, ": ");
    change_add_difference(text, measure, change_of(figure));
    if (before == 0 || after == 0) {
        /* A sample or two may be missing by chance. */
        if (before != after && !figure->is_noise)
            text_add_string(text, before ? " (gone)" : " (new)");
    } else if (before != after) {
        text_add_string(text, " (");
        units_add_growth(text, before, after);
        text_add_byte(text, ')');
    }
    if (figure->is_noise && before != after)
        text_add_string(text, ", within noise");
}

static struct slice figures_of(struct drawing *drawing, const struct change_node *node)
{
    text_clear(&drawing->scratch);
    add_figure(drawing, &node->total);
    if (!drawing->is_reversed && node->self.amounts[JOINED_BEFORE] + node->self.amounts[JOINED_AFTER] > 0) {
        text_add_string(&drawing->scratch, "; itself ");
        add_figure(drawing, &node->self);
        /* The colour is the function's. */
        if (!node->self.is_noise && change_is_noise(drawing->changes, &node->self))
            text_add_string(&drawing->scratch, ", within noise here, but not in all places of the function");
    }
    return keep(drawing);
}

static void describe(struct drawing *drawing, size_t node, struct flame_frame *frame)
{
    const struct profile *profile = &drawing->changes->joined;
    const struct call_node *call = &drawing->tree->calls.nodes.items[node];

    frame->name = profile_text(profile, call->name);
    frame->depth = call->depth;
    frame->is_inlined = call_node_is_inlined(call);
    frame->is_thread = call->kind == CALL_THREAD;
    frame->figures = figures_of(drawing, &drawing->tree->nodes[node]);
    text_clear(&drawing->scratch);
    flame_add_detail(&drawing->scratch, &drawing->paths, call);
    frame->detail = keep(drawing);
}

/* --- Frames -------------------------------------------------------------------------------------- */

/* The calls that are, as wide as they are; the root also holds what is gone. */
static void add_present(struct drawing *drawing)
{
    const struct change_tree *tree = drawing->tree;

    for (size_t i = 0; i < tree->calls.nodes.count; i++) {
        const struct change_node *node = &tree->nodes[i];
        struct flame_frame frame = {0};

        if (i > 0 && node->total.amounts[JOINED_AFTER] == 0) {
            drawing->was_more = drawing->was_more || node->gone < node->total.amounts[JOINED_BEFORE];
            continue;
        }
        describe(drawing, i, &frame);
        frame.weight = node->total.amounts[JOINED_AFTER] + (i == 0 ? node->gone : 0);
        frame.self = own_figure(drawing, i)->amounts[JOINED_AFTER];
        frame.was = node->total.amounts[JOINED_BEFORE] - (i == 0 ? 0 : node->gone);
        frame.heat = heat_of(drawing, own_figure(drawing, i));
        *vec_add(&drawing->frames) = frame;
    }
}

/* The calls that are gone, and their callers, as wide as they were: the root's part is "[gone]". */
static void add_gone(struct drawing *drawing)
{
    const struct change_tree *tree = drawing->tree;

    for (size_t i = 0; i < tree->calls.nodes.count; i++) {
        const struct change_node *node = &tree->nodes[i];
        struct flame_frame frame = {0};

        if (node->gone == 0)
            continue;
        describe(drawing, i, &frame);
        if (i == 0) {
            frame.name = SLICE("[gone]");
            frame.figures = SLICE("what was called before and no longer is, as wide as it was");
        }
        frame.depth++;
        frame.weight = frame.was = node->gone;
        frame.is_gone = true;
        if (node->total.amounts[JOINED_AFTER] == 0)
            frame.heat = heat_of(drawing, own_figure(drawing, i));
        *vec_add(&drawing->frames) = frame;
    }
}

static void find_most(struct drawing *drawing)
{
    for (size_t i = 0; i < drawing->tree->calls.nodes.count; i++) {
        const struct change_figure *figure = own_figure(drawing, i);

        if (!figure->is_noise && distance(figure) > drawing->most)
            drawing->most = distance(figure);
    }
}

void flame_diff_add(struct text *svg, const struct changes *changes, const struct change_tree *tree,
                    bool is_negated, const struct flame_look *look)
{
    SCOPED(drawing_done)
    struct drawing drawing = {
        .changes = changes, .tree = tree, .is_negated = is_negated, .is_reversed = look->is_reversed};
    bool is_time = changes->measure.kind == MEASURE_CPU;
    const char *more = is_time ? "slower" : "more";
    const char *less = is_time ? "faster" : "less";
    const struct change_node *root = &tree->nodes[0];
    bool is_empty = root->total.amounts[JOINED_AFTER] == 0 && root->gone == 0;
    struct flame_look diff = *look;

    short_paths_init(&drawing.paths, &changes->joined);
    find_most(&drawing);
    add_present(&drawing);
    add_gone(&drawing);
    flame_lay_out(drawing.frames.items, drawing.frames.count);
    diff.palette = PALETTE_DIFF;
    diff.more = is_negated ? less : more;
    diff.less = is_negated ? more : less;
    diff.gone_is_more = is_negated;
    diff.was_more = drawing.was_more;
    diff.unit = diff.units = "";
    flame_graph_add(svg, drawing.frames.items, is_empty ? 0 : drawing.frames.count, &diff);
}
