#include "facts/signal_return.h"

#include <stddef.h>

#include "base/compiler.h"

bool signal_return_is(struct slice name)
{
    /* Of glibc and musl on x86-64, musl on AArch64, the vdso there. */
    static const char *const names[] = {"__restore_rt", "__restore", "__kernel_rt_sigreturn",
                                        SIGNAL_RETURN_NAME};

    return slice_is_any(name, names, ARRAY_COUNT(names));
}
