/* The whole of `cargo cprof`: from the command line to the exit code. */
#ifndef CARGO_CPROF_CPROF_H
#define CARGO_CPROF_CPROF_H

/* Runs the command and returns the exit code of the process. */
int cprof_run(int argc, char **argv);

#endif
