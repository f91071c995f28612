#include "collect/waits/earlier.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "process/thread_stat.h"

#define KERNEL "[kernel]"

enum { MOST_BYTES = 65536 };

void earlier_waits_done(struct earlier_waits *waits)
{
    intern_done(&waits->names);
    vec_done(&waits->places);
}

static uint32_t add_place(struct profile *profile, uint32_t module, uint64_t number,
                          struct profile_function function)
{
    struct profile_frame frame = {.function = profile_function(profile, function)};
    uint32_t place = profile_location(profile, module, number);

    profile_set_frames(profile, place, &frame, 1);
    return place;
}

static void make_root(struct earlier_waits *waits, struct profile *profile)
{
    static const struct slice name = SLICE("[waiting since before]");
    struct profile_function function = {
        .name = profile_string(profile, name),
        .why_unnamed =
            profile_string(profile, SLICE("it waited when it was found: where it began to was not seen")),
    };

    if (waits->has_root)
        return;
    waits->has_root = true;
    waits->module = profile_add_module(profile, MODULE_NONE, SLICE(KERNEL), SLICE(""));
    waits->root = profile_stack(
        profile, PROFILE_NONE,
        add_place(profile, profile_add_module(profile, MODULE_NONE, name, SLICE("")), 0, function));
}

/* The stack with a call of this function of the kernel's on top. */
static uint32_t add_call(struct earlier_waits *waits, struct profile *profile, uint32_t stack,
                         struct slice name)
{
    uint32_t id = intern_add(&waits->names, name);
    uint32_t kernel = profile_string(profile, SLICE(KERNEL));

    if (id == waits->places.count)
        *vec_add(&waits->places) = add_place(profile, waits->module, id,
                                             (struct profile_function){.name = profile_string(profile, name),
                                                                       .crate = kernel,
                                                                       .category = CATEGORY_KERNEL});
    return profile_stack(profile, stack, waits->places.items[id]);
}

static bool read_of_thread(uint32_t pid, uint32_t tid, const char *what, struct text *out)
{
    struct error unread = {0};
    char path[64];

    snprintf(path, sizeof(path), "/proc/%u/task/%u/%s", pid, tid, what);
    text_clear(out);
    return file_read(path, MOST_BYTES, out, &unread) == 0;
}

/* "[<0>] futex_do_wait+0x21/0x90", innermost first. */
static uint32_t add_calls(struct earlier_waits *waits, struct profile *profile, uint32_t stack,
                          struct slice lines)
{
    lines = slice_trim(lines);
    while (lines.length > 0) {
        size_t end = slice_find_last_byte(lines, '\n');
        bool is_last = end == lines.length;
        struct slice line = is_last ? lines : slice_range(lines, end + 1, lines.length);
        struct slice name = slice_range(line, slice_find_byte(line, ' ') + 1, slice_find_byte(line, '+'));

        lines = is_last ? (struct slice){0} : slice_range(lines, 0, end);
        if (name.length > 0)
            stack = add_call(waits, profile, stack, name);
    }
    return stack;
}

bool earlier_waits_find(struct earlier_waits *waits, struct profile *profile, uint32_t pid, uint32_t tid,
                        uint32_t *stack)
{
    SCOPED(text_done) struct text told = {0};
    struct thread_stat stat;

    if (!thread_stat_read(pid, tid, &stat) || !strchr("SDTtI", stat.state))
        return false;
    make_root(waits, profile);
    *stack = waits->root;
    if (read_of_thread(pid, tid, "stack", &told) && told.length > 0)
        *stack = add_calls(waits, profile, waits->root, text_slice(&told));
    else if (read_of_thread(pid, tid, "wchan", &told) && told.length > 1)
        *stack = add_call(waits, profile, waits->root, slice_trim(text_slice(&told)));
    return true;
}
