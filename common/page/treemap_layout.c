#include "page/treemap_layout.h"

#include <stdbool.h>

/* One row of boxes along the shorter side of what room is left. */
struct row {
    double area;     /* of all of them */
    double largest;  /* area */
    double smallest; /* area */
};

/* How far the least square box of the row is from a square: 1 or more. */
static double worst_ratio(const struct row *row, double side)
{
    double thickness = row->area / side;
    double wide = row->largest / (thickness * thickness);
    double narrow = thickness * thickness / row->smallest;

    return wide > narrow ? wide : narrow;
}

/* How many of the weights stand in the next row: as many as make it squarer. */
static size_t row_length(const uint64_t *weights, size_t count, double unit_area, double side,
                         struct row *out)
{
    struct row row = {0};
    size_t length = 0;

    for (; length < count; length++) {
        double area = (double)weights[length] * unit_area;
        struct row longer = {row.area + area, length == 0 ? area : row.largest, area};

        if (length > 0 && worst_ratio(&longer, side) > worst_ratio(&row, side))
            break;
        row = longer;
    }
    *out = row;
    return length;
}

/* Lays the row at the start of the room, which shrinks by it. */
static void place_row(struct treemap_box *room, const struct row *row, const uint64_t *weights, size_t length,
                      double unit_area, struct treemap_box *boxes)
{
    bool is_column = room->width >= room->height;
    double side = is_column ? room->height : room->width;
    double thickness = row->area / side;
    double at = 0;

    for (size_t i = 0; i < length; i++) {
        double extent = (double)weights[i] * unit_area / thickness;

        boxes[i] = is_column ? (struct treemap_box){room->x, room->y + at, thickness, extent}
                             : (struct treemap_box){room->x + at, room->y, extent, thickness};
        at += extent;
    }
    if (is_column) {
        room->x += thickness;
        room->width -= thickness;
    } else {
        room->y += thickness;
        room->height -= thickness;
    }
}

void treemap_lay_out(struct treemap_box room, uint64_t whole, const uint64_t *weights, size_t count,
                     struct treemap_box *boxes)
{
    double unit_area = whole > 0 ? room.width * room.height / (double)whole : 0;
    size_t done = 0;

    while (done < count) {
        double side = room.width < room.height ? room.width : room.height;
        struct row row;
        size_t length = 0;

        /* Nothing is left to divide: rounding, or a room without extent. */
        if (!(side > 0) || !(unit_area > 0)) {
            boxes[done++] = (struct treemap_box){room.x, room.y, 0, 0};
            continue;
        }
        length = row_length(weights + done, count - done, unit_area, side, &row);
        place_row(&room, &row, weights + done, length, unit_area, boxes + done);
        done += length;
    }
}
