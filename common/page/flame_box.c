#include "page/flame_box.h"

#include <string.h>

enum {
    NUMBER_MOST_BYTES = TEXT_DECIMAL_MOST_BYTES,
    DISTANCE_MOST_BYTES = NUMBER_MOST_BYTES + sizeof(".1234%") - 1,
};

/* What is written at `at` has room there; where it ends. */
#define PUT(at, literal) ((char *)memcpy(at, literal, sizeof(literal) - 1) + sizeof(literal) - 1)

static char *put_distance(char *at, uint64_t part, uint64_t whole)
{
    enum { PARTS = 1000000, FRACTION = 10000 };
    uint64_t parts = 0;

    if (whole > 0)
        parts = part <= UINT64_MAX / PARTS ? part * PARTS / whole
                                           : (uint64_t)((unsigned __int128)part * PARTS / whole);
    at = text_put_decimal(at, parts / FRACTION);
    parts %= FRACTION;
    if (parts > 0)
        *at++ = '.';
    for (unsigned digit = FRACTION / 10; parts > 0; digit /= 10) {
        *at++ = (char)('0' + parts / digit);
        parts %= digit;
    }
    *at++ = '%';
    return at;
}

/* Gives back what of the room is behind `end`. */
static void end_at(struct text *svg, const char *end)
{
    svg->length = (size_t)(end - svg->data);
}

void flame_box_add_distance(struct text *svg, uint64_t part, uint64_t whole)
{
    end_at(svg, put_distance(text_extend(svg, DISTANCE_MOST_BYTES), part, whole));
}

void flame_box_add_rect(struct text *svg, const struct flame_box *box)
{
    static const char words[] = "<rect x=\"\" y=\"\" width=\"\" height=\"\"/>";
    char *at = text_extend(svg, sizeof(words) + 2 * DISTANCE_MOST_BYTES + 2 * NUMBER_MOST_BYTES);

    at = PUT(at, "<rect x=\"");
    at = put_distance(at, box->start, box->whole);
    at = PUT(at, "\" y=\"");
    at = text_put_decimal(at, box->top);
    at = PUT(at, "\" width=\"");
    at = put_distance(at, box->weight, box->whole);
    at = PUT(at, "\" height=\"");
    at = text_put_decimal(at, box->height);
    end_at(svg, PUT(at, "\"/>"));
}

void flame_box_add_data(struct text *svg, uint64_t start, uint64_t weight, uint64_t depth, uint64_t look)
{
    char *at = text_extend(svg, 4 * NUMBER_MOST_BYTES + 3);

    at = text_put_decimal(at, start);
    *at++ = ',';
    at = text_put_decimal(at, weight);
    *at++ = ',';
    at = text_put_decimal(at, depth);
    *at++ = ',';
    end_at(svg, text_put_decimal(at, look));
}
