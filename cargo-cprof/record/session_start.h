/* How a run begins: what is to be watched is found or started, and what is kept of it. */
#ifndef RECORD_SESSION_START_H
#define RECORD_SESSION_START_H

#include "record/one_run.h"

/* Whether a program is started, and whether it is what is recorded. */
bool session_has_program(const struct session *session);
bool session_records_program(const struct session *session);

/* A program's own samples all belong to it; of what ran before and goes on others were taken, too. */
bool session_has_window_from_start(const struct session *session);

/*
 * Samples are kept from the moment on at which the counters were read for the window's start, and up to that
 * for its end: we may be late for either, and both have to be of the same time.
 */
void session_keep_samples(const struct session *session, uint64_t to_ns);

/* The window ends a duration after its start, if there is one. */
void session_set_end(struct session *session);

/* Everything is watched when it returns 0, and a program waits for its release; else -1 as of one_run_record.
 */
MUST_CHECK int session_start(struct session *session, struct error *err);

/* Lets the program go, if there is one: what is recorded, or what watching goes on beside. Likewise. */
MUST_CHECK int session_release(struct session *session, struct error *err);

#endif
