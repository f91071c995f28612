/* First words that `cargo cprof` does not take, and what their writer may have meant. */
#ifndef CARGO_CPROF_UNKNOWN_WORDS_H
#define CARGO_CPROF_UNKNOWN_WORDS_H

#include "base/error.h"

/*
 * Sets the hint of `err` to what to type instead of `word`: words of perf, samply and cargo, a verb that
 * stands too late or is misspelt, a program or a profile without its verb. A explain_word_fn.
 */
void unknown_word_explain(const char *word, struct error *err);

#endif
