/* The values that an option may have, as its table tells them. */
#ifndef CLI_CHOICES_H
#define CLI_CHOICES_H

#include "cli/options.h"

/*
 * As the last of an option's choices: the others are what shells propose, one or several with commas between;
 * any value is taken, and help does not list them.
 */
#define CHOICES_OTHERS_TOO "..."

bool choices_take_others(const struct option_spec *spec);

/* Whether there are words to propose of which a value may have several. */
bool choices_form_lists(const struct option_spec *spec);

/* Whether a value is, or may be, the name of a file or folder, or a command. */
bool choices_are_files(const struct option_spec *spec);

/* How many there are to propose: without CHOICES_OTHERS_TOO, 0 where any value is as good. */
size_t choices_count(const struct option_spec *spec);

/* A choice as it is typed: of "a[,X]", which stands for a and a,… with anything behind, it is "a". */
struct slice choices_word(const char *choice);

#endif
