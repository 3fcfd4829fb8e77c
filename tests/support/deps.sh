#!/bin/sh
# deps.sh PACKAGE[=COMMAND]...: installs missing packages with apt-get, and prints nothing if none is missing. A package
# counts as installed if dpkg has it, or if its command is found; the command has the name of the package, or the name
# after "=". On a terminal it asks first.
set -u

say() { printf 'deps: %s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }
installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# Libraries count as installed on systems without dpkg; if one is missing, the compiler will report it.
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

# Prints the sizes that apt-get computes from its package lists, without root and without a lock; fails if there are no
# lists. apt-get asks nothing if it needs no additional package, so --assume-no alone would install. Here apt-get can
# neither reach a server nor run dpkg.
print_size() {
    nowhere=http://127.0.0.1:1/
    size=$(LC_ALL=C apt-get -q --assume-no --no-install-recommends -o Debug::NoLocking=1 -o Dir::Bin::dpkg=/bin/false \
               -o Acquire::Retries=0 -o Acquire::http::Proxy=$nowhere -o Acquire::https::Proxy=$nowhere install "$@" </dev/null 2>/dev/null |
           grep -E '^(Need to get|After this operation)') && printf '%s\n' "$size" | sed 's/^/deps:   /' >&2
}

# Asks whether to install. Enter means yes, and the end of the input (Ctrl-D) means no. Without a terminal or with CI
# set, the answer is yes.
confirm() {
    if [ ! -t 0 ] || [ ! -t 2 ] || [ "${CI:-}" ]; then return 0; fi
    printf 'deps: install them? [Y/n] ' >&2
    read -r answer || { echo >&2; return 1; }
    case $answer in ''|[Yy]*) return 0 ;; *) return 1 ;; esac
}

# Succeeds if sudo works without a password, or if the user is in a group that may use sudo on Debian or Ubuntu.
may_use_sudo() {
    have sudo && { sudo -n true 2>/dev/null || id -nG | grep -q -w -E 'sudo|admin|wheel'; }
}

print_command() { say "you can install them as root: apt-get install --no-install-recommends $missing"; }

apt() {
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" </dev/null >&2
}

missing=$(list_missing "$@")
if [ -z "$missing" ]; then exit 0; fi

if ! have apt-get; then
    say "missing packages (Debian's names): $missing"
    say "there is no apt-get on this system; please install the corresponding packages with your package manager"
    exit 1
fi

sudo=
if [ "$(id -u)" != 0 ]; then
    sudo=sudo
    if ! may_use_sudo; then
        say "these packages are missing, and installing them needs root or sudo: $missing"
        print_command
        exit 1
    fi
fi

# A new container has no package lists, so the sizes are unknown; the lists are downloaded before the question.
# From here on, $@ has one package per word.
# shellcheck disable=SC2086
set -- $missing
say "these packages are missing and will be installed with apt-get: $missing"
if ! print_size "$@"; then
    say "apt-get has no package lists here, so it downloads the lists first"
    apt update
    print_size "$@"
fi
if ! confirm; then
    say "nothing was installed"
    print_command
    exit 1
fi

# Old lists can name versions that no longer exist: then update the lists and try again.
apt install --no-install-recommends "$@" || { apt update && apt install --no-install-recommends "$@"; }
missing=$(list_missing "$@")
if [ "$missing" ]; then
    say "still missing: $missing"
    print_command
    exit 1
fi
