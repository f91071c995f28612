#include "page/treemap.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "base/vec.h"
#include "page/assets.h"
#include "page/flame_label.h"
#include "page/treemap_layout.h"
#include "json/json_out.h"

/* The picture without scripts, in pixels. */
enum {
    WIDTH = 1200,
    HEIGHT = 800,
    MARGIN = 10,
    HEAD_HEIGHT = 60,
    FOOT_HEIGHT = 30,
    NAME_HEIGHT = 16, /* of a box around others */
    LEAST_SIDE = 3,   /* of boxes that are drawn */
    BASELINE = 11,    /* of names below a box's upper edge */
    NAME_COLUMNS_LEAST = 3,
    KEY_STEP = 130,
    SHADES = 4,
};

/* Of the font, which has the same width for every letter. */
#define LETTER_WIDTH 6.7

static const struct {
    char class;
    const char *label;
} hues[TREEMAP_HUE_COUNT] = {
    [TREEMAP_OWN] = {'o', "own crates"},
    [TREEMAP_DEPENDENCY] = {'d', "dependencies"},
    [TREEMAP_STD] = {'s', "std"},
    [TREEMAP_CRATE] = {'k', "crates"},
    [TREEMAP_FOREIGN] = {'c', "C and other"},
    [TREEMAP_REST] = {'u', "nobody's code"},
};

struct drawing {
    struct text *out;
    const struct treemap_node *nodes;
    size_t *ends; /* owned; past the last box inside each */
    const struct treemap_look *look;
    bool has_hue[TREEMAP_HUE_COUNT]; /* inside the first box, which is all of it */
};

static void find_ends(struct drawing *drawing, size_t count)
{
    VEC(size_t) open = {0};

    drawing->ends = memory_new(count, sizeof(*drawing->ends));
    for (size_t i = 0; i <= count; i++) {
        size_t depth = i < count ? drawing->nodes[i].depth : 0;

        while (open.count > depth)
            drawing->ends[open.items[--open.count]] = i;
        if (i < count)
            *vec_add(&open) = i;
    }
    vec_done(&open);
}

static void add_class(struct text *text, const struct treemap_node *node)
{
    text_format(text, "%c%u", hues[node->hue].class, node->shade % SHADES);
}

static void add_figure(struct text *text, uint64_t weight, const char *unit)
{
    if (strcmp(unit, "byte") == 0) {
        units_add_bytes(text, weight);
        return;
    }
    units_add_count(text, weight);
    text_format(text, " %s%s", unit, weight == 1 ? "" : "s");
}

static void add_title(struct drawing *drawing, const struct treemap_node *node)
{
    struct text *svg = drawing->out;

    text_add_string(svg, "<title>");
    text_add_xml_line(svg, node->detail.length > 0 ? node->detail : node->name);
    text_add_byte(svg, '\n');
    add_figure(svg, node->weight, drawing->look->unit);
    text_add_string(svg, ", ");
    units_add_percent(svg, node->weight, drawing->look->whole.weight);
    text_add_string(svg, " of ");
    text_add_xml_line(svg, drawing->look->whole.name);
    text_add_string(svg, "</title>");
}

static void add_name(struct text *svg, struct slice name, const struct treemap_box *box)
{
    SCOPED(text_done) struct text shown = {0};
    SCOPED(text_done) struct text label = {0};
    double columns = (box->width - 6) / LETTER_WIDTH;

    if (columns < NAME_COLUMNS_LEAST || box->height < NAME_HEIGHT - 2)
        return;
    text_add_terminal(&shown, name);
    flame_label_add(&label, text_slice(&shown), (size_t)columns);
    text_format(svg, "<text x=\"%.1f\" y=\"%.1f\">", box->x + 3, box->y + BASELINE);
    text_add_xml(svg, text_slice(&label));
    text_add_string(svg, "</text>");
}

static bool is_drawn(const struct treemap_box *box)
{
    return box->width >= LEAST_SIDE && box->height >= LEAST_SIDE;
}

static void add_box(struct drawing *drawing, const struct treemap_node *node, const struct treemap_box *box)
{
    struct text *svg = drawing->out;

    text_add_string(svg, "<g class=\"");
    add_class(svg, node);
    text_add_string(svg, "\">");
    add_title(drawing, node);
    text_format(svg, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", box->x, box->y,
                box->width, box->height);
    add_name(svg, node->name, box);
    text_add_string(svg, "</g>\n");
}

/* By weight from the largest, equal ones in their order. */
static int compare_inner(const void *left, const void *right, void *context)
{
    const struct drawing *drawing = context;
    const struct treemap_node *nodes = drawing->nodes;
    size_t a = *(const size_t *)left;
    size_t b = *(const size_t *)right;

    if (nodes[a].weight != nodes[b].weight)
        return nodes[a].weight > nodes[b].weight ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* The boxes directly inside one, those without weight left out. */
struct inner {
    VEC(size_t) nodes;
    uint64_t *weights;         /* owned */
    struct treemap_box *boxes; /* owned */
};

static void inner_done(struct inner *inner)
{
    vec_done(&inner->nodes);
    free(inner->weights);
    free(inner->boxes);
}

static void find_inner(struct drawing *drawing, size_t node, struct treemap_box room, struct inner *inner)
{
    size_t count = 0;

    for (size_t at = node + 1; at < drawing->ends[node]; at = drawing->ends[at])
        if (drawing->nodes[at].weight > 0)
            *vec_add(&inner->nodes) = at;
    count = inner->nodes.count;
    if (count == 0)
        return;
    qsort_r(inner->nodes.items, count, sizeof(size_t), compare_inner, drawing);
    inner->weights = memory_new(count, sizeof(*inner->weights));
    inner->boxes = memory_new(count, sizeof(*inner->boxes));
    for (size_t i = 0; i < count; i++)
        inner->weights[i] = drawing->nodes[inner->nodes.items[i]].weight;
    treemap_lay_out(room, drawing->nodes[node].weight, inner->weights, count, inner->boxes);
}

static void draw(struct drawing *drawing, size_t node, struct treemap_box box)
{
    SCOPED(inner_done) struct inner inner = {0};
    double head = box.height >= NAME_HEIGHT ? NAME_HEIGHT : 0;
    struct treemap_box room = {box.x + 2, box.y + head, box.width - 4, box.height - head - 2};

    if (!is_drawn(&box) || drawing->nodes[node].depth >= TREEMAP_DEPTH_MOST)
        return;
    add_box(drawing, &drawing->nodes[node], &box);
    if (room.width <= 0 || room.height <= 0)
        return;
    find_inner(drawing, node, room, &inner);
    for (size_t i = 0; i < inner.nodes.count; i++)
        draw(drawing, inner.nodes.items[i], inner.boxes[i]);
}

static void add_heading(struct text *svg, const char *class, int y, struct slice line)
{
    enum { HEAD_COLUMNS = 130 };
    SCOPED(text_done) struct text shown = {0};
    SCOPED(text_done) struct text cut = {0};

    text_add_terminal(&shown, line);
    flame_label_add_start(&cut, text_slice(&shown), HEAD_COLUMNS);
    text_format(svg, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, MARGIN, y);
    text_add_xml(svg, text_slice(&cut));
    text_add_string(svg, "</text>\n");
}

static void add_key(const struct drawing *drawing)
{
    int y = HEIGHT - FOOT_HEIGHT / 2;
    int x = MARGIN;

    for (int i = 0; i < TREEMAP_HUE_COUNT; i++) {
        if (!drawing->has_hue[i])
            continue;
        text_format(drawing->out,
                    "<g class=\"%c0\"><rect x=\"%d\" y=\"%d\" width=\"11\" height=\"11\"/>"
                    "<text class=\"soft\" x=\"%d\" y=\"%d\">%s</text></g>\n",
                    hues[i].class, x, y - 5, x + 16, y + 5, hues[i].label);
        x += KEY_STEP;
    }
}

/* The picture inside its <svg> element, without its style. */
static void add_picture(struct drawing *drawing, size_t count)
{
    struct treemap_box room = {MARGIN, HEAD_HEIGHT, WIDTH - 2 * MARGIN, HEIGHT - HEAD_HEIGHT - FOOT_HEIGHT};

    text_add_string(drawing->out, "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
    add_heading(drawing->out, "heading", 26, drawing->look->title);
    add_heading(drawing->out, "soft", 46, drawing->look->subtitle);
    if (count > 0)
        draw(drawing, 0, room);
    add_key(drawing);
}

static struct drawing drawing_of(struct text *out, const struct treemap_node *nodes, size_t count,
                                 const struct treemap_look *look)
{
    struct drawing drawing = {.out = out, .nodes = nodes, .look = look};

    if (count > 0)
        find_ends(&drawing, count);
    for (size_t i = 1; i < count; i++)
        drawing.has_hue[nodes[i].hue] |= nodes[i].weight > 0;
    return drawing;
}

void treemap_add_svg(struct text *svg, const struct treemap_node *nodes, size_t count,
                     const struct treemap_look *look)
{
    struct drawing drawing = drawing_of(svg, nodes, count, look);

    text_format(svg,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
                "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n<title>",
                WIDTH, HEIGHT, WIDTH, HEIGHT);
    text_add_xml_line(svg, look->title);
    text_add_string(svg, "</title>\n<style>");
    text_add(svg, page_treemap_style());
    text_add_string(svg, "</style>\n");
    add_picture(&drawing, count);
    text_add_string(svg, "</svg>\n");
    free(drawing.ends);
}

/* As it reads in the SVG: what would turn round or break the text beside it is written out. */
static void put_text(struct json_out *out, struct slice bytes)
{
    SCOPED(text_done) struct text shown = {0};

    text_add_terminal(&shown, bytes);
    json_put_string(out, text_slice(&shown));
}

/* As treemap.js takes them. */
static void add_data(struct text *html, const struct treemap_node *nodes, size_t count,
                     const struct treemap_look *look)
{
    SCOPED(text_done) struct text data = {0};
    SCOPED(text_done) struct text class = {0};
    struct json_out out = json_out_of(&data);

    json_begin_object(&out);
    json_put_key(&out, "unit");
    json_put_string(&out, slice_of(look->unit));
    json_put_key(&out, "whole");
    json_begin_array(&out);
    put_text(&out, look->whole.name);
    json_put_u64(&out, look->whole.weight);
    json_end_array(&out);
    json_put_key(&out, "boxes");
    json_begin_array(&out);
    for (size_t i = 0; i < count; i++) {
        text_clear(&class);
        add_class(&class, &nodes[i]);
        json_begin_array(&out);
        json_put_u64(&out, nodes[i].depth);
        json_put_u64(&out, nodes[i].weight);
        json_put_string(&out, text_slice(&class));
        put_text(&out, nodes[i].name);
        if (nodes[i].detail.length > 0)
            put_text(&out, nodes[i].detail);
        json_end_array(&out);
    }
    json_end_array(&out);
    json_end_object(&out);
    /* "</script>" or "<!--" within a name must not end the element: in JSON "<" may be written so. */
    for (size_t i = 0; i < data.length; i++)
        if (data.data[i] == '<')
            text_add_string(html, "\\u003c");
        else
            text_add_byte(html, data.data[i]);
}

static void add_page_head(const struct drawing *drawing)
{
    struct text *html = drawing->out;
    const struct treemap_look *look = drawing->look;

    text_add_string(html,
                    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    text_add_xml_line(html, look->title);
    text_add_string(html, "</title>\n<style>");
    text_add(html, page_treemap_style());
    text_add(html, page_treemap_page_style());
    text_add_string(html, "</style>\n</head>\n<body>\n<header><h1>");
    text_add_xml_line(html, look->title);
    text_add_string(html, "</h1><span id=\"subtitle\">");
    text_add_xml_line(html, look->subtitle);
    text_add_string(html,
                    "</span>\n<div id=\"panel\"><span id=\"matched\" role=\"status\"></span>"
                    "<input id=\"search\" type=\"search\" placeholder=\"search: regular expression ( / )\" "
                    "aria-label=\"search by regular expression\" spellcheck=\"false\"></div></header>\n"
                    "<nav id=\"path\" aria-label=\"where\"></nav>\n<main id=\"map\"></main>\n"
                    "<div id=\"tip\" role=\"tooltip\" hidden></div>\n<footer><ul id=\"key\">");
    for (int i = 0; i < TREEMAP_HUE_COUNT; i++)
        if (drawing->has_hue[i])
            text_format(html, "<li class=\"%c0\"><i></i>%s</li>", hues[i].class, hues[i].label);
    text_add_string(html, "</ul><span id=\"levels\">");
    text_add_xml(html, slice_of(look->levels));
    text_add_string(html,
                    "; click to go inside, Esc to go back</span><span id=\"left-out\"></span></footer>\n");
}

void treemap_add_html(struct text *html, const struct treemap_node *nodes, size_t count,
                      const struct treemap_look *look)
{
    struct drawing drawing = drawing_of(html, nodes, count, look);

    add_page_head(&drawing);
    text_format(html, "<noscript><svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", WIDTH, HEIGHT,
                WIDTH, HEIGHT);
    add_picture(&drawing, count);
    text_add_string(html, "</svg></noscript>\n<script type=\"application/json\" id=\"data\">");
    add_data(html, nodes, count, look);
    text_add_string(html, "</script>\n<script>\n");
    text_add(html, page_treemap_script());
    text_add_string(html, "</script>\n</body>\n</html>\n");
    free(drawing.ends);
}
