/* Options whose value may have a fraction. */
#ifndef CLI_REAL_OPTIONS_H
#define CLI_REAL_OPTIONS_H

#include "cli/options.h"

/*
 * The value as a number from 0 to `most`; `out` stays as it was when the option was not given. Returns 0, or
 * -1 with ERROR_USAGE naming the option when the value is no such number.
 */
MUST_CHECK int options_real(const struct options *options, const char *name, double most, double *out,
                            struct error *err);

/* The same of a percentage, "5" or "0.5%", as a part from 0 to 1. */
MUST_CHECK int options_percent(const struct options *options, const char *name, double *out,
                               struct error *err);

#endif
