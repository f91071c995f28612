#include "sampler/perf/event_choices.h"

#include <stddef.h>

#include "cli/choices.h"

#define EVENTS                                                                                               \
    "cpu-clock", "task-clock", "cycles", "instructions", "cache-references", "cache-misses", "branches",     \
        "branch-misses", "page-faults", "minor-faults", "major-faults", "context-switches",                  \
        "cpu-migrations", "off-cpu", "heap-peak", "heap-end", "alloc-bytes", "alloc-count"

const char *const event_choices[] = {EVENTS, CHOICES_OTHERS_TOO, NULL};
const char *const event_choices_to_record[] = {EVENTS, "heap", CHOICES_OTHERS_TOO, NULL};
