# The style and the program of reports (web/dist) as C source, so that the program has them without any file.
# Included by CMakeLists.txt it sets REGULA_WEB_SOURCE; run as a script (cmake -P) it writes that file:
#   -DOUT=FILE -DFROM=DIRECTORY
if(CMAKE_SCRIPT_MODE_FILE)
  set(source "/* Made from web/dist by cmake/RegulaWeb.cmake. */\n#include \"report/page.h\"\n")
  foreach(pair style:report.css script:report.js)
    string(REPLACE ":" ";" pair "${pair}")
    list(GET pair 0 name)
    list(GET pair 1 file)
    file(READ "${FROM}/${file}" bytes HEX)
    string(LENGTH "${bytes}" digits)
    math(EXPR size "${digits} / 2")
    string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${bytes}")
    string(APPEND source "\nconst char rg_page_${name}[] = {\n    ${bytes}0};\n")
    string(APPEND source "const size_t rg_page_${name}_size = ${size};\n")
  endforeach()
  file(WRITE "${OUT}" "${source}")
  return()
endif()

set(REGULA_WEB_SOURCE "${PROJECT_BINARY_DIR}/web_page.c")
set(REGULA_WEB_FILES web/dist/report.css web/dist/report.js)
list(TRANSFORM REGULA_WEB_FILES PREPEND "${PROJECT_SOURCE_DIR}/")
add_custom_command(
  OUTPUT "${REGULA_WEB_SOURCE}"
  COMMAND "${CMAKE_COMMAND}" "-DOUT=${REGULA_WEB_SOURCE}" "-DFROM=${PROJECT_SOURCE_DIR}/web/dist"
          -P "${PROJECT_SOURCE_DIR}/cmake/RegulaWeb.cmake"
  DEPENDS ${REGULA_WEB_FILES} "${PROJECT_SOURCE_DIR}/cmake/RegulaWeb.cmake"
  COMMENT "Writing the page of reports as C" VERBATIM)
# Two libraries are made of this file: one target writes it, so that no two jobs do.
add_custom_target(web_page DEPENDS "${REGULA_WEB_SOURCE}")
