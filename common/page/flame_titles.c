#include "page/flame_titles.h"

#include "base/units.h"
#include "page/flame_least_weight.h"

void flame_titles_done(struct flame_titles *titles)
{
    intern_done(&titles->known);
    vec_done(&titles->firsts);
    vec_done(&titles->lines_of_firsts);
    vec_done(&titles->of_boxes);
    text_done(&titles->scratch);
}

uint64_t flame_titles_least_weight(uint64_t whole, unsigned width_px)
{
    static const double pointed_at_px = 2;

    return flame_weight_of_width(pointed_at_px, whole, width_px);
}

/* "1,234 samples, 12.34%; itself 1.20%". The bytes stay until the next are asked for. */
static struct slice figures_of(struct flame_titles *titles, const struct flame_frame *frame,
                               const struct flame_look *look, uint64_t whole)
{
    struct text *out = &titles->scratch;
    bool is_one = frame->weight == 1;

    if (frame->figures.length > 0)
        return frame->figures;
    text_clear(out);
    units_add_count(out, frame->weight);
    text_add_byte(out, ' ');
    text_add_string(out, !is_one && look->units ? look->units : look->unit);
    text_add_string(out, is_one || look->units ? ", " : "s, ");
    units_add_share(out, frame->weight, whole, 2);
    if (frame->self > 0 && frame->self < frame->weight) {
        text_add_string(out, "; itself ");
        units_add_share(out, frame->self, whole, 2);
    }
    return text_slice(out);
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

void flame_titles_add(struct text *svg, struct flame_titles *titles, const struct flame_frame *frame,
                      const struct flame_look *look, uint64_t whole)
{
    text_add_string(svg, "<title>");
    add_line(svg, titles, frame->name);
    text_add_byte(svg, '\n');
    text_add_xml(svg, figures_of(titles, frame, look, whole));
    if (frame->detail.length > 0) {
        text_add_byte(svg, '\n');
        add_line(svg, titles, frame->detail);
    }
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

void flame_titles_add_lines(struct text *svg, struct flame_titles *titles, const struct flame_look *look,
                            uint64_t whole)
{
    SCOPED(intern_done) struct intern lines = {0};

    if (titles->firsts.count == 0)
        return;
    for (size_t i = 0; i < titles->firsts.count; i++) {
        const struct flame_frame *frame = &titles->firsts.items[i];
        const struct slice parts[] = {frame->name, figures_of(titles, frame, look, whole), frame->detail};

        for (size_t k = 0; k < ARRAY_COUNT(parts); k++)
            *vec_add(&titles->lines_of_firsts) = intern_add(&lines, parts[k]);
    }
    text_add_string(svg, "<desc id=\"lines\">");
    for (uint32_t i = 0; i < lines.entries.count; i++) {
        text_add_string(svg, i > 0 ? "\n" : "");
        text_add_xml_line(svg, intern_text(&lines, i));
    }
    text_add_string(svg, "</desc>\n");
}

static void add_numbers(struct text *svg, const uint32_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        text_add_decimal(svg, numbers[i]);
        if (i + 1 < count)
            text_add_string(svg, i % 16 == 15 ? ",\n" : ",");
    }
}

void flame_titles_add_numbers(struct text *svg, const struct flame_titles *titles)
{
    text_add_string(svg, "titles: [\n");
    add_numbers(svg, titles->lines_of_firsts.items, titles->lines_of_firsts.count);
    text_add_string(svg, "], titlesOfBoxes: [\n");
    add_numbers(svg, titles->of_boxes.items, titles->of_boxes.count);
    text_add_byte(svg, ']');
}
