#include "cargo/toolchain.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/scan.h"
#include "proc/run.h"

enum toolchain_choice toolchain_choice(void)
{
    static const struct {
        const char *source;
        enum toolchain_choice choice;
    } sources[] = {{"toolchain-file", TOOLCHAIN_OF_FOLDER},
                   {"default", TOOLCHAIN_OF_FOLDER},
                   {"cli", TOOLCHAIN_TYPED},
                   {"path-override", TOOLCHAIN_TYPED}};
    const char *source = getenv("RUSTUP_TOOLCHAIN_SOURCE");

    if (!getenv("RUSTUP_TOOLCHAIN"))
        return TOOLCHAIN_NOT_SET;
    for (size_t i = 0; source && i < ARRAY_COUNT(sources); i++)
        if (strcmp(source, sources[i].source) == 0)
            return sources[i].choice;
    return TOOLCHAIN_EXPORTED;
}

/* rustup takes the older name first where a folder has both. */
static const char *file_of(struct arena *arena, struct slice folder)
{
    static const char *const names[] = {"rust-toolchain", "rust-toolchain.toml"};

    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        const char *path = arena_format(arena, "%.*s/%s", SLICE_ARGUMENTS(folder), names[i]);

        if (access(path, F_OK) == 0)
            return path;
    }
    return NULL;
}

const char *toolchain_file_find(struct arena *arena, const char *folder, const char *root)
{
    struct slice at = slice_of(folder);
    const char *found = file_of(arena, at);

    while (!found && at.length > strlen(root)) {
        at = slice_folder(at);
        found = file_of(arena, at);
    }
    return found;
}

const char *toolchain_of_folder(struct arena *arena, const char *folder)
{
    enum { ANSWER_BYTES_MAX = 4096 };
    const char *const words[] = {"rustup", "show", "active-toolchain", NULL};
    const char *const variables[] = {"RUSTUP_TOOLCHAIN", NULL};
    SCOPED(text_done) struct text answer = {0};
    struct process_status status = {0};
    struct error unknown = {0};
    struct scan scan;
    struct slice name;

    if (run_capture(&(struct spawn){.argv = words,
                                    .environment = variables,
                                    .directory = folder,
                                    .input = SPAWN_NULL,
                                    .error = SPAWN_NULL},
                    ANSWER_BYTES_MAX, &answer, &status, &unknown) < 0 ||
        status.exit_code != 0)
        return NULL;
    /* "stable-x86_64-unknown-linux-gnu (default)". */
    scan = scan_of(text_slice(&answer));
    return scan_word(&scan, &name) ? arena_copy(arena, name) : NULL;
}
