#!/bin/sh
# demo.sh [--pictures]: the viewer in a window, where one opens; else, and with --pictures, pictures that it
# draws into $BUILD/demo. `make demo` builds what this needs; $INSTALL gets what pictures need besides.
set -u
build=${BUILD:-build}
out=$build/demo
viewer=$build/viewer
character=$build/character
mkdir -p "$out" || exit 1

# A small window with a frame shows that this display has an OpenGL that will do.
opens_window() {
    [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] &&
        timeout 20 "$viewer" --size 64x64 --frames 1 >/dev/null 2>&1 </dev/null
}

# picture FILE TITLE ARGUMENT...
picture() {
    file=$out/$1 title=$2
    shift 2
    if LIBGL_ALWAYS_SOFTWARE=1 timeout 300 "$viewer" --size 640x400 --shot "$file" "$@" >"$out/log" 2>&1 </dev/null; then
        printf '  %-28s %s\n' "$file" "$title"
    else
        echo "$file could not be drawn:"
        cat "$out/log"
        exit 1
    fi
}

# close FILE TITLE YAW ANIMATION TIME ARGUMENT...: the camera is near, at one who plays an animation.
close() {
    file=$1 title=$2 scene="9  0 0 28  100  $3 6 0 / 808080 0 0 0 0 $4 0" time=$5
    shift 5
    picture "$file" "$title" --time "$time" --scene "$scene" "$@"
}

if [ $# = 0 ]; then
    if opens_window; then
        echo 'H shows all keys, Escape quits. Drop a model on the window to see it.'
        exec "$viewer" --crowd 40 --keys m --yaw 10
    fi
    $INSTALL || exit 1
fi
echo 'Drawing, on this processor:'
knight="$character/knight.md5mesh $character/weapon.md5mesh"
close run.png 'the character: run' 52 run 0.1
close wave.png 'the character: wave' 24 wave 0.5
close salute.png 'the character: salute' 20 salute 0.45
close attack.png 'the character: attack' 50 attack 0.28
close md2.png 'as MD2, in 256 steps an axis, ...' 30 point 0.6 "$character/tris.md2" "$character/weapon.md2"
close md5.png '... and as MD5, between whose frames nothing jumps' 30 point 0.6 $knight
close skeleton.png 'the MD5 with its skeleton' 20 taunt 0.5 --keys s $knight
picture crowd.png 'forty of them, each with a clock of its own' --crowd 40 --keys m --yaw 10 --frames 4 --fps 4
picture night.png 'a night in the film of the README' --film --frames 1 --fps 0.175
rm -f "$out/log"
echo 'With a display, `make demo` opens the viewer.'
