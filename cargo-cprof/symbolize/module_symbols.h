/*
 * What one file knows of its code: debug information, its own or in a separate file, and the symbol table.
 * Resolvers ask in turn, the first answer wins.
 */
#ifndef SYMBOLIZE_MODULE_SYMBOLS_H
#define SYMBOLIZE_MODULE_SYMBOLS_H

#include "base/text.h"
#include "dwarf/debug_info.h"
#include "elf/symbols.h"
#include "process/machine_code/blocks.h"
#include "size/code_map.h"
#include "symbolize/hashed_units.h"
#include "symbolize/local_crates.h"
#include "symbolize/recorded_file.h"

/* Zero-initialised is a file that knows nothing; to be released with module_symbols_close. */
struct module_symbols {
    const char *why_not;        /* why nothing is known of the file; NULL when something is */
    struct image image;         /* valid when is_open, as the next */
    struct code_blocks *blocks; /* owned; of its code */
    struct image debug_image;   /* valid when has_debug_image: a separate file */
    struct error
        separate; /* why no separate file was taken; kind ERROR_NONE: none was looked for, or one was */
    struct text why_stripped; /* why code has no name where the file lacks a full symbol table */
    struct symbols symbols;
    struct code_map map;     /* of .text, without padding */
    struct debug_info debug; /* valid when has_debug */
    struct hashed_units hashed_units;
    struct local_crates local_crates;
    struct error problem; /* why debug information could not be opened; kind ERROR_NONE: it was */
    bool is_open;
    bool has_debug_image;
    bool has_debug;
};

/* A name from the symbol table. */
struct found_symbol {
    struct slice name;
    uint64_t offset; /* of the address from where the symbol starts */
    bool is_near;    /* the address is not known to be in it, only behind its start */
    bool is_unsized; /* the symbol does not say how long it is, as those of assembly may not */
};

enum module_detail {
    MODULE_LINES, /* all that the file knows: inlined calls, lines */
    MODULE_NAMES, /* no debug information where a full symbol table names the functions */
};

/*
 * Reads what the file knows. One that has another build id is not taken. Only `wanted` addresses may be asked
 * for afterwards; NULL: any. Never fails: why_not says what was wrong.
 */
void module_symbols_open(const struct recorded_file *file, enum module_detail detail,
                         const struct places *wanted, struct module_symbols *out);

/* The same for any address of a file in memory, borrowed until module_symbols_close. */
void module_symbols_open_bytes(struct slice bytes, const char *name, struct module_symbols *out);

/* Opens nothing, for a file that is known to be another one: why_not says so. */
void module_symbols_refuse_replaced(struct module_symbols *out);

void module_symbols_close(struct module_symbols *module);

/* Whether rustc has made the unit that the frame of debug information is in. */
bool module_symbols_is_rust(const struct module_symbols *module, const struct source_frame *frame);

/*
 * The crate of the unit of rustc's that the frame of debug information is in; empty when it is not known, and
 * for units of other compilers. Valid until the debug information is asked for something else.
 */
struct slice module_symbols_unit_crate(struct module_symbols *module, const struct source_frame *frame);

/*
 * The crate of the source file at `path`, the frame's, where neither the path nor the function's name tells
 * it; empty when the file's units do not either. Valid until module_symbols_close.
 */
struct slice module_symbols_local_crate(struct module_symbols *module, const struct source_frame *frame,
                                        struct slice path);

/* The symbol at or before `svma`; false when there is none near it. */
bool module_symbols_find(const struct module_symbols *module, uint64_t svma, struct found_symbol *out);

#endif
