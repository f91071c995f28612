/*
 * What compilers say in a run of cargo that hands it on as messages, `--message-format=json`
 * (https://doc.rust-lang.org/cargo/reference/external-tools.html), so that a second build of the same sources
 * does not say it again.
 */
#ifndef CARGO_DIAGNOSTICS_H
#define CARGO_DIAGNOSTICS_H

#include "base/intern.h"
#include "base/text.h"

/* Each different one, as people read it, in the order of the first. Zero-initialised is none. */
struct cargo_diagnostics {
    struct intern texts;
};

void cargo_diagnostics_done(struct cargo_diagnostics *diagnostics);

/* Takes one line of cargo's output. What is no message of a compiler's is let pass. */
void cargo_diagnostics_add_line(struct cargo_diagnostics *diagnostics, struct slice line);

/* Appends those that were not said before. */
void cargo_diagnostics_add_new(struct text *text, const struct cargo_diagnostics *diagnostics,
                               const struct cargo_diagnostics *before);

#endif
