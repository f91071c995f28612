/* The whole of `cargo bloatc`: from the command line to the exit code. */
#ifndef CARGO_BLOATC_BLOATC_H
#define CARGO_BLOATC_BLOATC_H

/* Runs the command and returns the exit code of the process. */
int bloatc_run(int argc, char **argv);

#endif
