/*
 * Whether a return address and the function below it on a stack belong together. What is left of a stack's
 * frames may lie below those of another function, whose return address stands where theirs did; the call
 * before it tells.
 */
#ifndef PROCESS_MACHINE_CODE_CALL_SITES_H
#define PROCESS_MACHINE_CODE_CALL_SITES_H

#include "process/modules.h"
#include "process/processes.h"

/*
 * Whether the call that ends at `call`, a return address less one, may have led to the instruction at
 * `callee`, both in the memory of that process. False only where it is sure: the call's target is known, it
 * is another function than the one that holds `callee`, and that other one cannot go on elsewhere but by a
 * call. Functions are told apart by their entries for unwinding, those that have none by symbols.
 */
bool call_sites_may_call(struct modules *modules, const struct process_space *process, uint64_t call,
                         uint64_t callee);

/*
 * Whether a function begins right behind the address though no call ends there. Who returns to that function
 * was not called from before it: its address was written to the stack by hand.
 */
bool call_sites_is_before_entry(struct modules *modules, const struct process_space *process,
                                uint64_t address);

/* What is known of the call that ends at a return address. */
enum call_sites_answer {
    CALL_SITES_MAY_CALL,  /* it may have led there */
    CALL_SITES_ELSEWHERE, /* it has not: see call_sites_may_call */
    CALL_SITES_NO_CALL,   /* there is none */
};

enum { CHECKED_CALLS = 1024, CHECKED_RETURNS = 4096 };

/*
 * What was found of calls, each where its hash says. Not that one through memory leads elsewhere: it may lead
 * to another function later. Zero-initialised is ready.
 */
struct checked_calls {
    struct checked_call {
        uint64_t call;
        uint64_t callee;     /* where the function starts; the instruction where that is not known */
        uint32_t generation; /* of the process's memory; 0: no call */
        bool is_call;
        bool leads_elsewhere;
    } items[CHECKED_CALLS];
    struct call_end {
        uint64_t call;
        uint64_t start; /* what is called, in memory: as far as the answer is known */
        uint64_t end;
        uint32_t generation; /* likewise */
        enum call_sites_answer answer;
    } ends[CHECKED_RETURNS];
};

/*
 * Of a word that call frame information tells to be a return address: what is sure. A call of code that is in
 * no file may have led anywhere, and so may one whose target does not stand in the instruction. x86-64 alone:
 * any call of another machine may have.
 */
enum call_sites_answer call_sites_ask(struct checked_calls *checked, struct modules *modules,
                                      const struct process_space *process, uint64_t call, uint64_t callee);

/*
 * The same of a word that is only guessed to be a return address: false also where no call ends there. Of
 * code that is in no file that is all that is known. True for another machine than x86-64 and AArch64.
 */
bool call_sites_is_call(struct checked_calls *checked, struct modules *modules,
                        const struct process_space *process, uint64_t call, uint64_t callee);

/*
 * Whether bytes of x86-64 code that a process made may end with a call. Interpreters that are made at run
 * time (HotSpot's) push the address that follows and jump to what they call.
 */
bool call_sites_end_of_made(struct slice bytes);

/* The opposite of call_sites_may_call, which takes longer. */
bool call_sites_leads_elsewhere(struct checked_calls *checked, struct modules *modules,
                                const struct process_space *process, uint64_t call, uint64_t callee);

#endif
