#!/bin/sh
# test_deps.sh DEPS.SH FOLDER: runs deps.sh in FOLDER with a false apt-get, dpkg-query, sudo, id and compiler
# and nothing else in its PATH. Ends with "N passed, N failed".
set -u
deps=$(realpath "$1") || exit 1
rm -rf "$2" && mkdir -p "$2" && cd "$2" || exit 1
folder=$PWD
passed=0 failed=0
floor=100

# -- The false machine: `state` holds what is installed, `log` what was called --------------------------

# fake NAME: a program whose text is the input.
fake() { { echo "#!$(command -v sh)"; cat; } >"bin/$1" && chmod +x "bin/$1"; }

# Packages bring what is named like them, and a few bring more.
reset_machine() {
    rm -rf bin state log out && mkdir bin state && : >log
    for tool in cat chmod cut grep mktemp rm script sh sort touch tr; do ln -s "$(command -v $tool)" bin/$tool; done
    export FOLDER="$folder"
    echo 'echo 0' | fake id
    fake apt-get <<'END'
echo "apt-get $*" >>"$FOLDER/log"
[ -e "$FOLDER/state/no_lists" ] && listed=no || listed=yes
case " $* " in
    *" update "*)      rm -f "$FOLDER/state/no_lists" ;;
    *" --assume-no "*) [ $listed = yes ] || exit 100
                       echo 'Reading package lists...'; echo 'Need to get 7207 kB of archives.'
                       echo 'After this operation, 18.6 MB of additional disk space will be used.'; exit 1 ;;
    *" install "*)     [ -e "$FOLDER/state/broken" ] && exit 100
                       for word do touch "$FOLDER/state/$word"; done
                       [ -e "$FOLDER/state/webp" ] && touch "$FOLDER/bin/img2webp" && chmod +x "$FOLDER/bin/img2webp"
                       [ -e "$FOLDER/state/gcc" ] && touch "$FOLDER/state/gcc-12-multilib"
                       [ -e "$FOLDER/state/libglfw3-dev" ] && touch "$FOLDER/state/-lglfw" "$FOLDER/state/glfw3.h" ;;
esac
exit 0
END
    echo '[ -e "$FOLDER/state/$4" ] && echo installed' | fake dpkg-query # -W -f FORMAT PACKAGE
    fake cc <<'END'
[ "$1" = -E ] && { read -r _ header; header=${header#<}; [ -e "$FOLDER/state/${header%>}" ]; exit; }
for word do case $word in -l*) [ -e "$FOLDER/state/$word" ]; exit ;; esac; done
END
}

# run ITEM...: unattended. run_terminal ANSWER ITEM...: on a terminal, where somebody types ANSWER.
run() { env PATH="$folder/bin" CI= CC=cc sh "$deps" "$@" >out 2>&1 </dev/null; status=$?; }
run_terminal() {
    answer=$1
    shift
    { sleep 1; printf '%s\n' "$answer"; } |
        env PATH="$folder/bin" CI="${ci:-}" CC=cc script -qec "sh '$deps' $*" /dev/null >out 2>&1
    status=$?
}

# -- Checks ---------------------------------------------------------------------------------------------

check() {
    if [ "$1" = 0 ]; then passed=$((passed + 1)); return; fi
    failed=$((failed + 1))
    echo "test_deps: FAIL: $case: $2"
    head -n 8 out log | sed 's/^/    /'
}
ends()   { [ "$status" = "$1" ]; check $? "ended with $status, not $1"; }
says()   { grep -q -- "$1" out; check $? "does not say: $1"; }
quiet()  { [ ! -s out ]; check $? 'says something'; }
calls()  { grep -q -- "$1" log; check $? "never called: $1"; }
spares() { ! grep -q -- "$1" log; check $? "called: $1"; }
counts() { [ "$(grep -c -- "$2" out)" = "$1" ]; check $? "does not say $1 times: $2"; }

start_case() { case=$1; reset_machine; }

start_case 'all is there'
touch bin/img2webp state/md5.h state/glfw3.h state/-lglfw state/xauth bin/glad && chmod +x bin/img2webp bin/glad
run cc webp=img2webp libmd-dev:md5.h libglfw3-dev:glfw3.h:glfw xauth glad
ends 0; quiet; spares apt-get

start_case 'a command is missing'
run webp=img2webp webp=img2webp
ends 0; calls 'install --no-install-recommends webp *$'; calls '-y .*update'; spares sudo
says 'missing.*: webp'; says 'Need to get 7207 kB'; says '18.6 MB of additional'; counts 0 'Reading'; counts 0 'install them'

start_case 'a header is missing'
run libmd-dev:md5.h
ends 1; calls 'install .* libmd-dev *$'; says 'still missing: libmd-dev'

start_case 'a header is there, its library is not'
touch state/glfw3.h
run libglfw3-dev:glfw3.h:glfw
ends 0; calls 'install .* libglfw3-dev *$'

start_case 'names of packages that differ'
run c++ m32 glad python3-nonsense clang-rt
calls 'install .*clang \(gcc g++\|g++ gcc\) python3-glad python3-nonsense'

start_case "clang's own version of its sanitizers"
echo '[ "$1" = -dumpversion ] && echo 14.0.6 || [ -e "$FOLDER/state/libclang-rt-14-dev" ]' | fake clang
run clang-rt
ends 0; calls 'install .* libclang-rt-14-dev *$'

start_case "ImageMagick's convert"
echo 'echo "Version: ImageMagick 6.9.11-60 Q16"' | fake convert
run imagemagick
ends 0; quiet; spares apt-get

start_case 'a convert that is not'
echo 'echo "GraphicsMagick 1.4"' | fake convert
run imagemagick
ends 1; calls 'install .* imagemagick *$'; says 'still missing: imagemagick'

start_case "Python's glad is enough"
echo '[ "$2" = "import glad" ]' | fake python3
run glad
ends 0; quiet; spares apt-get

start_case "Python's modules"
echo '[ "$2" = "import numpy" ]' | fake python3
run python3-numpy
ends 0; quiet; spares apt-get
run python3-lxml
ends 0; calls 'install .* python3-lxml *$'

start_case 'no apt-get'
rm bin/apt-get
run webp=img2webp
ends 1; says 'missing here.*: webp'; says 'your own package manager'

start_case 'no root, no sudo'
echo 'echo 1000' | fake id
run webp=img2webp xauth
ends 1; says 'please run: apt-get install .*webp xauth'; spares apt-get

start_case 'no root, but sudo'
echo 'echo 1000' | fake id
echo 'echo "sudo $*" >>"$FOLDER/log"; shift; shift; "$@"' | fake sudo
run webp=img2webp
ends 0; calls 'sudo env .*apt-get .*install .*webp'; [ "$(sed -n 1p log | grep -c 'sudo\|-y')" = 0 ]; check $? 'is root before it tells what for'

start_case 'installing fails'
touch state/broken
run webp=img2webp
ends 1; says 'still missing: webp'; [ "$(grep -c ' -y .*install' log)" = 3 ]; check $? 'does not try three times'

for answer in '' y Y yes; do
    start_case "on a terminal: '$answer'"
    run_terminal "$answer" webp=img2webp
    ends 0; counts 1 'install them?'; says 'Need to get'; calls ' -y .*install .*webp'
done

for answer in n No nonsense; do
    start_case "on a terminal: $answer"
    run_terminal "$answer" webp=img2webp
    ends 1; says 'nothing was installed'; says 'missing.*webp'; spares ' -y '
done

# A container: apt-get knows of no package before it has fetched its lists.
start_case 'no lists, unattended'
touch state/no_lists
run webp=img2webp
ends 0; says 'fetches the lists first'; says 'Need to get 7207 kB'; calls 'install --no-install-recommends webp *$'
[ "$(grep -c update log)" = 1 ]; check $? 'updates more than once'

start_case 'no lists, on a terminal: n'
touch state/no_lists
run_terminal n webp=img2webp
ends 1; says 'Need to get 7207 kB'; calls update; spares ' -y .*install'
[ "$(grep -n 'Need to get' out | cut -d: -f1)" -lt "$(grep -n 'install them?' out | cut -d: -f1)" ]
check $? 'asks before it tells the size'

start_case 'lists are here, on a terminal: n'
run_terminal n webp=img2webp
ends 1; spares update

start_case 'only looking'
run --look webp=img2webp xauth
ends 1; says '^webp xauth'; spares apt-get
touch bin/img2webp state/xauth && chmod +x bin/img2webp
run --look webp=img2webp xauth
ends 0; quiet; spares apt-get

start_case 'on a terminal, several rounds'
touch state/broken
run_terminal '' webp=img2webp
ends 1; counts 1 'install them?'

for stream in '</dev/null' '2>terminal'; do
    start_case "on a terminal, but $stream"
    run_terminal n webp=img2webp "$stream"
    ends 0; calls ' -y .*install'
done

start_case 'on a terminal, with CI set'
ci=1
run_terminal '' webp=img2webp
ci=
ends 0; counts 0 'install them?'; calls ' -y .*install'

if [ $((passed + failed)) -lt $floor ]; then
    echo "test_deps: only $((passed + failed)) checks, at least $floor expected"
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
