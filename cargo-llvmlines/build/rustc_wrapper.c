#include "build/rustc_wrapper.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ending_signals.h"
#include "base/folder.h"
#include "base/remove.h"
#include "build/metadata_rlibs.h"
#include "build/rustc_args.h"
#include "counts/counts.h"
#include "counts/ir_collect.h"

/*
 * IR as rustc hands it to LLVM, before any pass; one module a crate; no bitcode for a later link; names that
 * show what a generic was made for. Behind all other arguments, so that these are what counts; `--emit`
 * adds to what is there. Without a path the IR stands beside the metadata: a path in the list ends at a
 * comma.
 */
static const char *const added_arguments[] = {
    "--emit=llvm-ir",
    "-Cno-prepopulate-passes",
    "-Csymbol-mangling-version=v0",
    "-Ccodegen-units=1",
    "-Clto=off",
    /* The last only where another was chosen, as Cranelift for dev: a stable rustc takes none. */
    "-Zcodegen-backend=llvm",
};

/* Ways for a compiler to end by itself; more is a signal's number, as shells have it. */
enum { EXIT_SIGNAL = 128 };

bool rustc_wrapper_is_wanted(void)
{
    return getenv(RUSTC_WRAPPER_VARIABLE) != NULL;
}

struct words {
    const char *const *items;
    size_t count;
};

/* The user's wrapper, if any, then what cargo wants to start, then `added` and `more`. */
static char **build_command(struct arena *arena, char **wanted, struct words added, struct words more)
{
    const char *chain = getenv(RUSTC_WRAPPER_CHAIN_VARIABLE);
    char **command = NULL;
    size_t wanted_count = 0;
    size_t count = 0;

    while (wanted[wanted_count])
        wanted_count++;
    command = ARENA_ARRAY(arena, wanted_count + added.count + more.count + 2, char *);
    if (chain && *chain)
        command[count++] = arena_copy(arena, slice_of(chain));
    for (size_t i = 0; i < wanted_count; i++)
        command[count++] = wanted[i];
    for (size_t i = 0; i < added.count; i++)
        command[count++] = arena_copy(arena, slice_of(added.items[i]));
    for (size_t i = 0; i < more.count; i++)
        command[count++] = arena_copy(arena, slice_of(more.items[i]));
    return command;
}

static int cannot_start(const char *program, int cause, struct error *err)
{
    return error_set(err, cause == ENOENT ? ERROR_MISSING : ERROR_IO, "start %s: %s", program,
                     strerror(cause));
}

/* Returns only when it fails. */
static int replace_by_compiler(struct arena *arena, char **wanted, struct error *err)
{
    char **command = build_command(arena, wanted, (struct words){0}, (struct words){0});

    execvp(command[0], command);
    return cannot_start(command[0], errno, err);
}

/* Signals that would end us, and the one that tells of the compiler's end. */
struct held_signals {
    sigset_t waited;
    sigset_t before; /* what was blocked already */
};

static void hold_signals(struct held_signals *held)
{
    sigemptyset(&held->waited);
    sigaddset(&held->waited, SIGCHLD);
    ending_signals_add(&held->waited);
    /* Where our parent ignored it, the end of the child would never be told. */
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &held->waited, &held->before);
}

/* One that came meanwhile, and was not handed on to the compiler, ends us here. */
static void release_signals(const struct held_signals *held)
{
    sigprocmask(SIG_SETMASK, &held->before, NULL);
}

/* 0 or an errno. The child gets the signals that we wait for ourselves as it would without us. */
static int start(char **command, const sigset_t *mask, pid_t *child)
{
    posix_spawnattr_t attributes;
    int cause = posix_spawnattr_init(&attributes);

    if (cause)
        return cause;
    posix_spawnattr_setsigmask(&attributes, mask);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    cause = posix_spawnp(child, command[0], NULL, &attributes, command, environ);
    posix_spawnattr_destroy(&attributes);
    return cause;
}

/* Waits for the child and hands on to it what would end us, so that we end after it and clean up. */
static int wait_for(pid_t child, const sigset_t *waited)
{
    int status = 0;

    for (;;) {
        int signal_number = sigwaitinfo(waited, NULL);

        if (signal_number == SIGCHLD && waitpid(child, &status, WNOHANG) == child)
            return WIFSIGNALED(status) ? EXIT_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
        if (signal_number > 0 && signal_number != SIGCHLD)
            kill(child, signal_number);
    }
}

/* Runs the compiler to its end. Returns 0 with its exit code, or -1 when it cannot be started. */
static int run_compiler(char **command, const struct held_signals *held, int *exit_code, struct error *err)
{
    pid_t child = 0;
    int cause = start(command, &held->before, &child);

    if (cause)
        return cannot_start(command[0], cause, err);
    *exit_code = wait_for(child, &held->waited);
    return 0;
}

static int count_unit(const struct rustc_unit *unit, const char *ir_path, const char *counts_path,
                      struct error *err)
{
    SCOPED(unit_counts_done) struct unit_counts counts = {0};

    if (ir_collect_file(ir_path, &counts, NULL, err) < 0)
        return -1;
    counts.crate_name = unit->crate_name;
    for (size_t i = 0; i < unit->dependency_count; i++)
        *vec_add(&counts.dependencies) = unit->dependencies[i];
    return counts_save(&counts, counts_path, err);
}

/* What an old compiler wants to read beside the metadata, made; none of newer ones. */
static int make_libraries(struct arena *arena, const struct rustc_unit *unit, char *const *wanted,
                          struct words *out, struct error *err)
{
    *out = (struct words){0};
    if (!metadata_rlibs_are_needed(unit, wanted))
        return 0;
    out->items = metadata_rlibs_arguments(unit, arena, &out->count);
    return metadata_rlibs_make(unit, err);
}

/*
 * All IR of the unit: a compiler that did not get to its end has it under the name of the codegen unit,
 * STEM.CRATE.HASH-cgu.0.rcgu.ll.
 */
static void remove_ir(struct arena *arena, const char *stem)
{
    SCOPED(folder_close) DIR *folder = opendir(arena_copy(arena, slice_folder(slice_of(stem))));
    struct slice start =
        slice_of(arena_format(arena, "%.*s.", SLICE_ARGUMENTS(slice_file_name(slice_of(stem)))));
    const struct dirent *entry = NULL;

    while (folder && (entry = readdir(folder)))
        if (slice_starts_with(slice_of(entry->d_name), start) &&
            slice_ends_with(slice_of(entry->d_name), SLICE(".ll")))
            unlinkat(dirfd(folder), entry->d_name, 0);
}

static int compile_and_count(struct arena *arena, const struct rustc_unit *unit, char **wanted,
                             int *exit_code, struct error *err)
{
    const struct words added = {added_arguments, ARRAY_COUNT(added_arguments) - (unit->has_backend ? 0 : 1)};
    struct words libraries;
    const char *stem = rustc_unit_stem(unit, arena);
    const char *ir_path = arena_format(arena, "%s.ll", stem);
    const char *counts_path = arena_format(arena, "%s" COUNTS_ENDING, stem);
    struct held_signals held;
    int result = 0;

    /* What an earlier run left must not pass for what this one makes. */
    if (remove_all(ir_path, NULL, err) < 0 || remove_all(counts_path, NULL, err) < 0 ||
        make_libraries(arena, unit, wanted, &libraries, err) < 0)
        return -1;
    /* Whenever we are told to end, no IR is left behind: it may be large. */
    hold_signals(&held);
    result = run_compiler(build_command(arena, wanted, added, libraries), &held, exit_code, err);
    if (result == 0 && *exit_code == 0)
        result = count_unit(unit, ir_path, counts_path, err);
    if (result < 0 || *exit_code != 0)
        remove_ir(arena, stem);
    else if (!getenv(RUSTC_WRAPPER_KEEP_VARIABLE))
        unlink(ir_path);
    release_signals(&held);
    return result;
}

static int run(struct arena *arena, char **wanted, int *exit_code, struct error *err)
{
    struct rustc_unit unit;

    if (!wanted[0])
        return error_set(err, ERROR_USAGE, "no compiler was named");
    if (rustc_unit_parse(arena, (const char *const *)wanted + 1, &unit, err) < 0)
        return -1;
    if (!rustc_unit_is_counted(&unit))
        return replace_by_compiler(arena, wanted, err);
    return compile_and_count(arena, &unit, wanted, exit_code, err);
}

int rustc_wrapper_run(int argc, char **argv)
{
    SCOPED(arena_done) struct arena arena = {0};
    struct error err = {0};
    int exit_code = 0;

    if (run(&arena, argv + (argc > 0), &exit_code, &err) < 0) {
        fprintf(stderr, "cargo-llvmlines: error: %s\n", err.message);
        return EXIT_CODE_FAILED;
    }
    return exit_code;
}
