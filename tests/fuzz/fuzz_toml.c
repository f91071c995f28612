/* TOML from hostile bytes, and the questions that are asked of the tree. */
#include <stdint.h>

#include "base/text.h"
#include "cargo/manifest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice content = {(const char *)data, size};
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(text_done) struct text text = {0};
    struct manifest manifest = {0};
    struct error err = {0};

    if (manifest_parse(&arena, "Cargo.toml", content, &manifest, &err) < 0)
        return 0;
    manifest_add_place(&text, &manifest, manifest_find(&manifest, "profile.release.strip"));
    for (const struct toml_node *profile = manifest_first_profile(&manifest); profile;
         profile = profile->next)
        text_add(&text, profile->key);
    return 0;
}
