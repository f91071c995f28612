/*
 * The text of a symbol, as people write the name. For every name that the rustc-demangle
 * crate 0.1.28 takes for Rust the text is the crate's: DEMANGLE_FULL its `{}`,
 * DEMANGLE_SHORT its `{:#}`, including what it says about hostile names
 * ("{recursion limit reached}", "{invalid syntax}", "{size limit reached}").
 * The one addition: a version ("@@VERS_1") stays behind the text.
 */
#ifndef RUST_DEMANGLE_H
#define RUST_DEMANGLE_H

#include "base/slice.h"
#include "base/text.h"
#include "rust/symbol.h"

enum demangle_form {
    DEMANGLE_FULL,  /* with hashes: "a::b::h0123…", "a[1f2e]::b", "Array<8usize>" */
    DEMANGLE_SHORT, /* without: "a::b", "Array<8>" */
};

/* Bytes of one demangled path; "{size limit reached}" and the suffix may come on top. */
enum { DEMANGLE_LENGTH_MAX = 1000000 };

/*
 * Appends the demangled text. C++ names are demangled by libiberty and stay as they are
 * where it cannot; other names always stay as they are, but for ".llvm.…".
 */
void demangle_add(struct text *text, const struct symbol *symbol, enum demangle_form form);

/* The same for a name that is needed once; `symbol` is scratch that many calls may share. */
void demangle_add_name(struct text *text, struct symbol *symbol, struct slice name, enum demangle_form form);

#endif
