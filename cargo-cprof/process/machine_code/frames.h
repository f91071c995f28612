/*
 * Rules to leave functions that have no call frame information, worked out from their code
 * (code/frame_shapes.h): assembly whose author wrote no directives for it, C libraries built without; and
 * functions whose information does not tell of inline assembly that pushes. Where a function starts is told
 * by its entry in the call frame information (x86-64), else by the file's symbols; where it ends by these, or
 * where they are not all there and it has no size by what its instructions lead to (x86-64).
 */
#ifndef PROCESS_MACHINE_CODE_FRAMES_H
#define PROCESS_MACHINE_CODE_FRAMES_H

#include "dwarf/cfi_lookup.h"
#include "elf/image.h"

struct code_frames; /* opaque */

/*
 * Nothing is read before the first question. `image` and `entries`, the same file's or NULL, must outlive the
 * result, which code_frames_close releases.
 */
struct code_frames *code_frames_open(struct image *image, struct cfi_lookup *entries);

/* NULL is let pass. */
void code_frames_close(struct code_frames *frames);

/*
 * The rule at this address, or NULL when the code does not tell it: it is in no function that is known,
 * reached in ways that are not followed, of another machine than x86-64 or AArch64, or Zydis is not
 * installed, which x86-64 needs. Without a symbol functions of x86-64 alone are known. Of AArch64 it is that
 * of functions that have not made a frame yet, or never do (code/aarch64_flow.h). It is what the code looks
 * like, not what its author says: where it leads is to be checked. Valid until the next call. Each function
 * is read once.
 */
const struct cfi_row *code_frames_find(struct code_frames *frames, uint64_t svma);

/* Where return addresses are that such a rule says to be not stored. */
uint32_t code_frames_return_register(const struct code_frames *frames);

/* What else the code tells of a function, for where its rule is none or does not lead to a caller. */
struct code_frame_hints {
    bool moved_stack;   /* the stack pointer was moved by nobody knows how much */
    bool fp_is_callers; /* the frame pointer is still the caller's: it tells nothing of this frame */
};

/* All false where stack pointer or frame pointer are at a known distance from the CFA, or nothing is known.
 */
struct code_frame_hints code_frames_hints(struct code_frames *frames, uint64_t svma);

/*
 * The function that holds the address: from its start up to its end. False where there is
 * none, as of code_frames_find.
 */
bool code_frames_range(struct code_frames *frames, uint64_t svma, uint64_t *start_svma, uint64_t *end_svma);

#endif
