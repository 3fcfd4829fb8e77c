#!/bin/sh
# demo.sh [--pictures]: what the examples draw, in a window where one can be opened; else, and with
# --pictures, as pictures and a film of a crowd in $BUILD/demo. `make demo` builds what this needs.
set -u
build=${BUILD:-build}
out=$build/demo
viewer=$build/example_gl33
character=$build/character
mkdir -p "$out" || exit 1

say() { printf '%s\n' "$*"; }

# A first picture of a few pixels shows whether OpenGL can be had on this display at all.
opens_window() {
    [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] &&
        timeout 20 "$viewer" --size 64x64 --shot "$out/first.png" >/dev/null 2>&1 </dev/null
    status=$?
    rm -f "$out/first.png"
    return $status
}

# picture FILE WHAT PROGRAM OPTION...: draws it and names it.
picture() {
    file=$out/$1 what=$2
    shift 2
    if timeout 300 "$@" --shot "$file" >"$out/log" 2>&1 </dev/null; then
        printf '  %-28s %s\n' "$file" "$what"
    else
        say "$file could not be drawn:"
        cat "$out/log"
        exit 1
    fi
}

# The one of the README, made anew.
film() {
    if ! timeout 600 sh tests/film.sh "$out/film" >"$out/log" 2>&1 ||
       ! timeout 300 sh tests/film.sh --record "$out/film" "$out/crowd.webp" >>"$out/log" 2>&1; then
        say 'the film could not be made:'
        cat "$out/log"
        exit 1
    fi
    rm -rf "$out/film"
    printf '  %-28s %s\n' "$out/crowd.webp" "a film of a crowd, $(($(wc -c <"$out/crowd.webp") / 1024)) KB"
}

draw_all() {
    say 'Drawing, on this processor:'
    for anim in run point salute death1; do
        picture "$anim.png" "the character: $anim" \
            "$viewer" --size 640x400 --anim $anim --time 0.45
    done
    picture crowd.png 'a hundred of it, each with a clock of its own' \
        "$viewer" --size 640x400 --crowd 100 --keys m --frames 4 --fps 4
    picture skeleton.png 'the same as MD5, with its skeleton' \
        "$viewer" "$character/robot.md5mesh" "$character/weapon.md5mesh" \
        "$character/run.md5anim" --size 640x400 --time 0.2 --yaw 60 --keys s
    picture legacy.png 'example_legacy: OpenGL 1.1 and nothing newer' \
        "$build/example_legacy" --size 640x400 --time 4
    film
    rm -f "$out/log"
    say 'With a display, `make demo` opens the window.'
}

case ${1:-} in
    --draw) draw_all ;;
    '')
        if opens_window; then
            say "H shows all keys, Escape ends. Drop a model on the window to see it."
            exec "$viewer"
        fi ;;
esac
[ "${1:-}" = --draw ] && exit 0
# Without -noreset the server restarts whenever a program ends, and the next may find it closed.
sh tests/support/deps.sh xvfb xauth libgl1-mesa-dri webp || exit 1
LIBGL_ALWAYS_SOFTWARE=1 exec xvfb-run -a -s '-screen 0 1280x1024x24 -noreset' sh "$0" --draw
