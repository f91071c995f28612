/* Why a program could not be executed, in words, and what to do about it. */
#ifndef TARGET_REFUSAL_H
#define TARGET_REFUSAL_H

#include "base/error.h"
#include "target/execute.h"

/*
 * `program` is what was to be executed, as it was typed. Returns -1: ERROR_MISSING where there is no such
 * program, ERROR_DENIED where it may not be executed, ERROR_IO for anything else.
 */
int refusal_explain(struct refusal refusal, const char *program, struct error *err);

#endif
