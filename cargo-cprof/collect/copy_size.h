/*
 * How much is to be copied of each stack. As much as the kernel can at first: what is deeper is read a little
 * later, and few stacks are. Where most are, and what is past fewer bytes was the same when it was read,
 * fewer do: the program waits half as long for each of its samples, and no stack is more cut than before.
 * Where that turns out to be wrong, it is the most again, for good.
 */
#ifndef COLLECT_COPY_SIZE_H
#define COLLECT_COPY_SIZE_H

#include <stdbool.h>
#include <stdint.h>

/* What became of samples' stacks. */
enum copy_use {
    COPY_USE_SMALL,     /* fewer bytes would have been enough */
    COPY_USE_LARGE,     /* they would not, or what is past them changes too often to be read */
    COPY_USE_COMPLETED, /* from memory, as it would have been with fewer */
    COPY_USE_STANDS,    /* one of those is not taken back */
    COPY_USE_IS_WRONG,  /* it could not be completed, or was taken back */
};

/* Zero-initialised: the most, and nothing known. */
struct copy_size {
    bool is_small;
    bool was_wrong;           /* to change */
    bool has_stood;           /* one at least */
    uint64_t completed_count; /* while the most are copied in a row; else since `wrong_round`, */
    uint64_t wrong_count;     /* as these are */
    uint32_t wrong_round;     /* since when some are, with few rounds in between; 0: none was */
    uint32_t last_wrong_round;
};

/* So many samples more, in this round. */
void copy_size_note(struct copy_size *size, enum copy_use use, uint64_t count, uint32_t round);

enum copy_change {
    COPY_STAYS,
    COPY_FEWER,
    COPY_MOST,
};

/*
 * Whether to change now, with so many samples a second. Before the most are copied again, what was completed
 * is doubtful from `from_round` on: nothing more is read of memory that would tell whether it stands.
 */
enum copy_change copy_size_changes(struct copy_size *size, uint32_t frequency_hz, uint32_t *from_round);

/* Another run of the program begins with the most again. */
void copy_size_begin(struct copy_size *size);

#endif
