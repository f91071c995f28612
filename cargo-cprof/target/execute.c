#include "target/execute.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/slice.h"

static bool is_elf(struct slice head)
{
    return slice_starts_with(head, SLICE(ELFMAG));
}

/* As bash(1) tells programs from scripts. */
static bool is_text(struct slice head)
{
    size_t line = slice_find_byte(head, '\n');

    return !is_elf(head) && slice_find_byte(head, '\0') >= line;
}

static uint16_t machine_of(struct slice head)
{
    struct bytes header = bytes_of(head, head.length > EI_DATA && head.data[EI_DATA] == ELFDATA2MSB);

    /* At the same place in both classes: elf(5). */
    bytes_seek(&header, offsetof(Elf64_Ehdr, e_machine));
    return is_elf(head) ? bytes_u16(&header) : EM_NONE;
}

/* Of a file whose format the system does not know. */
static struct refusal run_by_shell(char *path, char *const *argv, char *const *environment, char **for_shell)
{
    char shell[] = "/bin/sh";
    char first[256];
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = descriptor < 0 ? -1 : read(descriptor, first, sizeof(first));
    struct slice head = {first, length > 0 ? (size_t)length : 0};
    size_t count = 0;

    if (descriptor >= 0)
        close(descriptor);
    if (length < 0 || !is_text(head))
        return (struct refusal){ENOEXEC, machine_of(head)};
    for_shell[count++] = shell;
    for_shell[count++] = path;
    for (; argv[count - 1]; count++)
        for_shell[count] = argv[count - 1];
    for_shell[count] = NULL;
    execve(shell, for_shell, environment);
    return (struct refusal){errno, 0};
}

static struct refusal run(char *path, char *const *argv, char *const *environment, char **for_shell)
{
    execve(path, argv, environment);
    if (errno == ENOEXEC)
        return run_by_shell(path, argv, environment, for_shell);
    return (struct refusal){errno, 0};
}

/* Whether the next folder of PATH may have it. */
static bool is_elsewhere(int cause)
{
    return cause == ENOENT || cause == ENOTDIR || cause == EACCES || cause == ESTALE || cause == ENODEV ||
           cause == ETIMEDOUT;
}

struct refusal execute(char *const *argv, char *const *environment, char **for_shell)
{
    const char *path = getenv("PATH");
    struct slice rest = slice_of(path ? path : "/bin:/usr/bin");
    struct refusal last = {ENOENT, 0};
    bool is_forbidden = false;

    if (strchr(argv[0], '/') || argv[0][0] == '\0')
        return run(argv[0], argv, environment, for_shell);
    for (bool is_last = false; !is_last;) {
        size_t colon = slice_find_byte(rest, ':');
        char name[PATH_MAX];
        /* An empty one is the current folder. */
        int length =
            snprintf(name, sizeof(name), "%.*s%s%s", (int)colon, rest.data, colon > 0 ? "/" : "", argv[0]);

        is_last = colon == rest.length;
        rest = slice_range(rest, is_last ? colon : colon + 1, rest.length);
        if (length < 0 || (size_t)length >= sizeof(name))
            continue;
        last = run(name, argv, environment, for_shell);
        if (!is_elsewhere(last.cause))
            return last;
        is_forbidden |= last.cause == EACCES;
    }
    return (struct refusal){is_forbidden ? EACCES : ENOENT, 0};
}
