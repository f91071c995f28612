#include "view/lines_page.h"

#include "base/units.h"
#include "counts/unit_crate.h"
#include "page/treemap_places.h"
#include "rust/crate_name.h"
#include "rust/std_crates.h"

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

static struct slice keep(struct boxes *boxes, const struct text *text)
{
    return arena_slice(&boxes->arena, text_slice(text));
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
static struct treemap_place place_of(struct boxes *boxes, const struct program *program,
                                     struct symbol *symbol, uint32_t node)
{
    SCOPED(text_done) struct text label = {0};
    SCOPED(text_done) struct text module = {0};
    uint32_t group = program->nodes.items[node].group;
    struct symbol_crate crate;

    symbol_parse(symbol, program_symbol(program, node));
    crate = program_crate(program, node, symbol);
    /* Names of std's crates tell a hash or none, by their mangling. */
    if (std_crates_own(crate.name))
        crate.disambiguator = 0;
    if (crate.name.length > 0)
        crates_add_label(&program->measurement->crates, crate.name, crate.disambiguator, &label);
    else
        text_add_string(&label, CRATE_NAME_UNKNOWN);
    if (!unit_crate_has_source_of(symbol))
        symbol_add_module(&module, symbol);
    return (struct treemap_place){
        .crate = keep(boxes, &label),
        .module = slice_range(keep(boxes, &module), crate.name.length + SLICE("::").length, module.length),
        .name = program->labels[group],
        .weight = program->measurement->groups.items.items[group].lines,
        .hue = hue_of(&program->nodes.items[node], crate.name),
    };
}

static void add_places(struct boxes *boxes, const struct lines_page *page)
{
    const struct program *program = page->program;
    SCOPED(symbol_done) struct symbol symbol = {0};
    bool *is_placed = ARENA_ARRAY(&boxes->arena, program->measurement->groups.items.count, bool);

    for (uint32_t node = 0; node < program->nodes.count; node++) {
        uint32_t group = program->nodes.items[node].group;

        if (group == INTERN_NONE || is_placed[group] || !page->tables->has_row[group])
            continue;
        is_placed[group] = true;
        *vec_add(&boxes->places.items) = place_of(boxes, program, &symbol, node);
    }
}

typedef void add_picture_fn(struct text *out, const struct treemap_node *nodes, size_t count,
                            const struct treemap_look *look);

static void add_subtitle(struct text *text, const struct boxes *boxes, const struct lines_page *page)
{
    const struct groups *groups = &page->program->measurement->groups;

    if (page->filter) {
        text_format(text, "what matches %s: ", page->filter);
        units_add_count(text, boxes->places.nodes.items[0].weight);
        text_add_string(text, " of ");
    }
    units_add_count(text, groups->lines);
    text_add_string(text, " lines of LLVM IR in ");
    units_add_count(text, groups->copies);
    text_add_string(text, " functions, by whose source it is");
}

static struct slice title_of(const struct measurement *measurement)
{
    if (measurement->units.count > 1)
        return SLICE("LLVM IR of all targets");
    return slice_of(measurement->units.count > 0 ? measurement->units.items[0].label : "");
}

static void add_treemap(const struct lines_page *page, add_picture_fn *add, struct text *out)
{
    const struct measurement *measurement = page->program->measurement;
    SCOPED(boxes_done) struct boxes boxes = {0};
    SCOPED(text_done) struct text shown_part = {0};
    SCOPED(text_done) struct text subtitle = {0};
    struct treemap_look look = {
        .title = title_of(measurement),
        .whole = {SLICE("all lines"), measurement->groups.lines},
        .unit = "line",
        .levels = "crate, module, generic",
    };

    add_places(&boxes, page);
    if (page->filter)
        text_format(&shown_part, "what matches %s in ", page->filter);
    text_add(&shown_part, look.title);
    treemap_places_arrange(&boxes.places,
                           (struct treemap_node){.name = text_slice(&shown_part), .hue = TREEMAP_REST});
    add_subtitle(&subtitle, &boxes, page);
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

const struct outputs_form lines_page_forms[] = {{".html", render_html}, {".svg", render_svg}, {NULL, NULL}};
