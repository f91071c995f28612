/* Sanitizers that programs bring as a library: gcc's. What is loaded before it takes its place. */
#ifndef TARGET_SANITIZER_H
#define TARGET_SANITIZER_H

#include "base/error.h"

/*
 * Whether a program may be started behind a library of ours that gives memory. Returns 0, also for what
 * cannot be read or is looked up in PATH, or -1 with ERROR_USAGE naming the sanitizer that ends the program
 * then.
 */
MUST_CHECK int sanitizer_check(const char *program, struct error *err);

#endif
