#include "symbolize/foreign_code.h"

#include "base/text.h"
#include "rust/crate_name.h"

void foreign_code_note(struct foreign_code *code, uint32_t function)
{
    *vec_add(&code->functions) = function;
}

/* The crates of all Rust but std's. */
static void find_crates(const struct profile *profile, struct intern *out)
{
    for (size_t i = 0; i < profile->functions.count; i++) {
        const struct profile_function *function = &profile->functions.items[i];

        if (function->category == CATEGORY_OWN || function->category == CATEGORY_DEPENDENCY)
            intern_add(out, profile_text(profile, function->crate));
    }
}

void foreign_code_settle(const struct foreign_code *code, struct profile *profile)
{
    SCOPED(intern_done) struct intern crates = {0};
    SCOPED(text_done) struct text name = {0};

    if (code->functions.count == 0)
        return;
    find_crates(profile, &crates);
    for (size_t i = 0; i < code->functions.count; i++) {
        struct profile_function *function = &profile->functions.items[code->functions.items[i]];
        struct slice module = profile_text(profile, function->crate);

        text_clear(&name);
        crate_name_add(&name, module);
        if (intern_find(&crates, text_slice(&name)) == INTERN_NONE)
            continue;
        text_clear(&name);
        text_format(&name, "%.*s (C)", SLICE_ARGUMENTS(module));
        function->crate = profile_string(profile, text_slice(&name));
    }
}

void foreign_code_done(struct foreign_code *code)
{
    vec_done(&code->functions);
}
