/* Runs every file of the folders given through a fuzz target, in the order of their names. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int replay_file(const char *path)
{
    SCOPED(text_done) struct text content = {0};
    struct error err = {0};
    uint8_t *exact = NULL;

    if (file_read(path, SIZE_MAX, &content, &err) < 0) {
        fprintf(stderr, "%s\n", err.message);
        return -1;
    }
    /* A copy without a byte to spare, so that reading past the end is seen. */
    exact = malloc(content.length ? content.length : 1);
    for (size_t i = 0; i < content.length; i++)
        exact[i] = (uint8_t)content.data[i];
    LLVMFuzzerTestOneInput(exact, content.length);
    free(exact);
    return 0;
}

static int replay_folder(const char *folder)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_visible, alphasort);
    int failed = count <= 0 ? -1 : 0;

    if (count <= 0)
        fprintf(stderr, "%s: no corpus\n", folder);
    for (int i = 0; i < count; i++) {
        char path[4096];

        snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
        if (replay_file(path) < 0)
            failed = -1;
        free(entries[i]);
    }
    free(entries);
    printf("%s: %d inputs\n", folder, count);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = argc < 2 ? -1 : 0;

    for (int i = 1; i < argc; i++)
        if (replay_folder(argv[i]) < 0)
            failed = -1;
    return failed ? 1 : 0;
}
