#include "proc/signal_name.h"

#include <string.h>

void signal_name_add(struct text *text, int signal)
{
    const char *name = sigabbrev_np(signal);

    text_format(text, "signal %d", signal);
    if (name)
        text_format(text, " (SIG%s)", name);
}
