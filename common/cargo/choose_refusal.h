/* Why no one target is chosen, and what to type instead: `verb` is the command typed after "cargo". */
#ifndef CARGO_CHOOSE_REFUSAL_H
#define CARGO_CHOOSE_REFUSAL_H

#include "cargo/candidates.h"

/* Each returns -1 with ERROR_USAGE. */
int cargo_refuse_several(const char *verb, const struct cargo_question *question,
                         const struct cargo_candidates *candidates, struct error *err);

/* Where unit tests are asked for: lists the libraries and binaries of the selected packages. */
int cargo_refuse_no_unit(const char *verb, const struct cargo_question *question, struct error *err);

/* Where a program, or what can be measured, is: lists others that fit, or else what can be looked at. */
int cargo_refuse_none(const char *verb, const struct cargo_question *question, struct error *err);

#endif
