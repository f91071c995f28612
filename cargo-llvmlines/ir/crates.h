/* The crates that were compiled, to call those of one name by what tells them apart: version, package or
 * target. */
#ifndef IR_CRATES_H
#define IR_CRATES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"

struct crate {
    struct slice name;      /* as symbols have it: "serde_json" */
    uint64_t disambiguator; /* v0 names' */
    struct slice version;   /* "1.0.219" */
    struct slice kind;      /* "lib", "bin", "test" */
    struct slice package;   /* "serde_json" */
    bool is_std;            /* that std was built with */
};

/* Zero-initialised is empty. */
struct crates {
    struct arena arena;
    VEC(struct crate) items;
    bool is_std_v0;  /* a v0 name of a crate that std was built with is std's: the program has legacy names */
    bool is_partial; /* as of files: there may be others, of any name */
    bool has_namesakes_of_std; /* all crates of the build that are called like one that std was built with
                                  are in the table: any other of such a name is std's */
};

void crates_done(struct crates *crates);

/*
 * The strings are copied. A disambiguator that is known already changes nothing; 0: that of a crate of this
 * name is not known.
 */
void crates_add(struct crates *crates, struct crate crate);

/*
 * Appends the crate's name so that no other crate of the table has the same: "syn" when it is the only syn,
 * "syn@1.0.109" beside another version, "sd (of sd-cli)" beside those of other packages, "app (bin)" beside
 * another kind of target in the same one, "client (test of app)" where both are there; what is not in the
 * table as "syn[1f2e]" where that could be mistaken. The one that std was built with is "hashbrown@std"
 * wherever it can be no other, whether the table has a hashbrown or not.
 */
void crates_add_label(const struct crates *crates, struct slice name, uint64_t disambiguator,
                      struct text *text);

/* Appends the key of a group of symbol_key.h with each "name[hash]" in it as above. */
void crates_add_key(const struct crates *crates, struct slice key, struct text *text);

/* Which crates are told. */
enum crates_told {
    CRATES_ALL,
    CRATES_KNOWN,  /* of names that the table has, or that std was built with */
    CRATES_OF_STD, /* that std was built with */
};

/*
 * Appends what people read for the key, with each name of such a crate in it as above: where a path begins,
 * and the key tells which it is.
 */
void crates_add_readable(const struct crates *crates, struct slice key, struct slice readable,
                         enum crates_told told, struct text *text);

/*
 * The version of the crate that a key begins with, as "name[hash]" or "<name[hash]"; a text without data
 * where it does so with no crate of the table. Borrowed from the table.
 */
struct slice crates_version(const struct crates *crates, struct slice key);

#endif
