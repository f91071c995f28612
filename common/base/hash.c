#include "base/hash.h"

uint32_t hash_fnv1a_32(struct slice bytes)
{
    uint32_t hash = 0x811c9dc5U;

    for (size_t i = 0; i < bytes.length; i++)
        hash = (hash ^ (unsigned char)bytes.data[i]) * 0x01000193U;
    return hash;
}

uint64_t hash_fnv1a_64(struct slice bytes)
{
    uint64_t hash = 0xcbf29ce484222325U;

    for (size_t i = 0; i < bytes.length; i++)
        hash = (hash ^ (unsigned char)bytes.data[i]) * 0x100000001b3U;
    return hash;
}
