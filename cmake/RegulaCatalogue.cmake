# The catalogue of data sets (src/fetch/catalogue.txt) as C source.
# Included by CMakeLists.txt it sets REGULA_CATALOGUE_SOURCE; run as a script (cmake -P) it writes that file:
#   -DOUT=FILE -DFROM=FILE
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ "${FROM}" text)
  string(ASCII 31 semicolon) # a citation may have one, and CMake's lists are split there
  string(REPLACE ";" "${semicolon}" text "${text}")
  string(REGEX REPLACE "\n +" " " text "${text}")
  string(REPLACE "\n" ";" lines "${text}")
  set(rows "")
  foreach(line IN LISTS lines)
    string(REPLACE "${semicolon}" ";" line "${line}")
    string(REGEX REPLACE " *\\| *" "|" row "${line}")
    if(line STREQUAL "" OR line MATCHES "^#")
      continue()
    elseif(line MATCHES "^(from|cite) ([a-z0-9-]+) = (.+)$")
      set(${CMAKE_MATCH_1}_${CMAKE_MATCH_2} "${CMAKE_MATCH_3}")
      continue()
    elseif(NOT row MATCHES "^([^|]+)\\|([^|]+)\\|([^|]+)\\|([0-9]+\\|[0-9.]+\\|[0-9.]+)\\|([^|]+)\\|([a-z]+) ?([^|]*)(.*)$")
      message(FATAL_ERROR "${FROM}: '${line}' is neither from, cite nor a set")
    endif()
    set(name "${CMAKE_MATCH_1}")
    set(task "${CMAKE_MATCH_2}")
    set(domain "${CMAKE_MATCH_3}")
    string(REPLACE "|" ", " numbers "${CMAKE_MATCH_4}")
    set(cite "cite_${CMAKE_MATCH_5}")
    set(from "${CMAKE_MATCH_6}")
    set(path "${name}.zip")
    if(CMAKE_MATCH_7)
      set(path "${CMAKE_MATCH_7}")
    endif()
    set(digest NULL)
    if(CMAKE_MATCH_8 MATCHES "^\\|([0-9a-f]+)$")
      set(digest "\"${CMAKE_MATCH_1}\"")
    endif()
    if(NOT DEFINED ${cite} OR NOT (from STREQUAL "made" OR DEFINED from_${from}))
      message(FATAL_ERROR "${FROM}: the citation or the origin of ${name} is not defined above it")
    endif()
    set(origin "\"${from_${from}}\", \"${path}\"")
    if(from STREQUAL "made")
      set(origin "\"regula data generate ${name}\", NULL")
    endif()
    string(APPEND rows "    {\"${name}\", \"${task}\", \"${domain}\", ${numbers},\n"
                       "     \"${${cite}}\",\n     ${origin}, ${digest}},\n")
  endforeach()
  file(WRITE "${OUT}" "/* Made from src/fetch/catalogue.txt by cmake/RegulaCatalogue.cmake. */\n"
    "#include \"fetch/catalogue.h\"\n\nconst rg_catalogue_entry rg_catalogue_entries[] = {\n${rows}};\n\n"
    "const size_t rg_catalogue_n_entries = sizeof rg_catalogue_entries / sizeof *rg_catalogue_entries;\n")
  return()
endif()

set(REGULA_CATALOGUE_SOURCE "${PROJECT_BINARY_DIR}/catalogue_entries.c")
set(REGULA_CATALOGUE_FILE "${PROJECT_SOURCE_DIR}/src/fetch/catalogue.txt")
add_custom_command(
  OUTPUT "${REGULA_CATALOGUE_SOURCE}"
  COMMAND "${CMAKE_COMMAND}" "-DOUT=${REGULA_CATALOGUE_SOURCE}" "-DFROM=${REGULA_CATALOGUE_FILE}"
          -P "${PROJECT_SOURCE_DIR}/cmake/RegulaCatalogue.cmake"
  DEPENDS "${REGULA_CATALOGUE_FILE}" "${PROJECT_SOURCE_DIR}/cmake/RegulaCatalogue.cmake"
  COMMENT "Writing the catalogue of data sets as C" VERBATIM)
# Two libraries are made of this file: one target writes it, so that no two jobs do.
add_custom_target(catalogue_entries DEPENDS "${REGULA_CATALOGUE_SOURCE}")
