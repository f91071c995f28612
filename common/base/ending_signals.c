#include "base/ending_signals.h"

#include <stddef.h>

#include "base/compiler.h"

static const int numbers[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

void ending_signals_add(sigset_t *set)
{
    for (size_t i = 0; i < ARRAY_COUNT(numbers); i++)
        sigaddset(set, numbers[i]);
}
