/* Signals in the words that people know them by. */
#ifndef PROC_SIGNAL_NAME_H
#define PROC_SIGNAL_NAME_H

#include "base/text.h"

/* "signal 11 (SIGSEGV)"; of one without a name, as those for real time, the number alone. */
void signal_name_add(struct text *text, int signal);

#endif
