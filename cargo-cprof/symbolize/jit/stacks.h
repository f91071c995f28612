/* The stacks of samples by the time at which they were taken, where code that processes made is in them. */
#ifndef SYMBOLIZE_JIT_STACKS_H
#define SYMBOLIZE_JIT_STACKS_H

#include "symbolize/jit/code.h"
#include "symbolize/jit/names.h"

/*
 * Gives each sample the locations of the code that stood there at its time, and these their names in `names`.
 * Where an address always had the same name, file and line its location stays; what else was there gets one
 * of its own, in a module of its own that is like the first. False when samples cannot be read back.
 */
MUST_CHECK bool jit_stacks_make(struct jit_code_files *code, struct jit_names *names);

#endif
