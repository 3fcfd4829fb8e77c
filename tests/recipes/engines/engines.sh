#!/bin/sh
# engines.sh CHARACTER [record]: builds the programs of this folder with their frameworks, runs each on its own display,
# and compares its last frame with tests/golden/engine_NAME.png; with `record`, replaces the recorded picture. SFML, SDL
# 2 and SDL 3 are packages. raylib and sokol must be in $ENGINES/raylib and $ENGINES/sokol, and are built from copies;
# the programs for a missing folder are left out, with a message. Pictures stay in $BUILD/engines.
set -u
build=$(realpath "${BUILD:-build}") character=$(realpath "$1") record=${2:-}
engines=${ENGINES:+$(realpath "$ENGINES")}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
out=$build/engines
passed=0 failed=0 left_out=0
. "$root/tests/support/only.sh"
stb=$(echo '#include <stb/stb_image.h>' | gcc -M -x c - | grep -o '/[^ ]*/stb/stb_image.h' | sed 's,/[^/]*$,,')
mkdir -p "$out" && ln -sfn "$character" "$out/knight" && cd "$out" || exit 1

verdict() {
    if [ "$1" -eq 0 ]; then passed=$((passed + 1)); echo "engines: $2"; else failed=$((failed + 1)); echo "engines: FAIL: $2"; fi
}

# compiles SOURCE COMPILER OPTION...: compiles with all warnings as errors, except warnings in the framework's headers.
compiles() {
    source=$1
    shift
    # shellcheck disable=SC2086
    "$@" -Werror -fsyntax-only -I"$root" -I"$here/.." -isystem "$stb" $framework "$here/$source"
    verdict $? "$source: ${*%% -W*}"
}

# shows NAME SOURCE COMPILER LIBRARY...: builds and runs a program; picture.c replaces some of the framework's
# functions.
shows() {
    name=$1 source=$2 compiler=$3
    shift 3
    rm -f picture.ppm program "$name.png" "$name.log"
    # shellcheck disable=SC2046,SC2086
    gcc "-DPICTURE_$picture" -c -o picture.o "$here/picture.c" &&
        $compiler -O1 -g1 -I"$root" -I"$here/.." -isystem "$stb" $framework -o program "$here/$source" picture.o \
            $(printf -- '-Wl,--wrap=%s ' $wraps) "$@" &&
        xvfb-run -a -s '-screen 0 1280x1024x24' env LIBGL_ALWAYS_SOFTWARE=1 timeout --foreground 600 ./program >"$name.log" 2>&1 </dev/null &&
        convert picture.ppm -scale 50% "$name.png"
    verdict $? "$name: draws its last frame"
    [ -e "$name.png" ] || { cat "$name.log" 2>/dev/null; return; }
    compare_picture "$name"
}

# compare_picture NAME: compares NAME.png with the recorded picture; with `record`, replaces the recorded picture first.
compare_picture() {
    if [ "$record" ]; then
        cp "$1.png" "$root/tests/golden/engine_$1.png"
    fi
    differ=$(convert "$1.png" "$root/tests/golden/engine_$1.png" -scale 50% -fuzz 4% -metric AE -compare -format '%[distortion]' info:)
    [ "$differ" ] && [ "${differ%.*}" -le 100 ]
    verdict $? "$1: of 30000 squares of 4 x 4 pixels, $differ differ from tests/golden/engine_$1.png (at most 100 may)"
}

# lacks FRAMEWORK PROGRAM...: succeeds, with a message, if the folder of the framework is missing.
lacks() {
    [ "$engines" ] && [ -d "$engines/$1" ] && return 1
    echo "engines: left out, because ENGINES is not a folder with $1: $(shift; echo "$*")"
    left_out=$((left_out + 1))
}

try_sfml() {
    picture=SFML wraps='_ZN2sf6Window7displayEv _ZNK2sf6Window6isOpenEv _ZN2sf5Clock7restartEv' framework=
    # shellcheck disable=SC2086
    for compiler in 'g++ -std=c++98' 'clang++ -std=c++17'; do compiles sfml.cpp $compiler $CXX_WARNINGS -Wno-long-long; done
    shows sfml sfml.cpp 'g++ -std=c++98' -lsfml-graphics -lsfml-window -lsfml-system -lGL -lm
}

try_sdl() {
    picture=SDL wraps='SDL_GL_SwapWindow SDL_PollEvent SDL_GetTicks SDL_GetKeyboardState'
    framework=$(sdl2-config --cflags | sed 's/-I/-isystem /g')
    # shellcheck disable=SC2086
    for compiler in 'gcc -std=c99' 'clang -std=c17'; do compiles sdl.c $compiler $C_WARNINGS; done
    shows sdl sdl.c 'gcc -std=c99' -lSDL2 -lGL -lm
}

try_raylib() {
    lacks raylib raylib.c && return
    mkdir -p raylib && cp -rp "$engines/raylib/src" raylib/ && chmod -R u+w raylib/src &&
        make -C raylib/src PLATFORM=PLATFORM_DESKTOP RAYLIB_MODULE_AUDIO=FALSE CUSTOM_CFLAGS=-w >raylib.make 2>&1 || cat raylib.make
    picture=RAYLIB wraps='EndDrawing GetFrameTime WindowShouldClose' framework="-isystem $out/raylib/src"
    # shellcheck disable=SC2086
    for compiler in 'gcc -std=c99' 'clang -std=c17'; do compiles raylib.c $compiler $C_WARNINGS -Wno-c++-compat; done
    shows raylib raylib.c 'gcc -std=c99' raylib/src/libraylib.a -lGL -lX11 -lpthread -ldl -lm
}

# The implementation of sokol is compiled once for both programs.
try_sokol() {
    lacks sokol sokol.c sokol_gpu.c && return
    picture=SOKOL wraps='sg_commit sapp_frame_duration' framework="-DSOKOL_GLCORE -isystem $engines/sokol"
    for header in app gfx glue log; do echo "#include \"sokol_$header.h\""; done |
        gcc -O1 -w -DSOKOL_IMPL -DSOKOL_GLCORE -I"$engines/sokol" -c -o sokol.o -x c -
    for name in sokol sokol_gpu; do
        # shellcheck disable=SC2086
        for compiler in 'gcc -std=c99' 'clang -std=c17'; do compiles $name.c $compiler $C_WARNINGS -Wno-c++-compat; done
        shows $name $name.c 'gcc -std=c99' sokol.o -lX11 -lXi -lXcursor -lGL -lpthread -ldl -lm
    done
}

# SDL 3 is a package since Debian 13. The program draws with Mesa's Vulkan driver for the CPU, without a display.
# Vulkan's validation layer prints errors in the program's calls.
try_sdl_gpu() {
    if ! apt-cache show libsdl3-dev >/dev/null 2>&1 ||
       ! sh "$root/tests/support/deps.sh" libsdl3-dev glslang-tools mesa-vulkan-drivers vulkan-validationlayers; then
        echo 'engines: left out, because this system has no package libsdl3-dev: sdl_gpu.c'
        left_out=$((left_out + 1))
        return
    fi
    framework=
    # shellcheck disable=SC2086
    for compiler in 'gcc -std=c99' 'clang -std=c17'; do compiles sdl_gpu.c $compiler $C_WARNINGS -Wno-c++-compat; done

    rm -f program sdl_gpu.png sdl_gpu.log picture.png
    for shader in sdl_gpu_md2.vert sdl_gpu_md5.vert sdl_gpu.frag; do
        glslangValidator -V "$here/$shader" -o $shader.spv >>sdl_gpu.log || cat sdl_gpu.log
    done
    gcc -std=c99 -O1 -g1 -I"$root" -I"$here/.." -isystem "$stb" -o program "$here/sdl_gpu.c" -lSDL3 -lm &&
        VK_DRIVER_FILES=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json) VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation \
            timeout 300 ./program --picture picture.png >>sdl_gpu.log 2>&1 </dev/null &&
        convert picture.png -alpha off -scale 50% sdl_gpu.png
    verdict $? 'sdl_gpu: writes a picture'
    [ -e sdl_gpu.png ] || { cat sdl_gpu.log; return; }
    ! grep -A 4 'Validation' sdl_gpu.log
    verdict $? "sdl_gpu: Vulkan's validation layer finds nothing"
    compare_picture sdl_gpu
}

for framework_name in sfml sdl sdl_gpu raylib sokol; do
    if wanted "${ONLY:-}" $framework_name; then try_$framework_name; fi
done
some $((passed + failed + left_out)) "${ONLY:-}" || failed=1
echo "$passed passed, $failed failed$([ $left_out = 0 ] || echo ", $left_out skipped")"
[ $failed = 0 ]
