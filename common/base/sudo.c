#include "base/sudo.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/scan.h"

/* (uid_t)-1 is what setresuid(2) and fchown(2) take as "leave it". */
static bool read_id(const char *name, uint32_t *out)
{
    struct scan scan = scan_of(slice_of(getenv(name)));
    uint64_t id = 0;

    if (!scan_decimal(&scan, &id) || !scan_at_end(&scan) || id >= UINT32_MAX)
        return false;
    *out = (uint32_t)id;
    return true;
}

bool sudo_has_called(void)
{
    return geteuid() == 0 && getenv("SUDO_UID");
}

bool sudo_read_caller(uint32_t *user, uint32_t *group)
{
    return read_id("SUDO_UID", user) && read_id("SUDO_GID", group);
}
