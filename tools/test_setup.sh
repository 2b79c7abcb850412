#!/bin/sh
# test_setup.sh - setup.sh against a machine made of stubs: what is installed, what apt-get does
# and who runs it are files in a temporary directory. Prints one line a case; exit 1 if one failed.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
failed=0

# A path with the few tools that setup.sh uses, and stubs for those that would touch the machine.
mkdir "$box/bin" "$box/lists"
for tool in sh sed grep tr dirname env cat mktemp rm tail; do
    ln -s "$(command -v $tool)" "$box/bin/$tool"
done
stub()
{
    printf '#!/bin/sh\n%s\n' "$2" >"$box/bin/$1"
    chmod +x "$box/bin/$1"
}
cat >"$box/packages.txt" <<'LIST'
# a comment
build   alpha           # the first
build   beta|beta-old   # either
test    gamma           # tests
part    delta           # optional
web     nodejs          # pages
web     zeta            # a browser
peers   epsilon         # only when asked for
LIST

# machine INSTALLED UID: back to a known state
machine()
{
    printf '%s\n' "$1" | tr ' ' '\n' >"$box/installed"
    : >"$box/calls"
    rm -f "$box/bin/sudo" "$box/lists/"*
    echo "$2" >"$box/uid"
    stub id "cat '$box/uid'"
    stub dpkg-query "for name; do :; done; grep -qx \"\$name\" '$box/installed' && echo installed"
    stub apt-get "echo \"apt-get \$*\" >>'$box/calls'"
    stub apt-cache ':'
    stub true ':'
}

run()
{
    status=0
    PATH=$box/bin REGULA_PACKAGES=$box/packages.txt REGULA_APT_LISTS=$box/lists \
        "$here/setup.sh" "$@" >"$box/out" 2>&1 || status=$?
}

# expect NAME STATUS [TEXT...]: the exit status, and what output and calls together must hold;
# a text that begins with ! must not be there
expect()
{
    name=$1
    good=yes
    [ "$status" -eq "$2" ] || good="exit status $status, not $2"
    shift 2
    for text in "$@"; do
        case $text in
        !*) ! grep -qF -e "${text#!}" "$box/out" "$box/calls" || good="found: ${text#!}" ;;
        *) grep -qF -e "$text" "$box/out" "$box/calls" || good="not found: $text" ;;
        esac
    done
    if [ "$good" = yes ]; then
        echo "ok      $name"
    else
        echo "FAILED  $name: $good"
        sed 's/^/        | /' "$box/out" "$box/calls"
        failed=1
    fi
}

machine 'alpha beta gamma delta' 1000
run
expect 'nothing missing: no call' 0 'nothing to do' '!apt-get' '!missing'
status=$(wc -l <"$box/out")
expect 'nothing missing is exactly one line' 1

machine 'alpha beta-old gamma delta' 1000
run
expect 'an alternative counts as installed' 0 'nothing to do'

machine 'beta delta' 0
run
expect 'only what is missing is installed' 0 'setup: apt-get update' 'apt-get update' \
    'alpha gamma' '--no-remove' '--no-install-recommends' '!beta' '!delta' '!epsilon'

machine 'beta delta' 0
run --dry-run
expect 'a dry run installs nothing' 0 'would run: apt-get install' 'alpha gamma' '!apt-get update'

machine 'alpha beta gamma delta' 0
run --peers
expect 'packages for peers come when asked for, with those for pages' 0 'apt-get install nodejs zeta epsilon'

machine 'alpha beta gamma delta' 0
run --web
expect 'packages for pages come when asked for' 0 'apt-get install nodejs zeta' '!epsilon'

machine 'alpha beta gamma delta zeta' 0
stub node ':'
run --web
expect 'a node from elsewhere is left alone' 0 'nothing to do' '!apt-get'
rm "$box/bin/node"

machine 'beta gamma delta' 1000
run
expect 'neither root nor sudo: the command is printed' 1 \
    'apt-get update && apt-get install --no-install-recommends alpha' '!-y'

machine 'alpha beta gamma' 1000
run
expect 'neither root nor sudo, optional only: goes on' 0 'without the optional packages'

machine 'beta gamma delta' 1000
stub sudo "echo \"sudo \$1\" >>'$box/calls'; exec \"\$@\""
run
expect 'not root: sudo is used' 0 'installing with sudo' 'sudo apt-get' 'sudo env' 'alpha'

machine 'beta gamma delta' 0
stub apt-get "case \$1 in install) exit 100 ;; esac"
run
expect 'a needed package that fails is an error' 1 'could not install: alpha'

machine 'beta gamma delta' 1000
stub sudo 'exit 1'
run
expect 'sudo that refuses: the command is printed' 1 'apt-get update && apt-get install'

machine 'alpha beta gamma' 0
stub apt-get "case \$1 in install) exit 100 ;; esac"
run
expect 'an optional package that fails is one line' 0 'left out: delta (optional)'

machine 'alpha beta gamma' 0
: >"$box/lists/archive_Packages"
stub apt-cache 'exit 100'
run
expect 'a package that the release does not have needs no network' 0 \
    'left out: delta (optional)' 'nothing to do' '!apt-get'

machine 'beta gamma delta' 0
stub apt-get "case \$1 in update) exit 100 ;; *) echo \"apt-get \$*\" >>'$box/calls' ;; esac"
run
expect 'without network the lists that are there are used' 0 'update failed' 'apt-get install'

machine '' 0
rm "$box/bin/dpkg-query"
run
expect 'another system: the list, and what is not found' 1 'not Debian' 'beta|beta-old' 'not found:'

machine '' 0
rm "$box/bin/dpkg-query"
for tool in cmake ninja cc pkg-config; do
    stub $tool ':'
done
run
expect 'another system with all parts: goes on' 0 'not Debian' 'is found'

machine '' 0
run --wrong
expect 'a wrong word is a usage error' 2 'usage: tools/setup.sh'

# The real list: known kinds, a reason for each package, nothing twice.
status=0
awk '/^[ \t]*(#|$)/ { next }
     !/^(build|test|part|web|peers) +[a-z0-9|.+-]+ +# ./ || seen[$2]++ { print; bad = 1 }
     END { exit bad }' "$here/packages.txt" >"$box/out" || status=1
: >"$box/calls"
expect 'the list of packages is well formed' 0

exit $failed
