#include "view/numbered_names.h"

#include "base/memory.h"

enum { NAMES_SHOWN = 3 };

/* The names of one thread or process, each once. */
struct names {
    uint32_t names[NAMES_SHOWN];
    size_t count;
    bool has_more;
    uint32_t label; /* string; PROFILE_NO_STRING: not made yet */
};

/* A field of a thread's entry. */
typedef uint32_t field_fn(const struct profile_thread *thread);

struct fields {
    field_fn *number;
    field_fn *name;
};

static uint32_t tid_of(const struct profile_thread *thread)
{
    return thread->tid;
}

static uint32_t pid_of(const struct profile_thread *thread)
{
    return thread->pid;
}

static uint32_t thread_name_of(const struct profile_thread *thread)
{
    return thread->name;
}

static uint32_t process_name_of(const struct profile_thread *thread)
{
    return thread->process_name;
}

uint32_t name_or_unknown(struct profile *profile, uint32_t name)
{
    return name != PROFILE_NO_STRING ? name : profile_string(profile, SLICE("[unknown]"));
}

static void add_name(struct names *names, uint32_t name)
{
    for (size_t i = 0; i < names->count; i++)
        if (names->names[i] == name)
            return;
    if (names->count < NAMES_SHOWN)
        names->names[names->count++] = name;
    else
        names->has_more = true;
}

static uint32_t label_of(struct profile *profile, const struct names *names, uint32_t number)
{
    SCOPED(text_done) struct text label = {0};

    for (size_t i = 0; i < names->count; i++) {
        text_add_string(&label, i > 0 ? ", " : "");
        text_add(&label, profile_text(profile, names->names[i]));
    }
    text_format(&label, "%s (%u)", names->has_more ? ", ..." : "", number);
    return profile_string(profile, text_slice(&label));
}

static uint32_t *numbered_names(struct profile *profile, struct fields fields)
{
    size_t count = profile->threads.count;
    uint32_t *labels = memory_new(count + 1, sizeof(*labels));
    SCOPED(memory_free_at) struct names *all = memory_new(count + 1, sizeof(*all));
    struct pair_index numbers = {0};

    for (size_t i = 0; i < count; i++) {
        const struct profile_thread *thread = &profile->threads.items[i];

        add_name(&all[pair_index_add(&numbers, fields.number(thread), 0)],
                 name_or_unknown(profile, fields.name(thread)));
    }
    for (size_t i = 0; i < count; i++) {
        const struct profile_thread *thread = &profile->threads.items[i];
        uint32_t number = fields.number(thread);
        struct names *names = &all[pair_index_add(&numbers, number, 0)];

        if (number > 0 && names->label == PROFILE_NO_STRING)
            names->label = label_of(profile, names, number);
        labels[i] = number > 0 ? names->label : name_or_unknown(profile, fields.name(thread));
    }
    pair_index_done(&numbers);
    return labels;
}

uint32_t *numbered_names_of_threads(struct profile *profile)
{
    return numbered_names(profile, (struct fields){tid_of, thread_name_of});
}

uint32_t *numbered_names_of_processes(struct profile *profile)
{
    return numbered_names(profile, (struct fields){pid_of, process_name_of});
}
