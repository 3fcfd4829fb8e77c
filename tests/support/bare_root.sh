#!/bin/bash
# bare_root.sh [REGEX]: what the page promises, on a Debian that nobody prepared. debootstrap makes one below BUILD
# with gcc, libc6-dev and make alone, from the mirror that this machine has; apt has no lists of packages there, as in
# a container. Each run below gets a copy of it and of what git holds: the tests and the page's commands as a user
# without git, python3 or a right to install anything; `make demo` as root without a display; each target that README.md
# names. REGEX chooses runs by their names. Only root can make a root. test_bare.sh does the first of these in a
# minute, with a PATH for a machine. Ends with "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 1
out=${BUILD:-build}/bare_root
only=${1:-}
mkdir -p "$out/debs" "$out/logs" && out=$(realpath "$out") || exit 1
. tests/quality/verdict.sh
if [ "$(id -u)" != 0 ]; then
    echo 'SKIPPED: only root can make a root'
    if [ "${CI:-}" ]; then echo '0 passed, 1 failed'; exit 1; fi
    echo '0 passed, 0 failed, 1 skipped'
    exit
fi

# What takes long, runs this again (everything), or fetches a gigabyte (web); and `make build/...`, which is no target of its
# own.
left_out='build everything web fuzz proof readme-bench sanitize'

# -- The root ---------------------------------------------------------------------------------------------

# The addresses in this machine's sources of packages, whichever of the two forms they have.
list_mirrors() {
    cat /etc/apt/sources.list.d/*.sources 2>/dev/null | sed -n 's/^URIs: *\([^ ]*\).*/\1/p'
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | sed -n 's/^deb \(\[.*\] *\)\{0,1\}\([^ ]*\).*/\2/p'
}
mirror=$(list_mirrors | grep -E '/(debian|ubuntu)/?$' | head -n 1)
release=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
clean=$out/clean

rm -rf "$clean" "$out/root"
debootstrap --variant=minbase --include=gcc,libc6-dev,make --cache-dir="$out/debs" "$release" "$clean" "$mirror" >"$out/logs/root" 2>&1
verdict $? "a root with gcc, libc6-dev and make: $(du -sh "$clean" 2>/dev/null | cut -f1)" "$out/logs/root"
[ $failed = 0 ] || { echo "$passed passed, $failed failed"; exit 1; }
rm -rf "$clean"/var/lib/apt/lists/* "$clean"/var/cache/apt/*.bin
cp /etc/resolv.conf "$clean/etc/resolv.conf"
cp /etc/apt/apt.conf.d/*proxy* "$clean/etc/apt/apt.conf.d/" 2>/dev/null
mkdir -p "$clean/home/user/copy"
sh tests/support/archive.sh "$out/copy.tar" && tar -x -f "$out/copy.tar" -C "$clean/home/user/copy" || exit 1
chown -R 1000:1000 "$clean/home/user"

# -- What happens in it -----------------------------------------------------------------------------------

# inside USER COMMAND...: in a fresh copy of the root, in the folder of the repository. What is mounted, and what still
# runs, goes with the command. Packages that were fetched once stay in debs.
inside() {
    local user=$1
    shift
    rm -rf "$out/root" && cp -a "$clean" "$out/root" || return
    unshare --mount --pid --fork --propagation private bash -c '
        root=$1 debs=$2 user=$3; shift 3
        mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" &&
        mount --bind "$debs" "$root/var/cache/apt/archives" || exit 1
        exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/home/user LC_ALL=C \
            ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
            chroot --userspec="$user" "$root" sh -c "cd /home/user/copy && exec \"\$@\"" sh "$@"' \
        bash "$out/root" "$out/debs" "$user" "$@" </dev/null
}

# try NAME USER COMMAND...: must succeed.
try() {
    local name=$1 log=$out/logs/$1 status start=$SECONDS
    shift
    [[ $name =~ $only ]] || return 0
    inside "$@" >"$log" 2>&1
    status=$?
    verdict $status "$name ($((SECONDS - start)) s): $(grep -v -e '^ *$' -e '^make' "$log" | tail -n 1 | cut -c 1-100)" "$log"
    return $status
}

# said NAME PATTERN WHAT
said() {
    [[ $1 =~ $only ]] || return 0
    grep -q -E -e "$2" "$out/logs/$1"
    verdict $? "$1: $3" "$out/logs/$1"
}

user=1000:1000
try nothing "$user" sh -c 'for program in git python3 g++ clang tcc sudo glad; do
    if command -v $program; then exit 1; fi
done; [ "$(id -u)" = 1000 ] && [ -z "$(ls /var/lib/apt/lists)" ] && echo "no git, no python3, no sudo, no lists"'
try test "$user" make test
said test '^[0-9]+ passed, 0 failed$' 'ends with its count'
try first "$user" sh tests/support/first_program.sh

# A user who may not install is told what to ask for; the one who may gets pictures.
try refused "$user" sh -c '! make demo'
said refused 'please run: apt-get install .*libglfw3-dev' 'a user without rights is told the packages'
try demo 0:0 make demo
said demo 'fetches the lists first' 'says that it fetches lists'
said demo 'Need to get' 'says how much it fetches'
if [[ demo =~ $only ]]; then
    pictures=$(find "$out/root/home/user/copy/build/demo" -name '*.png' -size +4k 2>/dev/null | wc -l)
    [ "$pictures" -ge 6 ]
    verdict $? "demo: $pictures pictures" "$out/logs/demo"
fi

# As a new user meets them: every target that the page names, one by one.
targets=$(grep -o -E '\bmake [a-z][a-z-]*' README.md | cut -d' ' -f2 | sort -u)
for target in $targets; do
    case " test demo $left_out " in *" $target "*) continue ;; esac
    try "$target" 0:0 make "$target"
done

# mdconvert is built there, and reads what it writes.
try glb 0:0 sh -c 'make knight && make convert && build/mdconvert knight/robot.md5mesh knight/run.md5anim -o robot.glb &&
    build/mdconvert robot.glb -o again.md5mesh && build/mdconvert robot.glb -o again.md2'
rm -rf "$out/root"
if [ -z "$only" ] && [ $passed -lt 15 ]; then verdict 1 "only $passed passed, at least 15 expected" /dev/null; fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
