/* The machine code of a program or library, function by function, as it stands in its file. */
#ifndef ANNOTATE_MODULE_CODE_H
#define ANNOTATE_MODULE_CODE_H

#include "code/instructions.h"
#include "dwarf/cfi_lookup.h"
#include "symbolize/code_slots.h"
#include "symbolize/module_symbols.h"

struct module_code {
    struct module_symbols symbols;
    struct cfi_lookup *frames; /* owned; NULL: there are none */
    struct code_slots slots;
};

/* A function, or a part of one that stands on its own. */
struct code_extent {
    uint64_t start_svma;
    uint64_t end_svma;
};

/* Longer ones are not read. */
enum { MODULE_CODE_MOST_BYTES = 16 << 20 };

/*
 * Returns 0, or -1 with ERROR_MISSING saying what is wrong with the file; `out`, which does not move, is to
 * be released with module_code_close otherwise.
 */
MUST_CHECK int module_code_open(const struct recorded_file *file, struct module_code *out, struct error *err);

void module_code_close(struct module_code *code);

/*
 * The function that `svma` is in: by symbols, else by the table for unwinding. False when neither tells, or
 * it is longer than is read.
 */
bool module_code_find(const struct module_code *code, uint64_t svma, struct code_extent *out);

/*
 * Fills `text` with what tells the function there from others that are called `name`, as instances of a
 * generic one are: its symbol without hashes, or else with them. Nothing where it has no other name.
 */
void module_code_add_symbol(const struct module_code *code, uint64_t svma, struct slice name,
                            struct text *text);

/*
 * Takes the function apart; instructions that jump to or call a function, by its address, through one that is
 * stored or through a stub, have its name behind them: "call 0x5c30 <app::parse>". Returns 0, or -1 with the
 * failures of image_read_at and instructions_read.
 */
MUST_CHECK int module_code_read(const struct module_code *code, struct code_extent extent,
                                enum instruction_syntax syntax, struct instructions *out, struct error *err);

#endif
