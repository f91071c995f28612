#include "symbolize/local_crates.h"

void local_crates_add(struct local_crates *local, const struct unit *unit, struct slice crate)
{
    if (crate.length > 0)
        crate_folders_add(&local->folders, unit, intern_add(&local->names, crate));
}

struct slice local_crates_find(const struct local_crates *local, const struct unit *unit, struct slice path)
{
    uint32_t crate = CRATE_FOLDERS_NONE;

    if (unit->language == UNIT_LANGUAGE_RUST)
        crate = crate_folders_of_rust(&local->folders, path);
    else
        crate = crate_folders_of_foreign(&local->folders, path, unit->directory);
    return crate == CRATE_FOLDERS_NONE ? (struct slice){0} : intern_text(&local->names, crate);
}

void local_crates_done(struct local_crates *local)
{
    crate_folders_done(&local->folders);
    intern_done(&local->names);
    *local = (struct local_crates){0};
}
