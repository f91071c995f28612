#include "revision/commit_lock.h"

#include "git/checkout.h"

bool commit_lock_is_one(struct slice path)
{
    return slice_is(slice_file_name(path), "Cargo.lock");
}

bool commit_lock_is_of(struct slice path, struct slice folder)
{
    struct slice own = slice_folder(path);
    struct slice rest = slice_range(folder, own.length, folder.length);

    return own.length == 0 ||
           (slice_starts_with(folder, own) && (rest.length == 0 || slice_starts_with(rest, SLICE("/"))));
}

struct search {
    struct slice folder;
    bool is_found;
};

static int take_entry(void *context, const char *path, enum checkout_kind kind, const char *commit,
                      struct error *err)
{
    struct search *search = context;

    (void)commit;
    (void)err;
    if (kind == CHECKOUT_FILE && commit_lock_is_one(slice_of(path)) &&
        commit_lock_is_of(slice_of(path), search->folder))
        search->is_found = true;
    return 0;
}

bool commit_lock_is_there(const struct repository *repository, const char *commit, struct slice folder)
{
    struct search search = {.folder = folder};
    struct error unread = {0};

    return checkout_list(repository, commit, take_entry, &search, &unread) == 0 && search.is_found;
}
