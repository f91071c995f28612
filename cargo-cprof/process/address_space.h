/*
 * What stands where in the memory of one process at one moment: its executable mappings. Processes that were
 * forked share theirs as long as these stay the same.
 */
#ifndef PROCESS_ADDRESS_SPACE_H
#define PROCESS_ADDRESS_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mapping {
    uint64_t start_avma;
    uint64_t end_avma;    /* past the last address */
    uint64_t file_offset; /* of the byte that start_avma shows */
    uint32_t module;      /* the caller's id for the file */
    bool may_be_copy;     /* of what is no file: it came where one had its code, and may have that code; */
    uint32_t original;    /* that file, which `file_offset` is of then */
};

struct mapping_list; /* opaque */

/* Zero-initialised is empty. */
struct address_space {
    struct mapping_list *list; /* owned, with all spaces that were copied from each other; NULL: empty */
};

void address_space_done(struct address_space *space);

/* How many mappings there are, and one of them, by address; until the next change of the space. */
size_t address_space_count(const struct address_space *space);
const struct mapping *address_space_at(const struct address_space *space, size_t index);

/*
 * Adds a mapping. What it covers of older ones is gone: the system tells of new mappings, not of those
 * that were removed before. An empty or upside-down range adds nothing. O(log n), and as many moved as there
 * are mappings between this one and the last that was added; all, where a copy is no more the same.
 */
void address_space_add(struct address_space *space, struct mapping mapping);

/*
 * Whether what stands at the address, and may be a copy of a file's code, is one: then it is that file's from
 * here on, in all copies of the space.
 */
void address_space_settle(struct address_space *space, uint64_t avma, bool is_copy);

void address_space_clear(struct address_space *space);

/* Makes `to` the same as `from`, as fork does. */
void address_space_copy(struct address_space *to, const struct address_space *from);

/* The mapping that holds the address, or NULL; until the next change of the space. O(log n). */
const struct mapping *address_space_find(const struct address_space *space, uint64_t avma);

#endif
