/* Constants of ELF that the elf.h of older systems lacks: glibc 2.35, of Ubuntu 22.04. */
#ifndef ELF_CONSTANTS_H
#define ELF_CONSTANTS_H

#include <elf.h>

#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258 /* the registry of e_machine */
#endif
#ifndef SHT_RELR
#define SHT_RELR 19 /* System V ABI, "Sections" */
#endif

#endif
