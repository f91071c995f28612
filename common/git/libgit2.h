/*
 * libgit2, loaded by the first repository that is opened: most runs need none. Its types and values are
 * those of its own headers.
 */
#ifndef GIT_LIBGIT2_H
#define GIT_LIBGIT2_H

#include <git2.h>
#include <git2/sys/repository.h>

#include "base/error.h"

/* The functions that are used; each does what its name says in libgit2's documentation. */
struct libgit2 {
    __typeof__(&git_libgit2_init) init;
    __typeof__(&git_error_last) last_error;
    __typeof__(&git_repository_open_ext) open;
    __typeof__(&git_repository_free) repository_free;
    __typeof__(&git_repository_workdir) workdir;
    __typeof__(&git_repository_path) path;
    __typeof__(&git_repository_commondir) common_dir;
    __typeof__(&git_repository_set_index) set_index;
    __typeof__(&git_repository_set_workdir) set_workdir;
    __typeof__(&git_index_open) index_open;
    __typeof__(&git_index_free) index_free;
    __typeof__(&git_revparse_single) revparse;
    __typeof__(&git_object_peel) peel;
    __typeof__(&git_object_id) object_id;
    __typeof__(&git_object_free) object_free;
    __typeof__(&git_oid_tostr) oid_to_string;
    __typeof__(&git_oid_fromstr) oid_from_string;
    __typeof__(&git_reference_foreach_name) each_reference;
    __typeof__(&git_reference_name_to_id) reference_id;
    __typeof__(&git_object_lookup) lookup;
    __typeof__(&git_merge_base) merge_base;
    __typeof__(&git_checkout_options_init) checkout_options_init;
    __typeof__(&git_checkout_tree) checkout_tree;
    __typeof__(&git_tree_walk) tree_walk;
    __typeof__(&git_tree_entry_name) entry_name;
    __typeof__(&git_tree_entry_id) entry_id;
    __typeof__(&git_tree_entry_filemode) entry_mode;
};

/* Returns 0, or -1 with ERROR_MISSING when it is not installed; the hint names the package. */
MUST_CHECK int libgit2_load(const struct libgit2 **out, struct error *err);

#endif
