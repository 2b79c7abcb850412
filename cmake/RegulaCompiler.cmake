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
  $<BUILD_INTERFACE:-Wall -Wextra -Wshadow -Wconversion
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
  -fno-math-errno -ffp-contract=off>) # a fused product has other bits
if(REGULA_WERROR)
  target_compile_options(regula_options INTERFACE $<BUILD_INTERFACE:-Werror>)
endif()

option(REGULA_PORTABLE "leave out the loops for wider vectors" OFF)
if(REGULA_PORTABLE)
  target_compile_definitions(regula_options INTERFACE $<BUILD_INTERFACE:RG_PORTABLE>)
endif()
set(REGULA_LOOPS_FLAGS "" CACHE STRING "more options for the loops that are compiled for each processor")

# The loops of layers and of support vector machines: always as vectors, and for wider ones a
# second and third time. Which are run is decided at run time; all of them give the same bits.
set(loops "$<$<CONFIG:Release>:-O3>")
function(regula_loops processor)
  set_source_files_properties(src/math/kernels_${processor}.c src/kernel/svm_loops_${processor}.c
    src/batch/loops_${processor}.c PROPERTIES COMPILE_OPTIONS "${loops};${REGULA_LOOPS_FLAGS};${ARGN}")
endfunction()
regula_loops(portable)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
  regula_loops(avx2 -mavx2 -mfma) # only products fuse, in so many words
  regula_loops(avx512 -mavx512f -mavx512vl -mavx512dq -mavx512bw)
endif()
