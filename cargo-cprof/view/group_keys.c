#include "view/group_keys.h"

static const struct {
    const char *name;
    const char *title;
    const char *noun;
} kinds[GROUP_KEY_COUNT] = {
    [GROUP_FUNCTION] = {"function", "Function", "function"},
    [GROUP_MODULE] = {"module", "Module", "module"},
    [GROUP_CRATE] = {"crate", "Crate", "crate"},
    [GROUP_DSO] = {"dso", "DSO", "dso"},
    [GROUP_FILE] = {"file", "File", "file"},
    [GROUP_LINE] = {"line", "Line", "line"},
    [GROUP_THREAD] = {"thread", "Thread", "thread"},
    [GROUP_PROCESS] = {"process", "Process", "process"},
    [GROUP_TID] = {"tid", "Thread", "thread"},
    [GROUP_PID] = {"pid", "Process", "process"},
    [GROUP_TASK] = {"task", "Task", "task"},
    [GROUP_FUTURE] = {"future", "Future", "future"},
    [GROUP_SYSCALL] = {"syscall", "System call", "system call"},
};

const char *group_key_name(enum group_key key)
{
    return kinds[key].name;
}

const char *group_key_title(enum group_key key)
{
    return kinds[key].title;
}

const char *group_key_noun(enum group_key key)
{
    return kinds[key].noun;
}

bool group_key_is_of_sample(enum group_key key)
{
    return key >= GROUP_THREAD && key <= GROUP_SYSCALL;
}

static bool key_of(struct slice word, enum group_key *key)
{
    /* perf-report(1), --sort. */
    static const struct {
        const char *word;
        enum group_key key;
    } habits[] = {
        {"comm", GROUP_THREAD},  {"symbol", GROUP_FUNCTION}, {"sym", GROUP_FUNCTION},
        {"srcfile", GROUP_FILE}, {"srcline", GROUP_LINE},
    };

    for (size_t i = 0; i < GROUP_KEY_COUNT; i++)
        if (slice_is(word, kinds[i].name)) {
            *key = (enum group_key)i;
            return true;
        }
    for (size_t i = 0; i < ARRAY_COUNT(habits); i++)
        if (slice_is(word, habits[i].word)) {
            *key = habits[i].key;
            return true;
        }
    return false;
}

/* What every table shows, and what perf's habit is to name with the rest. */
static bool is_column_of_all(struct slice word)
{
    return slice_is(word, "overhead") || slice_is(word, "sample") || slice_is(word, "self") ||
           slice_is(word, "total");
}

bool grouping_has_key(const struct grouping *grouping, enum group_key key)
{
    for (size_t i = 0; i < grouping->key_count; i++)
        if (grouping->keys[i] == key)
            return true;
    return false;
}

int grouping_read_keys(struct slice words, struct grouping *out, struct error *err)
{
    struct grouping read = *out;
    bool is_for_all = false;

    read.key_count = 0;
    while (words.length > 0) {
        size_t end = slice_find_byte(words, ',');
        struct slice word = slice_trim(slice_range(words, 0, end));
        enum group_key key = GROUP_FUNCTION;

        words = slice_range(words, end + 1, words.length);
        if (is_column_of_all(word)) {
            read.by_total = read.by_total || slice_is(word, "total");
            is_for_all = true;
            continue;
        }
        if (slice_is(word, "test")) {
            error_hint(err, "libtest calls each test's thread as the test: --by thread");
            return error_set(err, ERROR_USAGE, "--by test: there is no such group");
        }
        if (!key_of(word, &key)) {
            error_hint(err, "group by function, module, crate, dso, file, line, thread, process, tid, pid, "
                            "task, future or syscall, with commas between");
            return error_set(err, ERROR_USAGE, "--by %.*s: there is no such group", SLICE_ARGUMENTS(word));
        }
        if (grouping_has_key(&read, key))
            continue;
        if (read.key_count == GROUP_KEYS_MOST)
            return error_set(err, ERROR_USAGE, "--by: more than %d groups", GROUP_KEYS_MOST);
        read.keys[read.key_count++] = key;
    }
    if (read.key_count == 0 && is_for_all)
        read.keys[read.key_count++] = GROUP_FUNCTION;
    if (read.key_count == 0)
        return error_set(err, ERROR_USAGE, "--by: no group is named");
    *out = read;
    return 0;
}
