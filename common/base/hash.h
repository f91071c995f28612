/* Hashes that are the same on every run and machine: what they make may be written to files. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdint.h>

#include "base/slice.h"

/* FNV-1a of 32 and of 64 bits (RFC 9923). Whoever wants to can make two texts with the same one. */
uint32_t hash_fnv1a_32(struct slice bytes);
uint64_t hash_fnv1a_64(struct slice bytes);

#endif
