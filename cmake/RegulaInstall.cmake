# make install: program, both libraries, headers, pkg-config file, CMake package.
install(TARGETS regula RUNTIME)
