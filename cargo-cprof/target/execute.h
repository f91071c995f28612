/* Becoming a program, in a child between fork and exec: nothing here allocates. */
#ifndef TARGET_EXECUTE_H
#define TARGET_EXECUTE_H

#include <stdint.h>

/* Why there is no program. */
struct refusal {
    int cause;        /* an errno */
    uint16_t machine; /* with ENOEXEC: the EM_* that an ELF file is for; 0 for anything else */
};

/*
 * Becomes the program argv[0] as execvpe(3) does: a name without "/" is looked up in PATH, and what has no
 * format that the system knows is run by /bin/sh, as scripts without "#!" are in shells. That goes for text
 * alone: of ELF files, and of what has a NUL in its first line, it is ENOEXEC. Returns only when it fails.
 * `for_shell` has room for two pointers more than `argv` has words.
 */
struct refusal execute(char *const *argv, char *const *environment, char **for_shell);

#endif
