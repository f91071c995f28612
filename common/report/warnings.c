#include "report/warnings.h"

#include <stdarg.h>

#include "base/text.h"
#include "cli/command.h"

void warnings_done(struct warnings *warnings)
{
    vec_done(&warnings->items);
    arena_done(&warnings->arena);
    *warnings = (struct warnings){0};
}

void warnings_add(struct warnings *warnings, const struct options *options, const char *format, ...)
{
    SCOPED(text_done) struct text message = {0};
    va_list arguments;

    va_start(arguments, format);
    text_format_list(&message, format, arguments);
    va_end(arguments);
    command_warn(options, "%s", text_string(&message));
    *vec_add(&warnings->items) = arena_copy(&warnings->arena, text_slice(&message));
}
