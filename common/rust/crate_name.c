#include "rust/crate_name.h"

static char in_code(char byte)
{
    return byte == '-' ? '_' : byte;
}

bool crate_name_is(struct slice crate, struct slice typed)
{
    if (crate.length != typed.length)
        return false;
    for (size_t i = 0; i < crate.length; i++)
        if (crate.data[i] != in_code(typed.data[i]))
            return false;
    return true;
}

void crate_name_add_versioned(struct text *text, struct slice crate, struct slice version)
{
    text_add(text, crate);
    if (version.length == 0) {
        text_add_string(text, " (version unknown)");
        return;
    }
    text_add_byte(text, '@');
    text_add(text, version);
}

void crate_name_add(struct text *text, struct slice package)
{
    for (size_t i = 0; i < package.length; i++)
        text_add_byte(text, in_code(package.data[i]));
}
