/* The colours of flame graphs, by the names that FlameGraph and its successors have for them. */
#ifndef PAGE_FLAME_PALETTE_H
#define PAGE_FLAME_PALETTE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum flame_palette {
    PALETTE_CODE, /* by whose code it is: what is drawn unless told otherwise; also called "rust" */
    PALETTE_HOT,
    PALETTE_MEM,
    PALETTE_IO,
    PALETTE_RED,
    PALETTE_GREEN,
    PALETTE_BLUE,
    PALETTE_AQUA,
    PALETTE_YELLOW,
    PALETTE_PURPLE,
    PALETTE_ORANGE,
    PALETTE_WAKEUP,
    PALETTE_JAVA, /* by language, as in mixed-mode Java profiles: C, C++ and Rust, kernel, inlined calls */
    PALETTE_DIFF, /* by what changed: red more, blue less; not by name */
    PALETTE_COUNT,
};

/* What may be given for a palette, NULL-terminated; several names may stand for one palette. */
extern const char *const flame_palette_names[];

/* The palette of flame_palette_names[place]. */
enum flame_palette flame_palette_at(size_t place);

/* How many shades each palette but PALETTE_CODE and PALETTE_DIFF has. */
enum { FLAME_PALETTE_SHADES = 10 };

/* How many shades PALETTE_DIFF has of red, and of blue. */
enum { FLAME_HEAT_MOST = 6 };

/* Which of the palettes that have one colour a box of PALETTE_JAVA is drawn in. */
enum flame_palette flame_palette_of_language(bool is_kernel, bool is_inlined, bool has_paths);

/*
 * Appends style rules for the boxes of class "pNM": palette N, shade M; for PALETTE_DIFF "m1" to "m6" (more),
 * "l1" to "l6" (less), "e" (neither) and "gone", which is framed in the colour of less, or with
 * `gone_is_more` of more. Nothing for PALETTE_CODE, whose rules are in flame.css.
 */
void flame_palette_add_style(struct text *css, enum flame_palette palette, bool gone_is_more);

#endif
