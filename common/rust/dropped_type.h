/* The type that drop glue is for. */
#ifndef RUST_DROPPED_TYPE_H
#define RUST_DROPPED_TYPE_H

#include "base/slice.h"

/*
 * "Foo" of a demangled name (DEMANGLE_SHORT) "core::ptr::drop_in_place::<Foo>" or, as legacy names have it,
 * "core::ptr::drop_in_place<Foo>"; empty for other names. Points into the name.
 */
struct slice dropped_type(struct slice name);

#endif
