# What every target is compiled with: C17, warnings, and the build's sanitizers.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_compile_definitions(_GNU_SOURCE SUITE_VERSION="${PROJECT_VERSION}")
add_compile_options(
  -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wformat=2
  -Wpointer-arith -Wcast-qual -Wwrite-strings -Wundef -Wvla -fno-common)

if(SUITE_WERROR)
  add_compile_options(-Werror)
endif()

if(SUITE_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

if(SUITE_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "SUITE_FUZZ needs clang: use the preset \"fuzz\"")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
