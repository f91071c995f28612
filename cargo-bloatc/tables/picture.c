#include "tables/picture.h"

#include "base/units.h"
#include "page/treemap_places.h"
#include "rust/symbol_path.h"
#include "tables/data_tables.h"

/* The picture while it is made. */
struct boxes {
    struct arena arena;
    struct treemap_places places;
    uint64_t measured_bytes; /* what the filter leaves out counts, too */
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
    copy = arena_slice(&boxes->arena, text_slice(&path));
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

        boxes->measured_bytes += measured->size_bytes;
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

        boxes->measured_bytes += data->size_bytes;
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

/* What was measured; without a filter all boxes add up to it. */
static struct slice measured_part(const struct picture *picture)
{
    if (picture->settings->by == BY_DATA)
        return SLICE("data");
    return picture->settings->with_data ? SLICE("the whole file") : slice_of(picture->settings->section);
}

/* What all boxes add up to: ".text", "the crate serde in .text". */
static void add_shown_part(struct text *text, const struct picture *picture)
{
    const struct filter *filter = picture->filter;

    if (filter->crate.length > 0)
        text_format(text, "the crate %.*s in ", SLICE_ARGUMENTS(filter->crate));
    else if (filter->regex)
        text_format(text, "what matches %s in ", picture->settings->filter);
    text_add(text, measured_part(picture));
}

static void add_subtitle(struct text *text, const struct boxes *boxes, const struct picture *picture)
{
    uint64_t shown_bytes = boxes->places.nodes.items[0].weight;

    text_add(text, boxes->places.nodes.items[0].name);
    text_add_string(text, ": ");
    units_add_bytes(text, shown_bytes);
    if (picture->settings->filter) {
        text_add_string(text, " of ");
        units_add_bytes(text, boxes->measured_bytes);
    }
    text_add_string(text, picture->settings->filter ? " in a file of " : " of a file of ");
    units_add_bytes(text, picture->measurement->file_bytes);
}

typedef void add_picture_fn(struct text *out, const struct treemap_node *nodes, size_t count,
                            const struct treemap_look *look);

static void add_treemap(const struct picture *picture, add_picture_fn *add, struct text *out)
{
    SCOPED(boxes_done) struct boxes boxes = {0};
    SCOPED(text_done) struct text shown_part = {0};
    SCOPED(text_done) struct text subtitle = {0};
    struct treemap_look look = {
        .title = slice_of(picture->path), .unit = "byte", .levels = "crate, module, function"};

    if (picture->settings->by == BY_DATA) {
        look.levels = "crate, section, piece of data";
        add_pieces(&boxes, picture);
    } else {
        add_places(&boxes, picture);
    }
    add_shown_part(&shown_part, picture);
    treemap_places_arrange(&boxes.places, (struct treemap_node){.name = text_slice(&shown_part),
                                                                .detail = slice_of(picture->path),
                                                                .hue = TREEMAP_REST});
    add_subtitle(&subtitle, &boxes, picture);
    look.subtitle = text_slice(&subtitle);
    look.whole = (struct treemap_whole){measured_part(picture), boxes.measured_bytes};
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
