/*
 * The names of one unit's functions while it is walked: which entries stand for the same function,
 * and in which modules and types those stand that have no linkage name.
 */
#ifndef DWARF_FUNCTION_NAMES_H
#define DWARF_FUNCTION_NAMES_H

#include "dwarf/functions.h"

#define SCOPE_NONE UINT32_MAX

/* A module, type or function that others are declared in. */
struct name_scope {
    uint64_t offset;             /* of its entry */
    uint32_t parent;             /* SCOPE_NONE, or a smaller index */
    uint32_t unnamed_type_count; /* types without a name that stand in it */
    uint32_t unnamed_type;       /* which of these in its parent it is, from 1; 0 for anything else */
};

struct name_declaration {
    uint64_t offset; /* of a function's entry */
    uint32_t scope;
};

/* A name that the scopes around its entry are a part of. */
struct name_in_scopes {
    uint32_t id;
    uint64_t offset; /* of the entry that has the name */
    struct slice name;
    enum attribute_class class; /* of the name */
};

/* Zero-initialised but for `units` is empty and ready. */
struct function_names {
    const struct units *units;
    uint32_t unit;         /* the one that is walked */
    VEC(uint64_t) origins; /* by id: offset of the entry to take the name from */
    uint32_t *table;       /* open addressing; id + 1, 0 for a free place */
    size_t table_size;     /* 0 or a power of two */
    VEC(struct name_scope) scopes;
    uint32_t unnamed_type_count;               /* that stand in no scope */
    VEC(struct name_declaration) declarations; /* by offset */
    VEC(struct name_in_scopes) unfinished;
    VEC(uint64_t) elsewhere; /* offsets of theirs that are in other units, rising, each once */
    VEC(struct name_declaration) elsewhere_declarations; /* by offset */
};

void function_names_done(struct function_names *names);

/* The id of the function whose name is at the entry with this offset; ids count up from 0. */
uint32_t function_names_id(struct function_names *names, uint64_t origin);

/* Adds the scope of that entry and returns its index. */
uint32_t function_names_add_scope(struct function_names *names, uint64_t offset, uint32_t parent);

/* The same for a type without a name, as that of a lambda. */
uint32_t function_names_add_unnamed_type(struct function_names *names, uint64_t offset, uint32_t parent);

/* Notes that the function of the entry stands in that scope. Called in rising order of offset. */
void function_names_declare(struct function_names *names, uint64_t offset, uint32_t scope);

/*
 * Fills functions->names once the whole unit was walked, but for what the scopes around an entry tell. Those
 * of entries in other units, as of calls that were inlined from there, are to be told of before the names are
 * finished: `elsewhere` says of which.
 */
void function_names_find(struct function_names *names, struct functions *functions);

/* As function_names_declare, of the entries of `elsewhere`; other ones are let pass. */
void function_names_declare_elsewhere(struct function_names *names, uint64_t offset, uint32_t scope);

void function_names_finish(const struct function_names *names, struct functions *functions);

#endif
