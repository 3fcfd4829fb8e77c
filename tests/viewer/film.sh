#!/bin/sh
# film.sh FOLDER: draws the film of the README as FOLDER/frame0001.png and so on, one more than it has, so
# that the last must equal the first. Runs on any display. film.sh --record FOLDER FILM makes the film of
# them, without that one. Six animations of 0.4, 0.6 and 1.2 seconds meet again after 1.2.
set -u
build=${BUILD:-build}
character=$build/character
frames=24
rate=20

if [ "$1" = --record ]; then
    rm -f "$2/frame00$((frames + 1)).png"
    exec img2webp -loop 0 -lossy -q 66 -m 6 -d $((1000 / rate)) "$2"/frame*.png -o "$3" </dev/null
fi
mkdir -p "$1" && rm -f "$1"/frame*.png
set -- "$1" "$character/robot.md5mesh" "$character/weapon.md5mesh"
folder=$1
shift
for anim in run flip point jump pain1 crwalk; do
    set -- "$@" "$character/$anim.md5anim"
done
LIBGL_ALWAYS_SOFTWARE=1 exec "$build/viewer" "$@" --crowd 23 --keys m --yaw 10 --size 720x320 \
    --frames $((frames + 1)) --fps $rate --shot "$folder/frame#.png" </dev/null
