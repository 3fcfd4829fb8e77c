#!/bin/bash
# test_convert.sh MDCONVERT: reads files that mdconvert writes with Khronos' validator, three.js and Blender, and
# converts third-party glTF scenes and damaged files. With $MODELS, also converts all models below this folder. With
# $BORROW, also plays the animations of each .glb in this folder on the characters of the others. The last line is "N
# passed, N failed".
set -u
convert=$1
work=$BUILD/convert/work
passed=0 failed=0
rm -rf "$work" && mkdir -p "$work" || exit 1
list=$work/list
: >"$list"

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAILED $*"; }

# add_counts LOG: adds the counts in the last line of a log, and prints its other lines.
add_counts() {
    local counts
    counts=$(tail -n 1 "$1" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
    grep -v ' passed, .* failed$' "$1"
    [ -n "$counts" ] || { fail "$1 has no count"; return; }
    passed=$((passed + ${counts% *})) failed=$((failed + ${counts#* }))
}

# convert_file OUTPUT INPUT...: runs a conversion that must succeed.
convert_file() {
    local output=$1
    shift
    if "$convert" "$@" -o "$output" --force >"$output.log" 2>&1; then pass; else fail "$* -o $output: $(tail -n 1 "$output.log")"; fi
}

# -- The character, to glTF and back -------------------------------------------------------------------------

knight=("$BUILD/character/knight.md5mesh" "$BUILD"/character/*.md5anim)
convert_file "$work/hero.glb" "$BUILD/character/tris.md2"
convert_file "$work/knight.glb" "${knight[@]}"
convert_file "$work/far.md2" "${knight[@]}"
convert_file "$work/repaired.md2" "$BUILD/character/tris.md2"
"$BUILD/positions" "$BUILD/character/tris.md2" >"$work/hero.json"
"$BUILD/positions" "${knight[@]}" >"$work/knight.json"
for one in far repaired; do "$BUILD/positions" --frames "$work/$one.md2" >"$work/$one.json"; done
[ "$(stat -c %s "$work/hero.glb")" -lt 6291456 ] && pass || fail "the knight is larger than 6 MB"
{
    printf '{"validate":"%s"}\n' "$work/hero.glb" "$work/knight.glb"
    printf '{"glb":"%s","positions":"%s"}\n' "$work/hero.glb" "$work/hero.json" "$work/knight.glb" "$work/knight.json"
    printf '{"md2":"%s","positions":"%s"}\n' "$work/far.md2" "$work/far.json" "$work/repaired.md2" "$work/repaired.json"
} >>"$list"

# Rotated to the left, and back on conversion to glTF, the knight is where it was.
mkdir -p "$work/round"
convert_file "$work/round/knight.md5mesh" "${knight[@]}" --turn 90
convert_file "$work/round/knight.glb" "$work/round/knight.md5mesh" "$work"/round/*.md5anim --turn 270
printf '{"glb":"%s","positions":"%s"}\n' "$work/round/knight.glb" "$work/knight.json" >>"$list"

# An .md5scale enlarges joints without their children, for which glTF needs additional joints.
mkdir -p "$work/scaled"
cp "$BUILD/character/knight.md5mesh" "$BUILD/character/walk.md5anim" "$BUILD/character/run.md5anim" "$work/scaled"
echo '{ "head": { "0": 2, "1": 1.5, "5": 0.5 }, "forearm_l": { "3": 0 } }' >"$work/scaled/walk.md5scale"
convert_file "$work/scaled.glb" "$work/scaled/knight.md5mesh" "$work"/scaled/*.md5anim
"$BUILD/positions" "$work/scaled/knight.md5mesh" "$work"/scaled/*.md5anim >"$work/scaled.json"
{
    printf '{"validate":"%s"}\n' "$work/scaled.glb"
    printf '{"glb":"%s","positions":"%s"}\n' "$work/scaled.glb" "$work/scaled.json"
} >>"$list"

# The way back: the MD5 has the same poses, and the points of the MD2 move by at most a step or two.
mkdir -p "$work/back"
convert_file "$work/back/knight.md5mesh" "$work/knight.glb"
convert_file "$work/back/tris.md2" "$work/hero.glb"
convert_file "$work/back/far.md2" "$work/knight.glb"
"$BUILD/positions" "$work/back/knight.md5mesh" "$work"/back/*.md5anim >"$work/back_knight.json"
"$BUILD/positions" --frames "$BUILD/character/tris.md2" >"$work/tris.json"
"$BUILD/positions" --frames "$work/back/tris.md2" >"$work/back_tris.json"
"$BUILD/positions" --frames "$work/back/far.md2" >"$work/back_far.json"
{
    printf '{"same":"%s","as":"%s","within":1e-4}\n' "$work/back_knight.json" "$work/knight.json"
    printf '{"same":"%s","as":"%s","within":6e-3}\n' "$work/back_tris.json" "$work/tris.json" "$work/back_far.json" "$work/far.json"
} >>"$list"

# -- A recovered skeleton, compared with the original ---------------------------------------------------------

# This uses the build without sanitizers, which takes only seconds.
mkdir -p "$work/found"
"$BUILD/mdconvert" "$BUILD/character/tris.md2" "$BUILD/character/weapon.md2" -o "$work/found/hero.md5mesh" >"$work/found.log" 2>&1 &&
    pass || fail "no skeleton: $(tail -n 1 "$work/found.log")"
# Debian's Python has Debian's numpy.
/usr/bin/python3 tests/tools/convert/check_bones.py "$BUILD/character" "$work/found" >"$work/check_bones.log" 2>&1
add_counts "$work/check_bones.log"
grep -q 'is held by the joint hand_r' "$work/found.log" && pass || fail 'hand_r does not hold the sword'
"$BUILD/mdconvert" "$BUILD/character/tris.md2" -o "$work/found.glb" --skeleton >"$work/found.glb.log" 2>&1 && pass || fail 'no skinned .glb'
printf '{"validate":"%s"}\n' "$work/found.glb" >>"$list"

# expect_text FILE PATTERN
expect_text() { LC_ALL=C grep -q -a -P "$2" "$1" && pass || fail "$1 does not contain $2"; }

# A model and its weapon may have the same name, and so may their skins.
mkdir -p "$work/alike/gun" "$work/alike/new"
cp "$BUILD/character/weapon.md2" "$work/alike/tris.md2"
cp "$BUILD/character/weapon.png" "$work/alike/skin.png"
cp "$BUILD/character/weapon.md2" "$work/alike/gun/tris.md2"
cp "$BUILD/character/skin.png" "$work/alike/gun/skin.png"
convert_file "$work/alike/new/tris.md5mesh" "$work/alike/tris.md2" "$work/alike/gun/tris.md2"
expect_text "$work/alike/new/tris.md5mesh" 'shader "skin"'
expect_text "$work/alike/new/tris_2.md5mesh" 'shader "skin_2"'
expect_text "$work/alike/new/tris.md5mesh.log" 'gun/tris\.md2 becomes tris_2\.md5mesh'
cmp -s "$work/alike/new/skin.png" "$work/alike/skin.png" && pass || fail 'the skin is not that of the model'
cmp -s "$work/alike/new/skin_2.png" "$work/alike/gun/skin.png" && pass || fail 'the second skin is not that of the weapon'

# -- Third-party scenes: features that mdconvert never writes -------------------------------------------------

# Materials without a picture: two triangles, red and blue.
mkdir -p "$work/scenes" "$work/paint"
node tests/tools/convert/scenes.mjs "$work/scenes"
convert_file "$work/paint/paint.md5mesh" "$work/scenes/paint.gltf"
expect_text "$work/paint/paint.md5mesh" 'shader "Paint_001"'
expect_text "$work/paint/paint.md5mesh.log" '1 of 2 parts are two-sided'
expect_text "$work/paint/paint.md5mesh.log" '2 of 2 parts have no normals'
expect_colors() { # COLORS PNG [MD2]
    local want=$1 got
    shift
    got=$(node tests/tools/convert/pixels.mjs "$@")
    [ "$got" = "$want" ] && pass || fail "$* has the colors $got, not $want"
}
expect_colors 255,0,0 "$work/paint/Paint.png"
expect_colors 0,127,255 "$work/paint/Paint_001.png"

# An MD2 has both colors in one skin. A skin with other contents is replaced.
echo old >"$work/paint/skin.png"
convert_file "$work/paint/tris.md2" "$work/scenes/paint.gltf"
expect_colors '0,127,255 255,0,0' "$work/paint/skin.png" "$work/paint/tris.md2"

# Vertex colors become a palette. A picture is multiplied with the color of its material. Two pictures of the same name
# and a plain material are combined into one skin.
for one in vertex_colors factor pictures; do
    mkdir -p "$work/$one"
    convert_file "$work/$one/tris.md2" "$work/scenes/$one.gltf"
    convert_file "$work/$one/mesh.md5mesh" "$work/scenes/$one.gltf"
done
expect_colors '0,0,255 255,0,0' "$work/vertex_colors/Colored.png" "$work/vertex_colors/tris.md2"
expect_colors '188,0,0' "$work/factor/white.png" "$work/factor/tris.md2"
expect_colors '0,0,255 0,255,0 255,0,0' "$work/pictures/skin.png" "$work/pictures/tris.md2"
expect_text "$work/pictures/mesh.md5mesh" 'shader "hero"'
expect_text "$work/pictures/mesh.md5mesh" 'shader "Hero_2"'

# A see-through material keeps its alpha, scaled so that its cutoff is 0.5; an opaque one loses it. The picture contains
# the light that a material emits.
for one in see_through shining; do
    mkdir -p "$work/$one"
    convert_file "$work/$one/mesh.md5mesh" "$work/scenes/$one.gltf"
done
expect_colors '0,255,0' "$work/see_through/leaf.png"
expect_colors '0,255,0,85' "$work/see_through/leaf_2.png"
expect_colors '0,255,0,134' "$work/see_through/leaf_3.png"
expect_text "$work/see_through/mesh.md5mesh.log" '2 of 4 parts are see-through: .* options\.cut_out'
expect_colors '255,0,255' "$work/shining/red.png"
expect_colors '0,255,0' "$work/shining/lamp.png"
expect_text "$work/shining/mesh.md5mesh.log" '2 of 2 parts emit light'

# A picture of more than 4,096 by 4,096 pixels is halved.
mkdir -p "$work/large"
convert_file "$work/large/mesh.md5mesh" "$work/scenes/large.gltf"
convert_file "$work/large/tris.md2" "$work/scenes/large.gltf"
expect_colors '0,255,0' "$work/large/leaf.png"
expect_colors '0,255,0 255,255,255' "$work/large/skin.png" "$work/large/tris.md2"

# A scene with thousands of nodes and many animations converts in seconds.
timeout 30 "$BUILD/mdconvert" "$work/scenes/crowd.gltf" -o "$work/crowd/crowd.md2" >/dev/null && pass || fail 'a crowd takes too long'

# An MD2 does not store its frame rate.
convert_file "$work/paint/fast.md2" "$work/scenes/paint.gltf" --fps 30
expect_text "$work/paint/fast.md2.log" '30 frames per second: .* options\.fps'

# A wedge, 2 meters long and half a meter high: raised by --y-up, rotated by --turn, and much too large.
convert_file "$work/paint/up.md5mesh" "$work/scenes/wedge.gltf" --y-up
convert_file "$work/paint/left.md2" "$work/scenes/wedge.gltf" --turn 90
convert_file "$work/paint/large.md2" "$work/scenes/wedge.gltf" --scale 100
expect_text "$work/paint/up.md5mesh.log" '^size: 20 units long, 39 wide and 79 high$'
expect_text "$work/paint/left.md2.log" '^size: 39 units long, 79 wide and 20 high$'
expect_text "$work/paint/large.md2.log" '^size: 7874 units long.*: --scale 1 would make it 79$'
expect_text "$work/hero.glb.log" '^size: 0\.66 meters long, 0\.87 wide and 1\.49 high$'
expect_text "$work/repaired.md2.log" '^size: 26 units long, 34 wide and 59 high$'
convert_file "$work/paint/tiny.glb" "${knight[0]}" --scale 0.001
expect_text "$work/paint/tiny.glb.log" '^size: 0\.03 meters long.*: --scale 0\.01 would make it 0\.59$'
left=$(node -p "const d = require('fs').readFileSync('$work/paint/left.md2'); Math.round(d.readFloatLE(d.readInt32LE(56) + 16))")
[ "$left" = 0 ] && pass || fail "a wedge that is rotated to the left begins at x = $left"

# As a strip, as a fan, and with a sparse accessor, the wedge has the same triangles with the same winding.
faces() {
    convert_file "$work/paint/$1.md2" "$work/scenes/$1.gltf"
    "$BUILD/positions" --frames "$work/paint/$1.md2" | node -e "
        const corners = JSON.parse(require('fs').readFileSync(0)).frames[0].corners.map(x => x.toFixed(2)), at = i => corners.slice(3 * i, 3 * i + 3).join();
        const face = i => [0, 1, 2].map(k => [0, 1, 2].map(n => at(3 * i + (k + n) % 3)).join(' ')).sort()[0];
        console.log([...Array(corners.length / 9).keys()].map(face).sort().join(';'))"
}
wedge=$(faces wedge)
for one in strip fan sparse; do [ "$(faces $one)" = "$wedge" ] && pass || fail "$one has other triangles than the wedge"; done

convert_file "$work/paint/turned_picture.md5mesh" "$work/scenes/turned_picture.gltf"
expect_text "$work/paint/turned_picture.md5mesh" 'vert 1 \( 0\.(6000|5999)\d* 0\.(2000|1999)\d* \)'
convert_file "$work/paint/smile.md5mesh" "$work/scenes/smile.gltf"
[ -s "$work/paint/$(printf '\360\237\230\200').md5anim" ] && pass || fail 'an animation whose name is an emoji is not written'

# Two parts of one material get different names, and show the same picture. --without leaves out a part.
mkdir -p "$work/fan"
convert_file "$work/fan/fan.md5mesh" "$work/scenes/fan.gltf"
expect_text "$work/fan/fan.md5mesh" 'shader "part2/skin"'
: >"$work/fan/another.png"                 # With two pictures there, neither is used by default.
convert_file "$work/fan/back.glb" "$work/fan/fan.md5mesh"
grep -q 'no picture' "$work/fan/back.glb.log" && fail 'the picture of a second part is not found' || pass
convert_file "$work/fan/paint.md5mesh" "$work/scenes/paint.gltf" --without Paint.001
grep -q 'Paint_001' "$work/fan/paint.md5mesh" && fail 'a part is not left out' || pass
for one in glb md2; do convert_file "$work/fan/one.$one" "$work/fan/fan.md5mesh" --without part2/skin; done
convert_file "$work/fan/one.md5mesh" "$work/fan/fan.md5mesh" --without part2/skin
grep -q 'part2' "$work/fan/one.md5mesh" && fail 'a mesh is not left out' || pass
convert_file "$work/fan/other.md5mesh" "$work/fan/fan.md5mesh" --without skin
expect_text "$work/fan/other.md5mesh" 'shader "part2/skin"'

# The first bytes of a file decide its kind. An error tells what to do.
expect_error() { # PATTERN ARGUMENTS...
    local pattern=$1
    shift
    if "$convert" "$@" -o "$work/refused.md5mesh" >"$work/refused.log" 2>&1; then fail "$* succeeds"; else expect_text "$work/refused.log" "$pattern"; fi
}
cp "$work/scenes/wedge.gltf" "$work/scenes/wedge.dat"
convert_file "$work/paint/dat.md5mesh" "$work/scenes/wedge.dat"
printf 'Kaydara FBX Binary  \0' >"$work/scenes/hero.bin"
expect_error 'import the file into Blender' "$work/scenes/hero.bin"
expect_error 'missing\.md2: does not exist' "$work/missing.md2"
expect_error 'missing\.glb: does not exist' "$BUILD/character/tris.md2" "$work/missing.glb"
expect_error 'no part has this name' "$work/scenes/paint.gltf" --without Nothing
expect_error 'no mesh has this name' "$work/fan/fan.md5mesh" --without Nothing
expect_error 'without it, nothing is left' "$work/fan/one.md5mesh" --without skin
expect_error 'one mesh' "$BUILD/character/tris.md2" --without skin
expect_error 'put it after the model' "$work/scenes/act.gltf"
expect_error 'ktxdecompress' "$work/scenes/ktx.gltf"
expect_error 'into real copies' "$work/scenes/copies.gltf"
expect_error 'gltf-pipeline' "$work/scenes/first.gltf"
expect_error '1000001 frames' "$work/scenes/endless.gltf"
expect_error 'show 6000000 vertices' "$work/scenes/legion.gltf"

# Below nodes that mirror, the vertices are where three.js has them, and the triangles face outward. An animation begins
# at its first key.
for one in right mirrored turned_over morphed; do
    mkdir -p "$work/$one"
    convert_file "$work/$one/tris.md2" "$work/scenes/$one.gltf"
    convert_file "$work/$one/again.md2" "$work/$one/tris.md2"
    grep -q 'inside out' "$work/$one/again.md2.log" && fail "$one is inside out" || pass
    [ $one = morphed ] && continue # An MD5 has no morph targets.
    convert_file "$work/$one/wedge.md5mesh" "$work/scenes/$one.gltf"
    expect_text "$work/$one/late.md5anim" '^numFrames 5$'
    "$BUILD/positions" "$work/$one/wedge.md5mesh" "$work/$one"/*.md5anim >"$work/$one.json"
    printf '{"glb":"%s","positions":"%s"}\n' "$work/scenes/$one.gltf" "$work/$one.json" >>"$list"
done

expect_text "$work/morphed/tris.md2.log" 'the largest change: late, from 0\.167 to 0\.2 seconds'

# With its morph target, the wedge is 1.5 times as large. The weight is 0.2 in the first frame, and 0.68 a tenth of a
# second later.
growth=$(node -p "const d = require('fs').readFileSync('$work/morphed/tris.md2'), at = d.readInt32LE(56);
                  (d.readFloatLE(at + d.readInt32LE(16)) / d.readFloatLE(at)).toFixed(3)")
[ "$growth" = 1.218 ] && pass || fail "the second frame is $growth times as large as the first"

# Skins without matrices, weights in bytes, meshes with the name of a joint, curves and steps, scaled and stretched
# joints, morph targets on bones: the vertices are where three.js has them. An MD2 is compared only in its frames.
compare_cloud() { # KEYS_ONLY FILE JSON WITHIN
    printf '{"cloud":"%s","positions":"%s","within":%s,"keys_only":%s}\n' "$2" "$3" "$4" "$1" >>"$list"
}
for one in rig stretched; do
    mkdir -p "$work/$one"
    convert_file "$work/$one/mesh.md5mesh" "$work/scenes/$one.gltf"
    "$BUILD/positions" "$work/$one/mesh.md5mesh" "$work/$one"/*.md5anim >"$work/$one.json"
    compare_cloud false "$work/scenes/$one.gltf" "$work/$one.json" 2e-3
done
# The bounds of an animation contain enlarged joints.
high=$(node -p "const rest = require('fs').readFileSync('$work/rig/grow.md5anim', 'utf8').split('bounds {')[1].split('}')[0];
                const grow = JSON.parse(require('fs').readFileSync('$work/rig.json')).anims.find(one => one.name === 'grow');
                Math.max(...rest.trim().split('\n').map(line => +line.match(/[-\d.e]+/g)[5])) -
                Math.max(...grow.samples.flatMap(one => one.parts.flat().filter((_, i) => i % 3 === 1))) / 0.0254 > -0.01")
[ "$high" = true ] && pass || fail 'bounds do not contain an enlarged joint'
[ -s "$work/rig/grow.md5scale" ] && pass || fail 'no .md5scale is written'
for one in rig stretched morph_rig; do
    mkdir -p "$work/$one"
    convert_file "$work/$one/tris.md2" "$work/scenes/$one.gltf"
    "$BUILD/positions" "$work/$one/tris.md2" >"$work/$one.md2.json"
    compare_cloud true "$work/scenes/$one.gltf" "$work/$one.md2.json" 6e-3
done

# An animation of a file whose bones are twice as long gives the same poses.
mkdir -p "$work/lent"
convert_file "$work/lent/rig.md5mesh" "$work/scenes/rig.gltf" "$work/scenes/long_rig.gltf"
"$BUILD/positions" "$work/lent/rig.md5mesh" "$work/lent/bend.md5anim" >"$work/bend.json"
"$BUILD/positions" "$work/lent/rig.md5mesh" "$work/lent/long_rig.md5anim" | sed 's/"long_rig"/"bend"/' >"$work/long_rig.json"
printf '{"same":"%s","as":"%s","within":1e-4}\n' "$work/long_rig.json" "$work/bend.json" >>"$list"

# A character with animations of two files that rest in other poses. The first has the same bones, although the
# character may be larger or rotated. The second has longer bones and faces another way; its bind pose is in its skin.
for one in hero hero_90 hero_180 hero_big; do
    mkdir -p "$work/$one"
    convert_file "$work/$one/hero.md5mesh" "$work/scenes/$one.gltf" "$work/scenes/act.gltf" "$work/scenes/act_long.gltf"
    "$BUILD/positions" "$work/$one/hero.md5mesh" "$work/$one"/*.md5anim >"$work/$one/hero.json"
    compare_cloud false "$work/scenes/${one}_acts.gltf" "$work/$one/hero.json" 2e-3
done
expect_text "$work/hero/hero.md5mesh.log" 'act\.gltf: its bones are those of hero\.gltf'
expect_text "$work/hero/hero.md5mesh.log" 'act_long\.gltf: by names: .* is in its skin'
expect_text "$work/lent/rig.md5mesh.log" 'not in the file, so its rest pose is used'
if "$convert" "$work/scenes/hero.gltf" "$work/scenes/stranger.gltf" -o "$work/stranger.md5mesh" >"$work/stranger.log" 2>&1; then
    fail 'a file without a matching joint is used'
else
    expect_text "$work/stranger.log" 'Hips, Spine, ArmL, .*stranger\.gltf has no .*Bip01 Hips, Bip01 Spine, Bip01 ArmL'
fi

# A compressed mesh is refused, with a remedy.
if "$convert" "$work/scenes/packed.gltf" -o "$work/packed.md2" >"$work/packed.log" 2>&1; then fail 'a compressed mesh is read'; else pass; fi
expect_text "$work/packed.log" 'gltf-transform'

# An MD2 without a skin, a weapon, and a weapon without motion keep their texture coordinates, animations and frames on
# the way to glTF and back.
check_round_trip() { # MD2
    local name
    name=$(basename "$1" .md2)
    mkdir -p "$work/again"
    convert_file "$work/again/$name.glb" "$1"
    convert_file "$work/again/$name.md2" "$work/again/$name.glb"
    printf '{"validate":"%s"}\n' "$work/again/$name.glb" >>"$list"
    node tests/tools/convert/same_md2.mjs "$1" "$work/again/$name.md2" >"$work/again/$name.log" 2>&1 && pass || fail "$1: $(tail -n 1 "$work/again/$name.log")"
}
mkdir -p "$work/skinless"
cp "$BUILD/character/tris.md2" "$work/skinless/hero.md2"
cp "$BUILD/character/weapon.md2" "$work/skinless/weapon.md2"
node tests/tools/convert/scenes.mjs --still "$BUILD/character/weapon.md2" "$work/skinless/still.md2"
for one in hero weapon still; do check_round_trip "$work/skinless/$one.md2"; done

# -- Which files are read next to a .gltf, and how files are replaced ----------------------------------------------

mkdir -p "$work/files"
mkfifo "$work/scenes/fifo"
echo secret | tee "$work/secret.png" >"$work/scenes/notes.txt"
timeout 60 "$convert" "$work/scenes/beside.gltf" -o "$work/files/new folder/mesh.md5mesh" >"$work/files/log" 2>&1 && pass || fail 'beside.gltf'
expect_text "$work/files/log" '\.\./secret\.png is not below the folder of the \.gltf: copy it there'
expect_text "$work/files/log" 'fifo is not a regular file'
expect_text "$work/files/log" '"notes\.txt" is not a picture'
grep -rq secret "$work/files/new folder" && fail 'a file that is not a picture is copied' || pass

# A link stays a link, and its target keeps its permissions. A temporary name that exists already is not used.
echo old >"$work/files/real.md5mesh"
chmod 640 "$work/files/real.md5mesh"
ln -s real.md5mesh "$work/files/link.md5mesh"
echo victim >"$work/files/victim"
for number in 000000 000001 000002; do ln -s victim "$work/files/mdconvert$number.part"; done
convert_file "$work/files/link.md5mesh" "$work/scenes/paint.gltf"
[ -L "$work/files/link.md5mesh" ] && pass || fail 'a link became a file'
[ "$(stat -c %a "$work/files/real.md5mesh")" = 640 ] && pass || fail 'a file lost its permissions'
[ "$(cat "$work/files/victim")" = victim ] && pass || fail 'a link was written through'

# If the disk is full, no file remains.
mkdir -p "$work/full"
(trap '' XFSZ; ulimit -f 1; "$convert" "$BUILD/character/tris.md2" -o "$work/full/hero.glb") >/dev/null 2>&1 && fail 'a full disk is not noticed' || pass
[ -z "$(ls "$work/full")" ] && pass || fail "on a full disk, these files remain: $(ls "$work/full")"

# -- All models that the tests generate, and damaged files: an error, never a crash --------------------------

"$BUILD/make_models" "$BUILD/models" >/dev/null
errors=0 files=0

# try_convert OUTPUT INPUT...: must either write a file, or print an error and write nothing.
try_convert() {
    local output=$1
    shift
    "$convert" "$@" -o "$output" >"$output.log" 2>&1
    local status=$?
    if [ $status = 0 ] && [ -s "$output" ]; then
        files=$((files + 1))
        case $output in *.glb) printf '{"validate":"%s"}\n' "$output" >>"$list" ;; esac
    elif [ $status = 1 ] && [ ! -e "$output" ] && grep -q '^mdconvert: ' "$output.log" && ! grep -q Sanitizer "$output.log"; then
        errors=$((errors + 1))
    else
        fail "$* -o $output ended with $status: $(tail -n 1 "$output.log")"
    fi
}

number=0
while IFS= read -r model; do
    number=$((number + 1))
    case $model in
        *.md2) try_convert "$work/$number.glb" "$model"; try_convert "$work/$number.md2" "$model"
               case $model in
                   */65536_points.md2) expect_error 'bones are found in at most 8,192' "$model" ;;
                   *)                  try_convert "$work/$number.md5mesh" "$model" ;;
               esac
               # Convert it back, except the 50 MB of the model with 65,536 frames.
               if [ -s "$work/$number.glb" ] && [ "$(stat -c %s "$work/$number.glb")" -lt 1000000 ]; then
                   try_convert "$work/$number.back.md2" "$work/$number.glb"
                   if grep -q damaged "$work/$number.back.md2.log"; then fail "$work/$number.glb is refused"; fi
               fi ;;
        *)     try_convert "$work/$number.glb" "$model"; try_convert "$work/$number.md2" "$model"; try_convert "$work/$number.md5mesh" "$model" ;;
    esac
done < <(find "$BUILD/models" -iname '*.md2' -o -iname '*.md5mesh' | sort)

# The sword of the character, cut short and with damaged bytes.
convert_file "$work/weapon.glb" "$BUILD/character/weapon.md2"
convert_file "$work/run.glb" "$BUILD/character/knight.md5mesh" "$BUILD/character/run.md5anim"
node tests/tools/convert/damage.mjs "$work" "$BUILD/character/weapon.md2" "$BUILD/character/weapon.md5mesh" \
    "$BUILD/character/walk.md5anim" "$work/weapon.glb" "$work/run.glb"
for model in "$work"/damaged*.glb; do
    try_convert "$model.md5mesh" "$model"
    try_convert "$model.md2" "$model"
done
for model in "$work"/damaged*.md2; do
    try_convert "$model.glb" "$model"
    try_convert "$model.new.md2" "$model"
    try_convert "$model.md5mesh" "$model"
done
for model in "$work"/damaged*.md5mesh; do
    try_convert "$model.glb" "$model"
    try_convert "$model.new.md2" "$model"
done
for anim in "$work"/damaged*.md5anim; do
    try_convert "$anim.glb" "$BUILD/character/knight.md5mesh" "$anim"
done
echo "generated and damaged models: $files files written, $errors errors reported"
[ $files -ge 250 ] && pass || fail "only $files files were written"
[ $errors -ge 100 ] && pass || fail "only $errors errors were reported"
passed=$((passed + files + errors))

# -- Your own models ------------------------------------------------------------------------------------------

# Models with at most four weights per vertex are compared with three.js, which reads only four.
if [ -n "${MODELS:-}" ]; then
    number=0
    while IFS= read -r model; do
        number=$((number + 1))
        output=$work/real$number
        anims=()
        case $model in
            *.[mM][dD]5*) while IFS= read -r anim; do
                              "$convert" "$model" "$anim" -o "$output.one.glb" --force 2>/dev/null | grep -q 'another skeleton' ||
                                  { [ -s "$output.one.glb" ] && anims+=("$anim"); }
                              rm -f "$output.one.glb"
                          done < <(find "$(dirname "$model")" -maxdepth 1 -iname '*.md5anim' | sort) ;;
        esac
        convert_file "$output.glb" "$model" ${anims[@]+"${anims[@]}"}
        printf '{"validate":"%s"}\n' "$output.glb" >>"$list"
        if "$BUILD/positions" "$model" ${anims[@]+"${anims[@]}"} >"$output.json"; then
            printf '{"glb":"%s","positions":"%s"}\n' "$output.glb" "$output.json" >>"$list"
        fi
    done < <(find "$MODELS" -path "$MODELS/bad" -prune -o \( -iname '*.md2' -o -iname '*.md5mesh' \) -print | sort)
    echo "real models: $number"
fi

# Characters and animations in separate files. If mdconvert copies an animation unchanged, three.js, which matches nodes
# by name, shows the same vertices; each file must be in such a pair. For all pairs, test_retarget compares the
# directions of the limbs.
if [ -n "${BORROW:-}" ]; then
    pairs=0
    : >"$work/borrowed"
    for hero in "$BORROW"/*.glb; do
        for anim in "$BORROW"/*.glb; do
            [ "$hero" != "$anim" ] || continue
            output=$work/real_pair$pairs
            rm -rf "$output" && mkdir "$output"
            "$BUILD/mdconvert" "$hero" "$anim" -o "$output/hero.md5mesh" --force >"$output.log" 2>&1
            grep -q 'so its animations are copied' "$output.log" || continue
            pairs=$((pairs + 1))
            printf '%s\n' "$hero" "$anim" >>"$work/borrowed"
            "$BUILD/positions" "$output/hero.md5mesh" "$output"/*.md5anim >"$output.json"
            printf '{"cloud":"%s","lent":"%s","positions":"%s","within":2e-3}\n' "$hero" "$anim" "$output.json" >>"$list"
        done
    done
    for file in "$BORROW"/*.glb; do
        grep -q -x -F "$file" "$work/borrowed" && pass || fail "$file is in no pair whose animations are copied"
    done
    echo "pairs of a character and an animation: $pairs"
    "$BUILD/test_retarget" --borrow="$BORROW" pairs >"$work/pairs.log" 2>&1
    add_counts "$work/pairs.log"
fi

# -- Blender, three.js and the validator ------------------------------------------------------------------------

mkdir -p "$work/blender"
for one in hero knight; do
    timeout 600 blender --background --factory-startup --python tests/tools/convert/check_blender.py -- \
        "$work/$one.glb" "$work/$one.json" "$work/blender/$one.glb" >"$work/blender_$one.out" 2>&1
    grep '^blender: ' "$work/blender_$one.out" | sed 's/^blender: //' >"$work/blender_$one.log"
    [ -s "$work/blender_$one.log" ] || cat "$work/blender_$one.out"
    add_counts "$work/blender_$one.log"
done

# The files that Blender writes are converted back to both knights.
convert_file "$work/blender/knight.md5mesh" "$work/blender/knight.glb"
convert_file "$work/blender/tris.md2" "$work/blender/hero.glb"
"$BUILD/positions" "$work/blender/knight.md5mesh" "$work"/blender/*.md5anim >"$work/blender/knight.json"
"$BUILD/positions" --frames "$work/blender/tris.md2" >"$work/blender/tris.json"
{
    printf '{"same":"%s","as":"%s","within":1e-4}\n' "$work/blender/knight.json" "$work/knight.json"
    printf '{"same":"%s","as":"%s","within":1e-3}\n' "$work/blender/tris.json" "$work/tris.json"
} >>"$list"

node tests/tools/convert/check.mjs "$NODE_MODULES" "$list" >"$work/check.log" 2>&1
add_counts "$work/check.log"

[ "${KEEP:-}" ] || find "$work" -depth -path '*/real*' -delete
echo "$passed passed, $failed failed"
[ $failed = 0 ]
