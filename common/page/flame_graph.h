/*
 * Flame graphs: one self-contained SVG file that a browser lets people zoom, search and turn over, and that
 * any other viewer shows as a picture. Calls lie on their callers, as wide as their share of the whole.
 */
#ifndef PAGE_FLAME_GRAPH_H
#define PAGE_FLAME_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "base/text.h"
#include "page/flame_palette.h"

/* What a frame's colour tells. */
enum flame_hue {
    FLAME_FRAMEWORK, /* no code: the root, a thread */
    FLAME_OWN,
    FLAME_DEPENDENCY,
    FLAME_STD,
    FLAME_KERNEL,
    FLAME_OTHER,
    FLAME_UNKNOWN,
    FLAME_HUE_COUNT,
};

/* One box. Frames come in the order of a walk from the root: a caller before its calls, from left to right.
 */
struct flame_frame {
    struct slice name;   /* any bytes; */
    struct slice detail; /* what the title says beside the figures, any bytes; may be empty */
    uint64_t start;      /* where it begins, in units of weight from the left; within its caller */
    uint64_t weight;     /* its width */
    uint64_t self;       /* part of the weight that no call of its own covers */
    uint32_t depth;      /* of the root: 0; of a call one more than of its caller */
    uint32_t shade;      /* which shade of the hue; any number, frames with the same one look the same */
    uint32_t name_shade; /* the same by name, for palettes that are not by whose code it is */
    bool is_inlined;     /* into its caller: marked */
    bool is_thread;      /* called by what runs it: searched where no function matches */
    bool is_gone;        /* PALETTE_DIFF: its width is that of before; now there is nothing */
    enum flame_hue hue;
    struct slice figures; /* what the title says in place of weight and self; empty: those */
    int heat;             /* PALETTE_DIFF: -FLAME_HEAT_MOST to FLAME_HEAT_MOST, 0 neither more nor less */
    uint64_t was; /* PALETTE_DIFF: what it was before, in units of weight; of what is gone apart, not */
};

struct flame_look {
    struct slice title;
    struct slice subtitle; /* may be empty */
    const char *unit;      /* what one unit of weight is: "sample" */
    const char *units;     /* what more of them are; NULL: with an "s" behind */
    bool is_inverted;      /* the root is at the top (icicle) */
    double min_width_px;   /* frames narrower than this are left out; below 0: none; 0: of a picture over
                              1 MB those that nobody sees, where less than half a percent is spent in them */
    unsigned width_px;  /* of the picture; 0: FLAME_USUAL_WIDTH_PX, and in a browser as wide as the window */
    struct slice notes; /* kept in the file, and shown where the title is pointed at; may be empty */
    enum flame_palette palette;
    bool std_is_callers; /* in the key what std's code has itself is of the code that called it */
    bool is_reversed;    /* the root's calls are where samples were taken, theirs the callers */
    bool has_threads;    /* each call of the root is a thread, of which one may be picked */
    const char *more;    /* PALETTE_DIFF: what red means: "slower" */
    const char *less;    /* PALETTE_DIFF: and blue */
    bool gone_is_more;   /* PALETTE_DIFF: what is gone is of red's kind */
    bool was_more;       /* PALETTE_DIFF: calls that are in no frame were something, too */
};

enum { FLAME_USUAL_WIDTH_PX = 1200 };

/* A browser takes about a second for a picture of so many bytes. */
enum { FLAME_MOST_BYTES = 5000000 };

/*
 * No picture has more boxes, as each takes so many bytes. Of more frames those need not be given that are not
 * among so many heaviest, of one weight those nearest the root. What they have of their own is then that of
 * some of weight 1 in a row of their own, below all others: they are not drawn beside so many.
 */
enum { FLAME_BOX_LEAST_BYTES = 24, FLAME_MOST_BOXES = FLAME_MOST_BYTES / FLAME_BOX_LEAST_BYTES + 1 };

/*
 * Appends the SVG. The first frame is the root; without frames the picture says that nothing was sampled.
 * Where it would be larger than FLAME_MOST_BYTES the narrowest boxes are left out, of one width those
 * farthest from the root. Whatever is left out, the picture says up to which width, and how much of the whole
 * was spent in it.
 */
void flame_graph_add(struct text *svg, const struct flame_frame *frames, size_t count,
                     const struct flame_look *look);

#endif
