/* What every command does that reads a profile: which files, which part of their samples. */
#ifndef FILES_INPUT_OPTIONS_H
#define FILES_INPUT_OPTIONS_H

#include "base/arena.h"
#include "base/regex.h"
#include "cli/options.h"
#include "profile/profile.h"
#include "report/rows.h"

/* -i/--input, and which samples: --thread, --process, --pid, --tid, --time; without the letter for commands
 * to which -i is something else. */
extern const struct option_table input_options;
extern const struct option_table input_options_without_letter;

/*
 * Reads the files that were named, standard input where none was and it is no terminal, and leaves the
 * samples that were asked for; says what was left out of files. Returns 0, or -1 with failures of input_read,
 * narrow_to_threads and narrow_to_time, or ERROR_USAGE when nothing was named.
 */
MUST_CHECK int input_open(const struct options *options, struct profile *profile, struct error *err);

/*
 * To be asked before the work: an --output in the place of a file that is read would leave the part that was
 * asked for, or a picture's shape, of a recording. Returns 0, or -1 with ERROR_USAGE.
 */
MUST_CHECK int input_check_kept(const struct options *options, struct error *err);

/* The files that were named, with and without the option, NULL-terminated, in `arena`; how many. */
size_t input_paths(const struct options *options, struct arena *arena, const char *const **out);

/*
 * Reads one file as input_open does, whatever the options name; where they name several, a failure to leave
 * any sample tells of which.
 */
MUST_CHECK int input_open_file(const struct options *options, const char *path, struct profile *profile,
                               struct error *err);

/* The same with all samples, for commands without these options. */
MUST_CHECK int input_open_whole(const struct options *options, const char *path, struct profile *profile,
                                struct error *err);

/*
 * The series of the event that --event names, the first without; of folded stacks, whose event nobody knows,
 * off-cpu makes their counts microseconds of waits. Returns 0, or -1 with ERROR_USAGE when it
 * was not recorded.
 */
MUST_CHECK int input_choose_series(const struct options *options, struct profile *profile, uint32_t *out,
                                   struct error *err);

/* Compiles the expression of an option; nothing without it. Returns 0, or -1 as of regex_compile. */
MUST_CHECK int input_regex(const struct options *options, const char *option, struct regex **out,
                           struct error *err);

/* What messages call a file that is read. */
const char *input_label(const char *path);

/*
 * Which samples are chosen, as it was typed: "--process ^rustc$ --time 2..5"; in `arena`. Empty: all, and
 * where a command records, to which some of these options are others.
 */
struct slice input_chosen(const struct options *options, struct arena *arena);

/* The same below a table, as the label "chosen" and as a note; nothing where it is all. */
void input_tell_chosen(const struct options *options, struct rows *rows);

/* Whether the one input is standard input. */
bool input_is_standard(const struct options *options);

#endif
