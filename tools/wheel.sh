#!/bin/sh
# wheel.sh - the wheel of the Python package: one for every Python from 3.10 on and every Linux with glibc
# 2.28 or later (manylinux_2_28). The compiler is zig's clang, which knows the symbols of old versions of
# glibc; the parts that regula stands on are built from Debian's sources and linked into the library.
# usage: tools/wheel.sh [DIRECTORY]        dist by default
# Needs the Python and Debian package indices, once; what was fetched and built stays in build/wheel.
# PYTHON: a Python with venv and pip (python3).
set -eu

cd "$(dirname "$0")/.."
out=${1:-dist}
root=$(pwd)
box=$root/build/wheel
sources=$box/sources
prefix=$box/prefix
zig_version=0.17.0
glibc=2.28
machine=$(uname -m)
mkdir -p "$box" "$sources" "$out"

say()
{
    printf 'wheel: %s\n' "$*"
}

# ---- the compiler: programs that CMake takes for cc, ar and ranlib
if [ ! -x "$box/venv/bin/python" ]; then
    "${PYTHON:-python3}" -m venv "$box/venv"
fi
"$box/venv/bin/python" -m pip install -q --disable-pip-version-check "ziglang==$zig_version"
for name in cc ar ranlib; do
    target=
    [ $name != cc ] || target="-target $machine-linux-gnu.$glibc -fno-sanitize=undefined"
    printf '#!/bin/sh\nexec "%s" -m ziglang %s %s "$@"\n' "$box/venv/bin/python" "$name" "$target" >"$box/zig-$name"
    chmod +x "$box/zig-$name"
done
ZIG_GLOBAL_CACHE_DIR=$box/cache
ZIG_LOCAL_CACHE_DIR=$box/cache
export ZIG_GLOBAL_CACHE_DIR ZIG_LOCAL_CACHE_DIR

# ---- sources, as the machine's own list of Debian packages has them
fetch()
{
    [ ! -e "$sources/done" ] || return 0
    lists=$box/apt
    mkdir -p "$lists/lists/partial" "$lists/cache/archives/partial" "$lists/parts"
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ ! -e "$file" ] || sed -n 's/^deb /deb-src /p' "$file" >"$lists/parts/$(basename "$file" .list).list"
    done
    for file in /etc/apt/sources.list.d/*.sources; do
        [ ! -e "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" >"$lists/parts/$(basename "$file")"
    done
    apt="-o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts=$lists/parts -o Dir::State::lists=$lists/lists
        -o Dir::Cache=$lists/cache -q"
    # shellcheck disable=SC2086 # words
    apt-get $apt update
    # shellcheck disable=SC2086
    (cd "$sources" && apt-get $apt source --download-only jansson libyaml libarchive libmd xxhash zlib libzstd)
    touch "$sources/done"
}

# unpacked NAME: the directory with the original sources of NAME
unpacked()
{
    if [ ! -d "$box/src/$1" ]; then
        mkdir -p "$box/src/$1"
        tar -xf "$(find "$sources" -name "$1_*.orig.tar.*" ! -name '*.asc')" -C "$box/src/$1" --strip-components 1
    fi
    echo "$box/src/$1"
}

# part NAME DIRECTORY OPTION...: builds one part as a static library below the prefix
part()
{
    name=$1
    directory=$(unpacked "$name")/$2
    shift 2
    [ ! -e "$box/$name.done" ] || return 0
    say "building $name"
    cmake -S "$directory" -B "$box/build-$name" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_COMPILER="$box/zig-cc" -DCMAKE_AR="$box/zig-ar" -DCMAKE_RANLIB="$box/zig-ranlib" \
        -DCMAKE_C_FLAGS='-fvisibility=hidden -ffunction-sections -fdata-sections -w' \
        -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DBUILD_SHARED_LIBS=OFF -DCMAKE_POLICY_VERSION_MINIMUM=3.5 \
        -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_PREFIX_PATH="$prefix" \
        -DCMAKE_FIND_ROOT_PATH="$prefix" -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY \
        -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF "$@" >"$box/$name.log" 2>&1 &&
        cmake --build "$box/build-$name" >>"$box/$name.log" 2>&1 &&
        cmake --install "$box/build-$name" >>"$box/$name.log" 2>&1 || {
        tail -n 30 "$box/$name.log"
        return 1
    }
    touch "$box/$name.done"
}

# pc NAME LIBRARIES: what pkg-config says of a part, so that regula's own build finds it
pc()
{
    printf 'Name: %s\nDescription: %s\nVersion: 1\nLibs: -L%s/lib %s\nCflags: -I%s/include\n' \
        "$1" "$1" "$prefix" "$2" "$prefix" >"$prefix/pc/$1.pc"
}

parts()
{
    mkdir -p "$prefix/pc" "$prefix/include" "$prefix/lib"
    # Debian's sources of zlib lack files that its own build asks for, though only for Windows.
    z=$(unpacked zlib)
    if [ ! -e "$prefix/lib/libz.a" ]; then
        mkdir -p "$box/build-zlib"
        for file in adler32 compress crc32 deflate inffast inflate inftrees trees uncompr zutil; do
            "$box/zig-cc" -O2 -fPIC -fvisibility=hidden -w -D_LARGEFILE64_SOURCE=1 -DHAVE_UNISTD_H -c "$z/$file.c" \
                -o "$box/build-zlib/$file.o"
        done
        "$box/zig-ar" rcs "$prefix/lib/libz.a" "$box"/build-zlib/*.o
        cp "$z/zlib.h" "$z/zconf.h" "$prefix/include/"
    fi
    part libzstd build/cmake -DZSTD_BUILD_PROGRAMS=OFF -DZSTD_BUILD_SHARED=OFF -DZSTD_BUILD_TESTS=OFF \
        -DZSTD_LEGACY_SUPPORT=OFF -DZSTD_MULTITHREAD_SUPPORT=OFF
    part jansson . -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON -DJANSSON_EXAMPLES=OFF
    part libyaml . -DBUILD_TESTING=OFF
    part libarchive . -DENABLE_TEST=OFF -DENABLE_TAR=OFF -DENABLE_CPIO=OFF -DENABLE_CAT=OFF -DENABLE_ACL=OFF \
        -DENABLE_XATTR=OFF -DENABLE_ICONV=OFF -DENABLE_OPENSSL=OFF -DENABLE_LIBXML2=OFF -DENABLE_EXPAT=OFF \
        -DENABLE_LZMA=OFF -DENABLE_BZip2=OFF -DENABLE_LZ4=OFF -DENABLE_LIBB2=OFF -DENABLE_NETTLE=OFF \
        -DENABLE_MBEDTLS=OFF -DENABLE_PCREPOSIX=OFF -DENABLE_PCRE2POSIX=OFF -DPOSIX_REGEX_LIB=NONE
    rm -f "$prefix"/lib/*.so* # the static ones are to be found
    # libmd comes with the autotools alone, and SHA-2 of it is one file; xxhash is a header.
    md=$(unpacked libmd)
    if [ ! -e "$prefix/lib/libmd.a" ]; then
        mkdir -p "$box/build-libmd"
        : >"$box/build-libmd/config.h"
        "$box/zig-cc" -O2 -fPIC -fvisibility=hidden -w -I"$box/build-libmd" -I"$md/include" -I"$md/src" \
            -D_GNU_SOURCE -c "$md/src/sha2.c" -o "$box/sha2.o"
        "$box/zig-ar" rcs "$prefix/lib/libmd.a" "$box/sha2.o"
        cp "$md/include/sha2.h" "$prefix/include/"
    fi
    cp "$(unpacked xxhash)/xxhash.h" "$prefix/include/"
    pc jansson -ljansson
    pc yaml-0.1 -lyaml
    pc libarchive '-larchive -lzstd -lz'
    pc libmd -lmd
    pc libxxhash ''
}

# Which vectors the processor has is asked through a function of libgcc, which zig has no other for.
library()
{
    say 'building regula'
    PKG_CONFIG_LIBDIR=$prefix/pc
    export PKG_CONFIG_LIBDIR
    cmake -S . -B "$box/regula" -G Ninja -DCMAKE_BUILD_TYPE=Release -DREGULA_PYTHON=ON -DREGULA_TESTS=OFF \
        -DREGULA_CURL=OFF -DREGULA_CAIRO=OFF -DREGULA_WERROR=OFF -DCMAKE_C_COMPILER="$box/zig-cc" \
        -DCMAKE_AR="$box/zig-ar" -DCMAKE_RANLIB="$box/zig-ranlib" -DCMAKE_C_FLAGS=-DYAML_DECLARE_STATIC \
        -DCMAKE_C_STANDARD_LIBRARIES="$(cc -print-libgcc-file-name)" \
        >"$box/regula.log" 2>&1 &&
        cmake --build "$box/regula" --target regula_shared >>"$box/regula.log" 2>&1 || {
        tail -n 30 "$box/regula.log"
        return 1
    }
    objcopy --strip-unneeded "$(readlink -f "$box/regula/libregula.so")" "$box/libregula.so"
}

# The library asks for nothing but glibc, and for no symbol that is younger than its version.
symbols()
{
    objdump -p "$box/libregula.so" | awk '/NEEDED/ { print $2 }' >"$box/needed"
    if grep -vE '^(libc|libm|libpthread|libdl|librt|ld-linux[a-z0-9-]*)\.so' "$box/needed"; then
        say 'FAILED the library needs what is listed above'
        return 1
    fi
    newest=$(objdump -T "$box/libregula.so" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -uV | tail -n 1)
    if [ "$(printf '%s\n%s\n' "$newest" $glibc | sort -V | tail -n 1)" != $glibc ]; then
        say "FAILED the library needs glibc $newest, expected $glibc or earlier"
        return 1
    fi
    say "needs glibc $newest"
}

fetch
parts
library
symbols
"$box/venv/bin/python" tools/wheel.py "$box/libregula.so" "$out" "manylinux_${glibc%%.*}_${glibc#*.}_$machine"
