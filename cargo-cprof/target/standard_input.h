/*
 * The standard input of programs that are started one after the other, which all have ours: what one has read
 * the next finds no more. Of a file each can be given all of it.
 */
#ifndef TARGET_STANDARD_INPUT_H
#define TARGET_STANDARD_INPUT_H

#include <stdbool.h>
#include <sys/types.h>

struct standard_input {
    bool is_file;
    off_t start; /* where the first program begins to read, in bytes */
};

/* As it is before the first is started. */
struct standard_input standard_input_now(void);

/* Before each that follows: to where the first began, if it is a file. */
void standard_input_rewind(const struct standard_input *input);

/* Whether it is a file with something in it, of which nobody has read anything yet. */
bool standard_input_is_unread_file(void);

/* Whether it is no file, and something waits there to be read, once. */
bool standard_input_is_read_once(void);

#endif
