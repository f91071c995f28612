#include "view/functions_matching.h"

#include <stdlib.h>

#include "base/memory.h"

bool *functions_matching(const struct profile *profile, const struct regex *regex, const char *pattern,
                         struct error *err)
{
    bool *chosen = memory_new(profile->functions.count + 1, sizeof(bool));
    bool any = false;

    for (size_t i = 0; i < profile->functions.count; i++) {
        int matches = regex_matches(regex, profile_text(profile, profile->functions.items[i].name), err);

        chosen[i] = matches > 0;
        any = any || matches > 0;
        if (matches < 0) {
            free(chosen);
            return NULL;
        }
    }
    if (any)
        return chosen;
    free(chosen);
    error_hint(err, "the expression is matched anywhere in a function's name");
    (void)error_set(err, ERROR_MISSING, "no function in the profile matches \"%s\"", pattern);
    return NULL;
}
