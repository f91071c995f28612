#include "profile/heap_events.h"

#include "base/compiler.h"

enum heap_event heap_event_of(struct slice event)
{
    static const char *const names[] = {
        [HEAP_EVENT_PEAK] = "heap-peak",
        [HEAP_EVENT_END] = "heap-end",
        [HEAP_EVENT_BYTES] = "alloc-bytes",
        [HEAP_EVENT_COUNT] = "alloc-count",
    };

    for (size_t i = HEAP_EVENT_PEAK; i < ARRAY_COUNT(names); i++)
        if (slice_is(event, names[i]))
            return (enum heap_event)i;
    return HEAP_EVENT_NONE;
}

bool heap_library_is(struct slice path)
{
    return slice_is(slice_file_name(path), HEAP_LIBRARY_NAME);
}

bool heap_event_is_of_moment(enum heap_event event)
{
    return event == HEAP_EVENT_PEAK || event == HEAP_EVENT_END;
}
