#include "collect/outside.h"

#include "proc/pid_namespace.h"

uint32_t outside_location(struct outside *outside, struct profile *profile)
{
    static const struct slice name = SLICE(PID_NAMESPACE_OUTSIDE);
    struct profile_frame frame = {0};

    if (outside->is_known)
        return outside->location;
    frame.function = profile_function(
        profile, (struct profile_function){
                     .name = profile_string(profile, name),
                     .why_unnamed = profile_string(
                         profile, SLICE("the kernel does not tell in here which processes those outside are: "
                                        "record on the host, or in a container that has the host's processes "
                                        "(docker run --pid=host)")),
                 });
    *outside = (struct outside){
        true, profile_location(profile, profile_add_module(profile, MODULE_NONE, name, SLICE("")), 0)};
    profile_set_frames(profile, outside->location, &frame, 1);
    return outside->location;
}
