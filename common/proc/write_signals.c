#include "proc/write_signals.h"

#include <stddef.h>

#include "base/compiler.h"

static const int numbers[] = {SIGPIPE, SIGXFSZ};

void write_signals_ignore(void)
{
    for (size_t i = 0; i < ARRAY_COUNT(numbers); i++)
        signal(numbers[i], SIG_IGN);
}

void write_signals_reset(void)
{
    for (size_t i = 0; i < ARRAY_COUNT(numbers); i++)
        signal(numbers[i], SIG_DFL);
}

void write_signals_add(sigset_t *set)
{
    for (size_t i = 0; i < ARRAY_COUNT(numbers); i++)
        sigaddset(set, numbers[i]);
}
