/* The files that a profile can be written to, by the ending of their names. */
#ifndef EMIT_OUTPUT_H
#define EMIT_OUTPUT_H

#include <stdbool.h>

#include "base/text.h"
#include "page/flame_graph.h"
#include "report/warnings.h"
#include "tree/call_tree.h"

enum output_format {
    OUTPUT_FLAME,             /* .svg */
    OUTPUT_FOLDED,            /* .folded */
    OUTPUT_TEXT,              /* .txt */
    OUTPUT_PROFILE,           /* .cprof */
    OUTPUT_FIREFOX,           /* .json, for the Firefox Profiler */
    OUTPUT_SPEEDSCOPE,        /* .speedscope.json */
    OUTPUT_PPROF,             /* .pb, for pprof */
    OUTPUT_FIREFOX_PACKED,    /* .json.gz, as .json */
    OUTPUT_SPEEDSCOPE_PACKED, /* .speedscope.json.gz */
    OUTPUT_PPROF_PACKED,      /* .pb.gz */
};

/* How pictures look. Zero-initialised is as usual. */
struct output_look {
    struct slice title;    /* empty: what was run */
    struct slice subtitle; /* empty: what was sampled */
    struct slice chosen;   /* which part of it that is, told there; empty: all */
    struct slice notes;
    const struct warnings *warnings; /* of what figures of memory lack, kept beside these; NULL: none */
    const char *units;               /* what samples are called; NULL: as the series has it */
    double min_width_px;             /* as of struct flame_look */
    unsigned width_px;               /* 0: as of struct flame_look */
    enum flame_palette palette;
    bool is_inverted;   /* callers at the top */
    bool is_reversed;   /* stacks from where samples were taken to the thread's start */
    bool is_chart;      /* in the order of time, merged only with neighbours */
    bool folds_runtime; /* calls of runtime_calls_has are left out, what they call is their caller's */
    bool per_thread;    /* threads of one name apart, one of them to be picked */
    const char *const
        *skip_after; /* functions whose callers are left out; NULL for none, else NULL-terminated */
};

/* The format that the name asks for; false when it ends in none of these. */
bool output_format_of_name(const char *path, enum output_format *format);

/* The end of the name that does: ".json.gz"; empty when none does. Not to be freed. */
struct slice output_ending_of_name(const char *path);

/* Whether one file of it holds all series. */
bool output_holds_all_series(enum output_format format);

/*
 * Whether the library is there that packs such a file, asked before the work that makes what is in it.
 * Returns 0, or -1 with ERROR_MISSING.
 */
MUST_CHECK int output_check_packing(enum output_format format, struct error *err);

/* What to tell people who gave another name: ".svg, .folded, …". */
#define OUTPUT_ENDINGS ".svg, .folded, .txt, .cprof, .json[.gz], .speedscope.json[.gz] or .pb[.gz]"

/* Appends to what is told below a heading which part of what was recorded it is of: "; of --thread worker".
 */
void output_add_chosen(struct text *text, const struct output_look *look);

/*
 * Appends the profile's series, all of whose locations are symbolized, in that format; some formats hold
 * all series. Returns 0, or -1 with ERROR_MISSING when a library that packs is not installed,
 * ERROR_FORMAT as of speedscope_add, and when samples were read from a damaged file. `look` is of pictures
 * and folded stacks, its warnings of pictures and texts.
 */
MUST_CHECK int output_add(struct text *text, struct profile *profile, uint32_t series,
                          enum output_format format, const struct output_look *look, struct error *err);

/* The tree of calls that a picture of this look is of. Returns 0, or -1 with ERROR_FORMAT as above. */
MUST_CHECK int output_make_tree(struct profile *profile, uint32_t series, const struct output_look *look,
                                struct call_tree *out, struct error *err);

/* Whether a function is called so, with the path before it or without: what `skip_after` takes. */
bool output_has_function(const struct profile *profile, const char *name);

/* What of a look is said to the picture, without its units. */
struct flame_look output_flame_look(const struct output_look *look);

#endif
