#!/bin/sh
# demo.sh [--pictures]: the viewer in a window, where one opens; else, and with --pictures, pictures that it
# draws into $BUILD/demo. `make demo` builds what this needs; $INSTALL gets what pictures need besides.
set -u
build=${BUILD:-build}
out=$build/demo
viewer=$build/viewer
character=$build/character
mkdir -p "$out" || exit 1

# A picture of a few pixels shows that this display has an OpenGL that will do.
opens_window() {
    [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] &&
        timeout 20 "$viewer" --size 64x64 --shot "$out/first.png" >/dev/null 2>&1 </dev/null
    status=$?
    rm -f "$out/first.png"
    return $status
}

# picture FILE TITLE ARGUMENT...
picture() {
    file=$out/$1 title=$2
    shift 2
    if LIBGL_ALWAYS_SOFTWARE=1 timeout 300 xvfb-run -a -s '-screen 0 1280x1024x24' \
           "$viewer" --size 640x400 --shot "$file" "$@" >"$out/log" 2>&1 </dev/null; then
        printf '  %-28s %s\n' "$file" "$title"
    else
        echo "$file could not be drawn:"
        cat "$out/log"
        exit 1
    fi
}

if [ $# = 0 ]; then
    if opens_window; then
        echo 'H shows all keys, Escape quits. Drop a model on the window to see it.'
        exec "$viewer" --crowd 40 --keys m --yaw 10
    fi
    $INSTALL || exit 1
fi
echo 'Drawing, on this processor:'
picture run.png 'the character: run' --anim run --time 0.1 --yaw 52
picture wave.png 'the character: wave' --anim wave --time 0.5
picture salute.png 'the character: salute' --anim salute --time 0.45
picture taunt.png 'the character: taunt' --anim taunt --time 0.5
picture crowd.png 'forty of them, each with a clock of its own' --crowd 40 --keys m --yaw 10 --frames 4 --fps 4
picture skeleton.png 'the same character as MD5, with its skeleton' --time 0.5 --yaw 20 --keys s \
    "$character/robot.md5mesh" "$character/weapon.md5mesh" "$character/taunt.md5anim"
rm -f "$out/log"
echo 'With a display, `make demo` opens the viewer.'
