#include "preload/linked/linked.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#include "preload/linked/asked.h"
#include "preload/linked/entry.h"
#include "preload/linked/program.h"
#include "preload/linked/ways.h"
#include "preload/sampling.h"
#include "preload/system.h"
#include "sampler/heap_record.h"

typedef uintptr_t (*linked_original)(uintptr_t, uintptr_t, uintptr_t, uintptr_t);

struct hook {
    const struct linked_name *name;
    linked_original original;
};

static struct hook hooks[SYMBOLS_MOST_FUNCTIONS];

/* --- Calls --------------------------------------------------------------------------------------------- */

/* One may call another: of these only what the outermost gives in the end is noted. */
static __thread bool is_inside;

static uintptr_t call_original(const struct hook *hook, const uintptr_t given[LINKED_ARGUMENTS])
{
    uintptr_t result = 0;

    is_inside = true;
    result = hook->original(given[0], given[1], given[2], given[3]);
    is_inside = false;
    return result;
}

static void note_given(uintptr_t pointer, uint64_t size)
{
    if (!pointer)
        return;
    asked_note(pointer, size > 0 ? size : 1);
    sampling_given(pointer, size, size, size);
}

static uintptr_t grow(const struct hook *hook, const uintptr_t given[LINKED_ARGUMENTS], uint64_t size)
{
    struct sampling_taken given_back;
    uintptr_t pointer = given[hook->name->pointer];
    uint64_t before = pointer ? asked_take(pointer) : 0;
    uintptr_t result = 0;
    bool is_moved = false;

    if (before > 0)
        sampling_try_taken(pointer, before, before, &given_back);
    result = call_original(hook, given);
    is_moved = hook->name->work == LINKED_GROW ? result != 0 : result >= size;
    if (is_moved)
        note_given(hook->name->work == LINKED_GROW ? result : pointer, size);
    else if (before > 0 && size > 0) { /* what was there stays */
        asked_note(pointer, before);
        sampling_kept_still(pointer, before, before, &given_back);
    }
    return result;
}

static uintptr_t take(const struct hook *hook, const uintptr_t given[LINKED_ARGUMENTS])
{
    uintptr_t pointer = given[hook->name->pointer];
    uint64_t size = pointer ? asked_take(pointer) : 0;

    if (size > 0)
        sampling_taken(pointer, size, size);
    return call_original(hook, given);
}

static uintptr_t give(const struct hook *hook, const uintptr_t given[LINKED_ARGUMENTS], uint64_t size)
{
    uintptr_t result = call_original(hook, given);

    if (hook->name->work == LINKED_GIVE)
        note_given(result, size);
    else if (result == 0)
        note_given(*(const uintptr_t *)pointer_to(given[hook->name->pointer]), size);
    return result;
}

static uintptr_t called(const struct hook *hook, const uintptr_t given[LINKED_ARGUMENTS])
{
    const struct linked_name *name = hook->name;
    uint64_t size = given[name->size] * (name->count < LINKED_ARGUMENTS ? given[name->count] : 1);

    if (is_inside)
        return hook->original(given[0], given[1], given[2], given[3]);
    switch ((enum linked_work)name->work) {
    case LINKED_GROW:
    case LINKED_GROW_IN_PLACE:
        return grow(hook, given, size);
    case LINKED_TAKE:
        return take(hook, given);
    case LINKED_GIVE:
    case LINKED_GIVE_TO:
        break;
    }
    return give(hook, given, size);
}

/* Each has as many arguments as any: what is in the registers of those that it has not is passed on. */
#define HOOK(number)                                                                                         \
    static uintptr_t hook_##number(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d)                       \
    {                                                                                                        \
        return called(&hooks[number], (const uintptr_t[LINKED_ARGUMENTS]){a, b, c, d});                      \
    }
#define EACH_OF_EIGHT(what, tens)                                                                            \
    what(tens##0) what(tens##1) what(tens##2) what(tens##3) what(tens##4) what(tens##5) what(tens##6)        \
        what(tens##7)
#define LISTED(number) hook_##number,

EACH_OF_EIGHT(HOOK, 00)
EACH_OF_EIGHT(HOOK, 01)
EACH_OF_EIGHT(HOOK, 02)
EACH_OF_EIGHT(HOOK, 03)
EACH_OF_EIGHT(HOOK, 04)
EACH_OF_EIGHT(HOOK, 05)

/* clang-format off */
static const linked_original functions[] = {
    EACH_OF_EIGHT(LISTED, 00)
    EACH_OF_EIGHT(LISTED, 01)
    EACH_OF_EIGHT(LISTED, 02)
    EACH_OF_EIGHT(LISTED, 03)
    EACH_OF_EIGHT(LISTED, 04)
    EACH_OF_EIGHT(LISTED, 05)
};
/* clang-format on */

_Static_assert(sizeof(functions) / sizeof(functions[0]) == SYMBOLS_MOST_FUNCTIONS, "one for each");

/* --- Their entries ------------------------------------------------------------------------------------- */

_Static_assert((int)SYMBOLS_MOST_FUNCTIONS *(int)ENTRY_WAY_BYTES <= (int)WAYS_BYTES, "all have a way");

#if defined(__aarch64__)
static const struct entry_machine *const machine = &entry_aarch64;
#else
static const struct entry_machine *const machine = &entry_x86_64;
#endif

static bool protect(const struct entry *entry, int protection)
{
    uintptr_t start = (uintptr_t)entry->function & ~(uintptr_t)(HEAP_PAGE_BYTES - 1);
    uintptr_t end = (uintptr_t)entry->function + machine->jump_bytes;

    return !is_failure(SYSTEM_CALL(SYS_mprotect, (long)start, (long)(end - start), protection));
}

static bool make_ways(const struct linked_function *found, const struct entry *entries, size_t count,
                      uint8_t *ways)
{
    for (size_t i = 0; i < count; i++) {
        uintptr_t original =
            machine->make_way(&entries[i], ways + i * ENTRY_WAY_BYTES, (uintptr_t)functions[i]);

        if (!original)
            return false;
        hooks[i].name = found[i].name;
        memcpy(&hooks[i].original, &original, sizeof(original));
    }
    return ways_finish(ways);
}

static void divert_one(const struct entry *entry, const uint8_t *way)
{
    machine->divert(entry, way);
    ways_see_code(entry->function, machine->jump_bytes);
}

/* All of them, or none. */
static bool divert(const struct entry *entries, size_t count, const uint8_t *ways)
{
    size_t writable = 0;

    while (writable < count && protect(&entries[writable], PROT_READ | PROT_WRITE | PROT_EXEC))
        writable++;
    if (writable == count)
        for (size_t i = 0; i < count; i++)
            divert_one(&entries[i], ways + i * ENTRY_WAY_BYTES);
    for (size_t i = 0; i < writable; i++)
        (void)protect(&entries[i], PROT_READ | PROT_EXEC);
    return writable == count;
}

/* Else one may be in a function as it is written to. */
static bool is_only_thread(void)
{
    enum { OWN_AND_PARENT = 2 };
    struct stat status = {0};

    return SYSTEM_CALL(SYS_newfstatat, AT_FDCWD, (long)"/proc/self/task", (long)&status, 0) == 0 &&
           status.st_nlink == OWN_AND_PARENT + 1;
}

static uintptr_t lowest_of(const struct linked_function *found, size_t count)
{
    uintptr_t lowest = UINTPTR_MAX;

    for (size_t i = 0; i < count; i++)
        if ((uintptr_t)found[i].code < lowest)
            lowest = (uintptr_t)found[i].code;
    return lowest;
}

static bool follow(const struct linked_function *found, size_t count)
{
    struct entry entries[SYMBOLS_MOST_FUNCTIONS];
    uint8_t *ways = NULL;

    for (size_t i = 0; i < count; i++)
        if (!machine->plan(found[i].code, found[i].size, &entries[i]))
            return false;
    ways = is_only_thread() ? ways_map(lowest_of(found, count), machine->reach) : NULL;
    if (!ways)
        return false;
    if (make_ways(found, entries, count, ways) && divert(entries, count, ways))
        return true;
    ways_unmap(ways);
    return false;
}

enum linked_end linked_begin(void)
{
    struct linked_function found[SYMBOLS_MOST_FUNCTIONS];
    size_t count = 0;

    switch (program_find_allocator(found, &count)) {
    case PROGRAM_HAS_NONE:
        return LINKED_NO_ALLOCATOR;
    case PROGRAM_HAS_OTHERS:
        break;
    case PROGRAM_HAS_THESE:
        if (follow(found, count))
            return LINKED_FOLLOWED;
        break;
    }
    return LINKED_UNFOLLOWED;
}
