# The libraries that regula stands on. What is needed is an error when missing; what is optional is
# found or left out, with one line each. regula.pc and regula-config.cmake are made from
# REGULA_MODULES; the Debian packages that hold them stand in tools/packages.txt.
find_package(PkgConfig REQUIRED)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

set(REGULA_MODULES jansson libarchive libmd sqlite3 yaml-0.1) # linked, as pkg-config calls them
if(REGULA_PYTHON) # no store
  list(REMOVE_ITEM REGULA_MODULES sqlite3)
endif()
set(missing "")
foreach(module ${REGULA_MODULES} libxxhash) # libxxhash: its header is compiled in, nothing linked
  pkg_check_modules(REGULA_PROBE QUIET ${module})
  if(NOT REGULA_PROBE_FOUND)
    string(APPEND missing " ${module}")
  endif()
endforeach()
if(missing)
  message(FATAL_ERROR "regula: not found:${missing}. tools/setup.sh installs all that is needed.")
endif()

# ---- optional: -DREGULA_CURL=OFF leaves it out even where it is found
option(REGULA_CURL "fetch data sets over the network (libcurl)" ON)
set(REGULA_HAVE_CURL OFF)
if(REGULA_CURL)
  pkg_check_modules(REGULA_CURL_PROBE QUIET libcurl)
  set(REGULA_HAVE_CURL ${REGULA_CURL_PROBE_FOUND})
endif()
if(REGULA_HAVE_CURL)
  list(APPEND REGULA_MODULES libcurl)
  message(STATUS "regula: libcurl found: data sets can be fetched")
elseif(REGULA_CURL)
  message(STATUS "regula: libcurl not found: data sets cannot be fetched (install libcurl4-openssl-dev)")
else()
  message(STATUS "regula: libcurl left out: data sets cannot be fetched (REGULA_CURL is OFF)")
endif()

option(REGULA_CAIRO "drawings as PNG and PDF (cairo)" ON)
set(REGULA_HAVE_CAIRO OFF)
if(REGULA_CAIRO)
  pkg_check_modules(REGULA_CAIRO_PROBE QUIET cairo)
  set(REGULA_HAVE_CAIRO ${REGULA_CAIRO_PROBE_FOUND})
endif()
if(REGULA_HAVE_CAIRO)
  list(APPEND REGULA_MODULES cairo)
  message(STATUS "regula: cairo found: drawings can be SVG, PNG and PDF")
elseif(REGULA_CAIRO)
  message(STATUS "regula: cairo not found: drawings are SVG only (install libcairo2-dev)")
else()
  message(STATUS "regula: cairo left out: drawings are SVG only (REGULA_CAIRO is OFF)")
endif()

# ---- what every target of the project links
set(REGULA_PARTS Threads::Threads m)
set(flags "")
foreach(module ${REGULA_MODULES})
  string(MAKE_C_IDENTIFIER "REGULA_${module}" prefix)
  pkg_check_modules(${prefix} REQUIRED QUIET IMPORTED_TARGET ${module})
  list(APPEND REGULA_PARTS PkgConfig::${prefix})
  list(REMOVE_ITEM ${prefix}_LIBRARY_DIRS ${CMAKE_C_IMPLICIT_LINK_DIRECTORIES})
  list(TRANSFORM ${prefix}_LIBRARY_DIRS PREPEND "-L")
  list(TRANSFORM ${prefix}_LIBRARIES PREPEND "-l")
  list(APPEND flags ${${prefix}_LIBRARY_DIRS} ${${prefix}_LIBRARIES})
endforeach()
list(APPEND flags ${CMAKE_THREAD_LIBS_INIT} -lm)
list(JOIN flags " " REGULA_STATIC_FLAGS) # for regula.pc
