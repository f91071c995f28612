#include "git/libgit2.h"

#include "base/library.h"

/* The headers' version says which library has these functions and structs. */
#define SONAME "libgit2.so." LIBGIT2_SOVERSION
#define PACKAGE "libgit2-" LIBGIT2_SOVERSION

/* Of the process, as the library is. */
static struct libgit2 loaded;

int libgit2_load(const struct libgit2 **out, struct error *err)
{
    const struct library_symbol symbols[] = {
        {"git_libgit2_init", (void **)&loaded.init},
        {"git_error_last", (void **)&loaded.last_error},
        {"git_repository_open_ext", (void **)&loaded.open},
        {"git_repository_free", (void **)&loaded.repository_free},
        {"git_repository_workdir", (void **)&loaded.workdir},
        {"git_repository_path", (void **)&loaded.path},
        {"git_repository_commondir", (void **)&loaded.common_dir},
        {"git_repository_set_index", (void **)&loaded.set_index},
        {"git_repository_set_workdir", (void **)&loaded.set_workdir},
        {"git_index_open", (void **)&loaded.index_open},
        {"git_index_free", (void **)&loaded.index_free},
        {"git_revparse_single", (void **)&loaded.revparse},
        {"git_object_peel", (void **)&loaded.peel},
        {"git_object_id", (void **)&loaded.object_id},
        {"git_object_free", (void **)&loaded.object_free},
        {"git_oid_tostr", (void **)&loaded.oid_to_string},
        {"git_oid_fromstr", (void **)&loaded.oid_from_string},
        {"git_reference_foreach_name", (void **)&loaded.each_reference},
        {"git_reference_name_to_id", (void **)&loaded.reference_id},
        {"git_object_lookup", (void **)&loaded.lookup},
        {"git_merge_base", (void **)&loaded.merge_base},
        {"git_checkout_options_init", (void **)&loaded.checkout_options_init},
        {"git_checkout_tree", (void **)&loaded.checkout_tree},
        {"git_tree_walk", (void **)&loaded.tree_walk},
        {"git_tree_entry_name", (void **)&loaded.entry_name},
        {"git_tree_entry_id", (void **)&loaded.entry_id},
        {"git_tree_entry_filemode", (void **)&loaded.entry_mode},
    };

    if (!loaded.entry_mode) {
        if (library_load(SONAME, PACKAGE, symbols, ARRAY_COUNT(symbols), err) < 0) {
            loaded = (struct libgit2){0};
            return -1;
        }
        loaded.init();
    }
    *out = &loaded;
    return 0;
}
