/* The whole of `cargo llvmlines`: from the command line to the exit code. */
#ifndef CARGO_LLVMLINES_LLVMLINES_H
#define CARGO_LLVMLINES_LLVMLINES_H

/* Runs the command and returns the exit code of the process. */
int llvmlines_run(int argc, char **argv);

#endif
