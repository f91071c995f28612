/*
 * From a thread's registers and a copy of its stack to the calls it was in. Nothing here knows of processes
 * or files: the rules come from the caller's function, and so does memory beyond the copy.
 */
#ifndef UNWIND_UNWIND_H
#define UNWIND_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"
#include "dwarf/cfi.h"
#include "sampler/registers.h"
#include "unwind/state.h"

/* How the walk ended. Of all but the first the outer calls are missing. */
enum unwind_end {
    UNWIND_COMPLETE,    /* at the function that has no caller */
    UNWIND_UNREADABLE,  /* what is needed lies past the memory that can be read */
    UNWIND_NO_RULE,     /* nothing tells how to leave a function, or not in terms of what is known */
    UNWIND_BAD,         /* the rules lead to an address that cannot be, or around in circles */
    UNWIND_DEEP,        /* no room for more frames */
    UNWIND_OTHER_STACK, /* as UNWIND_UNREADABLE, after a signal's frame led out of the copy: to what it
                           interrupted */
    UNWIND_CROSSING,    /* the caller's frames are on another stack, which unwind_across goes on with */
};

/* What is known of one address. */
struct unwind_rule {
    struct cfi_row row;   /* its svma is the address; CFI_CFA_NONE: no rule */
    struct slice section; /* what the row's expressions are read from; outlives the unwinder's use of it */
    uint32_t place;       /* the caller's own mark for the address */
    uint16_t return_register; /* where the return address is in a function that has not stored it */
    bool is_code : 1;         /* something that may be executed is there */
    bool is_inferred : 1;     /* the row: where it leads to no call, another way is looked for */
    bool is_asked : 1;        /* the cache's: whether the next is known */
    bool is_before_entry : 1; /* a function begins behind it, which was not called from here */
    /* Of code that was read, for where no row leads to a call: */
    bool moved_stack : 1;   /* the stack pointer, by nobody knows how much */
    bool fp_is_callers : 1; /* the frame pointer */
    bool is_made : 1;       /* at run time */
    bool is_unread : 1;     /* what it does until it returns, which may tell more and takes long to read */
    bool keeps_frame : 1;   /* known of code that sets frame pointers up: they tell who called what calls */
};

/* Looks up an address, which is anything. Called when it is not in the cache. The svma need not be set. */
typedef void unwind_find_fn(void *context, uint64_t address, struct unwind_rule *out);

/*
 * Adds to a rule that is unread what the code does until it returns, which is read then. Of what has made a
 * call it may tell instead that frame pointers are kept there, and leave it unread.
 */
typedef void unwind_read_rule_fn(void *context, uint64_t address, bool has_called, struct unwind_rule *rule);

/*
 * Whether a function begins right behind the address, which was not called from there. Asked of what is taken
 * for a return address, less one, alone, and when it is not in the cache.
 */
typedef bool unwind_entry_fn(void *context, uint64_t address);

/* Reads 8 bytes of memory outside the copy. Returns false when they cannot be had. */
typedef bool unwind_read_fn(void *context, uint64_t address, uint64_t *out);

/*
 * Whether the frames from `cfa` on, which are not in the copy and could not be read, are on another stack.
 * Asked only where call frame information leads there.
 */
typedef bool unwind_cross_fn(void *context, uint64_t cfa);

/* Whether the call that ends at `call`, a return address less one, may have led to the code at `callee`. */
typedef bool unwind_call_fn(void *context, uint64_t call, uint64_t callee);

/* What is known of a word that a rule tells to be a return address, less one. */
enum unwind_caller {
    UNWIND_CALLER_POSSIBLE,
    UNWIND_CALLER_UNLIKELY, /* no call ends there */
    UNWIND_CALLER_NOT,      /* its call has led elsewhere */
};

typedef enum unwind_caller unwind_caller_fn(void *context, uint64_t call, uint64_t callee);

struct unwind_request {
    const struct registers *registers;
    uint64_t stack_start;       /* the address that the copy begins with */
    struct slice stack;         /* the copy */
    unwind_read_fn *read;       /* NULL: there is only the copy */
    unwind_cross_fn *may_cross; /* NULL: there is one stack */
    void *read_context;         /* for these two */
    unwind_find_fn *find;
    unwind_entry_fn *is_before_entry; /* NULL: of none */
    unwind_find_fn
        *read_code; /* the rule that the code itself tells, whatever others there are; NULL: none */
    unwind_read_rule_fn *read_until_return; /* of rules that `find` gave; NULL: all are read */
    unwind_caller_fn *ask_caller;           /* NULL: all are possible */
    unwind_call_fn *is_call; /* of words guessed to be return addresses; NULL: any behind code may be */
    void *context;           /* for these six */
    uint32_t generation;     /* the same number for the same memory layout: what the cache goes by */
    uint32_t thread; /* the same number for walks of one thread, which mostly go through the same calls */
};

/* Whether the copy has all 8 bytes of the word at this address. */
static inline bool unwind_is_copied(const struct unwind_request *request, uint64_t address)
{
    uint64_t offset = address - request->stack_start; /* of what lies before the copy: past any length */

    return request->stack.length >= sizeof(uint64_t) && offset <= request->stack.length - sizeof(uint64_t);
}

/* One call. */
struct unwind_frame {
    uint64_t address; /* the instruction interrupted, or one byte before a return address: within the call */
    uint64_t cfa;     /* the stack pointer's value in the caller; 0 when the walk ended here */
    uint32_t place;
};

/* Rules that were asked for, the steps of walks before, and the frames of the last walk. */
struct unwinder {
    struct rule_cache *cache;       /* owned */
    struct unwind_repeats *repeats; /* owned */
    struct unwind_frame *frames;    /* owned; the innermost first */
    size_t frame_count;
    struct unwind_point crossing; /* where UNWIND_CROSSING was the end */
};

enum { UNWIND_MOST_FRAMES = 16384 };

void unwinder_init(struct unwinder *unwinder);
void unwinder_done(struct unwinder *unwinder);

/* Walks up the stack, at least one frame; the result stands in unwinder->frames. */
enum unwind_end unwind(struct unwinder *unwinder, const struct unwind_request *request);

/*
 * Goes on with the same request, but for `read` and `may_cross`, from where a walk has stopped: takes the
 * step that it could not take. `point` is none of the unwinder's own.
 */
enum unwind_end unwind_across(struct unwinder *unwinder, const struct unwind_request *request,
                              const struct unwind_point *point);

#endif
