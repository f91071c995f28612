#include "compared/kept_program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/copy.h"

void kept_program_hold(const char *path, struct kept_program *out)
{
    *out = (struct kept_program){0};
    if (!strchr(path, '/'))
        return;
    out->original = path;
    held_files_open(&path, 1, &out->held);
}

int kept_program_keep(struct arena *arena, struct kept_program *program, struct error *err)
{
    const char *name = program->original ? strrchr(program->original, '/') + 1 : NULL;
    const char *held = program->original;
    char *folder = NULL;

    if (!name || !held_files_find_replaced(arena, &program->held, &held))
        return 0;
    folder =
        arena_format(arena, "%.*s.cargo-cprof-XXXXXX", (int)(name - program->original), program->original);
    if (!mkdtemp(folder))
        return error_set(err, ERROR_IO, "%s, which the build has replaced, cannot be kept: make %s: %s",
                         program->original, folder, strerror(errno));
    program->folder = folder;
    program->copy = arena_format(arena, "%s/%s", folder, name);
    return copy_file(held, program->copy, err);
}

void kept_program_done(struct kept_program *program)
{
    if (program->copy)
        unlink(program->copy);
    if (program->folder)
        rmdir(program->folder);
    held_files_done(&program->held);
}
