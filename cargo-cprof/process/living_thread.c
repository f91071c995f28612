#include "process/living_thread.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/folder.h"

/* By the letter behind the name, which may have parentheses itself; what cannot be read has ended. */
static bool has_ended(uint32_t pid, uint32_t tid)
{
    enum { MOST_BYTES = 4096 };
    SCOPED(text_done) struct text content = {0};
    struct error unread = {0};
    char path[64];
    struct slice rest;

    snprintf(path, sizeof(path), "/proc/%u/task/%u/stat", pid, tid);
    if (file_read(path, MOST_BYTES, &content, &unread) < 0)
        return true;
    rest = text_slice(&content);
    rest = slice_range(rest, slice_find_last_byte(rest, ')'), rest.length);
    return rest.length < 3 || rest.data[2] == 'Z' || rest.data[2] == 'X';
}

uint32_t living_thread(uint32_t pid)
{
    char path[64];
    SCOPED(folder_close) DIR *folder = NULL;
    const struct dirent *entry = NULL;

    if (!has_ended(pid, pid))
        return pid;
    snprintf(path, sizeof(path), "/proc/%u/task", pid);
    folder = opendir(path);
    while (folder && (entry = readdir(folder))) {
        uint32_t tid = (uint32_t)strtoul(entry->d_name, NULL, 10);

        if (tid > 0 && !has_ended(pid, tid))
            return tid;
    }
    return 0;
}
