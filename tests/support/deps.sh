#!/bin/sh
# deps.sh PACKAGE[=COMMAND]...: installs the packages that are missing, through apt-get, and is silent when
# all are there. A package is there when dpkg has it, or when the command is found: of its own name, or the one behind
# "=". On a terminal it asks first.
set -u

say() { printf 'deps: %s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }
installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# On systems without dpkg a library is taken to be there: the compiler will say if it is not.
list_missing() {
    for item do
        if have "${item#*=}"; then continue; fi
        if have dpkg-query; then
            installed "${item%%=*}" || echo "${item%%=*}"
        elif [ "$item" != "${item%%=*}" ]; then
            echo "${item%%=*}"
        fi
    done | sort -u | tr '\n' ' '
}

# apt-get's own figures, by the lists that are here: no root, no lock. It fails if there are no lists. apt-get asks nothing
# if it needs no other package, so that --assume-no alone would install: here it reaches no server and has no dpkg.
tell_size() {
    nowhere=http://127.0.0.1:1/
    size=$(LC_ALL=C apt-get -q --assume-no --no-install-recommends -o Debug::NoLocking=1 -o Dir::Bin::dpkg=/bin/false \
               -o Acquire::Retries=0 -o Acquire::http::Proxy=$nowhere -o Acquire::https::Proxy=$nowhere install "$@" </dev/null 2>/dev/null |
           grep -E '^(Need to get|After this operation)') && printf '%s\n' "$size" | sed 's/^/deps:   /' >&2
}

# Enter is yes, and the end of the input (Ctrl-D) is no. If nobody can answer, it goes on.
agrees() {
    if [ ! -t 0 ] || [ ! -t 2 ] || [ "${CI:-}" ]; then return 0; fi
    printf 'deps: install them? [Y/n] ' >&2
    read -r answer || { echo >&2; return 1; }
    case $answer in ''|[Yy]*) return 0 ;; *) return 1 ;; esac
}

# Whether sudo works without a password, or the user is in a group that Debian or Ubuntu gives it to.
may_use_sudo() {
    have sudo && { sudo -n true 2>/dev/null || id -nG | grep -q -w -E 'sudo|admin|wheel'; }
}

say_how() { say "you can install them as root: apt-get install --no-install-recommends $missing"; }

apt() {
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" </dev/null >&2
}

missing=$(list_missing "$@")
if [ -z "$missing" ]; then exit 0; fi

if ! have apt-get; then
    say "missing here (Debian's names): $missing"
    say "there is no apt-get on this system; please install their like with your own package manager"
    exit 1
fi

sudo=
if [ "$(id -u)" != 0 ]; then
    sudo=sudo
    if ! may_use_sudo; then
        say "these packages are missing, and you are neither root nor may use sudo: $missing"
        say_how
        exit 1
    fi
fi

# A container comes without lists of packages, so without sizes: they are fetched before anybody is asked.
# From here on the packages are words of their own.
# shellcheck disable=SC2086
set -- $missing
say "these packages are missing and will be installed with apt-get: $missing"
if ! tell_size "$@"; then
    say "apt-get has no lists of packages here, so it fetches the lists first"
    apt update
    tell_size "$@"
fi
if ! agrees; then
    say "nothing was installed"
    say_how
    exit 1
fi

# Lists that are old name packages that are gone.
apt install --no-install-recommends "$@" || { apt update && apt install --no-install-recommends "$@"; }
missing=$(list_missing "$@")
if [ "$missing" ]; then
    say "still missing: $missing"
    say_how
    exit 1
fi
