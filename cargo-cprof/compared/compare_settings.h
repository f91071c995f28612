/* What the options of `cargo cprof compare` say, beside what is to be built. */
#ifndef COMPARED_COMPARE_SETTINGS_H
#define COMPARED_COMPARE_SETTINGS_H

#include "cli/options.h"
#include "report/outputs.h"
#include "sampler/request.h"
#include "timing/export.h"
#include "timing/words.h"

extern const struct option_table compare_timing_options;
extern const struct option_table compare_command_options;
extern const struct option_table compare_criterion_options;
extern const struct option_table compare_output_options;

/* How much more of a figure, as a part of before, the second side may take. */
struct compare_limit {
    const char *text;        /* as typed: "5%", "memory=10%" */
    enum figure_kind figure; /* FIGURE_COUNT: the event that is profiled */
    double part;
};

/* Zero-initialised is empty; strings live in the options or in the arena. */
struct compare_settings {
    struct arena arena;
    struct timing_plan plan;
    const char *const *prepare[TIMING_SIDES]; /* as of struct timed_program */
    const char *const *conclude[TIMING_SIDES];
    const char *names[TIMING_SIDES]; /* NULL: as it is typed */
    struct command_rule rule;
    const char *input; /* absolute; never NULL */
    enum launch_output output;
    double confidence;
    VEC(struct compare_limit) limits;
    bool profiles;
    bool has_event; /* what is profiled was asked for */
    struct sampler_request sampling;
    enum export_unit unit;
    struct outputs outputs;
};

/*
 * Returns 0, or -1: ERROR_USAGE when a value is none or two contradict each other, ERROR_IO or ERROR_MISSING
 * when a file cannot be read or replaced. `out` is to be given to compare_settings_done either way.
 */
MUST_CHECK int compare_settings_read(const struct options *options, struct compare_settings *out,
                                     struct error *err);

void compare_settings_done(struct compare_settings *settings);

/*
 * Writes the rows where the outputs want them, of which `options` are, and says which files were written.
 * Returns 0, or -1 as of outputs_write.
 */
MUST_CHECK int compare_settings_write(const struct options *options, const struct outputs *outputs,
                                      struct rows *rows, struct error *err);

/*
 * Writes what --export-json, --export-csv and --export-markdown ask for to their files, or to standard
 * output. Returns 0, or -1 with ERROR_IO of the last that fails; the others are written all the same, and
 * each failure before is told (command_add_failure).
 */
MUST_CHECK int compare_settings_export(const struct options *options, const struct export_request *request,
                                       struct error *err);

#endif
