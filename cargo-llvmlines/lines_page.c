#include "lines_page.h"

#include "base/units.h"
#include "page/treemap.h"

/* Where one group stands in the picture. */
struct place {
    struct slice crate;  /* label */
    struct slice module; /* path behind the crate; empty for what stands in the crate itself */
    struct slice name;
    uint64_t lines;
    enum treemap_hue hue;
};

/* The picture while it is made. */
struct boxes {
    struct arena arena;
    VEC(struct place) places;
    VEC(struct treemap_node) nodes;
};

static void boxes_done(struct boxes *boxes)
{
    arena_done(&boxes->arena);
    vec_done(&boxes->places);
    vec_done(&boxes->nodes);
}

static struct slice keep(struct boxes *boxes, const struct text *text)
{
    return (struct slice){arena_copy(&boxes->arena, text_slice(text)), text->length};
}

static enum treemap_hue hue_of(const struct program_node *node, struct slice crate)
{
    if (crate.length == 0)
        return TREEMAP_FOREIGN;
    if (node->is_own)
        return TREEMAP_OWN;
    return symbol_crate_is_std(crate) ? TREEMAP_STD : TREEMAP_DEPENDENCY;
}

/* The place of a group, as any of its functions tells it. */
static struct place place_of(struct boxes *boxes, const struct program *program, struct symbol *symbol,
                             uint32_t node)
{
    SCOPED(text_done) struct text label = {0};
    SCOPED(text_done) struct text module = {0};
    uint32_t group = program->nodes.items[node].group;
    struct symbol_crate crate;

    symbol_parse(symbol, program_symbol(program, node));
    crate = symbol_defining_crate(symbol).crate;
    if (crate.name.length > 0)
        crates_add_label(&program->measurement->crates, crate.name, crate.disambiguator, &label);
    else
        text_add_string(&label, "[Unknown]");
    symbol_add_module(&module, symbol);
    return (struct place){
        .crate = keep(boxes, &label),
        .module = slice_range(keep(boxes, &module), crate.name.length + SLICE("::").length, module.length),
        .name = program->labels[group],
        .lines = program->measurement->groups.items.items[group].lines,
        .hue = hue_of(&program->nodes.items[node], crate.name),
    };
}

static void add_places(struct boxes *boxes, const struct program *program)
{
    SCOPED(symbol_done) struct symbol symbol = {0};
    bool *is_placed = ARENA_ARRAY(&boxes->arena, program->measurement->groups.items.count, bool);

    for (uint32_t node = 0; node < program->nodes.count; node++) {
        uint32_t group = program->nodes.items[node].group;

        if (group == INTERN_NONE || is_placed[group])
            continue;
        is_placed[group] = true;
        *vec_add(&boxes->places) = place_of(boxes, program, &symbol, node);
    }
}

static int compare_places(const void *left, const void *right)
{
    const struct place *a = left;
    const struct place *b = right;
    int order = slice_compare(a->crate, b->crate);

    if (order == 0)
        order = slice_compare(a->module, b->module);
    if (order == 0 && a->lines != b->lines)
        order = a->lines > b->lines ? -1 : 1;
    return order ? order : slice_compare(a->name, b->name);
}

static size_t open_box(struct boxes *boxes, uint32_t depth, struct slice name, const struct place *place,
                       uint32_t shade)
{
    *vec_add(&boxes->nodes) =
        (struct treemap_node){.name = name, .depth = depth, .shade = shade, .hue = place->hue};
    return boxes->nodes.count - 1;
}

static void add_boxes(struct boxes *boxes)
{
    const struct place *last = NULL;
    uint32_t shade = 0;
    size_t crate = 0;
    size_t module = 0;
    size_t function = 0;

    for (size_t i = 0; i < boxes->places.count; i++) {
        const struct place *place = &boxes->places.items[i];
        bool is_new_crate = !last || !slice_equal(place->crate, last->crate);

        if (is_new_crate)
            crate = open_box(boxes, 1, place->crate, place, ++shade);
        if (is_new_crate || !slice_equal(place->module, last->module))
            module = place->module.length > 0 ? open_box(boxes, 2, place->module, place, shade) : crate;
        function = open_box(boxes, module == crate ? 2 : 3, place->name, place, shade);
        boxes->nodes.items[function].detail = place->name;
        boxes->nodes.items[function].weight = place->lines;
        boxes->nodes.items[crate].weight += place->lines;
        boxes->nodes.items[0].weight += place->lines;
        if (module != crate)
            boxes->nodes.items[module].weight += place->lines;
        last = place;
    }
}

typedef void add_picture_fn(struct text *out, const struct treemap_node *nodes, size_t count,
                            const struct treemap_look *look);

static void add_treemap(const struct program *program, add_picture_fn *add, struct text *out)
{
    const struct measurement *measurement = program->measurement;
    SCOPED(boxes_done) struct boxes boxes = {0};
    SCOPED(text_done) struct text subtitle = {0};
    struct treemap_look look = {
        .title = slice_of(measurement->units.count > 0 ? measurement->units.items[0].label : ""),
        .unit = "line",
        .levels = "crate, module, generic",
    };

    if (measurement->units.count > 1)
        look.title = SLICE("LLVM IR of all targets");
    *vec_add(&boxes.nodes) = (struct treemap_node){.name = look.title, .hue = TREEMAP_REST};
    add_places(&boxes, program);
    vec_sort(&boxes.places, compare_places);
    add_boxes(&boxes);
    units_add_count(&subtitle, measurement->groups.lines);
    text_add_string(&subtitle, " lines of LLVM IR in ");
    units_add_count(&subtitle, measurement->groups.copies);
    text_add_string(&subtitle, " functions, by whose source it is");
    look.subtitle = text_slice(&subtitle);
    add(out, boxes.nodes.items, boxes.nodes.count, &look);
}

static void render_html(void *context, struct text *out)
{
    add_treemap(context, treemap_add_html, out);
}

static void render_svg(void *context, struct text *out)
{
    add_treemap(context, treemap_add_svg, out);
}

const struct outputs_form lines_page_forms[] = {{".html", render_html}, {".svg", render_svg}, {NULL, NULL}};
