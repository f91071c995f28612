#include "page/flame_titles.h"

#include "base/units.h"
#include "page/flame_least_weight.h"

void flame_titles_done(struct flame_titles *titles)
{
    intern_done(&titles->known);
    vec_done(&titles->firsts);
    vec_done(&titles->of_boxes);
    text_done(&titles->scratch);
}

uint64_t flame_titles_least_weight(uint64_t whole, unsigned width_px)
{
    static const double pointed_at_px = 2;

    return flame_weight_of_width(pointed_at_px, whole, width_px);
}

/* "1,234 samples, 12.34%; itself 1.20%" */
static void add_figures(struct text *out, const struct flame_frame *frame, const struct flame_look *look,
                        uint64_t whole)
{
    bool is_one = frame->weight == 1;

    if (frame->figures.length > 0) {
        text_add_xml(out, frame->figures);
        return;
    }
    units_add_count(out, frame->weight);
    text_add_byte(out, ' ');
    text_add_string(out, !is_one && look->units ? look->units : look->unit);
    text_add_string(out, is_one || look->units ? ", " : "s, ");
    units_add_share(out, frame->weight, whole, 2);
    if (frame->self > 0 && frame->self < frame->weight) {
        text_add_string(out, "; itself ");
        units_add_share(out, frame->self, whole, 2);
    }
}

/* Frames of one function have the same bytes as a line, which is in the file already but for the first time.
 */
static void add_line(struct text *svg, struct flame_titles *titles, struct slice line)
{
    struct flame_line *known = &titles->lines[((uintptr_t)line.data >> 3) % FLAME_KNOWN_LINES];

    if (known->line.data != line.data || known->line.length != line.length) {
        size_t at = svg->length;

        text_add_xml_line(svg, line);
        *known = (struct flame_line){line, at, svg->length - at};
        return;
    }
    text_make_room(svg, known->length);
    text_add(svg, slice_range(text_slice(svg), known->at, known->at + known->length));
}

static void add_lines(struct text *svg, struct flame_titles *titles, const struct flame_frame *frame,
                      const struct flame_look *look, uint64_t whole)
{
    add_line(svg, titles, frame->name);
    text_add_byte(svg, '\n');
    add_figures(svg, frame, look, whole);
    if (frame->detail.length > 0) {
        text_add_byte(svg, '\n');
        add_line(svg, titles, frame->detail);
    }
}

void flame_titles_add(struct text *svg, struct flame_titles *titles, const struct flame_frame *frame,
                      const struct flame_look *look, uint64_t whole)
{
    text_add_string(svg, "<title>");
    add_lines(svg, titles, frame, look, whole);
    text_add_string(svg, "</title>");
}

/*
 * Two frames with the same bytes here have the same title: many times faster than to write each. Frames of
 * one name as good as always have the very same bytes of it; where not, a title is there twice.
 */
static void add_key(struct text *key, const struct flame_frame *frame)
{
    uint64_t start[] = {(uintptr_t)frame->name.data, frame->name.length, frame->weight,
                        frame->self < frame->weight ? frame->self : 0};

    if (frame->figures.length > 0)
        start[2] = start[3] = 0;
    text_add(key, (struct slice){(const char *)start, sizeof(start)});
    text_add(key, frame->figures);
    text_add_byte(key, '\0');
    text_add(key, frame->detail);
}

void flame_titles_share(struct flame_titles *titles, const struct flame_frame *frame)
{
    uint32_t title = 0;

    text_clear(&titles->scratch);
    add_key(&titles->scratch, frame);
    title = intern_add(&titles->known, text_slice(&titles->scratch));
    if (title == titles->firsts.count)
        *vec_add(&titles->firsts) = *frame;
    *vec_add(&titles->of_boxes) = title;
}

void flame_titles_add_shared(struct text *svg, struct flame_titles *titles, const struct flame_look *look,
                             uint64_t whole)
{
    if (titles->firsts.count == 0)
        return;
    text_add_string(svg, "<defs id=\"titles\">\n");
    for (size_t i = 0; i < titles->firsts.count; i++) {
        text_add_string(svg, "<desc>");
        add_lines(svg, titles, &titles->firsts.items[i], look, whole);
        text_add_string(svg, "</desc>\n");
    }
    text_add_string(svg, "</defs>\n");
}

void flame_titles_add_owners(struct text *svg, const struct flame_titles *titles)
{
    for (size_t i = 0; i < titles->of_boxes.count; i++) {
        text_add_decimal(svg, titles->of_boxes.items[i]);
        if (i + 1 < titles->of_boxes.count)
            text_add_string(svg, i % 16 == 15 ? ",\n" : ",");
    }
}
