# The networks of examples/paper and examples/networks and the experiments of examples/baselines as C source, so that the program has
# them without any file.
# Included by CMakeLists.txt it sets REGULA_PAPER_SOURCE; run as a script (cmake -P) it writes that file:
#   -DOUT=FILE -DFROM=DIRECTORY (examples)
function(regula_add_files out array directory)
  file(GLOB files "${directory}/*.yml")
  list(SORT files)
  set(part "\nconst rg_paper_network ${array}[] = {\n")
  foreach(file ${files})
    get_filename_component(name "${file}" NAME_WE)
    file(READ "${file}" text)
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "\n" "\\n\"\n     \"" text "${text}")
    string(APPEND part "    {\"${name}\",\n     \"${text}\"},\n")
  endforeach()
  string(APPEND part "    {0, 0},\n};\n")
  set(${out} "${${out}}${part}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  set(source "/* Made from examples by cmake/RegulaPaper.cmake. */\n#include \"cli/reproduce/paper.h\"\n")
  regula_add_files(source rg_paper_networks "${FROM}/paper")
  regula_add_files(source rg_paper_baseline_files "${FROM}/baselines")
  regula_add_files(source cli_shipped_networks "${FROM}/networks")
  file(WRITE "${OUT}" "${source}")
  return()
endif()

set(REGULA_PAPER_SOURCE "${PROJECT_BINARY_DIR}/paper_networks.c")
file(GLOB REGULA_PAPER_FILES CONFIGURE_DEPENDS examples/paper/*.yml examples/baselines/*.yml
     examples/networks/*.yml)
add_custom_command(
  OUTPUT "${REGULA_PAPER_SOURCE}"
  COMMAND "${CMAKE_COMMAND}" "-DOUT=${REGULA_PAPER_SOURCE}" "-DFROM=${PROJECT_SOURCE_DIR}/examples"
          -P "${PROJECT_SOURCE_DIR}/cmake/RegulaPaper.cmake"
  DEPENDS ${REGULA_PAPER_FILES} "${PROJECT_SOURCE_DIR}/cmake/RegulaPaper.cmake"
  COMMENT "Writing the paper's networks as C" VERBATIM)
add_custom_target(paper_networks DEPENDS "${REGULA_PAPER_SOURCE}")
