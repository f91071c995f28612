/* The options that say how pictures look, for every command that draws. */
#ifndef CARGO_CPROF_PICTURE_OPTIONS_H
#define CARGO_CPROF_PICTURE_OPTIONS_H

#include "cli/options.h"
#include "emit/output.h"

extern const struct option_table picture_options;

/* What they say; strings are borrowed from the options. */
struct output_look picture_look(const struct options *options);

#endif
