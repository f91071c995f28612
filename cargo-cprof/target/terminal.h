/* The terminal that a program shares with us and with the shell that we were started from. */
#ifndef TARGET_TERMINAL_H
#define TARGET_TERMINAL_H

#include <stdbool.h>
#include <termios.h>

/* How it was set up at some time. Zero-initialised is no terminal. */
struct terminal {
    bool is_known;
    struct termios settings;
};

/* Without a terminal, no terminal. */
void terminal_remember(struct terminal *out);

/* Sets it up as it was then, if it is known and ours to set: we may have gone to the background. */
void terminal_restore(const struct terminal *before);

/*
 * Stops us as Ctrl-Z does, and returns when we go on: what started us on a terminal sees a stopped job.
 * Nothing happens without a terminal, nor where nobody is there to have us go on (SIGTSTP in an orphaned
 * process group, setpgid(2)).
 */
void terminal_stop_us(void);

#endif
