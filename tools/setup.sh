#!/bin/sh
# setup.sh - install the Debian packages of tools/packages.txt that are missing, and nothing else.
#
# usage: tools/setup.sh [--dry-run] [--web] [--peers]
#   --dry-run  say what would be installed, install nothing
#   --web      the packages of kind `web` as well; a program that is there from elsewhere will do
#   --peers    those of kinds `web` and `peers` as well: what `make check-peers` asks for
#
# Nothing missing: one line, no network, no root. What is needed and cannot be had is an error;
# what is optional and cannot be had is one line.
set -eu

here=$(dirname "$0")
list=${REGULA_PACKAGES:-$here/packages.txt}
dry_run=no
web=no
peers=no

say()
{
    printf 'setup: %s\n' "$*"
}

# kind, names, why: "build pkg-config|pkgconf finds the libraries below"
packages()
{
    sed -e '/^[[:space:]]*#/d' -e '/^[[:space:]]*$/d' -e 's/#//' "$list"
}

installed()
{
    dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

# A machine may have node from elsewhere, and Debian's beside it would only be in its way.
there()
{
    case $1 in
    nodejs) command -v node >/dev/null 2>&1 ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
    esac
}

# The names of one kind of which no alternative is installed: the first alternative of each.
missing()
{
    packages | while read -r kind names _; do
        [ "$kind" = "$1" ] || continue
        found=no
        for name in $(printf '%s' "$names" | tr '|' ' '); do
            if installed "$name" || { [ "$kind" = web ] && there "$name"; }; then
                found=yes
            fi
        done
        [ $found = yes ] || printf '%s ' "${names%%|*}"
    done
}

why()
{
    packages | while read -r _ names reason; do
        case "|$names|" in
        *"|$1|"*) printf '%s' "$reason" ;;
        esac
    done
}

# No dpkg: say what is needed, and go on if what the build asks for is there.
other_system()
{
    say 'this is not Debian or Ubuntu: nothing is installed. Needed, by their Debian names:'
    packages | while read -r kind names reason; do
        printf '  %-6s %-44s %s\n' "$kind" "$names" "$reason"
    done
    absent=
    for tool in cmake ninja cc pkg-config; do
        command -v $tool >/dev/null 2>&1 || absent="$absent $tool"
    done
    for module in jansson libarchive libmd sqlite3 yaml-0.1 libxxhash cmocka; do
        pkg-config --exists $module 2>/dev/null || absent="$absent $module"
    done
    if [ -n "$absent" ]; then
        say "not found:$absent"
        exit 1
    fi
    say 'all that the build needs is found'
    exit 0
}

available()
{
    apt-cache show "$1" >/dev/null 2>&1
}

# What this release does not have is not asked for again: a second run needs no network.
# Without package lists (a fresh container) nothing is known and nothing is dropped.
drop_unavailable()
{
    lists=no
    for file in "${REGULA_APT_LISTS:-/var/lib/apt/lists}"/*_Packages*; do
        [ ! -e "$file" ] || lists=yes
    done
    for name in $optional; do
        if [ $lists = no ] || available "$name"; then
            printf '%s ' "$name"
        else
            say "not in this system's archive, left out: $name ($(why "$name"))" >&2
        fi
    done
}

# apt-get in silence; what it said is in $log. --no-remove: no package is worth pushing out another.
# shellcheck disable=SC2086 # $root is empty or one word
apt_update()
{
    $root apt-get update -q -o DPkg::Lock::Timeout=300 >"$log" 2>&1
}

# shellcheck disable=SC2086
apt_install()
{
    $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
        --no-remove -o DPkg::Lock::Timeout=300 "$@" >"$log" 2>&1 </dev/null
}

for word in "$@"; do
    case $word in
    --dry-run) dry_run=yes ;;
    --web) web=yes ;;
    --peers)
        web=yes
        peers=yes
        ;;
    *)
        sed -n '2,/^set/{s/^# \{0,1\}//p;}' "$0" >&2
        exit 2
        ;;
    esac
done

command -v dpkg-query >/dev/null 2>&1 || other_system
command -v apt-get >/dev/null 2>&1 || other_system

needed=$(missing build)$(missing test)
optional=$(missing part)
[ $web = no ] || optional=$optional$(missing web)
[ $peers = no ] || optional=$optional$(missing peers)
optional=$(drop_unavailable)

if [ -z "$needed$optional" ]; then
    say 'all packages are installed, nothing to do'
    exit 0
fi
[ -z "$needed" ] || say "missing: $needed"
[ -z "$optional" ] || say "missing, optional: $optional"
if [ $dry_run = yes ]; then
    say "would run: apt-get install --no-install-recommends $needed$optional"
    exit 0
fi

root=
if [ "$(id -u)" -ne 0 ]; then
    say 'not root: installing with sudo'
    root=sudo
    if ! sudo true; then # asks for the password here, where one can see it
        if [ -z "$needed" ]; then
            say 'no sudo: going on without the optional packages'
            exit 0
        fi
        say 'no sudo. Have this run as root:'
        printf '  apt-get update && apt-get install --no-install-recommends %s\n' "$needed$optional"
        exit 1
    fi
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
say 'apt-get update'
apt_update || say 'apt-get update failed: trying with the package lists that are there'

if [ -n "$needed" ]; then
    say "apt-get install $needed"
    # shellcheck disable=SC2086 # a list of words
    if ! apt_install $needed; then
        tail -n 20 "$log"
        say "could not install: $needed"
        exit 1
    fi
fi
optional=$(drop_unavailable)
if [ -n "$optional" ]; then
    say "apt-get install $optional"
    # All at once, which is faster; if that fails one by one, to see which.
    # shellcheck disable=SC2086
    if ! apt_install $optional; then
        for name in $optional; do
            apt_install "$name" || say "could not install, left out: $name ($(why "$name"))"
        done
    fi
fi
say 'done'
