/*
 * What the boxes of a flame graph tell where they are pointed at. Of boxes that are too narrow for that
 * before somebody zooms in, most of a large picture, each line is in the file once: the script puts titles
 * together and where they belong.
 */
#ifndef PAGE_FLAME_TITLES_H
#define PAGE_FLAME_TITLES_H

#include "base/intern.h"
#include "page/flame_graph.h"

enum { FLAME_KNOWN_LINES = 512 };

/* A line of a title that is in the file already. */
struct flame_line {
    struct slice line; /* as it was before it was made XML */
    size_t at;         /* where in the file it is, */
    size_t length;     /* and how long there */
};

/* Zero-initialised is empty and ready; of one file. */
struct flame_titles {
    struct flame_line lines[FLAME_KNOWN_LINES]; /* the last ones, by where their bytes are */
    struct intern known;                        /* what makes a title that narrow boxes share */
    VEC(struct flame_frame) firsts;             /* the first box of each */
    VEC(uint32_t) lines_of_firsts;              /* of each its name, figures and detail */
    VEC(uint32_t) of_boxes; /* which title is whose, in the order of the boxes that have none of their own */
    struct text scratch;
};

void flame_titles_done(struct flame_titles *titles);

/* The least weight of boxes that have a title of their own, in a picture of `whole` on so many pixels. */
uint64_t flame_titles_least_weight(uint64_t whole, unsigned width_px);

/* Appends the frame's title: name, figures and detail, a line each. The bytes of name and detail stay. */
void flame_titles_add(struct text *svg, struct flame_titles *titles, const struct flame_frame *frame,
                      const struct flame_look *look, uint64_t whole);

/* Notes the next of the boxes that have none. The bytes of the frame stay until the titles are added. */
void flame_titles_share(struct flame_titles *titles, const struct flame_frame *frame);

/* Appends the lines of shared titles, each once, as an element that no viewer shows, */
void flame_titles_add_lines(struct text *svg, struct flame_titles *titles, const struct flame_look *look,
                            uint64_t whole);

/* and then as numbers for the script, which are members of an object: of each title its three lines, of each
 * box that has none of its own its title. */
void flame_titles_add_numbers(struct text *svg, const struct flame_titles *titles);

#endif
