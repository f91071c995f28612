/* The library that the kernel maps into every process: there is no file of it, but this process has it too.
 */
#ifndef PROCESS_VDSO_H
#define PROCESS_VDSO_H

#include "base/slice.h"

/* Its bytes in this process's own memory; empty where there is none or it is not of the form expected. */
struct slice vdso_bytes(void);

#endif
