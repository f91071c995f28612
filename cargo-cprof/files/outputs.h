/* The files that a profile is written to, each in the form that its name asks for. */
#ifndef FILES_OUTPUTS_H
#define FILES_OUTPUTS_H

#include "cli/options.h"
#include "emit/output.h"

/* What is written where no --output was given, to the folder one is in. */
#define OUTPUTS_USUAL "flamegraph.svg"

/* To be asked before the work that makes it. Returns 0, or -1 with ERROR_IO as of file_check_replaceable. */
MUST_CHECK int outputs_check_usual(struct error *err);

/*
 * To be asked before the work. Warns of options of a picture that a file of another form does not follow.
 * Returns 0, or -1: ERROR_USAGE when the name after an --output does not tell the form, ERROR_IO as of
 * cargo_check_output.
 */
MUST_CHECK int outputs_check(const struct options *options, struct error *err);

/*
 * The same of what an event beside the first one is written to. Returns 0, or -1: ERROR_USAGE when an
 * --output is called like that, ERROR_IO as of file_check_replaceable.
 */
MUST_CHECK int outputs_check_event(const struct options *options, struct slice event, struct error *err);

/*
 * Writes the symbolized profile's first series to each --output, or to OUTPUTS_USUAL where none was given,
 * and each other one beside it with its event in the name, unless the form holds all of them; where `only`
 * is not PROFILE_NONE, that series alone, but in forms that hold all. Profile files
 * come first. Says on standard error what was written unless --quiet. Their names are those that
 * outputs_check let pass. Returns 0, or -1 with the last failure of output_add and of
 * base/replacement.h; the others are written all the same, and each failure before is told
 * (command_add_failure).
 */
MUST_CHECK int outputs_write_all(const struct options *options, struct profile *profile, uint32_t only,
                                 const struct output_look *look, struct error *err);

/* Appends the folder that the first of them is written to. */
void outputs_add_folder(const struct options *options, struct text *folder);

/* The first picture that outputs_write_all writes, or NULL. */
const char *outputs_picture(const struct options *options);

#endif
