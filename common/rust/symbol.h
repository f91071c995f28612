/*
 * A symbol's name taken apart: which mangling it has, what was added behind it, and for
 * Rust names the tree that every printer in this folder works on (demangle.h: the text;
 * symbol_path.h: crates, module, type arguments; symbol_key.h: what instances share).
 *
 * Sources: RFC 2603 and the rustc book's "v0 symbol format" for v0 names, rustc's legacy
 * mangler for `_ZN…17h<hash>E`. What counts as a Rust name, and the limits for hostile
 * ones, are those of the rustc-demangle crate 0.1.28.
 */
#ifndef RUST_SYMBOL_H
#define RUST_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"
#include "base/text.h"

enum symbol_kind {
    SYMBOL_OTHER,       /* C, assembly, anything else: its name is what it is called */
    SYMBOL_CXX,         /* Itanium C++ (`_Z…`) that is no Rust name */
    SYMBOL_RUST_LEGACY, /* `_ZN…E`: elements with a hash at the end */
    SYMBOL_RUST_V0,     /* `_R…` */
};

struct symbol_node; /* symbol_node.h, for the printers alone */

/*
 * One name, taken apart. Zero-initialised is ready for symbol_parse; the memory is
 * used again by the next symbol_parse, so that parsing many names does not allocate.
 * The slices point into the name that was given, which must outlive them.
 */
struct symbol {
    enum symbol_kind kind;
    struct slice name;    /* all of it, as given */
    struct slice mangled; /* without prefix (`_R`, `_ZN`) for Rust names, and without what follows */
    struct slice suffix;  /* ".cold", ".0", ".exit.i": kept behind the demangled text; may be empty */
    struct slice llvm;    /* ".llvm.1234ABCD" that thin LTO added; not part of the demangled text */
    struct slice version; /* "@@GLIBC_2.14", "@VERS_1"; kept behind the demangled text */
    struct slice hash;    /* legacy: the 16 digits behind the last "h", empty when there are none */

    struct symbol_node *nodes; /* owned; parents before children */
    uint32_t node_count;
    uint32_t node_capacity;
    uint32_t instantiating_node; /* v0: the path of the crate that instantiated, 0 when there is none */
    struct text scratch;         /* owned; a legacy name's decoded elements, for symbol_path.h */
};

/* Frees what the symbol owns; it is then empty and usable again. */
void symbol_done(struct symbol *symbol);

/*
 * Takes `name` apart. Never fails: what is of no known form is SYMBOL_OTHER. Time and
 * memory are bounded by a small multiple of the name's length, whatever it holds.
 */
void symbol_parse(struct symbol *symbol, struct slice name);

/* Whether it is a Rust name of either mangling. */
bool symbol_is_rust(const struct symbol *symbol);

#endif
