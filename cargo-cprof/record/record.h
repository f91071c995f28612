/* What every command does that records: runs the program, names what it found, tells and writes it. */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include "base/intern.h"
#include "emit/output.h"
#include "record/recording.h"
#include "record/session.h"

/* What the options of record_options and recording_options say. To be released with record_settings_done. */
struct record_settings {
    size_t top; /* functions in the summary; 0: all */
    struct recording recording;
    struct output_look look;
    struct arena arena; /* what `look` needs */
};

/*
 * To be asked before anything is built or run: from here on we act as who called sudo, if we were run by it.
 * Returns 0, or -1 as of recording_read and picture_look, with ERROR_USAGE when another value is none and
 * ERROR_IO when an output cannot be written. `out` is to be given to record_settings_done either way, and is
 * not moved.
 */
MUST_CHECK int record_settings_read(const struct options *options, struct record_settings *out,
                                    struct error *err);

void record_settings_done(struct record_settings *settings);

struct record_request {
    const struct options *options; /* of a command with the options of record_options */
    const struct record_settings *settings;
    struct launch launch;                  /* argv NULL: nothing is started */
    const struct intern *own_crates;       /* as of struct symbolize_request */
    const struct intern *program_crates;   /* as of struct symbolize_request */
    const struct package_folder *packages; /* likewise */
    size_t package_count;
    const char *filter;     /* which of its tests or benchmarks run; NULL: all, or not known */
    const char *how_longer; /* how that runs for longer; NULL: by what it has to do */
    bool writes_nothing;    /* no file, nor what is written where none is named */
    bool is_timed;          /* what runs stops after a time, as benchmarks do */
};

/*
 * Returns 0 with the exit code of the program when it was recorded and all outputs were written; -1 when
 * the program did not run (failures of session_run) or an output could not be written.
 */
MUST_CHECK int record_run(const struct record_request *request, int *exit_code, struct error *err);

/*
 * The steps of it. Records and names what was found. Returns 0,
 * or -1 when the program did not run; `out` is to be given to collection_done either way.
 */
MUST_CHECK int record_make(const struct record_request *request, struct collection *out, struct error *err);

/* Tells what was recorded, writes the outputs, gives the exit code. Returns 0, or -1 as record_run does. */
MUST_CHECK int record_tell(const struct record_request *request, struct collection *collection,
                           int *exit_code, struct error *err);

/* Opens the picture that was written, where --open asks for that; says so when it cannot. */
void record_show_picture(const struct options *options);

#endif
