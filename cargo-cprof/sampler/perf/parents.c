#include "sampler/perf/parents.h"

#include <unistd.h>

enum {
    ANY_CPU = -1,
    FEW_CHILDREN = 16, /* that a thread starts before its events are kept apart from theirs */
    MOST_EVENTS = 256, /* files for them are open at a time */
};

void parents_done(struct parents *parents)
{
    for (size_t i = 0; i < parents->events.count; i++)
        close(parents->events.items[i].descriptor);
    vec_done(&parents->events);
    vec_done(&parents->items);
}

/* Few threads that are there start others, so looking through them all is fast enough. */
static struct parent *find(const struct parents *parents, uint32_t tid)
{
    for (size_t i = 0; i < parents->items.count; i++)
        if (parents->items.items[i].tid == tid)
            return &parents->items.items[i];
    return NULL;
}

static void forget(struct parents *parents, uint32_t tid)
{
    struct parent *parent = find(parents, tid);

    if (!parent)
        return;
    *parent = parents->items.items[--parents->items.count];
    for (size_t i = parents->events.count; i > 0; i--) {
        struct parent_event *event = &parents->events.items[i - 1];

        if (event->tid != tid)
            continue;
        close(event->descriptor);
        *event = parents->events.items[--parents->events.count];
    }
}

/* Of each kind, as before Linux 6.2 a thread has several sets: of software's events, of hardware's. */
static void keep_apart(struct parents *parents, const struct event_set *events, uint32_t tid)
{
    for (size_t i = 0; i < events->kinds.count && parents->events.count < MOST_EVENTS; i++) {
        struct perf_event_attr attributes = events->kinds.items[i].attributes;
        int descriptor = -1;

        attributes.inherit = 0;
        attributes.disabled = 1;
        attributes.enable_on_exec = 0;
        descriptor = event_open(&attributes, (pid_t)tid, ANY_CPU);
        if (descriptor >= 0)
            *vec_add(&parents->events) = (struct parent_event){tid, descriptor};
    }
}

static void note_child(struct parents *parents, const struct event_set *events, uint32_t tid)
{
    struct parent *parent = find(parents, tid);

    if (!parent) {
        parent = vec_add(&parents->items);
        *parent = (struct parent){.tid = tid};
    }
    if (++parent->child_count == FEW_CHILDREN)
        keep_apart(parents, events, tid);
}

void parents_note(struct parents *parents, const struct event_set *events, const struct sampler_event *event)
{
    if (event->kind == SAMPLER_FORK) {
        forget(parents, event->tid);
        note_child(parents, events, event->fork.parent_tid);
    } else if (event->kind == SAMPLER_EXIT) {
        forget(parents, event->tid);
    }
}
