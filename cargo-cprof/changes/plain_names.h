/*
 * Names of Rust functions without type arguments: what names of both of rustc's manglings tell. Legacy ones
 * have type parameters where v0 ones have arguments, "gen::W<T>::f" for "<gen::W<u8>>::f::<u16>", and traits
 * alone where a method is the trait's own, "Iterator::fold" for "<Range<u64> as Iterator>::fold".
 */
#ifndef CHANGES_PLAIN_NAMES_H
#define CHANGES_PLAIN_NAMES_H

#include "base/intern.h"
#include "changes/joined.h"

/*
 * Appends the name without type arguments and without what compilers count (delta/same_name.h): "gen::W::f",
 * "<gen::W as gen::Work>::f", "<[_]>::len" as "[_]::len".
 */
void plain_name_add(struct text *text, struct slice name);

/* The side whose names have no type arguments where those of the other have; JOINED_SIDES where they are
 * alike.
 */
enum joined_side plain_names_side(const struct joined_part parts[JOINED_SIDES]);

/* Zero-initialised leaves names as they are; to be released with plain_names_done. */
struct plain_names {
    bool is_wanted;        /* the sides' names differ so */
    enum joined_side side; /* whose names have no type arguments */
    struct intern known;   /* its plain names */
    struct text scratch;
};

void plain_names_done(struct plain_names *names);

/* To be asked once. */
void plain_names_make(struct plain_names *names, const struct joined_part parts[JOINED_SIDES]);

/*
 * The name by which a function of the side is paired: plain where that is wanted, and then as the other side
 * calls it, if it does. Valid until the next call.
 */
struct slice plain_names_of(struct plain_names *names, enum joined_side side, struct slice name);

#endif
