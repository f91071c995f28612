#include "picture.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/units.h"
#include "page/treemap.h"
#include "rust/symbol_path.h"

/* Where one function stands in the picture. */
struct place {
    struct slice crate;  /* the name of its box */
    struct slice module; /* path without the crate; empty for what stands in the crate itself */
    struct slice name;
    const struct measured *measured;
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

/* "fmt::num" of "core::fmt::num". */
static struct slice without_crate(struct slice path)
{
    for (size_t i = 0; i + 1 < path.length; i++)
        if (path.data[i] == ':' && path.data[i + 1] == ':')
            return slice_range(path, i + 2, path.length);
    return (struct slice){0};
}

/* The module's path; the whole of it where the function is of another crate than the box around. */
static struct slice module_of(struct boxes *boxes, const struct measured *measured, struct slice crate)
{
    SCOPED(symbol_done) struct symbol symbol = {0};
    SCOPED(text_done) struct text path = {0};
    struct slice copy;
    bool is_inside = false;

    if (measured->kind != MEASURED_FUNCTION)
        return (struct slice){0};
    symbol_parse(&symbol, measured->symbol);
    symbol_add_module(&path, &symbol);
    copy = (struct slice){arena_copy(&boxes->arena, text_slice(&path)), path.length};
    is_inside =
        slice_starts_with(copy, crate) && (copy.length == crate.length || copy.data[crate.length] == ':');
    return is_inside ? without_crate(copy) : copy;
}

static void add_places(struct boxes *boxes, const struct picture *picture)
{
    for (size_t i = 0; i < picture->measurement->items.count; i++) {
        const struct measured *measured = &picture->measurement->items.items[i];
        struct slice crate = filter_crate_row(measured, picture->settings->split_std);
        struct error ignored = {0};

        if (filter_takes(picture->filter, measured, &ignored) == 1)
            *vec_add(&boxes->places) = (struct place){
                .crate = crate,
                .module = module_of(boxes, measured, crate),
                .name = measured->name,
                .measured = measured,
            };
    }
}

static int compare_places(const void *left, const void *right)
{
    const struct place *a = left;
    const struct place *b = right;
    int order = slice_compare(a->crate, b->crate);

    if (order == 0)
        order = slice_compare(a->module, b->module);
    if (order == 0 && a->measured->size_bytes != b->measured->size_bytes)
        order = a->measured->size_bytes > b->measured->size_bytes ? -1 : 1;
    return order ? order : slice_compare(a->name, b->name);
}

static bool is_of_crate(const struct measured *measured)
{
    return measured->kind == MEASURED_FUNCTION || measured->kind == MEASURED_OF_CRATE;
}

static enum treemap_hue hue_of(const struct measured *measured)
{
    if (!is_of_crate(measured))
        return TREEMAP_REST;
    if (measured->is_std)
        return TREEMAP_STD;
    if (measured->is_own)
        return TREEMAP_OWN;
    return measured->crate.length > 0 ? TREEMAP_DEPENDENCY : TREEMAP_FOREIGN;
}

/* FNV-1a: one crate has one shade in every picture. */
static uint32_t shade_of(struct slice name)
{
    uint32_t hash = 2166136261U;

    for (size_t i = 0; i < name.length; i++)
        hash = (hash ^ (uint8_t)name.data[i]) * 16777619U;
    return hash >> 8;
}

static size_t open_box(struct boxes *boxes, uint32_t depth, struct slice name, const struct place *place)
{
    *vec_add(&boxes->nodes) = (struct treemap_node){
        .name = name,
        .depth = depth,
        .shade = shade_of(place->crate),
        .hue = hue_of(place->measured),
    };
    return boxes->nodes.count - 1;
}

/* Gaps are boxes of their own, with nothing inside. */
static void add_boxes(struct boxes *boxes)
{
    const struct place *last = NULL;
    size_t crate = 0;
    size_t module = 0;

    for (size_t i = 0; i < boxes->places.count; i++) {
        const struct place *place = &boxes->places.items[i];
        bool is_new_crate = !last || !slice_equal(place->crate, last->crate);
        bool is_new_module = is_new_crate || !slice_equal(place->module, last->module);
        size_t function = 0;

        if (is_new_crate)
            crate = open_box(boxes, 1, place->crate, place);
        if (is_new_module)
            module = place->module.length > 0 ? open_box(boxes, 2, place->module, place) : crate;
        boxes->nodes.items[crate].weight += place->measured->size_bytes;
        boxes->nodes.items[0].weight += place->measured->size_bytes;
        if (module != crate)
            boxes->nodes.items[module].weight += place->measured->size_bytes;
        if (is_of_crate(place->measured)) {
            function = open_box(boxes, module == crate ? 2 : 3, place->name, place);
            boxes->nodes.items[function].weight = place->measured->size_bytes;
            boxes->nodes.items[function].detail = place->name;
        }
        last = place;
    }
}

/* What all boxes add up to. */
static struct slice measured_part(const struct picture *picture)
{
    return picture->settings->with_data ? SLICE("the whole file") : slice_of(picture->settings->section);
}

static void fill(struct boxes *boxes, const struct picture *picture)
{
    *vec_add(&boxes->nodes) = (struct treemap_node){
        .name = measured_part(picture),
        .detail = slice_of(picture->path),
        .hue = TREEMAP_REST,
    };
    add_places(boxes, picture);
    vec_sort(&boxes->places, compare_places);
    add_boxes(boxes);
}

typedef void add_picture_fn(struct text *out, const struct treemap_node *nodes, size_t count,
                            const struct treemap_look *look);

static void add_treemap(const struct picture *picture, add_picture_fn *add, struct text *out)
{
    SCOPED(boxes_done) struct boxes boxes = {0};
    SCOPED(text_done) struct text subtitle = {0};
    struct treemap_look look = {
        .title = slice_of(picture->path), .unit = "byte", .levels = "crate, module, function"};

    fill(&boxes, picture);
    text_add(&subtitle, measured_part(picture));
    text_add_string(&subtitle, ": ");
    units_add_bytes(&subtitle, boxes.nodes.items[0].weight);
    text_add_string(&subtitle, " of a file of ");
    units_add_bytes(&subtitle, picture->measurement->file_bytes);
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

const struct outputs_form picture_forms[] = {{".html", render_html}, {".svg", render_svg}, {NULL, NULL}};
