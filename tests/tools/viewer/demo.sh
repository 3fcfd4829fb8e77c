#!/bin/sh
# demo.sh [--pictures]: opens the viewer. If no window opens, or with --pictures, draws pictures to
# $BUILD/demo. `make demo` builds the viewer; $INSTALL installs the packages for pictures.
set -u
build=${BUILD:-build}
out=$build/demo
viewer=$build/viewer
character=$build/character
mkdir -p "$out" || exit 1

# Draws a frame in a small window, to check whether this display has OpenGL 3.3.
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

# close_up FILE TITLE YAW ANIMATION TIME ARGUMENT...: draws one character from near, in an animation.
close_up() {
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
echo 'Drawing pictures on the CPU:'
knight="$character/knight.md5mesh $character/weapon.md5mesh"
close_up run.png 'the character: run' 52 run 0.1
close_up wave.png 'the character: wave' 24 wave 0.5
close_up salute.png 'the character: salute' 20 salute 0.45
close_up attack.png 'the character: attack' 50 attack 0.28
close_up md2.png 'as MD2, with 256 steps per axis, ...' 30 point 0.6 "$character/tris.md2" "$character/weapon.md2"
close_up md5.png '... and as MD5, without jitter between frames' 30 point 0.6 $knight
close_up skeleton.png 'the MD5 with its skeleton' 20 taunt 0.5 --keys s $knight
picture crowd.png 'forty characters with different animations' --crowd 40 --keys m --yaw 10 --frames 4 --fps 4
picture night.png 'night, in the film of the README' --film --frames 1 --fps 0.175
rm -f "$out/log"
echo 'With a display, `make demo` opens the viewer.'
