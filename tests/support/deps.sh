#!/bin/sh
# deps.sh ITEM...: installs what is missing through apt-get; silent when all is there.
#   tcc                 a command, or a package that dpkg knows as installed
#   libmd-dev:md5.h     a package, there when the C compiler finds that header
#   m32                 what gcc and clang need for -m32
set -u

say() { printf 'deps: %s\n' "$*" >&2; }

have_header() { printf '#include <%s>\n' "$1" | ${CC:-cc} -E -x c - >/dev/null 2>&1; }

have_m32() {
    program=$(mktemp) || return
    echo 'int main(void) { return 0; }' | gcc -m32 -x c - -o "$program" 2>/dev/null
    found=$?
    rm -f "$program"
    return $found
}

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# gcc-multilib would do as well, but it removes every cross compiler; the versioned package does not. Which
# version that is shows when gcc is there; without it, the next round asks again.
packages_of() {
    case $1 in
        m32) command -v gcc >/dev/null 2>&1 || { echo gcc; return; }
             echo "gcc-$(gcc -dumpversion | cut -d. -f1)-multilib libc6-dev-i386" ;;
        cc)  echo gcc ;;
        c++) echo g++ ;;
        *)   echo "${1%%:*}" ;;
    esac
}

missing() {
    for item do
        case $item in
            m32) have_m32 ;;
            *:*) have_header "${item#*:}" ;;
            *)   command -v "$item" >/dev/null 2>&1 || installed "$item" ;;
        esac || packages_of "$item"
    done
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        DEBIAN_FRONTEND=noninteractive "$@"
    else
        sudo env DEBIAN_FRONTEND=noninteractive "$@"
    fi
}

apt() {
    as_root apt-get -q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" </dev/null >&2
}

# A compiler that comes first may make a header check pass or name a version, so ask again after each round.
for round in 1 2 3; do
    wanted=$(missing "$@" | sort -u | tr '\n' ' ')
    [ -n "$wanted" ] || exit 0
    if ! command -v apt-get >/dev/null 2>&1; then
        say "missing here (Debian's package names): $wanted"
        say "there is no apt-get on this system; please install their like with your own package manager"
        exit 1
    fi
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null 2>&1; then
        say "missing: $wanted"
        say "not root and no sudo here; please run: apt-get install --no-install-recommends $wanted"
        exit 1
    fi
    say "these packages are missing and will be installed with apt-get: $wanted"
    apt update || say "apt-get update failed; trying with the lists that are here"
    # shellcheck disable=SC2086
    apt install --no-install-recommends $wanted || say "apt-get install failed (round $round of 3)"
done
wanted=$(missing "$@" | sort -u | tr '\n' ' ')
[ -z "$wanted" ] && exit 0
say "still missing: $wanted"
exit 1
