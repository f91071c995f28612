#include "emit/function_files.h"

static void add_frame(struct function_files *files, const struct profile_frame *frame, uint32_t module)
{
    if (frame->file != PROFILE_NO_STRING &&
        pair_index_add(&files->functions, frame->function, module) == files->files.count)
        *vec_add(&files->files) = frame->file;
}

void function_files_init(struct function_files *files, const struct profile *profile)
{
    *files = (struct function_files){0};
    for (size_t i = 0; i < profile->locations.count; i++) {
        const struct profile_location *location = &profile->locations.items[i];

        for (uint32_t frame = 0; frame < location->frame_count; frame++)
            add_frame(files, &profile->frames.items[location->first_frame + frame], location->module);
    }
}

void function_files_done(struct function_files *files)
{
    pair_index_done(&files->functions);
    vec_done(&files->files);
}

uint32_t function_file(const struct function_files *files, const struct profile_frame *frame, uint32_t module)
{
    uint32_t known = UINT32_MAX;

    if (frame->file != PROFILE_NO_STRING)
        return frame->file;
    known = pair_index_find(&files->functions, frame->function, module);
    return known == UINT32_MAX ? PROFILE_NO_STRING : files->files.items[known];
}
