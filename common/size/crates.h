/*
 * The crates that bytes are given to. A name and a version make a crate; where the version is not known, the
 * hash that the compiler tells crates of one name apart by ("stable crate id": v0 disambiguators, names of
 * codegen units) does. What different sources tell of a crate is put together here.
 */
#ifndef SIZE_CRATES_H
#define SIZE_CRATES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/text.h"

struct unit; /* of dwarf/units.h */

enum crate_kind {
    CRATE_KIND_UNKNOWN,
    CRATE_KIND_OWN,        /* of the workspace */
    CRATE_KIND_DEPENDENCY, /* from a registry or git */
    CRATE_KIND_STD,        /* the standard library's, and what it was built with */
};

#define SIZE_NO_CRATE UINT32_MAX

struct size_crate {
    struct slice name;    /* as written in code, with '_'; in the table's arena */
    struct slice version; /* empty when unknown */
    struct slice origin;  /* what tells it from others of its name and version; mostly empty; likewise */
    enum crate_kind kind;
    uint64_t id;       /* one of its hashes; 0 when none is known */
    uint64_t folder;   /* hash of the folder that its package is in; 0 likewise */
    uint32_t next;     /* another of the same name, or SIZE_NO_CRATE */
    bool is_ambiguous; /* stands for "one of those of this name" */
    bool is_last;      /* compiled last, as in struct crate_fact */
    bool is_for_std;   /* likewise */
};

/* What one source tells of a crate; what it does not is empty or 0. */
struct crate_fact {
    struct slice name; /* with '_' or '-' */
    struct slice version;
    uint64_t id;
    uint64_t folder; /* of CRATE_KIND_OWN: hash of the folder that its package is in */
    enum crate_kind kind;
    struct slice origin; /* which package of several with a crate of this name and version it is of */
    bool is_for_std;     /* std's, and built by cargo: paths show a dependency of this version */
    bool is_last;        /* the build's program or shared library: a hash that no library has is its */
};

/* Zero-initialised is empty. */
struct size_crates {
    VEC(struct size_crate) items;
    struct intern names;
    VEC(uint32_t) first; /* by name: the first crate */
    struct intern ids;   /* name and id */
    VEC(uint32_t) of_id; /* by that: the crate */
    struct text scratch;
};

/*
 * The crate meant, new or known; what is told is kept. Facts that tell more should come first: of a name
 * alone, where several crates have it, is one that stands for them all.
 */
uint32_t size_crates_add(struct size_crates *crates, const struct crate_fact *fact);

/*
 * The crate that stands for all of the name, of which one is meant, be it one that is not known yet. Where of
 * none more than the name is known, the crate of that name.
 */
uint32_t size_crates_add_doubtful(struct size_crates *crates, struct slice name);

/* Whether the fact may be about several of the crates that are known. */
bool size_crates_leave_doubt(const struct size_crates *crates, const struct crate_fact *fact);

/* Whether another crate of this one's name has bytes of its own, as `is_used` (by crate) tells. */
bool size_crates_share_name(const struct size_crates *crates, uint32_t crate, const bool *is_used);

void size_crates_done(struct size_crates *crates);

/*
 * The crate of a codegen unit's name, "fd.1a2b3c-cgu.0". False when it is not of that form; the name is
 * borrowed from the text.
 */
bool crate_fact_of_codegen_unit(struct slice unit, struct crate_fact *out);

/* Whether that is a name as in incremental builds, "0di2v8s2khp89y46lxuyx8a6k", which tells no crate. */
bool codegen_unit_is_hashed(struct slice unit);

/* The unit of a file that rustc made of it, "fd-0123.fd.1a2b3c-cgu.0.rcgu.o" or ".dwo"; empty for others. */
struct slice codegen_unit_of_object(struct slice file);

/* The crate of such a file; where the unit's name is a hash, without an id. */
bool crate_fact_of_object(struct slice file, struct crate_fact *out);

/* The same of what stays of a unit whose debug information is split: it has no name but that of its file. */
bool crate_fact_of_split_unit(const struct unit *unit, struct crate_fact *out);

/* What name and path of one of rustc's compile units tell of its crate; false for others'. Borrowed. */
bool crate_fact_of_unit(const struct unit *unit, struct crate_fact *out);

/* Adds what the path of a compile unit of rustc's tells of its crate: version and kind. */
void crate_fact_locate(const struct unit *unit, struct crate_fact *fact);

/* Whether rustc leaves the crate out of link-time optimisation, as it does with what the compiler calls. */
bool crate_is_never_merged(struct slice name);

/* What the source file of a compile unit tells of its package; may be nothing. Borrowed from the paths. */
struct crate_fact crate_fact_of_path(struct slice directory, struct slice path);

#endif
