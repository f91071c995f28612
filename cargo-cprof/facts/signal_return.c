#include "facts/signal_return.h"

#include <stddef.h>

#include "base/compiler.h"

bool signal_return_is(struct slice name)
{
    /* Of glibc and musl on x86-64, musl on AArch64, the vdso there. */
    static const char *const names[] = {"__restore_rt", "__restore", "__kernel_rt_sigreturn",
                                        SIGNAL_RETURN_NAME};

    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (slice_is(name, names[i]))
            return true;
    return false;
}
