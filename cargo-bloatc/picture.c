#include "picture.h"

#include "base/units.h"
#include "data_tables.h"
#include "page/treemap_places.h"
#include "rust/symbol_path.h"

/* The picture while it is made. */
struct boxes {
    struct arena arena;
    struct treemap_places places;
};

static void boxes_done(struct boxes *boxes)
{
    arena_done(&boxes->arena);
    treemap_places_done(&boxes->places);
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

static bool is_of_crate(const struct measured *measured)
{
    return measured->kind == MEASURED_FUNCTION || measured->kind == MEASURED_OF_CRATE;
}

/* Of a file alone, without cargo's word on what is in the workspace, a crate may be either. */
static enum treemap_hue hue_of(const struct measurement *measurement, const struct measured *measured)
{
    if (!is_of_crate(measured))
        return TREEMAP_REST;
    if (measured->is_std)
        return TREEMAP_STD;
    if (measured->is_own)
        return TREEMAP_OWN;
    if (measured->crate_index != SIZE_NO_CRATE &&
        measurement->crates.items.items[measured->crate_index].kind == CRATE_KIND_DEPENDENCY)
        return TREEMAP_DEPENDENCY;
    return measured->crate.length > 0 ? TREEMAP_CRATE : TREEMAP_FOREIGN;
}

/* Gaps are boxes of their own, with nothing inside. */
static void add_places(struct boxes *boxes, const struct picture *picture)
{
    for (size_t i = 0; i < picture->measurement->items.count; i++) {
        const struct measured *measured = &picture->measurement->items.items[i];
        struct slice crate = filter_crate_row(measured, picture->settings->split_std);
        struct error ignored = {0};

        if (filter_takes(picture->filter, measured, &ignored) == 1)
            *vec_add(&boxes->places.items) = (struct treemap_place){
                .crate = crate,
                .module = module_of(boxes, measured, crate),
                .name = measured->name,
                .weight = measured->size_bytes,
                .hue = hue_of(picture->measurement, measured),
                .is_bare = !is_of_crate(measured),
            };
    }
}

/* The same of data: crates, the sections in them, the pieces of those. */
static void add_pieces(struct boxes *boxes, const struct picture *picture)
{
    for (size_t i = 0; i < picture->measurement->data.count; i++) {
        const struct measured_data *data = &picture->measurement->data.items[i];
        const struct measured *owner = &picture->measurement->items.items[data->owner];
        struct slice label = data_label(&boxes->arena, data, owner);
        struct error ignored = {0};

        if (data_filter_takes(picture->filter, owner, label, &ignored) == 1)
            *vec_add(&boxes->places.items) = (struct treemap_place){
                .crate = filter_crate_row(owner, picture->settings->split_std),
                .module = data->section,
                .name = label,
                .weight = data->size_bytes,
                .hue = hue_of(picture->measurement, owner),
            };
    }
}

/* What all boxes add up to. */
static struct slice measured_part(const struct picture *picture)
{
    if (picture->settings->by == BY_DATA)
        return SLICE("data");
    return picture->settings->with_data ? SLICE("the whole file") : slice_of(picture->settings->section);
}

typedef void add_picture_fn(struct text *out, const struct treemap_node *nodes, size_t count,
                            const struct treemap_look *look);

static void add_treemap(const struct picture *picture, add_picture_fn *add, struct text *out)
{
    SCOPED(boxes_done) struct boxes boxes = {0};
    SCOPED(text_done) struct text subtitle = {0};
    struct treemap_look look = {
        .title = slice_of(picture->path), .unit = "byte", .levels = "crate, module, function"};

    if (picture->settings->by == BY_DATA) {
        look.levels = "crate, section, piece of data";
        add_pieces(&boxes, picture);
    } else {
        add_places(&boxes, picture);
    }
    treemap_places_arrange(&boxes.places, (struct treemap_node){.name = measured_part(picture),
                                                                .detail = slice_of(picture->path),
                                                                .hue = TREEMAP_REST});
    text_add(&subtitle, measured_part(picture));
    text_add_string(&subtitle, ": ");
    units_add_bytes(&subtitle, boxes.places.nodes.items[0].weight);
    text_add_string(&subtitle, " of a file of ");
    units_add_bytes(&subtitle, picture->measurement->file_bytes);
    look.subtitle = text_slice(&subtitle);
    add(out, boxes.places.nodes.items, boxes.places.nodes.count, &look);
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
