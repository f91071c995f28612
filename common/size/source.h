/* One linked file or object and all that tells about it: symbols, debug information, also from a file beside
 * it. */
#ifndef SIZE_SOURCE_H
#define SIZE_SOURCE_H

#include "dwarf/debug_info.h"
#include "elf/symbols.h"
#include "size/code_map.h"
#include "size/crates.h"
#include "size/std_copies.h"

/* Files beside the one that is measured; NULL for none. */
struct source_files {
    const char *debug;    /* to be checked to be of the same build */
    const char *relinked; /* known to have the same code */
    bool links_objects;   /* in memory, each alone (elf/link_alone.h): what tells by addresses then does */
};

/* Zero-initialised is nothing. */
struct source {
    struct image image;
    struct image debug_image; /* the file of debug information, when it is another */
    struct symbols symbols;   /* with sections of `image` */
    struct code_map map;
    struct debug_info debug;
    struct crate_fact library; /* of an object of a library: whose that is; borrowed; set by the caller */
    bool is_merged;            /* an object of an archive that is (struct images_seen); set by the caller */
    bool is_beside_builtins;   /* likewise: images_seen.has_builtins */
    const struct unit_crates *unit_crates; /* of what is in the file; borrowed, likewise */
    struct std_copies *std; /* what is known of std's crates in all that is measured; borrowed, likewise */
    bool has_image, has_debug_image, has_debug;
    struct error problem; /* why debug information there is could not be opened; kind ERROR_NONE: it was */
};

/*
 * Takes over `image` and reads symbols and debug information: the image's own, else those of `files`, or
 * where that is NULL of the debug file that distributions' rules lead to, if there is one.
 *
 * Returns 0, or -1: as of image_open for `files`; ERROR_FORMAT when that is of another build, by its
 * build-id, or without one by the place of its code; as of symbols_read. `out` is to be given to source_done
 * either way. Debug information of objects is read where they are linked. Debug information that cannot be
 * read is no failure but a problem.
 */
MUST_CHECK int source_open(struct image *image, const struct source_files *files, struct source *out,
                           struct error *err);

/*
 * Whether debug information there is tells nothing, or not all, as far as it was read by now; `what` then
 * says why, and is untouched otherwise.
 */
bool source_problem(const struct source *source, struct error *what);

void source_done(struct source *source);

#endif
