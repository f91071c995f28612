/* What format_args!() leaves of a format string in a program: text between placeholders, packed. */
#ifndef RUST_FORMAT_TEMPLATE_H
#define RUST_FORMAT_TEMPLATE_H

#include <stdbool.h>

#include "base/slice.h"
#include "base/text.h"

/*
 * Appends "error: {} in line {}", as the source has it but for what it writes within the braces. False, and
 * nothing, for bytes that are no template, of which nothing but text of two bytes and more with a placeholder
 * tells surely. Zeros may follow it.
 *
 * The form, since Rust 1.93, is that of library/core/src/fmt/mod.rs (rust-lang/rust pull request 148789): a
 * byte below 0x80 is the length of the text behind it; behind 0x80 stand a length of two bytes, the lower one
 * first, and text; 0xc0 and above is a placeholder, whose lowest bits tell which options stand behind it; 0
 * ends it.
 */
bool format_template_add(struct text *out, struct slice data);

#endif
