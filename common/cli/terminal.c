#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/scan.h"

const char *const terminal_color_names[] = {"auto", "always", "never", NULL};

static bool environment_allows_color(void)
{
    const char *no_color = getenv("NO_COLOR");
    const char *of_cargo = getenv("CARGO_TERM_COLOR");
    const char *term = getenv("TERM");

    /* "always" of cargo's is for what it says itself: a table in a file or a pipe is to be read by programs.
     */
    return !(no_color && no_color[0]) && !(of_cargo && strcmp(of_cargo, "never") == 0) &&
           !(term && strcmp(term, "dumb") == 0);
}

static size_t width_of(int descriptor)
{
    enum { USUAL_COLUMNS = 80 };
    struct scan scan = scan_of(slice_of(getenv("COLUMNS")));
    uint64_t columns = 0;
    struct winsize size = {0};

    if (scan_decimal(&scan, &columns) && scan_at_end(&scan) && columns > 0 && columns < 10000)
        return (size_t)columns;
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return USUAL_COLUMNS;
}

struct terminal terminal_of(int descriptor, enum color_choice color)
{
    struct terminal terminal = {.is_terminal = isatty(descriptor) == 1};

    terminal.has_color =
        color == COLOR_ALWAYS || (color == COLOR_AUTO && terminal.is_terminal && environment_allows_color());
    terminal.columns = terminal.is_terminal ? width_of(descriptor) : 0;
    return terminal;
}
