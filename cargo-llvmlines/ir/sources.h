/*
 * Which version of a package each crate is that functions in the text of LLVM IR are of, and which are std's
 * own copies: by the source files that debug information in its metadata names.
 */
#ifndef IR_SOURCES_H
#define IR_SOURCES_H

#include "base/arena.h"
#include "base/intern.h"
#include "base/vec.h"
#include "elf/made_for.h"
#include "ir/crates.h"
#include "rust/symbol.h"

/* A source file of a package that cargo or rustc has unpacked; the strings are in the arena. */
struct ir_source {
    uint64_t number; /* of its metadata */
    struct slice package;
    struct slice version;
    bool is_std; /* of what std was built with */
};

/* A crate and a file that a function of it is in. */
struct ir_sourced {
    uint64_t crate; /* index in `crates` */
    uint64_t file;
};

/* Of one module. Zero-initialised is empty. Grows with the files and crates that functions are of. */
struct ir_sources {
    struct arena arena;
    struct intern names; /* with disambiguators; ids are indexes in `crates` */
    VEC(struct crate) crates;
    struct intern pairs; /* ids are indexes in `sourced` */
    VEC(struct ir_sourced) sourced;
    VEC(struct ir_source) files;
    struct symbol symbol; /* scratch */
    struct text text;     /* scratch */
    /* Set by who reads the text: */
    bool is_optimised;        /* it has an attribute that LLVM finds out, and rustc never writes */
    struct made_for made_for; /* constants */
};

void ir_sources_done(struct ir_sources *sources);

/*
 * Takes in a line of metadata, "!7 = !DIFile(…" or "!9 = distinct !DISubprogram(…"; any other says nothing.
 * Only v0 names tell which of two crates of one name a function is of.
 */
void ir_sources_see(struct ir_sources *sources, struct slice line);

/*
 * Adds the crates whose files are all of one package of their name. Those in a workspace, or that are called
 * otherwise than their package, are not known by it.
 */
void ir_sources_tell(struct ir_sources *sources, struct crates *crates);

#endif
