/*
 * All debug information of one file behind one question: what code stands at this address?
 */
#ifndef DWARF_DEBUG_INFO_H
#define DWARF_DEBUG_INFO_H

#include "dwarf/functions.h"
#include "dwarf/line_table.h"
#include "dwarf/split.h"

/* What is known of one unit once it was read. */
struct unit_details {
    struct functions functions;
    struct line_table lines;
    struct split_unit *split;   /* owned; what the functions were read from instead of the program, or NULL */
    struct error split_problem; /* why there is none although the unit names one; kind ERROR_NONE otherwise */
    bool has_functions;         /* they were read, as far as there are any */
    bool has_lines;
    struct places wanted; /* what was read is all there is, or with a count above 0 what is at these */
};

struct debug_info {
    struct file_place file; /* the image's */
    struct debug_sections sections;
    struct units units;
    struct unit_details *details; /* owned, by unit */
    struct package *package;      /* owned; of split units' information; NULL: there is none */
    struct error package_problem; /* why it could not be opened; kind ERROR_NONE: it could, or is not there */
    struct error lines_problem; /* why no line tables could be read; kind ERROR_NONE: they were, or not yet */
    struct arena arena;         /* addresses that were asked for */
};

/* One frame of the chain at an address. */
struct source_frame {
    struct function_name name;
    uint32_t unit; /* whose line table `file` belongs to */
    uint32_t file; /* for debug_info_add_path; LINE_NO_FILE when unknown */
    uint32_t line; /* from 1; 0 when unknown */
    bool is_inlined;
};

/* Of more frames at one address than this, those next to the outermost, the function itself, are left out. */
enum { SOURCE_FRAMES_MOST = 1024 };

/*
 * Reads the sections, as far as `extent` says, and the list of units of `image`, which must outlive the
 * result: in parts for questions about some places, whole for debug_info_read_all. A file without debug
 * information gives one without units. Split information is read from its package (dwarf/find_package.h),
 * or the .dwo files. To be released with debug_info_close. Returns 0, or -1 with `out` untouched and the
 * failures of debug_sections_read.
 */
MUST_CHECK int debug_info_open(struct image *image, enum debug_extent extent, struct debug_info *out,
                               struct error *err);

void debug_info_close(struct debug_info *info);

/*
 * Reads what debug_info_find will need for these addresses, in any order, on up to `thread_count` threads (0:
 * one a processor): their units, and of each what stands at the addresses.
 */
void debug_info_read_places(struct debug_info *info, const uint64_t *svmas, size_t count,
                            unsigned thread_count);

/*
 * Reads every unit whole. Functions come first: what only they need of the sections is given back before the
 * lines are read. Units that are split then have the names that stand in the other file.
 */
void debug_info_read_all(struct debug_info *info, unsigned thread_count);

/*
 * Fills `frames`, of SOURCE_FRAMES_MOST items, with the calls at `svma`, innermost first, and returns how
 * many; 0 when nothing is known. Reads the address's unit if nobody asked for the address yet, which ends the
 * lives of names that were found in that unit before. Where only the line is known there is one frame without
 * a name.
 */
size_t debug_info_find(struct debug_info *info, uint64_t svma, struct source_frame *frames);

/*
 * The unit that tells language and crate of the frame's code: where debug information is split it is the one
 * in the other file, as the program's own then tells neither.
 */
const struct unit *debug_info_unit(const struct debug_info *info, const struct source_frame *frame);

/* The first reason why a unit that was read has lines but no functions, or NULL: a file of split debug
 * information is missing. */
const struct error *debug_info_problem(const struct debug_info *info);

/*
 * Whether something was left out of what was read because it is damaged or of a version that is not known:
 * `what` then says of which file and what, as ERROR_FORMAT or the failures of compression_read; it is
 * untouched otherwise.
 */
bool debug_info_is_damaged(const struct debug_info *info, struct error *what);

/* Appends the path of the frame's file; false when it is unknown. */
bool debug_info_add_path(const struct debug_info *info, const struct source_frame *frame, struct text *path);

#endif
