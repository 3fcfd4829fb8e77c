#!/bin/bash
# windows.sh: builds mdconvert and info for Windows, like a release, and runs them in wine: they must print and write the
# same as on this system. Compiles the examples for Windows. Ends with "N passed, N failed".
set -u
case ${ONLY:-Windows} in *Windows*) ;; *) echo '0 passed, 0 failed'; exit ;; esac
cd "$(dirname "$0")/../.." || exit 1
out=$(realpath "${BUILD:-build}")/windows
character=$(realpath "${BUILD:-build}")/character
export WINEPREFIX=$out/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' LC_ALL=C.UTF-8
PATH=$PATH:/usr/lib/wine
. tests/quality/verdict.sh
mkdir -p "$out" && rm -rf "$out/include" "$out/here" "$out/there" && mkdir "$out/include" "$out/here" "$out/there" || exit 1

# Link stb's headers, because the compiler for Windows must not see the other headers in their folder.
stb=$(echo '#include <stb/stb_image.h>' | gcc -M -x c - | grep -o '/[^ ]*/stb/stb_image.h')
ln -s "${stb%/*}" "$out/include/stb"
make "${BUILD:-build}/mdconvert" "${BUILD:-build}/info" "${BUILD:-build}/character/tris.md2" >"$out/log" 2>&1 &&
make BUILD="$out" CC="x86_64-w64-mingw32-gcc -isystem $out/include" LDFLAGS=-static "$out/mdconvert" "$out/info" >"$out/log" 2>&1 &&
    ! grep -q warning: "$out/log"
verdict $? 'mdconvert and info are built, without a warning' "$out/log"

# The headers of GLFW are the same on all systems.
ln -s /usr/include/GLFW "$out/include/GLFW"
make "${BUILD:-build}/glad/include/glad/gl.h" >"$out/log" 2>&1
for example in example_gl33 example_legacy; do
    x86_64-w64-mingw32-gcc -std=c99 -O2 -Wall -Wextra -Werror -isystem "$out/include" -isystem "$out/include/stb" \
        -isystem "${BUILD:-build}/glad/include" -c -o "$out/example.o" $example.c >"$out/log" 2>&1
    verdict $? "$example.c is compiled" "$out/log"
done

# same NAME: compares the files that both systems wrote.
same() {
    cmp "$out/here/$1" "$out/there/$1" >"$out/log" 2>&1
    verdict $? "$1: $(wc -c <"$out/here/$1") bytes, the same" "$out/log"
}

wine64 wineboot -i >/dev/null 2>&1
cd "$character" || exit 1
for folder in here there; do
    runner= suffix= tools=$(realpath "$out/..")
    [ $folder = here ] || { runner=wine64 suffix=.exe tools=$out; }
    for file in tris.md2 knight.md5mesh run.md5anim; do
        $runner "$tools/info$suffix" $file 2>&1 | tr -d '\r' >"$out/$folder/$file.txt"
    done
    $runner "$tools/mdconvert$suffix" knight.md5mesh run.md5anim -o "../windows/$folder/knight.glb" >"$out/$folder.log" 2>&1
    $runner "$tools/mdconvert$suffix" "../windows/$folder/knight.glb" -o "../windows/$folder/again.md2" >>"$out/$folder.log" 2>&1
done
for name in tris.md2.txt knight.md5mesh.txt run.md5anim.txt knight.glb again.md2; do same $name; done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
