#include "record/heap_options.h"

#include "base/compiler.h"

static const char *first_of_heap(const struct sampler_request *sampling, bool *has_others)
{
    const char *name = NULL;

    *has_others = sampling->event_count == 0;
    for (size_t i = 0; i < sampling->event_count; i++)
        if (!sampling->events[i].heap)
            *has_others = true;
        else if (!name)
            name = sampling->events[i].name;
    return name;
}

int heap_options_check(const struct options *options, const struct sampler_request *sampling,
                       struct error *err)
{
    static const char *const watching[] = {"pid", "all-cpus", "cpu"};
    bool has_others = false;
    const char *name = first_of_heap(sampling, &has_others);

    if (!name)
        return 0;
    for (size_t i = 0; i < ARRAY_COUNT(watching); i++) {
        if (!options_has(options, watching[i]))
            continue;
        error_hint(err, "-e page-faults tells where a process that runs writes to memory for the first time");
        return error_set(err, ERROR_USAGE, "--%s: %s is told by a program itself, from its start on",
                         watching[i], name);
    }
    if (sampling->stacks == SAMPLER_STACKS_NONE)
        return error_set(err, ERROR_USAGE,
                         "--call-graph none: %s is about who asks for memory, which takes calls", name);
    if (!has_others && options_has(options, "count"))
        return error_set(err, ERROR_USAGE,
                         "--count %s: of %s each allocation is told, or as many of so many bytes as are good",
                         options_value(options, "count"), name);
    return 0;
}
