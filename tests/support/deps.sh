#!/bin/sh
# deps.sh [--look] ITEM...: installs what is missing through apt-get; silent when all is there. On a terminal it
# asks first. With --look it installs nothing: it prints the packages that are missing, and fails if there are any.
#   tcc                        a command, or a package that dpkg knows as installed
#   webp=img2webp              a package, there when the command is
#   libmd-dev:md5.h            a package, there when the C compiler finds the header
#   libglfw3-dev:GLFW/glfw3.h:glfw   ... and links a program with the library
#   python3-numpy              a package, there when Python has the module
#   glad                       the command, or Python's module
#   m32                        what gcc and clang need for -m32
#   clang-rt                   what clang needs for -fsanitize
#   imagemagick                its convert; other packages have one that does less
#   software-gl                Mesa's software driver
set -u

say() { printf 'deps: %s\n' "$*" >&2; }

have_command() { command -v "$1" >/dev/null 2>&1; }

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# links SOURCE COMPILER OPTION...: a program of one line can be built.
links() {
    source=$1
    shift
    program=$(mktemp) || return
    printf "$source\n" >"$program.c" && "$@" -o "$program" "$program.c" 2>/dev/null
    found=$?
    rm -f "$program" "$program.c"
    return $found
}

# have_header HEADER[:LIBRARY]
have_header() {
    case $1 in
        *:*) links "#include <${1%:*}>\nint main(void) { return 0; }" "${CC:-cc}" "-l${1#*:}" ;;
        *)   printf '#include <%s>\n' "$1" | ${CC:-cc} -E -x c - >/dev/null 2>&1 ;;
    esac
}

have_software_gl() {
    installed libgl1-mesa-dri && return
    for driver in /usr/lib*/dri/swrast_dri.so /usr/lib/*/dri/swrast_dri.so /usr/local/lib*/dri/swrast_dri.so; do
        [ -e "$driver" ] && return
    done
    return 1
}

# gcc-multilib would do as well, but it removes every cross compiler; the versioned package does not. The
# version of a compiler is known once it is there; without it, the next round asks again.
packages_of() {
    case $1 in
        m32) have_command gcc || { echo gcc; return; }
             echo "gcc-$(gcc -dumpversion | cut -d. -f1)-multilib libc6-dev-i386" ;;
        clang-rt) have_command clang || { echo clang; return; }
             echo "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev" ;;
        cc)  echo gcc ;;
        c++) echo g++ ;;
        glad) echo python3-glad ;;
        software-gl) echo libgl1-mesa-dri ;;
        *)   echo "${1%%[:=]*}" ;;
    esac
}

missing() {
    for item do
        case $item in
            m32)         links 'int main(void) { return 0; }' gcc -m32 ;;
            clang-rt)    links 'int main(void) { return 0; }' clang -fsanitize=address ;;
            glad)        have_command glad || python3 -c 'import glad' 2>/dev/null ;;
            imagemagick) convert -version 2>/dev/null | grep -q '^Version: ImageMagick' ;;
            software-gl) have_software_gl ;;
            python3-*)   installed "$item" || python3 -c "import ${item#python3-}" 2>/dev/null ;;
            *=*)         have_command "${item#*=}" ;;
            *:*)         have_header "${item#*:}" ;;
            *)           have_command "$item" || installed "$item" ;;
        esac || packages_of "$item"
    done | tr ' ' '\n' | sort -u | tr '\n' ' '
}

# apt-get's own figures, by the lists that are here: no root, no lock, nothing changed.
find_size() {
    # shellcheck disable=SC2086
    LC_ALL=C apt-get -q --assume-no --no-install-recommends -o Debug::NoLocking=1 install $1 </dev/null 2>/dev/null |
        grep -E '^(Need to get|After this operation)'
}

# A container comes without lists of packages. Then apt-get knows no size, and they are fetched before anybody is asked.
show_size() {
    size=$(find_size "$1")
    if [ -z "$size" ]; then
        say "apt-get knows no size for them by the lists of packages that are here; it fetches the lists first"
        update
        size=$(find_size "$1")
    fi
    printf '%s\n' "${size:-their size is not known}" | while IFS= read -r line; do say "  $line"; done
}

# Enter is yes. Where nobody can answer, it goes on.
confirm() {
    if [ ! -t 0 ] || [ ! -t 2 ] || [ "${CI:-}" ]; then return; fi
    printf 'deps: install them? [Y/n] ' >&2
    read -r answer || return
    case $answer in
        ''|[Yy]*) ;;
        *) return 1 ;;
    esac
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

# Once is enough, whether before the question or after it.
updated=
update() {
    [ "$updated" ] && return
    updated=yes
    apt update || say "apt-get update failed; trying with the lists that are here"
}

if [ "${1:-}" = --look ]; then
    shift
    wanted=$(missing "$@")
    [ -z "$wanted" ] || echo "$wanted"
    [ -z "$wanted" ]
    exit
fi

# A compiler that comes first may make a header check pass or name a version, so each round looks again.
for round in 1 2 3; do
    wanted=$(missing "$@")
    [ -n "$wanted" ] || exit 0
    if ! have_command apt-get; then
        say "missing here (Debian's package names): $wanted"
        say "there is no apt-get on this system; please install their like with your own package manager"
        exit 1
    fi
    if [ "$(id -u)" != 0 ] && ! have_command sudo; then
        say "missing: $wanted"
        say "not root and no sudo here; please run: apt-get install --no-install-recommends $wanted"
        exit 1
    fi
    say "these packages are missing and will be installed with apt-get: $wanted"
    show_size "$wanted"
    if [ $round = 1 ] && ! confirm; then
        say "nothing was installed"
        exit 1
    fi
    update
    # shellcheck disable=SC2086
    apt install --no-install-recommends $wanted || say "apt-get install failed (round $round of 3)"
done
wanted=$(missing "$@")
[ -z "$wanted" ] && exit 0
say "still missing: $wanted"
exit 1
