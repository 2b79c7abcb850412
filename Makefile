# A thin front for CMake (CMakePresets.json). `make help` lists what there is.
PREFIX ?= /usr/local
DESTDIR ?=
MAKEFLAGS += --no-print-directory

all: build/build.ninja
	@cmake --build --preset release

build/build.ninja:
	@command -v cmake >/dev/null || { echo 'cmake is not installed: make setup' >&2; exit 1; }
	@cmake --preset release

help:
	@echo 'make            build: the program is build/regula, the tests are build/tests/'
	@echo 'make demo       set up, build, and cross-validate the paper'\''s networks on two generated sets'
	@echo 'make check      set up, build, test: all that CI does'
	@echo 'make check-peers  what is long or needs more: PyTorch, npm, Slurm, browsers; writes docs/checked.md'
	@echo 'make test       build, and the tests of the release build only'
	@echo 'make setup      install the Debian packages that are missing (tools/packages.txt)'
	@echo 'make install    program, libraries, headers, man pages, docs, examples: PREFIX=$(PREFIX), DESTDIR'
	@echo 'make python     the wheel of the Python package, in dist/; needs the Python and Debian package indices'
	@echo 'make format     clang-format on every C file'
	@echo 'make coverage   line coverage of the tests, file by file'
	@echo 'make fuzz       every fuzz target for FUZZ_SECONDS (20)'
	@echo 'make bench      build and run the benchmarks'
	@echo 'make clean      remove build/ and build-*/'

setup:
	@tools/setup.sh

demo: setup
	@$(MAKE) all
	@tools/demo.sh build/regula build/demo

check: setup
	@tools/check.sh

check-peers: setup
	@tools/setup.sh --peers
	@tools/check_peers.sh --record

test: all
	@ctest --test-dir build --output-on-failure -j 2

# No rebuild as root after `make`: ninja finds nothing to do.
install: all
	@DESTDIR='$(DESTDIR)' cmake --install build --prefix '$(PREFIX)'
	@if [ -z '$(DESTDIR)' ] && [ "$$(id -u)" -eq 0 ]; then ldconfig; fi

python:
	@tools/wheel.sh dist

format:
	@tools/format.sh --fix

coverage:
	@tools/coverage.sh

fuzz:
	@tools/fuzz.sh

bench: all
	@for program in build/bench/bench_*; do \
	    if [ -f "$$program" ] && [ -x "$$program" ]; then echo "== $$program"; "$$program" || exit 1; fi; \
	done

clean:
	rm -rf build dist build-asan build-clang build-coverage build-debug build-fuzz build-tsan

.PHONY: all help setup demo check check-peers test install python format coverage fuzz bench clean
