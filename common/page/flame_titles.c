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

static void add_lines(struct text *out, const struct flame_frame *frame, const struct flame_look *look,
                      uint64_t whole)
{
    text_add_xml_line(out, frame->name);
    text_add_byte(out, '\n');
    add_figures(out, frame, look, whole);
    if (frame->detail.length > 0) {
        text_add_byte(out, '\n');
        text_add_xml_line(out, frame->detail);
    }
}

void flame_titles_add(struct text *svg, const struct flame_frame *frame, const struct flame_look *look,
                      uint64_t whole)
{
    text_add_string(svg, "<title>");
    add_lines(svg, frame, look, whole);
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

void flame_titles_add_shared(struct text *svg, const struct flame_titles *titles,
                             const struct flame_look *look, uint64_t whole)
{
    if (titles->firsts.count == 0)
        return;
    text_add_string(svg, "<defs id=\"titles\">\n");
    for (size_t i = 0; i < titles->firsts.count; i++) {
        text_add_string(svg, "<desc>");
        add_lines(svg, &titles->firsts.items[i], look, whole);
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
