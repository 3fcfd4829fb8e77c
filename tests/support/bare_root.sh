#!/bin/bash
# bare_root.sh [WORDS]: tests the README's instructions in a new Debian. debootstrap installs it below BUILD with only
# gcc, libc6-dev and make, from the mirror of this machine; apt has no package lists there, as in a container. Each run
# below gets its own copy of the system and of the repository, so that no run depends on packages of another run.
# WORDS choose runs by their names; DEBIANS names the releases. debootstrap needs root. Ends with "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 1
only=${1:-}
out=${BUILD:-build}/bare_root
mkdir -p "$out/debs" && out=$(realpath "$out") || exit 1
. tests/quality/verdict.sh
. tests/support/only.sh
tried=0
if [ "$(id -u)" != 0 ]; then
    echo 'SKIPPED: debootstrap needs root'
    if [ "${CI:-}" ]; then echo '0 passed, 1 failed'; exit 1; fi
    echo '0 passed, 0 failed, 1 skipped'
    exit
fi

# make_root RELEASE: installs a new Debian in the folder clean.
make_root() {
    local mirror changed
    mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -v '^#' |
             grep -o -E 'https?://[^ ]*/debian/?( |$)' | head -n 1)
    rm -rf "$out/clean"
    debootstrap --variant=minbase --include=gcc,libc6-dev,make --cache-dir="$out/debs" "$1" "$out/clean" $mirror || return
    rm -rf "$out"/clean/var/lib/apt/lists/* "$out"/clean/var/cache/apt/*.bin
    cp /etc/resolv.conf "$out/clean/etc/resolv.conf"
    cp /etc/apt/apt.conf.d/*proxy* "$out/clean/etc/apt/apt.conf.d/" 2>/dev/null

    # Copies the last commit, with all later changes to tracked files.
    changed=$(git stash create)
    mkdir -p "$out/clean/home/user/copy" && git archive "${changed:-HEAD}" | tar -x -C "$out/clean/home/user/copy" || return
    chown -R 1000:1000 "$out/clean/home/user"
}

# inside USER COMMAND: runs a command in a new copy of the root. Mounts and processes that remain end with the command.
# Downloaded packages stay in debs.
inside() {
    rm -rf "$out/root" && cp -a "$out/clean" "$out/root" || return
    unshare --mount --pid --fork --propagation private bash -c '
        mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount --bind "$2" "$1/var/cache/apt/archives" || exit 1
        exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/home/user LC_ALL=C \
            ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
            chroot --userspec="$3" "$1" sh -e -c "cd /home/user/copy; $4"' bash "$out/root" "$out/debs" "$1" "$2" </dev/null
}

# try NAME USER PATTERN COMMAND: the command must succeed, and its output must match the pattern.
try() {
    local log=$out/$release.$1 start=$SECONDS status
    wanted "$only" "$1" || return
    tried=$((tried + 1))
    inside "$2" "$4" >"$log" 2>&1
    status=$?
    [ $status = 0 ] && { tr '\n' ' ' <"$log" | grep -q -E -e "$3" || { echo "the output does not match: $3" >>"$log"; status=1; }; }
    verdict $status "$release, $1 ($((SECONDS - start)) s): $(grep -v -e '^ *$' -e '^make' "$log" | tail -n 1 | cut -c 1-90)" "$log"
}

user=1000:1000 root=0:0
for release in $DEBIANS; do
    make_root "$release" >"$out/$release.root" 2>&1
    status=$?
    verdict $status "$release: a root with gcc, libc6-dev and make: $(du -sh "$out/clean" 2>/dev/null | cut -f1)" "$out/$release.root"
    [ $status = 0 ] || continue

    # The tests and the README's programs need no other packages and no right to install any.
    try test $user ' [0-9]{8,} passed, 0 failed $' '
        for program in git python3 g++ clang tcc sudo glad; do ! command -v $program || exit 1; done
        make test'
    try page $user '(footstep in frame 40 footstep in frame 43 ){2}(footstep; the hand is [-0-9]+ units ahead ){4}$' '
        for name in first second; do
            awk "/^\`\`\`/ { inside = \$0 == \"\`\`\`c $name\"; next } inside" README.md >$name.c
        done
        awk "/^\`\`\`/ { inside = \$0 == \"\`\`\`sh\"; next } inside" README.md >commands
        grep "^make knight" commands && grep "^cc .*first" commands && grep "^cc .*second" commands
        sh -e commands'
    try info $user ' [0-9]+ frames ' 'make knight; make build/info; build/info knight/tris.md2'

    # A user without the right to install gets the command to run; root gets pictures.
    try refused $user 'install them as root: apt-get install .*libglfw3-dev' '! make demo'
    try demo $root 'downloads the lists first.*Need to get' 'make demo; [ $(find build/demo -name "*.png" -size +4k | wc -l) -ge 6 ]'
    try glb $root '' '
        make knight; make convert
        build/mdconvert knight/knight.md5mesh knight/run.md5anim -o knight.glb
        build/mdconvert knight.glb -o again.md5mesh
        build/mdconvert knight.glb -o again.md2'

    # Run every other target that the README names, except those that take hours or run this script again.
    for target in $(grep -o -E '\bmake [a-z][a-z-]*' README.md | cut -d' ' -f2 | sort -u); do
        case $target in test|demo|knight|convert|build|check|everything|record|web|fuzz) continue ;; esac
        try "$target" $root '' "make $target"
    done
done
rm -rf "$out/root" "$out/clean"
some $tried "$only" || failed=$((failed + 1))
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
