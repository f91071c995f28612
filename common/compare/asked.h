/*
 * What was asked for when a result was saved: options that decide what its rows are, and a filter. Results of
 * different ones are not to be compared, as all of the difference may be theirs.
 */
#ifndef COMPARE_ASKED_H
#define COMPARE_ASKED_H

#include "cli/options.h"
#include "report/rows.h"
#include "json/json_in.h"

/* An option that decides what rows are. */
struct asked_option {
    const char *name;
    const char *otherwise; /* its value where it is not given; NULL: a flag, or none */
};

/* Against a file that was saved with others. */
#define ASKED_HINT "give the options that the file was saved with, or save it anew with these"

/* Notes in rows that are no comparison what was asked for; --diff has the filter. `which` ends with a NULL
 * name. */
void asked_note(const struct asked_option *which, const struct options *options, struct rows *rows);

/*
 * Whether a result that was saved, or comes from elsewhere and does not tell, can be compared with one of
 * these options; `name` is its file's. Returns 0, or -1: ERROR_USAGE when it was saved with other ones, or
 * with a filter; ERROR_FORMAT when it tells by something else than a string.
 */
MUST_CHECK int asked_check(const struct asked_option *which, const struct options *options,
                           const struct json_document *saved, const char *name, struct error *err);

#endif
