#include "target/terminal.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/file.h"

/* -1 without one. */
static int open_terminal(void)
{
    return open("/dev/tty", O_RDWR | O_CLOEXEC);
}

void terminal_remember(struct terminal *out)
{
    SCOPED(file_close_descriptor) int descriptor = open_terminal();

    out->is_known = descriptor >= 0 && tcgetattr(descriptor, &out->settings) == 0;
}

void terminal_restore(const struct terminal *before)
{
    SCOPED(file_close_descriptor) int descriptor = before->is_known ? open_terminal() : -1;

    /* From the background this would stop us. */
    if (descriptor >= 0 && tcgetpgrp(descriptor) == getpgrp())
        (void)tcsetattr(descriptor, TCSANOW, &before->settings);
}

void terminal_stop_us(void)
{
    SCOPED(file_close_descriptor) int descriptor = open_terminal();

    if (descriptor >= 0)
        kill(getpid(), SIGTSTP);
}
