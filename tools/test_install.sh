#!/bin/sh
# test_install.sh - install a build into a temporary place, and build somebody else's program
# (tests/consumer) against it in four ways. One line a case; exit 1 if one failed.
# usage: tools/test_install.sh [BUILD]
# shellcheck disable=SC2317 # the functions are called by `try`
set -eu

cd "$(dirname "$0")/.."
build=${1:-build}
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
prefix=$box/prefix
failed=0
version=$(sed -n 's/^#define RG_VERSION "\(.*\)"/\1/p' include/regula/base.h)
soname=libregula.so.${version%%.*}

# try NAME COMMAND...
try()
{
    name=$1
    shift
    if "$@" >"$box/log" 2>&1; then
        echo "ok      $name"
    else
        echo "FAILED  $name"
        sed 's/^/        | /' "$box/log"
        failed=1
    fi
}

files_are_there()
{
    for file in bin/regula include/regula/regula.h include/regula/base.h "$libdir/libregula.so" \
        "$libdir/$soname" "$libdir/libregula.so.$version" "$libdir/libregula.a" \
        share/doc/regula/README.md share/doc/regula/docs/networks.md \
        share/doc/regula/examples/networks/gin.yml "$libdir/pkgconfig/regula.pc" "$libdir/cmake/regula/regula-config.cmake"; do
        [ -e "$prefix/$file" ] || { echo "missing: $file" && return 1; }
    done
}

# Made while building, from the option tables; man pages only where there is scdoc.
manuals_are_there()
{
    for file in "$build"/man/*.1; do
        [ ! -e "$file" ] || cmp "$file" "$prefix/share/man/man1/${file##*/}" || return 1
    done
    for file in "$build"/man/*.5 "$build"/man/*.7; do
        [ ! -e "$file" ] || cmp "$file" "$prefix/share/man/man${file##*.}/${file##*/}" || return 1
    done
    for pair in regula.bash:bash-completion/completions/regula _regula:zsh/site-functions/_regula \
        regula.fish:fish/vendor_completions.d/regula.fish; do
        file=$build/completions/${pair%%:*}
        [ ! -e "$file" ] || cmp "$file" "$prefix/share/${pair#*:}" || return 1
    done
}

links_no_mpi()
{
    ! readelf -d "$prefix/bin/regula" | grep 'NEEDED.*libmpi'
}

soname_is_right()
{
    readelf -d "$prefix/$libdir/libregula.so" | grep "SONAME.*\[$soname\]"
}

# What is installed must not name the places or the flags of this build.
nothing_leaks()
{
    ! grep -rnE -e '-W(all|extra|error)' -e '_POSIX_C_SOURCE' -e 'regula_options' -e 'sanitize' \
        -e "$PWD/" -e "$box" "$prefix/$libdir/cmake" "$prefix/$libdir/pkgconfig"
}

destdir_is_honoured()
{
    DESTDIR=$box/stage cmake --install "$build" --prefix /opt/regula
    [ -x "$box/stage/opt/regula/bin/regula" ]
}

# runs PROGRAM: it does, and prints the version
runs()
{
    [ "$(LD_LIBRARY_PATH=$prefix/$libdir "$1")" = "$version" ]
}

links_library()
{
    readelf -d "$1" | grep -q "NEEDED.*\[libregula"
}

consumer_shared()
{
    # shellcheck disable=SC2046 # words
    cc tests/consumer/main.c $(pkg-config --cflags --libs regula) -o "$box/shared"
    links_library "$box/shared" && runs "$box/shared"
}

example()
{
    # shellcheck disable=SC2046 # words
    cc "examples/c/$1.c" $(pkg-config --cflags --libs regula) -o "$box/$1"
}

# -lregula would take the shared library, which lies beside the static one
consumer_static()
{
    # shellcheck disable=SC2046
    cc tests/consumer/main.c \
        $(pkg-config --static --cflags --libs regula | sed 's/-lregula/-l:libregula.a/') -o "$box/static"
    ! links_library "$box/static" && runs "$box/static"
}

consumer_cmake()
{
    cmake -S tests/consumer -B "$box/consumer" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" &&
        cmake --build "$box/consumer" -v &&
        links_library "$box/consumer/consumer_shared" && runs "$box/consumer/consumer_shared" &&
        ! links_library "$box/consumer/consumer_static" && runs "$box/consumer/consumer_static"
}

try 'install' cmake --install "$build" --prefix "$prefix"
pc=$(find "$prefix" -name regula.pc)
libdir=${pc#"$prefix/"}
libdir=${libdir%/pkgconfig/regula.pc}
PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig
export PKG_CONFIG_PATH

try 'program, libraries, headers and package files are there' files_are_there
try 'man pages and completions are there' manuals_are_there
try 'installed program runs' "$prefix/bin/regula" --version
try 'the program links no MPI' links_no_mpi
try "shared library is called $soname" soname_is_right
try 'no flag or path of the build is installed' nothing_leaks
try 'DESTDIR is honoured' destdir_is_honoured
try 'pkg-config gives the version' [ "$(pkg-config --modversion regula)" = "$version" ]
try 'a program links the shared library through pkg-config' consumer_shared
for name in train_predict label_rule audit_convert; do
    try "examples/c/$name.c builds through pkg-config" example "$name"
done
try 'a program links the static library through pkg-config' consumer_static
try 'a program links both through find_package' consumer_cmake
exit $failed
