#include "page/flame_graph.h"

#include "base/intern.h"
#include "base/units.h"
#include "base/vec.h"
#include "page/assets.h"
#include "page/flame_box.h"
#include "page/flame_label.h"
#include "page/flame_least_weight.h"
#include "page/flame_rows.h"
#include "page/flame_titles.h"

/* The picture without scripts, in pixels; flame.js goes by the same figures. */
enum {
    ROW_HEIGHT = 18,
    BOX_HEIGHT = 17,
    TEXT_BASELINE = 13, /* below a box's upper edge */
    TEXT_INSET = 4,
    HEAD_HEIGHT = 92,
    FOOT_HEIGHT = 32,
    SHADES = 4,
    HEAD_COLUMNS = 112, /* that the title's larger letters have room for */
};

/* Of the font, which has the same width for every letter. */
#define LETTER_WIDTH 7.25

static const struct {
    char class;
    const char *label;
} hues[FLAME_HUE_COUNT] = {
    [FLAME_FRAMEWORK] = {'t', NULL},
    [FLAME_OWN] = {'o', "own crates"},
    [FLAME_DEPENDENCY] = {'d', "dependencies"},
    [FLAME_STD] = {'s', "std"},
    [FLAME_KERNEL] = {'k', "kernel"},
    [FLAME_OTHER] = {'c', "C and other"},
    [FLAME_UNKNOWN] = {'u', "unknown"},
};

/* The drawing of one picture. */
struct drawing {
    struct text *svg;
    const struct flame_frame *frames;
    size_t count;
    const struct flame_look *look;
    uint64_t whole; /* the root's weight */
    unsigned width; /* of the picture, in pixels */
    struct flame_least least;
    uint64_t titled;        /* the least weight of boxes with a title of their own */
    uint32_t rows;          /* how many rows of boxes there are */
    struct flame_rows seen; /* owned, as all that follow */
    struct flame_titles titles;
    struct intern classes; /* of boxes that only the script makes, */
    VEC(uint32_t) looks;   /* and which of them each box has that is drawn, from 1 on; 0: it is in the file */
    struct text scratch;
};

static bool is_drawn(const struct drawing *drawing, const struct flame_frame *frame)
{
    return flame_least_allows(drawing->least, frame);
}

/* Whether a call has no box. Of two profiles' tree some have none now that were. */
static bool leaves_out(const struct drawing *drawing)
{
    for (size_t i = 0; i < drawing->count; i++)
        if (drawing->frames[i].weight > 0 && !is_drawn(drawing, &drawing->frames[i]))
            return true;
    return false;
}

static uint32_t row_top(const struct drawing *drawing, uint32_t depth)
{
    uint32_t row = drawing->look->is_inverted ? depth : drawing->rows - 1 - depth;

    return HEAD_HEIGHT + row * ROW_HEIGHT;
}

static void add_label(struct drawing *drawing, const struct flame_frame *frame, uint32_t top)
{
    double room = drawing->width * (double)frame->weight / (double)drawing->whole - 2 * TEXT_INSET;
    SCOPED(text_done) struct text name = {0};

    if (room < 3 * LETTER_WIDTH)
        return;
    text_clear(&drawing->scratch);
    text_add_terminal(&name, frame->name);
    flame_label_add(&drawing->scratch, text_slice(&name), (size_t)(room / LETTER_WIDTH));
    text_add_string(drawing->svg, "<text x=\"");
    flame_box_add_distance(drawing->svg, frame->start, drawing->whole);
    text_format(drawing->svg, "\" dx=\"%d\" y=\"%u\">", TEXT_INSET, top + TEXT_BASELINE);
    text_add_xml(drawing->svg, text_slice(&drawing->scratch));
    text_add_string(drawing->svg, "</text>");
}

static void add_diff_class(struct text *out, const struct flame_frame *frame)
{
    text_add_byte(out, frame->heat > 0 ? 'm' : frame->heat < 0 ? 'l' : 'e');
    if (frame->heat != 0)
        text_format(out, "%d", frame->heat > 0 ? frame->heat : -frame->heat);
    text_add_string(out, frame->is_gone ? " gone" : frame->is_inlined ? " i" : "");
}

/* The classes of its group: what it looks like. */
static void add_class(struct text *out, enum flame_palette palette, const struct flame_frame *frame)
{
    bool is_code = frame->hue != FLAME_FRAMEWORK && frame->hue != FLAME_UNKNOWN;

    if (palette == PALETTE_DIFF) {
        add_diff_class(out, frame);
        return;
    }
    if (palette == PALETTE_JAVA)
        palette = flame_palette_of_language(frame->hue == FLAME_KERNEL, frame->is_inlined,
                                            slice_has(frame->name, SLICE("::")));
    if (palette == PALETTE_CODE || !is_code) {
        text_add_byte(out, hues[frame->hue].class);
        text_add_byte(out, (char)('0' + frame->shade % SHADES));
    } else {
        text_format(out, "p%u%u", (unsigned)palette, frame->name_shade % FLAME_PALETTE_SHADES);
    }
    text_add_string(out, frame->is_inlined ? " i" : "");
}

/* A box that begins at `start`. */
static void add_box(struct drawing *drawing, const struct flame_frame *frame, uint64_t start)
{
    struct text *svg = drawing->svg;
    uint32_t top = row_top(drawing, frame->depth);
    uint64_t weight = frame->start + frame->weight - start;

    text_add_string(svg, "<g class=\"");
    add_class(svg, drawing->look->palette, frame);
    text_add_string(svg, "\">");
    if (frame->weight >= drawing->titled)
        flame_titles_add(svg, &drawing->titles, frame, drawing->look, drawing->whole);
    flame_box_add_rect(svg, &(struct flame_box){start, weight, drawing->whole, top, BOX_HEIGHT});
    add_label(drawing, frame, top);
    text_add_string(svg, "</g>\n");
}

/* Boxes that are not seen before somebody zooms in are figures alone, of which the script makes them then. */
static void add_frame(struct drawing *drawing, const struct flame_frame *frame)
{
    uint64_t start = 0;
    uint32_t look = 0;

    if (flame_rows_place(&drawing->seen, frame, &start)) {
        add_box(drawing, frame, start);
    } else {
        text_clear(&drawing->scratch);
        add_class(&drawing->scratch, drawing->look->palette, frame);
        look = 1 + intern_add(&drawing->classes, text_slice(&drawing->scratch));
    }
    if (frame->weight < drawing->titled)
        flame_titles_share(&drawing->titles, frame);
    *vec_add(&drawing->looks) = look;
}

static bool has_inlined(const struct drawing *drawing)
{
    for (size_t i = 0; i < drawing->count; i++)
        if (drawing->frames[i].is_inlined && is_drawn(drawing, &drawing->frames[i]))
            return true;
    return false;
}

/* One colour of the key, at x; where the next one begins. */
static unsigned add_key_colour(struct drawing *drawing, const char *class, const char *label, unsigned x)
{
    text_format(drawing->svg,
                "<g class=\"%s\"><rect x=\"%u\" y=\"64\" width=\"12\" height=\"12\" rx=\"2\"/></g>"
                "<text x=\"%u\" y=\"74\">",
                class, x, x + 17);
    text_add_xml(drawing->svg, slice_of(label));
    text_add_string(drawing->svg, "</text>");
    return x + 17 + (unsigned)((double)slice_of(label).length * LETTER_WIDTH) + 14;
}

static unsigned add_diff_key(struct drawing *drawing, unsigned x)
{
    x = add_key_colour(drawing, "m5", drawing->look->more, x);
    x = add_key_colour(drawing, "l5", drawing->look->less, x);
    return add_key_colour(drawing, "e", "within noise, or nothing of its own", x);
}

/* What stands above all of std's in a picture that is walked from the root. */
struct owners {
    bool are_wanted;
    VEC(enum flame_hue) by_depth;
};

/* Whose the frame's own time is: its own hue, or where that is std's that of who called it. */
static enum flame_hue owner_of(struct owners *owners, const struct flame_frame *frame)
{
    enum flame_hue hue = frame->hue;
    enum flame_hue callers = FLAME_FRAMEWORK;

    if (!owners->are_wanted)
        return hue;
    if (owners->by_depth.count > frame->depth)
        owners->by_depth.count = frame->depth;
    if (owners->by_depth.count > 0)
        callers = owners->by_depth.items[owners->by_depth.count - 1];
    if (hue == FLAME_STD && callers != FLAME_FRAMEWORK)
        hue = callers;
    *vec_add(&owners->by_depth) = hue;
    return hue;
}

/* The key to the colours: each hue with the share of the time that was spent in such code itself. */
static void add_key(struct drawing *drawing)
{
    uint64_t self[FLAME_HUE_COUNT] = {0};
    bool shows[FLAME_HUE_COUNT] = {false};
    struct owners owners = {.are_wanted = drawing->look->std_is_callers && !drawing->look->is_reversed};
    unsigned x = 10;

    for (size_t i = 0; i < drawing->count; i++) {
        const struct flame_frame *frame = &drawing->frames[i];

        self[owner_of(&owners, frame)] += frame->self;
        shows[frame->hue] |= is_drawn(drawing, frame);
    }
    vec_done(&owners.by_depth);
    text_add_string(drawing->svg, "<g id=\"key\">");
    if (drawing->look->palette == PALETTE_DIFF && drawing->count > 0)
        x = add_diff_key(drawing, x);
    for (size_t hue = 0; hue < FLAME_HUE_COUNT && drawing->look->palette == PALETTE_CODE; hue++) {
        size_t before = 0;

        if (!hues[hue].label || !shows[hue])
            continue;
        text_format(drawing->svg,
                    "<g class=\"%c1\"><rect x=\"%u\" y=\"64\" width=\"12\" height=\"12\" rx=\"2\"/></g>",
                    hues[hue].class, x);
        text_format(drawing->svg, "<text x=\"%u\" y=\"74\">", x + 17);
        before = drawing->svg->length;
        text_format(drawing->svg, "%s ", hues[hue].label);
        units_add_share(drawing->svg, self[hue], drawing->whole, 1);
        x += 17 + (unsigned)((double)(drawing->svg->length - before) * LETTER_WIDTH) + 14;
        text_add_string(drawing->svg, "</text>");
    }
    if (has_inlined(drawing))
        text_format(drawing->svg, "<text class=\"i\" x=\"%u\" y=\"74\">inlined</text>", x);
    text_add_string(drawing->svg, "</g>\n");
}

/* Of a long line the end goes, and not what stands behind it. */
static void add_line(struct drawing *drawing, const char *id, unsigned y, struct slice line,
                     struct slice behind)
{
    SCOPED(text_done) struct text shown = {0};

    text_add_terminal(&shown, line);
    text_clear(&drawing->scratch);
    flame_label_add_start(&drawing->scratch, text_slice(&shown), HEAD_COLUMNS - behind.length);
    text_format(drawing->svg, "<text id=\"%s\" x=\"10\" y=\"%u\">", id, y);
    text_add_xml(drawing->svg, text_slice(&drawing->scratch));
    if (behind.length > 0) {
        text_add_string(drawing->svg, "<tspan>");
        text_add_xml(drawing->svg, behind);
        text_add_string(drawing->svg, "</tspan>");
    }
    text_add_string(drawing->svg, "</text>\n");
}

/*
 * "boxes below 0.008% are left out (94.3% in all)", or "boxes of 0.008% from row 12 on and narrower ones are
 * left out (94.3% in all)", or nothing.
 */
static void add_left_out(struct text *line, const struct drawing *drawing)
{
    uint64_t self = 0;

    if (!leaves_out(drawing))
        return;
    for (size_t i = 0; i < drawing->count; i++)
        if (!is_drawn(drawing, &drawing->frames[i]))
            self += drawing->frames[i].self;
    text_format(line, "boxes %s %.3f%%", drawing->least.rows == UINT32_MAX ? "below" : "of",
                100 * (double)drawing->least.weight / (double)drawing->whole);
    if (drawing->least.rows != UINT32_MAX)
        text_format(line, " from row %u on and narrower ones", drawing->least.rows + 1);
    text_add_string(line, " are left out (");
    units_add_percent(line, self, drawing->whole);
    text_add_string(line, " in all)");
}

static void add_subtitle(struct drawing *drawing)
{
    SCOPED(text_done) struct text left_out = {0};

    if (drawing->look->subtitle.length > 0 && leaves_out(drawing))
        text_add_string(&left_out, "; ");
    add_left_out(&left_out, drawing);
    add_line(drawing, "subtitle", 46, drawing->look->subtitle, text_slice(&left_out));
}

static void add_notes(struct drawing *drawing)
{
    if (drawing->look->notes.length == 0)
        return;
    text_add_string(drawing->svg, "<desc id=\"notes\">");
    text_add_xml(drawing->svg, drawing->look->notes);
    text_add_string(drawing->svg, "</desc>\n");
}

static void add_head(struct drawing *drawing)
{
    struct text *svg = drawing->svg;
    unsigned height = HEAD_HEIGHT + (drawing->rows ? drawing->rows : 1) * ROW_HEIGHT + FOOT_HEIGHT;

    text_format(
        svg,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\">\n"
        "<title>",
        drawing->width, height, drawing->width, height);
    text_add_xml(svg, drawing->look->title);
    text_add_string(svg, "</title>\n<style>\n");
    text_add(svg, page_flame_style());
    flame_palette_add_style(svg, drawing->look->palette, drawing->look->gone_is_more);
    text_add_string(svg, "</style>\n");
    add_notes(drawing);
    text_add_string(svg, "<rect id=\"paper\" width=\"100%\" height=\"100%\"/>\n<g id=\"frames\">\n");
}

/* What boxes of a comparison were, in the order in which they are drawn, and what there is now. */
static void add_was(struct drawing *drawing)
{
    const char *separator = "";
    uint64_t whole = drawing->whole;
    bool was_more = drawing->look->was_more;

    if (drawing->look->palette != PALETTE_DIFF)
        return;
    text_add_string(drawing->svg, "flame.was = [\n");
    for (size_t i = 0; i < drawing->count; i++) {
        const struct flame_frame *frame = &drawing->frames[i];

        if (frame->is_gone && frame->depth == 1)
            whole -= frame->weight;
        was_more = was_more || (frame->was > 0 && !is_drawn(drawing, frame));
        if (!is_drawn(drawing, frame))
            continue;
        text_format(drawing->svg, "%s%llu", separator, (unsigned long long)frame->was);
        separator = i % 16 ? "," : ",\n";
    }
    text_format(drawing->svg, "];\nflame.whole = %llu;\nflame.wasMore = %s;\n", (unsigned long long)whole,
                was_more ? "true" : "false");
}

/* Which boxes are threads. */
static void add_threads(struct drawing *drawing)
{
    const char *separator = "";
    size_t box = 0;

    for (size_t i = 0; i < drawing->count; i++) {
        if (!is_drawn(drawing, &drawing->frames[i]))
            continue;
        if (drawing->frames[i].is_thread) {
            text_format(drawing->svg, "%s%zu", separator, box);
            separator = ",";
        }
        box++;
    }
}

/* What boxes that the script makes look like. */
static void add_looks(struct drawing *drawing)
{
    for (uint32_t i = 0; i < drawing->classes.entries.count; i++)
        text_format(drawing->svg, i > 0 ? ",\"%s\"" : "\"%s\"", intern_text(&drawing->classes, i).data);
}

/*
 * What flame.js needs and cannot read off the boxes exactly: start, weight, depth and look of each, and the
 * titles of those that have none of their own.
 */
static void add_data(struct drawing *drawing)
{
    struct text *svg = drawing->svg;
    const char *separator = "";
    size_t drawn = 0;

    text_format(svg,
                "<script><![CDATA[\nconst flame = {isInverted: %s, rows: %u, rowHeight: %d, "
                "boxHeight: %d, baseline: %d, inset: %d, head: %d, foot: %d, "
                "leastPixels: %.1f, lonePixels: %.1f, fixedWidth: %u, hasThreads: %s, isPart: %s, "
                "frames: [\n",
                drawing->look->is_inverted ? "true" : "false", drawing->rows, ROW_HEIGHT, BOX_HEIGHT,
                TEXT_BASELINE, TEXT_INSET, HEAD_HEIGHT, FOOT_HEIGHT, FLAME_LEAST_PX, FLAME_LONE_PX,
                drawing->look->width_px, drawing->look->has_threads ? "true" : "false",
                leaves_out(drawing) ? "true" : "false");
    for (size_t i = 0; i < drawing->count; i++) {
        const struct flame_frame *frame = &drawing->frames[i];

        if (!is_drawn(drawing, frame))
            continue;
        text_add_string(svg, separator);
        flame_box_add_data(svg, frame->start, frame->weight, frame->depth, drawing->looks.items[drawn]);
        separator = drawn++ % 8 ? "," : ",\n";
    }
    text_add_string(svg, "], looks: [");
    add_looks(drawing);
    text_add_string(svg, "], threads: [");
    add_threads(drawing);
    text_add_string(svg, "], ");
    flame_titles_add_numbers(svg, &drawing->titles);
    text_add_string(svg, "};\n");
    add_was(drawing);
    text_add(svg, page_flame_script());
    text_add_string(svg, "]]></script>\n");
}

static void measure(struct drawing *drawing)
{
    drawing->whole = drawing->count ? drawing->frames[0].weight : 0;
    drawing->least =
        flame_least_weight(drawing->frames, drawing->count, drawing->look->min_width_px, drawing->width);
    drawing->titled = flame_titles_least_weight(drawing->whole, drawing->width);
    flame_rows_begin(&drawing->seen, drawing->whole, drawing->width);
    for (size_t i = 0; i < drawing->count; i++)
        if (is_drawn(drawing, &drawing->frames[i]) && drawing->frames[i].depth >= drawing->rows)
            drawing->rows = drawing->frames[i].depth + 1;
}

void flame_graph_add(struct text *svg, const struct flame_frame *frames, size_t count,
                     const struct flame_look *look)
{
    struct drawing drawing = {
        .svg = svg,
        .frames = frames,
        .count = count,
        .look = look,
        .width = look->width_px ? look->width_px : FLAME_USUAL_WIDTH_PX,
    };

    measure(&drawing);
    text_make_room(svg, drawing.least.bytes);
    add_head(&drawing);
    for (size_t i = 0; i < count; i++)
        if (is_drawn(&drawing, &frames[i]))
            add_frame(&drawing, &frames[i]);
    text_add_string(svg, "</g>\n");
    flame_titles_add_lines(svg, &drawing.titles, look, drawing.whole);
    text_add_string(svg, "<g id=\"bar\">\n<rect id=\"cover\" width=\"100%\" height=\"84\"/>\n");
    add_line(&drawing, "heading", 26, look->title, (struct slice){0});
    add_subtitle(&drawing);
    add_key(&drawing);
    text_add_string(svg, "</g>\n");
    if (drawing.rows == 0)
        add_line(&drawing, "empty", HEAD_HEIGHT + 13, SLICE("Nothing was sampled."), (struct slice){0});
    else
        add_data(&drawing);
    text_add_string(svg, "</svg>\n");
    flame_rows_done(&drawing.seen);
    flame_titles_done(&drawing.titles);
    intern_done(&drawing.classes);
    vec_done(&drawing.looks);
    text_done(&drawing.scratch);
}
