# How every file of the project is compiled. Never -ffast-math, never -march=native.
add_library(regula_options INTERFACE)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_C_FLAGS_RELEASE "-O2 -g") # assertions stay: they are for our own bugs and cost nothing

target_compile_definitions(regula_options INTERFACE $<BUILD_INTERFACE:_POSIX_C_SOURCE=200809L>)
target_compile_options(regula_options INTERFACE
  $<BUILD_INTERFACE:-Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
  -fno-math-errno>)
if(REGULA_WERROR)
  target_compile_options(regula_options INTERFACE $<BUILD_INTERFACE:-Werror>)
endif()
