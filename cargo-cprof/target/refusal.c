#include "target/refusal.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/file.h"
#include "elf/constants.h"
#include "proc/spawn.h"
#include "process/pid_list.h"

/* A name without "/" is looked up in PATH, where the current folder is not. */
static void hint_file(const char *program, struct error *err)
{
    bool is_line = strchr(program, ' ') && access(program, F_OK) < 0;

    if (is_line)
        error_hint(err, "a program and its arguments are words of their own, without quotes around all of "
                        "them; a line for a shell: sh -c '...'");
    if (is_line || strchr(program, '/'))
        return;
    if (access(program, F_OK) < 0)
        (void)pid_list_hint(program, err);
    else if (access(program, X_OK) == 0)
        error_hint(err, "the file in the current folder is ./%s", program);
    else
        error_hint(err, "there is a file ./%s, but it is not executable", program);
}

/* As the targets of Rust and uname(2) call it; NULL for what has no name here. */
static const char *machine_name(uint16_t machine)
{
    static const struct {
        uint16_t machine;
        const char *name;
    } machines[] = {{EM_386, "i686"},        {EM_X86_64, "x86_64"}, {EM_ARM, "arm"},
                    {EM_AARCH64, "aarch64"}, {EM_RISCV, "riscv"},   {EM_PPC64, "powerpc64"},
                    {EM_S390, "s390x"},      {EM_MIPS, "mips"},     {EM_LOONGARCH, "loongarch64"}};

    for (size_t i = 0; i < ARRAY_COUNT(machines); i++)
        if (machines[i].machine == machine)
            return machines[i].name;
    return NULL;
}

static int explain_format(uint16_t machine, const char *program, struct error *err)
{
    const char *name = machine_name(machine);
    struct utsname here;

    if (name && uname(&here) == 0 && strcmp(name, here.machine) != 0) {
        error_hint(err,
                   "an emulator runs it, such as qemu-%s, and is what is recorded then; cargo takes one from "
                   "CARGO_TARGET_<TRIPLE>_RUNNER",
                   name);
        return error_set(err, ERROR_IO, "start %s: a program for %s, and this machine is %s", program, name,
                         here.machine);
    }
    error_hint(err, "neither a program for this machine nor a script: `file %s`", program);
    return error_set(err, ERROR_IO, "start %s: %s", program, strerror(ENOEXEC));
}

static int explain_denial(const char *program, struct error *err)
{
    enum { ANYBODY_MAY_EXECUTE = 0111 };
    struct stat file;
    bool is_there = stat(program, &file) == 0;

    if (is_there && S_ISDIR(file.st_mode))
        return error_set(err, ERROR_DENIED, "start %s: it is a folder", program);
    if (is_there && !(file.st_mode & ANYBODY_MAY_EXECUTE))
        error_hint(err, "programs and scripts have to be executable: `chmod +x %s`", program);
    else if (is_there && file_forbids_code(program))
        error_hint(
            err,
            "its file system is mounted noexec: --target-dir DIR builds elsewhere, a copy elsewhere runs");
    return error_set(err, ERROR_DENIED, "start %s: %s", program, strerror(EACCES));
}

int refusal_explain(struct refusal refusal, const char *program, struct error *err)
{
    int cause = refusal.cause;

    if (cause == ENOEXEC)
        return explain_format(refusal.machine, program, err);
    if (cause == ENOENT && strchr(program, '/') && access(program, F_OK) == 0) {
        error_hint(err, "a script names it in its first line, a program the loader: `file %s`", program);
        return error_set(err, ERROR_IO, "start %s: what is to run it is not there", program);
    }
    if (cause == ENOENT || cause == ENOTDIR) {
        hint_file(program, err);
        return error_set(err, ERROR_MISSING, "%s: no such program", program);
    }
    if (cause == EACCES)
        return explain_denial(program, err);
    spawn_hint_shortage(cause, err);
    return error_set(err, ERROR_IO, "start %s: %s", program, strerror(cause));
}
