#include "process/machine_code/copied.h"

#include <string.h>

#include "process/remote.h"

/* Much code is the same in its first bytes; near the end of a section there are no more. */
enum { MOST_BYTES = 64, LEAST_BYTES = 8 };

/* What the file has from there on; how many bytes, 0 where it has no code. */
static size_t read_file(const struct module *module, uint64_t file_offset, char *out)
{
    uint64_t svma = 0;

    if (!module_svma(module, file_offset, &svma))
        return 0;
    for (size_t length = MOST_BYTES; length >= LEAST_BYTES; length /= 2)
        if (module_read_code(module, svma, length, out))
            return length;
    return 0;
}

void copied_code_settle(struct processes *processes, struct modules *modules,
                        const struct process_space *process, uint64_t avma)
{
    const struct mapping *mapping = address_space_find(&process->space, avma);
    char of_file[MOST_BYTES];
    char of_memory[MOST_BYTES];
    size_t length = 0;

    if (!mapping || !mapping->may_be_copy || processes->is_past)
        return;
    length = read_file(modules_open(modules, mapping->original),
                       avma - mapping->start_avma + mapping->file_offset, of_file);
    if (length > 0 && remote_read(process->pid, avma, length, of_memory) < length)
        return;
    processes_settle_copy(processes, process->pid, avma,
                          length > 0 && memcmp(of_file, of_memory, length) == 0);
}
