#include "preload/linked/names.h"

#include <stddef.h>
#include <string.h>

#define GIVE(name, size)                                                                                     \
    {                                                                                                        \
        name, LINKED_GIVE, 0, size, LINKED_ARGUMENTS                                                         \
    }
#define GIVE_MANY(name, count, size)                                                                         \
    {                                                                                                        \
        name, LINKED_GIVE, 0, size, count                                                                    \
    }
#define GIVE_TO(name, pointer, size)                                                                         \
    {                                                                                                        \
        name, LINKED_GIVE_TO, pointer, size, LINKED_ARGUMENTS                                                \
    }
#define GROW(name, pointer, size)                                                                            \
    {                                                                                                        \
        name, LINKED_GROW, pointer, size, LINKED_ARGUMENTS                                                   \
    }
#define GROW_MANY(name, pointer, count, size)                                                                \
    {                                                                                                        \
        name, LINKED_GROW, pointer, size, count                                                              \
    }
#define GROW_IN_PLACE(name, pointer, size)                                                                   \
    {                                                                                                        \
        name, LINKED_GROW_IN_PLACE, pointer, size, LINKED_ARGUMENTS                                          \
    }
#define TAKE(name, pointer)                                                                                  \
    {                                                                                                        \
        name, LINKED_TAKE, pointer, 0, LINKED_ARGUMENTS                                                      \
    }

/* Behind the prefix that it was built with (--with-jemalloc-prefix). */
static const struct linked_name of_jemalloc[] = {
    GIVE("malloc", 0),
    GIVE_MANY("calloc", 0, 1),
    GIVE("aligned_alloc", 1),
    GIVE("memalign", 1),
    GIVE("valloc", 0),
    GIVE("pvalloc", 0),
    GIVE_TO("posix_memalign", 0, 2),
    GIVE("mallocx", 0),
    GROW("realloc", 0, 1),
    GROW("rallocx", 0, 1),
    GROW_IN_PLACE("xallocx", 0, 1),
    TAKE("free", 0),
    TAKE("free_sized", 0),
    TAKE("free_aligned_sized", 0),
    TAKE("dallocx", 0),
    TAKE("sdallocx", 0),
};

static const struct linked_name of_others[] = {
    GIVE("mi_malloc", 0),
    GIVE("mi_zalloc", 0),
    GIVE("mi_malloc_small", 0),
    GIVE("mi_zalloc_small", 0),
    GIVE_MANY("mi_calloc", 0, 1),
    GIVE_MANY("mi_mallocn", 0, 1),
    GIVE("mi_malloc_aligned", 0),
    GIVE("mi_zalloc_aligned", 0),
    GIVE_MANY("mi_calloc_aligned", 0, 1),
    GIVE("mi_memalign", 1),
    GIVE("mi_aligned_alloc", 1),
    GIVE("mi_new", 0),
    GIVE("mi_new_aligned", 0),
    GIVE("mi_new_nothrow", 0),
    GIVE("mi_heap_malloc", 1),
    GIVE("mi_heap_zalloc", 1),
    GIVE_MANY("mi_heap_calloc", 1, 2),
    GIVE("mi_heap_malloc_aligned", 1),
    GIVE("mi_heap_zalloc_aligned", 1),
    GIVE_TO("mi_posix_memalign", 0, 2),
    GROW("mi_realloc", 0, 1),
    GROW("mi_rezalloc", 0, 1),
    GROW_MANY("mi_reallocn", 0, 1, 2),
    GROW_MANY("mi_recalloc", 0, 1, 2),
    GROW("mi_realloc_aligned", 0, 1),
    GROW("mi_rezalloc_aligned", 0, 1),
    GROW("mi_heap_realloc", 1, 2),
    GROW("mi_heap_realloc_aligned", 1, 2),
    TAKE("mi_free", 0),
    TAKE("mi_free_size", 0),
    TAKE("mi_free_aligned", 0),
    TAKE("mi_free_size_aligned", 0),
    GIVE("sn_rust_alloc", 1),
    GIVE("sn_rust_alloc_zeroed", 1),
    GROW("sn_rust_realloc", 0, 3),
    TAKE("sn_rust_dealloc", 0),
};

static bool is_same(const char *left, const char *right)
{
    for (; *left && *left == *right; left++)
        right++;
    return *left == *right;
}

static const char *behind(const char *name, const char *prefix)
{
    size_t length = strlen(prefix);

    return strncmp(name, prefix, length) == 0 ? name + length : NULL;
}

static const struct linked_name *find_among(const struct linked_name *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (is_same(names[i].name, name))
            return &names[i];
    return NULL;
}

static const char *without_prefix(const char *name)
{
    const char *rest = behind(name, "_rjem_");

    return rest ? rest : behind(name, "je_");
}

const struct linked_name *linked_name_find(const char *name, bool *is_bare)
{
    const char *rest = without_prefix(name);
    bool is_others = strncmp(name, "mi_", 3) == 0 || strncmp(name, "sn_", 3) == 0;

    *is_bare = !rest && !is_others;
    if (is_others)
        return find_among(of_others, sizeof(of_others) / sizeof(of_others[0]), name);
    return find_among(of_jemalloc, sizeof(of_jemalloc) / sizeof(of_jemalloc[0]), rest ? rest : name);
}

bool linked_name_is_of_jemalloc(const char *name)
{
    static const char *const own[] = {"mallocx", "rallocx", "xallocx", "sdallocx", "dallocx", "mallctl"};
    const char *rest = without_prefix(name);

    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        if (is_same(own[i], rest ? rest : name))
            return true;
    return false;
}
