/* The options that say how pictures look, for every command that draws. */
#ifndef FILES_PICTURE_OPTIONS_H
#define FILES_PICTURE_OPTIONS_H

#include "base/arena.h"
#include "cli/options.h"
#include "emit/output.h"

/* With the letter -i is --inverted, as it is to inferno-flamegraph and cargo-flamegraph. */
extern const struct option_table picture_options;
extern const struct option_table picture_options_with_letter;

/* Those of a picture that compares nothing, for commands that may draw one. */
extern const struct option_table picture_single_options;

/* What cargo-flamegraph's, inferno-flamegraph's and FlameGraph's other options are answered with. */
extern const struct option_answer picture_answers[];

/*
 * Reads what they say; strings are borrowed from the options, lists are in the arena. Returns 0, or -1 with
 * ERROR_USAGE when a width is none or two options exclude each other: to be asked before anything is run.
 */
MUST_CHECK int picture_look(const struct options *options, struct arena *arena, struct output_look *out,
                            struct error *err);

#endif
