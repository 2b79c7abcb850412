# Man pages (scdoc) and completion scripts: the program writes both from its option tables, so they
# cannot say anything else than --help does; pages about files and languages are made of docs/.
# build/man/*.1, *.5, *.7 and build/completions/.
set(REGULA_COMPLETIONS "${PROJECT_BINARY_DIR}/completions")
add_custom_command(
  OUTPUT "${REGULA_COMPLETIONS}/regula.bash" "${REGULA_COMPLETIONS}/_regula" "${REGULA_COMPLETIONS}/regula.fish"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${REGULA_COMPLETIONS}"
  COMMAND regula completion bash > "${REGULA_COMPLETIONS}/regula.bash"
  COMMAND regula completion zsh > "${REGULA_COMPLETIONS}/_regula"
  COMMAND regula completion fish > "${REGULA_COMPLETIONS}/regula.fish"
  DEPENDS regula COMMENT "Writing completion scripts" VERBATIM)
add_custom_target(completions ALL
  DEPENDS "${REGULA_COMPLETIONS}/regula.bash" "${REGULA_COMPLETIONS}/_regula" "${REGULA_COMPLETIONS}/regula.fish")

# The names of the pages are not known before the program is built: one stamp stands for them all.
set(REGULA_MAN "${PROJECT_BINARY_DIR}/man")
find_program(SCDOC scdoc)
if(SCDOC)
  add_custom_command(
    OUTPUT "${REGULA_MAN}/stamp"
    COMMAND "${CMAKE_COMMAND}" -E rm -rf "${REGULA_MAN}"
    COMMAND regula help --scdoc-all "${REGULA_MAN}"
    COMMAND sh "${PROJECT_SOURCE_DIR}/tools/manual.sh" "${REGULA_MAN}"
    COMMAND sh -ec "cd \"$0\"; for page in *.scd; do \"$1\" < $page > \${page%.scd}; done"
            "${REGULA_MAN}" "${SCDOC}"
    COMMAND "${CMAKE_COMMAND}" -E touch "${REGULA_MAN}/stamp"
    DEPENDS regula tools/manual.sh tools/manual.awk docs/networks.md docs/experiments.md docs/rules.md docs/labels.md
    COMMENT "Writing man pages" VERBATIM)
  add_custom_target(man ALL DEPENDS "${REGULA_MAN}/stamp")
else()
  message(STATUS "regula: scdoc not found: no man pages (install scdoc)")
endif()
