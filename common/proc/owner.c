#include "proc/owner.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sudo.h"

enum { ROOT = 0 };

static int refused(struct error *err)
{
    return error_set(err, ERROR_DENIED, "act as the user who called sudo: %s", strerror(errno));
}

int owner_become_caller(struct error *err)
{
    const struct passwd *entry = NULL;
    uint32_t user = 0;
    uint32_t group = 0;
    int grouped = 0;

    if (!sudo_has_called())
        return 0;
    if (!sudo_read_caller(&user, &group))
        return error_set(err, ERROR_DENIED, "SUDO_UID and SUDO_GID are not what sudo sets");
    if (user == ROOT)
        return 0;
    entry = getpwuid(user);
    grouped = entry ? initgroups(entry->pw_name, group) : setgroups(0, NULL);
    if (grouped < 0 || setresgid(group, group, ROOT) < 0 || setresuid(user, user, ROOT) < 0)
        return refused(err);
    return 0;
}

/* Whether the right was put aside: only then do our user ids differ like that. */
static bool keeps_right(void)
{
    uid_t real = ROOT;
    uid_t effective = ROOT;
    uid_t saved = ROOT;

    return getresuid(&real, &effective, &saved) == 0 && real != ROOT && saved == ROOT;
}

bool owner_raise(void)
{
    return keeps_right() && geteuid() != ROOT && seteuid(ROOT) == 0;
}

bool owner_is_raised(void)
{
    return keeps_right() && geteuid() == ROOT;
}

void owner_lower(bool was_raised)
{
    /* A process that cannot give up being root must not go on as if it had. */
    if (was_raised && seteuid(getuid()) < 0)
        abort();
}

void owner_give_up(void)
{
    if (keeps_right() &&
        (setresgid(getgid(), getgid(), getgid()) < 0 || setresuid(getuid(), getuid(), getuid()) < 0))
        _exit(EXIT_CODE_FAILED);
}

void owner_stay_raised(void)
{
    if (keeps_right() && (seteuid(ROOT) < 0 || setgroups(0, NULL) < 0 || setresgid(ROOT, ROOT, ROOT) < 0 ||
                          setresuid(ROOT, ROOT, ROOT) < 0))
        _exit(EXIT_CODE_FAILED);
}
