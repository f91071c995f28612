/* The machine code that samples with chosen functions in their stacks are in: which, and how much in each
 * instruction. */
#ifndef ANNOTATE_HOT_CODE_H
#define ANNOTATE_HOT_CODE_H

#include "annotate/marks.h"
#include "annotate/module_code.h"

/* One function as it was compiled. */
struct hot_function {
    uint32_t module;       /* of the profile */
    uint32_t function;     /* of the profile: what it is called */
    struct slice symbol;   /* what tells it from others of that name, in the arena of `code`; may be empty */
    uint32_t inlined;      /* the chosen function that is inlined in it; PROFILE_NONE: it is chosen itself */
    bool has_more_inlined; /* and others */
    struct code_extent extent;
    struct instructions code; /* owned */
    uint32_t *marks;          /* owned, by instruction; PROFILE_NONE: no sample is there */
};

/* To be released with hot_code_done. */
struct hot_code {
    VEC(struct hot_function) functions; /* the groups of the marks */
    struct marks marks;                 /* of instructions: all samples */
    struct marks chosen;                /* the same ones: samples in chosen functions alone */
    struct error problem; /* why code of chosen functions is not among it; kind ERROR_NONE: all is */
};

/*
 * Takes apart what the chosen functions (by function of the profile) were compiled to, and the functions that
 * they were inlined into. Returns 0, or -1 with ERROR_MISSING when there is nothing to be shown, or the
 * failures of module_code_read.
 */
MUST_CHECK int hot_code_find(const struct profile *profile, uint32_t series, const bool *chosen,
                             enum instruction_syntax syntax, struct hot_code *out, struct error *err);

void hot_code_done(struct hot_code *code);

#endif
