/*
 * Treemaps: boxes inside boxes, each as large as its share. Two forms of one picture: a self-contained page
 * in which people zoom, search and point, and an SVG that every viewer shows.
 */
#ifndef PAGE_TREEMAP_H
#define PAGE_TREEMAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "base/text.h"

/* What a box's colour tells. */
enum treemap_hue {
    TREEMAP_OWN,
    TREEMAP_DEPENDENCY,
    TREEMAP_STD,
    TREEMAP_CRATE,   /* own or a dependency: it is not known which */
    TREEMAP_FOREIGN, /* C, C++, assembly */
    TREEMAP_REST,    /* what is nobody's */
    TREEMAP_HUE_COUNT,
};

/* One box. Boxes come in the order of a walk: a box before those inside it. */
struct treemap_node {
    struct slice name;   /* what stands in the box, as much as there is room for, any bytes; not empty */
    struct slice detail; /* what is told in place of it, any bytes: a file's path; may be empty */
    uint64_t weight;     /* at least the sum of those inside; what they leave stays bare */
    uint32_t depth;      /* of the first, which holds all others: 0; of one inside one more than around it */
    uint32_t shade;      /* which shade of the hue; any number, boxes with the same one look the same */
    enum treemap_hue hue;
};

/* What shares are of: the first box, or what that is a part of. */
struct treemap_whole {
    struct slice name; /* behind "of ": ".text", "all lines" */
    uint64_t weight;   /* at least the first box's */
};

struct treemap_look {
    struct slice title;
    struct slice subtitle; /* may be empty */
    struct treemap_whole whole;
    const char *unit;   /* what one unit of weight is: "line"; more of them get an "s". "byte": as 84.9KiB */
    const char *levels; /* what stands inside what, for people: "crate, module, function" */
};

/* How deep boxes are drawn; those further inside are left out. */
enum { TREEMAP_DEPTH_MOST = 24 };

/* Appends the page, whose key has the hues that some box has. Without scripts it shows what the SVG shows. */
void treemap_add_html(struct text *html, const struct treemap_node *nodes, size_t count,
                      const struct treemap_look *look);

/* Appends the SVG. */
void treemap_add_svg(struct text *svg, const struct treemap_node *nodes, size_t count,
                     const struct treemap_look *look);

#endif
