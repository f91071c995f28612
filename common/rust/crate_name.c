#include "rust/crate_name.h"

bool crate_name_is(struct slice crate, struct slice typed)
{
    if (crate.length != typed.length)
        return false;
    for (size_t i = 0; i < crate.length; i++)
        if (crate.data[i] != (typed.data[i] == '-' ? '_' : typed.data[i]))
            return false;
    return true;
}
