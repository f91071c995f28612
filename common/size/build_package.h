/* The packages of the build that made a file, as cargo tells them. */
#ifndef SIZE_BUILD_PACKAGE_H
#define SIZE_BUILD_PACKAGE_H

#include <stddef.h>

#include "size/crates.h"

/* A package that took part in the build; strings are borrowed. */
struct build_package {
    struct slice crate;   /* name of its library or program, with '_' or '-' */
    struct slice version; /* may be empty */
    struct slice id;      /* cargo's package ID; empty when not known */
    struct slice origin;  /* what tells it from other packages with a crate of its name and version: "of zed",
                             "from path"; empty where there is none */
    const char *rlib;     /* path of its library; NULL when it has none */
    struct slice root;    /* the folder of its Cargo.toml; empty when not known */
    bool is_foreign;      /* rlib is one of other compilers' code, that its build script made */
    bool is_of_std;       /* it is one of std's crates, whose rlib, of C, stands behind those of all others */
    bool is_own;          /* of the workspace */
    bool is_for_std;      /* cargo built it for std itself (-Zbuild-std), which it is then part of */
    bool is_exporting;    /* the file is its shared library: what that exports is its or of an rlib */
    bool is_program;      /* the file is its program, whose own objects come first */
};

/*
 * The crate of a package that cargo built, which no crate of std's is, whatever its name and version, but
 * where cargo built std itself: a package below rust-src, whose version then says nothing, or one from
 * elsewhere that it is made of.
 */
struct crate_fact build_package_crate(const struct build_package *package);

/* Whether the package has a library of rustc's, and others its crate's name, which then does not tell them
 * apart. */
bool build_package_has_namesakes(const struct build_package *packages, size_t count, size_t package);

#endif
