/*
 * What was read from disks: files that are not in memory yet, as when the first of two programs was run that
 * read them, take the kernel's time and make threads wait. That is no change of the program.
 */
#ifndef CHANGES_DISK_READS_H
#define CHANGES_DISK_READS_H

#include "changes/change_rows.h"

/*
 * The side, of which both have to tell what a run of it read from disks, that read so much more than the
 * other that this may have moved what is told: JOINED_SIDES for none. Of CPU time, and of what processors
 * count, that is where the kernel took more there, or all of it did and that may be the kernel's, and not a
 * multiple of what such reads may cost; of waits, page faults and context switches where anything did. What
 * was asked of the heap no disk changes.
 */
enum joined_side disk_reads_side(const struct joined_part parts[JOINED_SIDES], const struct changes *changes);

/* Adds to the rows of change_rows_fill what a run of each side read, where known, and a note where there is
 * such a side. */
void disk_reads_tell(const struct joined_part parts[JOINED_SIDES], const struct changes *changes,
                     const struct change_words *words, struct rows *rows);

#endif
