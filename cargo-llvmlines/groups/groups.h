/*
 * Functions grouped by what they are instances of, or by whose code they are: lines and copies of each
 * group. Memory grows with the number of groups, not of functions; by crate and module also with the names
 * that show no crate.
 */
#ifndef GROUPS_GROUPS_H
#define GROUPS_GROUPS_H

#include <stdint.h>

#include "base/intern.h"
#include "base/text.h"
#include "base/vec.h"
#include "ir/count.h"
#include "ir/crates.h"
#include "rust/impl_common.h"
#include "rust/symbol.h"
#include "rust/symbol_path.h"

/* In the order of the values of --by. */
enum grouping {
    GROUP_BY_FUNCTION, /* each instance by itself; copies are those in several crates */
    GROUP_BY_GENERIC,  /* all instances of one generic */
    GROUP_BY_CRATE,    /* all that one crate's source has, wherever it was instantiated */
    GROUP_BY_MODULE,   /* the same for a module */
    GROUP_AS_PEER,     /* by name as cargo-llvm-lines does (compat_name.h) */
};

struct group {
    uint32_t name;           /* id in groups.names */
    struct impl_common impl; /* ids in groups.types */
    uint64_t lines;
    uint64_t copies;
    uint8_t inlinings; /* of all copies: 1 << enum ir_inlining */
};

/*
 * Functions that are their unit's, though no name says so (counts/unit_crate.h): by crate and by module that
 * is where they belong.
 */
struct unit_owned {
    struct intern symbols; /* of all units' */
    VEC(uint32_t)
    groups;             /* by symbol; INTERN_NONE: not known yet, or of two units that are not of one group */
    size_t known_count; /* the symbols behind are of the unit that is being added */
    VEC(uint32_t) again; /* of that unit, too: symbols that other units have */
    struct group open;   /* what that unit has of them */
};

/* Zero-initialised is empty and groups by function. */
struct groups {
    enum grouping by;
    /*
     * Unless set, all closures of one function are one group and so are all drop glue and all vtable shims,
     * which also by crate and by module are groups of their own, "[drop_in_place]" and "[vtable shims]". If
     * set, closures are told apart, and drop glue and shims by the type they are for, whose crate and module
     * they then are in.
     */
    bool is_split;
    bool knows_inlining;      /* what is added says what was asked about inlining; set by who adds */
    bool counts_instructions; /* lines are without the "]" of switches */
    struct intern keys;       /* what the functions of a group have in common; its id is the index in items */
    struct intern names;      /* as shown; groups may share one */
    struct impl_types types;  /* of impls */
    VEC(struct group) items;
    VEC(uint32_t) name_uses; /* by name id: how many groups have it */
    bool has_legacy_names;
    bool has_v0_names; /* of crates that std has nothing to do with */
    bool std_has_v0_names;
    uint64_t lines; /* of all groups */
    uint64_t copies;
    struct unit_owned owned;
    struct symbol symbol; /* scratch: of the function that was added last */
    struct text text;     /* scratch */
};

void groups_done(struct groups *groups);

/* What `lines` are called: people's word, "Lines" or "Instructions", and the key in results, in lower case.
 */
const char *groups_lines_title(const struct groups *groups);
const char *groups_lines_key(const struct groups *groups);

/* Adds one function of the unit that is being added. */
void groups_add(struct groups *groups, const struct ir_function *function);

/*
 * All functions of a unit were added, which is this crate; one without a name: that is not known, and what
 * shows no crate is "[Unknown]". The name is borrowed for the call.
 */
void groups_end_unit(struct groups *groups, struct symbol_crate crate);

/*
 * Whether the names that were added show legacy mangling to be the program's and v0 std's alone, as of stable
 * Rust 1.95: a v0 name is then of a function that std, or a crate it was built with, hands on.
 */
bool groups_show_std_by_v0(const struct groups *groups);

/*
 * The index of the group that a function belongs to, or INTERN_NONE when nothing of that group was added.
 */
uint32_t groups_find(struct groups *groups, struct slice symbol);

/*
 * Whether the function whose name was parsed into `symbol` is of no group by its name, but by the unit that
 * defines it: that one's, or INTERN_NONE when no unit does or it may be of one of two.
 */
bool groups_find_owned(struct groups *groups, uint32_t *group);

/* "", "inline", "always", "never", or "mixed" for several of them. */
struct slice groups_inlining(uint8_t inlinings);

/* The version of the crate that a group's name begins with, as of crates_version. */
struct slice groups_version(const struct groups *groups, const struct crates *crates, uint32_t group);

#endif
