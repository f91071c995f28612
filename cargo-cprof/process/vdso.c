#include "process/vdso.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

struct slice vdso_bytes(void)
{
    uintptr_t address = getauxval(AT_SYSINFO_EHDR);
    ElfW(Ehdr) header;

    if (address == 0)
        return (struct slice){0};
    /* The kernel's own image: its section table stands at its end (tools/testing/selftests/vDSO relies on
     * less). */
    memcpy(&header, (const void *)address, sizeof(header)); /* NOLINT(performance-no-int-to-ptr) */
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return (struct slice){0};
    return (struct slice){(const char *)address, /* NOLINT(performance-no-int-to-ptr) */
                          header.e_shoff + (size_t)header.e_shnum * header.e_shentsize};
}
