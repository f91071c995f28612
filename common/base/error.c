#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Formats into a fixed buffer; what does not fit ends in "...". */
static void PRINTF_LIKE(3, 0) format_bounded(char *buffer, size_t size, const char *format, va_list arguments)
{
    int length = vsnprintf(buffer, size, format, arguments);

    if (length < 0)
        buffer[0] = '\0';
    else if ((size_t)length >= size)
        memcpy(buffer + size - sizeof("..."), "...", sizeof("..."));
}

void error_hint(struct error *err, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    format_bounded(err->hint, sizeof(err->hint), format, arguments);
    va_end(arguments);
}

void error_record(struct error *err, enum error_kind kind, const char *format, ...)
{
    va_list arguments;

    err->kind = kind;
    err->exit_code = kind == ERROR_USAGE    ? EXIT_CODE_USAGE
                     : kind == ERROR_BUDGET ? EXIT_CODE_OVER_BUDGET
                                            : EXIT_CODE_FAILED;
    va_start(arguments, format);
    format_bounded(err->message, sizeof(err->message), format, arguments);
    va_end(arguments);
}

void error_prefix(struct error *err, const char *format, ...)
{
    char inner[sizeof(err->message)];
    size_t length = 0;
    va_list arguments;

    memcpy(inner, err->message, sizeof(inner));
    va_start(arguments, format);
    format_bounded(err->message, sizeof(err->message), format, arguments);
    va_end(arguments);

    length = strlen(err->message);
    if ((size_t)snprintf(err->message + length, sizeof(err->message) - length, ": %s", inner) >=
        sizeof(err->message) - length)
        memcpy(err->message + sizeof(err->message) - sizeof("..."), "...", sizeof("..."));
}
