# The networks of examples/paper as C source, so that the program has them without any file.
# Included by CMakeLists.txt it sets REGULA_PAPER_SOURCE; run as a script (cmake -P) it writes that file:
#   -DOUT=FILE -DFROM=DIRECTORY
if(CMAKE_SCRIPT_MODE_FILE)
  file(GLOB files "${FROM}/*.yml")
  list(SORT files)
  set(source "/* Made from examples/paper by cmake/RegulaPaper.cmake. */\n#include \"experiment/paper.h\"\n\n")
  string(APPEND source "const rg_paper_network rg_paper_networks[] = {\n")
  foreach(file ${files})
    get_filename_component(name "${file}" NAME_WE)
    file(READ "${file}" text)
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "\n" "\\n\"\n     \"" text "${text}")
    string(APPEND source "    {\"${name}\",\n     \"${text}\"},\n")
  endforeach()
  string(APPEND source "    {0, 0},\n};\n")
  file(WRITE "${OUT}" "${source}")
  return()
endif()

set(REGULA_PAPER_SOURCE "${PROJECT_BINARY_DIR}/paper_networks.c")
file(GLOB REGULA_PAPER_FILES CONFIGURE_DEPENDS examples/paper/*.yml)
add_custom_command(
  OUTPUT "${REGULA_PAPER_SOURCE}"
  COMMAND "${CMAKE_COMMAND}" "-DOUT=${REGULA_PAPER_SOURCE}" "-DFROM=${PROJECT_SOURCE_DIR}/examples/paper"
          -P "${PROJECT_SOURCE_DIR}/cmake/RegulaPaper.cmake"
  DEPENDS ${REGULA_PAPER_FILES} "${PROJECT_SOURCE_DIR}/cmake/RegulaPaper.cmake"
  COMMENT "Writing the paper's networks as C" VERBATIM)
# Two libraries are made of this file: one target writes it, so that no two jobs do.
add_custom_target(paper_networks DEPENDS "${REGULA_PAPER_SOURCE}")
