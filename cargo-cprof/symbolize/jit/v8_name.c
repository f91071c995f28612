#include "symbolize/jit/v8_name.h"

#include "base/ascii.h"
#include "base/scan.h"

/* Takes ":14" off the end; false when there is none. */
static bool take_number(struct slice *text, uint32_t *out)
{
    struct scan digits;
    size_t start = text->length;
    uint64_t number = 0;

    while (start > 0 && ascii_is_digit(text->data[start - 1]))
        start--;
    digits = scan_of(slice_range(*text, start, text->length));
    if (start == 0 || text->data[start - 1] != ':' || !scan_decimal(&digits, &number) || number > INT32_MAX)
        return false;
    *text = slice_range(*text, 0, start - 1);
    *out = (uint32_t)number;
    return true;
}

static enum v8_compiler compiler_of(char mark)
{
    if (mark == '^')
        return V8_BASELINE;
    if (mark == '+')
        return V8_MAGLEV;
    return mark == '*' ? V8_TURBOFAN : V8_COMPILER_UNKNOWN;
}

static void read_compiler(struct slice name, struct v8_name *out)
{
    size_t mark = slice_find_byte(name, ':') + 1;

    if (mark >= name.length)
        return;
    for (size_t i = 0; i + 1 < mark; i++)
        if (!ascii_is_letter(name.data[i]))
            return;
    out->compiler = compiler_of(name.data[mark]);
    out->function = slice_range(name, mark + 1, name.length);
    /* Code that was entered in a loop (OSR) has one more mark. */
    slice_skip(&out->function, SLICE("'"));
}

struct v8_name v8_name_of(struct slice name)
{
    struct v8_name out = {0};

    read_compiler(name, &out);
    out.script = name;
    if (take_number(&out.script, &out.column) && take_number(&out.script, &out.line))
        return out;
    out.script = (struct slice){0};
    out.line = 0;
    return out;
}
