/*
 * Which crates of a file are the standard library's. Its own, core and alloc and the like, go by their names.
 * Crates from elsewhere that it was built with, gimli or memchr, may be in the program a second time.
 */
#ifndef SIZE_STD_COPIES_H
#define SIZE_STD_COPIES_H

#include "rust/symbol.h"
#include "rust/symbol_path.h"
#include "size/code_map.h"
#include "size/crates.h"

struct units;   /* of dwarf/units.h */
struct symbols; /* of elf/symbols.h */

/* What is known of a crate with a certain hash. */
enum copy_owner { COPY_UNKNOWN, COPY_OF_STD, COPY_OF_PROGRAM };

/* What was seen of the crates that have a name of std's. */
struct copy_counts {
    uint32_t hashes;
    uint32_t of_program;   /* of these, the program's */
    uint32_t libraries;    /* that cargo has built */
    uint32_t unidentified; /* of these, without a hash that is known */
    bool is_met;           /* a name of the file shows one that is known to be the program's */
};

/* What the names and units of a program tell. Zero-initialised knows nothing. */
struct std_copies {
    const struct intern
        *program_crates;         /* names of all crates cargo built it from; NULL: not known; borrowed */
    bool is_other_build;         /* these, and the libraries seen, are of another build, mostly of the same
                                    crates: what they lack may be the program's all the same. They are
                                    to be seen first */
    struct std_copies *other;    /* what is known of a program that was built by now: std's copies have the
                                    same hashes in all that one toolchain links; NULL: nothing; borrowed */
    struct intern copies;        /* hash and name, of names that std's crates have */
    VEC(enum copy_owner) owners; /* by that */
    struct intern names;
    VEC(struct copy_counts) counts; /* by name */
    bool std_is_v0;                 /* the prebuilt part of std has v0 names, as since Rust 1.95 */
    uint64_t core_id;               /* the hash of the crate core, of its version and compiler; 0: not met */
    bool has_legacy_names;
    bool has_std; /* a function's name shows the crate std itself, which programs of #![no_std] lack */
    bool has_panic_unwind; /* or that of the two panic runtimes whose functions are not all inlined */
    struct text scratch;
};

/* Takes in what a symbol tells. All of a program are to be seen before the first question. */
void std_copies_see(struct std_copies *copies, struct symbol *symbol);

/* The same with every function of the map. */
void std_copies_see_map(struct std_copies *copies, const struct code_map *map);

/* The same with the index of an archive, whose objects are one program's. One that cannot be read tells
 * nothing. */
void std_copies_see_archive(struct std_copies *copies, const char *path);

/*
 * The same with the library that cargo has built of a program's crate of this name, NULL: none, or it is not
 * known. What it made, and what its objects are named after, is the program's copy. Once all libraries of a
 * name were seen, any other copy is std's.
 */
void std_copies_see_library(struct std_copies *copies, const char *path, struct slice name);

/* The same of one that cargo has built for std itself (-Zbuild-std): its copy is std's. */
void std_copies_see_library_of_std(struct std_copies *copies, const char *path, struct slice name);

/* The same with the compile units of debug information, NULL: none, whose paths tell std's from others. */
void std_copies_see_units(struct std_copies *copies, const struct units *units);

/*
 * The same with the STT_FILE symbols of a linked file, in their order, which is that of the linker's objects:
 * rustc has the libraries that std is made of behind std, and all others before it (CrateInfo::new). Where
 * LTO has put units in the order of their names, core before std, they tell nothing; nor where another crate
 * stands behind std, as those of a library without std do, of which a dependency has it.
 */
void std_copies_see_linked(struct std_copies *copies, const struct symbols *symbols);

/*
 * Whether the symbol is one that std's functions of "__rustc" have without mangling: all before Rust 1.89,
 * the one that unwinders call to this day.
 */
bool std_copies_is_plain_internal(struct slice symbol);

/*
 * Whether it is one that raises or catches panics, mangled or not: a program has one of each, std's where it
 * has std.
 */
bool std_copies_is_panic_internal(struct slice symbol);

/*
 * Which crate has a function of "__rustc", whose names the compiler knows and any crate may define, where the
 * program has std. Strings are constants.
 */
struct slice std_copies_crate_of_internal(const struct std_copies *copies, struct slice symbol);

/* Whether the program's own names are legacy ones, unlike std's: the mangling tells them apart. */
bool std_copies_program_is_legacy(const struct std_copies *copies);

/*
 * Whose the crate is: CRATE_KIND_STD; for names of std's that are the program's CRATE_KIND_DEPENDENCY;
 * CRATE_KIND_UNKNOWN for all others and where nothing tells, which likelier is the program's. `is_sure`
 * is set to false where it is a guess.
 */
enum crate_kind std_copies_kind(struct std_copies *copies, struct symbol_crate crate, bool is_v0,
                                bool *is_sure);

/* The same of a crate that a codegen unit's name shows. */
enum crate_kind std_copies_kind_of_unit(struct std_copies *copies, const struct crate_fact *unit);

/*
 * Whether a legacy name of this crate is one of std's generics, std's own code having v0 names: the program
 * made the instance. So it is too of a crate that std was built with, hashbrown, where the program has none.
 */
bool std_copies_has_generic(const struct std_copies *copies, struct slice name);

/*
 * Whether the symbol is the function that panics call, which its crate marks with #[panic_handler]: std's,
 * where a program has std, else the program's own or a dependency's.
 */
bool std_copies_is_panic_handler(struct slice symbol);

/*
 * Whether std's code that prints backtraces needs the crate of this name, as does every program that can
 * panic. Std hands nothing generic or inline of it on: what there is of its copy stands in std.
 */
bool std_copies_is_for_backtraces(struct slice name);

void std_copies_done(struct std_copies *copies);

#endif
