#include "symbolize/recorded_file.h"

struct recorded_file recorded_file_of(const struct profile *profile, uint32_t module)
{
    const struct profile_module *about = &profile->modules.items[module];

    return (struct recorded_file){
        .name = profile_text(profile, about->place == PROFILE_NO_STRING ? about->path : about->place).data,
        .path = profile_text(profile, about->path),
        .root = profile_text(profile, about->root),
        .build_id = profile_text(profile, about->build_id),
    };
}
