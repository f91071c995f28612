#include "git/git_program.h"

#include "proc/run.h"

enum { ARGUMENTS_MAX = 24, VARIABLES_MAX = 24, OUTPUT_BYTES_MAX = 512 * 1024 * 1024 };

/* As `git rev-parse --local-env-vars` names them, without the configuration of the command line. */
const char *const git_local_variables[] = {
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_SHALLOW_FILE",
    "GIT_GRAFT_FILE",
    NULL,
};

/* In place of the user's that would run something, or write to the repository. */
const char *const git_quiet_settings[] = {
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.sparseCheckout=false",
    "submodule.recurse=false",
    "core.untrackedCache=false",
    "maintenance.auto=false",
    "gc.auto=0",
    NULL,
};

/* One folder in a list that ":" parts: quoted, as git(1) has it for names with one in them. */
static const char *alternates_of(struct arena *arena, const char *folder)
{
    SCOPED(text_done) struct text text = {0};

    text_add_string(&text, "GIT_ALTERNATE_OBJECT_DIRECTORIES=\"");
    for (; *folder; folder++) {
        if (*folder == '"' || *folder == '\\')
            text_add_byte(&text, '\\');
        text_add_byte(&text, *folder);
    }
    text_add_byte(&text, '"');
    return arena_copy(arena, text_slice(&text));
}

/* Behind those that are there. */
static void add_variables(struct arena *arena, const struct git_command *command, const char **variables)
{
    while (*variables)
        variables++;
    for (size_t i = 0; git_local_variables[i]; i++)
        *variables++ = git_local_variables[i];
    if (command->index_path)
        *variables++ = arena_format(arena, "GIT_INDEX_FILE=%s", command->index_path);
    if (command->objects) {
        *variables++ = arena_format(arena, "GIT_OBJECT_DIRECTORY=%s", command->objects);
        *variables++ = alternates_of(arena, command->alternates);
    }
}

int git_program_run(const struct git_command *command, struct text *output, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    const char *words[ARGUMENTS_MAX + 2 * ARRAY_COUNT(git_quiet_settings) + 2] = {"git"};
    const char *variables[VARIABLES_MAX] = {"GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C",
                                            "GIT_LFS_SKIP_SMUDGE=1", "GIT_ADVICE=0"};
    struct process_status status;
    size_t count = 1;

    add_variables(&arena, command, variables);
    for (size_t i = 0; git_quiet_settings[i]; i++) {
        words[count++] = "-c";
        words[count++] = git_quiet_settings[i];
    }
    for (size_t i = 0; i < ARGUMENTS_MAX && command->arguments[i]; i++)
        words[count++] = command->arguments[i];
    words[count] = NULL;
    if (run_capture(&(struct spawn){.argv = words,
                                    .environment = variables,
                                    .directory = command->folder,
                                    .input = SPAWN_NULL,
                                    .error = command->is_quiet ? SPAWN_NULL : SPAWN_INHERIT},
                    OUTPUT_BYTES_MAX, output, &status, err) < 0) {
        if (err->kind == ERROR_MISSING)
            error_hint(err, "install it with: apt-get install git");
        return -1;
    }
    return process_check("git", status, err);
}
