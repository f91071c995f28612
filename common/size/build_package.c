#include "size/build_package.h"

struct crate_fact build_package_crate(const struct build_package *package)
{
    return (struct crate_fact){package->crate, package->version, 0,
                               package->is_own ? CRATE_KIND_OWN : CRATE_KIND_DEPENDENCY};
}
