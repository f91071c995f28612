/*
 * What cargo starts instead of rustc, for each unit: this same program, told by an
 * environment variable that the command sets and nothing else. It lets rustc write the IR of units
 * that count, counts it and removes it; every other call of rustc goes on as it is. Needs libc alone.
 */
#ifndef BUILD_RUSTC_WRAPPER_H
#define BUILD_RUSTC_WRAPPER_H

#include <stdbool.h>

/* Set to anything: this process is the wrapper. */
#define RUSTC_WRAPPER_VARIABLE "CARGO_LLVMLINES_RUSTC_WRAPPER"
/* The user's own wrapper, to be started in front of rustc; empty or not set for none. */
#define RUSTC_WRAPPER_CHAIN_VARIABLE "CARGO_LLVMLINES_RUSTC_CHAIN"
/* Set to anything: the IR stays where rustc wrote it. */
#define RUSTC_WRAPPER_KEEP_VARIABLE "CARGO_LLVMLINES_KEEP_IR"

/* Whether this process was started by cargo on behalf of the command. */
bool rustc_wrapper_is_wanted(void);

/*
 * Does the work for the arguments of main(), of which the second is the compiler, or a wrapper
 * for workspace members and then the compiler. Returns the exit code of the process: rustc's own; 1,
 * after one line on standard error, when it cannot be started or its IR cannot be counted, so that cargo
 * takes the unit for failed and runs it again next time.
 */
int rustc_wrapper_run(int argc, char **argv);

#endif
