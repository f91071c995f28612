#include "target/describe.h"

#include "base/file.h"
#include "process/thread_stat.h"

void describe_command(struct text *text, const struct launch *what)
{
    text_add_string(text, what->directory ? file_from_here(what->argv[0]) : what->argv[0]);
    for (size_t i = 1; what->argv[i]; i++) {
        text_add_byte(text, ' ');
        text_add_string(text, what->argv[i]);
    }
}

/* " (server)"; nothing for one that has ended. */
static void add_name(struct text *text, pid_t pid)
{
    SCOPED(text_done) struct text name = {0};

    if (!thread_name_read((uint32_t)pid, (uint32_t)pid, &name))
        return;
    text_add_string(text, " (");
    text_add(text, slice_trim(text_slice(&name)));
    text_add_byte(text, ')');
}

void describe_processes(struct text *text, const struct pids *pids)
{
    text_add_string(text, pids->count == 1 ? "process " : "processes ");
    for (size_t i = 0; i < pids->count; i++) {
        text_format(text, "%s%d", i ? ", " : "", (int)pids->items[i]);
        add_name(text, pids->items[i]);
    }
}

void describe_machine(struct text *text, const int *cpus, size_t count)
{
    if (count == 0)
        text_add_string(text, "the machine");
    for (size_t i = 0; i < count; i++)
        text_format(text, "%s%d", i ? ", " : count == 1 ? "processor " : "processors ", cpus[i]);
}
