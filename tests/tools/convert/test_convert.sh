#!/bin/bash
# test_convert.sh MDCONVERT: what mdconvert writes, read by Khronos' validator, three.js and Blender; scenes of glTF
# that others write; broken files; all models below $MODELS, and in $BORROW heroes with animations in other files. Ends
# with "N passed, N failed".
set -u
convert=$1
work=$BUILD/convert/work
passed=0 failed=0
rm -rf "$work" && mkdir -p "$work" || exit 1
list=$work/list
: >"$list"

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAILED $*"; }

# counted LOG: adds what its last line counts.
counted() {
    local counts
    counts=$(tail -n 1 "$1" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
    grep -v ' passed, .* failed$' "$1"
    [ -n "$counts" ] || { fail "$1 has no count"; return; }
    passed=$((passed + ${counts% *})) failed=$((failed + ${counts#* }))
}

# converted OUTPUT INPUT...: must succeed.
converted() {
    local output=$1
    shift
    if "$convert" "$@" -o "$output" --force >"$output.log" 2>&1; then pass; else fail "$* -o $output: $(tail -n 1 "$output.log")"; fi
}

# -- The character, there and back -------------------------------------------------------------------------

knight=("$BUILD/character/knight.md5mesh" "$BUILD"/character/*.md5anim)
converted "$work/hero.glb" "$BUILD/character/tris.md2"
converted "$work/knight.glb" "${knight[@]}"
converted "$work/far.md2" "${knight[@]}"
converted "$work/repaired.md2" "$BUILD/character/tris.md2"
"$BUILD/positions" "$BUILD/character/tris.md2" >"$work/hero.json"
"$BUILD/positions" "${knight[@]}" >"$work/knight.json"
for one in far repaired; do "$BUILD/positions" --frames "$work/$one.md2" >"$work/$one.json"; done
[ "$(stat -c %s "$work/hero.glb")" -lt 6291456 ] && pass || fail "the knight is larger than 6 MB"
{
    printf '{"validate":"%s"}\n' "$work/hero.glb" "$work/knight.glb"
    printf '{"glb":"%s","positions":"%s"}\n' "$work/hero.glb" "$work/hero.json" "$work/knight.glb" "$work/knight.json"
    printf '{"md2":"%s","positions":"%s"}\n' "$work/far.md2" "$work/far.json" "$work/repaired.md2" "$work/repaired.json"
} >>"$list"

# Turned to the left, and back on the way to glTF, it is where it was.
mkdir -p "$work/round"
converted "$work/round/knight.md5mesh" "${knight[@]}" --turn 90
converted "$work/round/knight.glb" "$work/round/knight.md5mesh" "$work"/round/*.md5anim --turn 270
printf '{"glb":"%s","positions":"%s"}\n' "$work/round/knight.glb" "$work/knight.json" >>"$list"

# Joints that an .md5scale enlarges, without their children, as glTF has it only by way of more joints.
mkdir -p "$work/scaled"
cp "$BUILD/character/knight.md5mesh" "$BUILD/character/walk.md5anim" "$BUILD/character/run.md5anim" "$work/scaled"
echo '{ "head": { "0": 2, "1": 1.5, "5": 0.5 }, "forearm_l": { "3": 0 } }' >"$work/scaled/walk.md5scale"
converted "$work/scaled.glb" "$work/scaled/knight.md5mesh" "$work"/scaled/*.md5anim
"$BUILD/positions" "$work/scaled/knight.md5mesh" "$work"/scaled/*.md5anim >"$work/scaled.json"
{
    printf '{"validate":"%s"}\n' "$work/scaled.glb"
    printf '{"glb":"%s","positions":"%s"}\n' "$work/scaled.glb" "$work/scaled.json"
} >>"$list"

# Back again: the poses of the MD5, and the bytes of the MD2 within a step or two.
mkdir -p "$work/back"
converted "$work/back/knight.md5mesh" "$work/knight.glb"
converted "$work/back/tris.md2" "$work/hero.glb"
converted "$work/back/far.md2" "$work/knight.glb"
"$BUILD/positions" "$work/back/knight.md5mesh" "$work"/back/*.md5anim >"$work/back_knight.json"
"$BUILD/positions" --frames "$BUILD/character/tris.md2" >"$work/tris.json"
"$BUILD/positions" --frames "$work/back/tris.md2" >"$work/back_tris.json"
"$BUILD/positions" --frames "$work/back/far.md2" >"$work/back_far.json"
{
    printf '{"same":"%s","as":"%s","within":1e-4}\n' "$work/back_knight.json" "$work/knight.json"
    printf '{"same":"%s","as":"%s","within":6e-3}\n' "$work/back_tris.json" "$work/tris.json" "$work/back_far.json" "$work/far.json"
} >>"$list"

# -- A skeleton that is found, against that of the maker ------------------------------------------------------

# By the build without sanitizers, which takes seconds.
mkdir -p "$work/found"
"$BUILD/mdconvert" "$BUILD/character/tris.md2" "$BUILD/character/weapon.md2" -o "$work/found/hero.md5mesh" >"$work/found.log" 2>&1 &&
    pass || fail "no skeleton: $(tail -n 1 "$work/found.log")"
# Of Debian, which has its numpy.
/usr/bin/python3 tests/tools/convert/check_bones.py "$BUILD/character" "$work/found" >"$work/check_bones.log" 2>&1
counted "$work/check_bones.log"
grep -q 'is held by the joint hand_r' "$work/found.log" && pass || fail 'another joint holds the sword'
"$BUILD/mdconvert" "$BUILD/character/tris.md2" -o "$work/found.glb" --skeleton >"$work/found.glb.log" 2>&1 && pass || fail 'no skinned .glb'
printf '{"validate":"%s"}\n' "$work/found.glb" >>"$list"

holds() { LC_ALL=C grep -q -a -P "$2" "$1" && pass || fail "$1 does not hold $2"; }

# A model and its weapon, and their skins, may be called the same.
mkdir -p "$work/alike/gun" "$work/alike/new"
cp "$BUILD/character/weapon.md2" "$work/alike/tris.md2"
cp "$BUILD/character/weapon.png" "$work/alike/skin.png"
cp "$BUILD/character/weapon.md2" "$work/alike/gun/tris.md2"
cp "$BUILD/character/skin.png" "$work/alike/gun/skin.png"
converted "$work/alike/new/tris.md5mesh" "$work/alike/tris.md2" "$work/alike/gun/tris.md2"
holds "$work/alike/new/tris.md5mesh" 'shader "skin"'
holds "$work/alike/new/tris_2.md5mesh" 'shader "skin_2"'
holds "$work/alike/new/tris.md5mesh.log" 'gun/tris\.md2 becomes tris_2\.md5mesh'
cmp -s "$work/alike/new/skin.png" "$work/alike/skin.png" && pass || fail 'the skin is another'
cmp -s "$work/alike/new/skin_2.png" "$work/alike/gun/skin.png" && pass || fail 'the skin of the weapon is another'

# -- What Blender writes and mdconvert does not ---------------------------------------------------------------

# Materials without a picture: two triangles, red and blue.
mkdir -p "$work/scenes" "$work/paint"
node tests/tools/convert/scenes.mjs "$work/scenes"
converted "$work/paint/paint.md5mesh" "$work/scenes/paint.gltf"
holds "$work/paint/paint.md5mesh" 'shader "Paint_001"'
holds "$work/paint/paint.md5mesh.log" '1 of 2 parts are two-sided'
holds "$work/paint/paint.md5mesh.log" '2 of 2 parts have no normals'
shows() { # COLORS PNG [MD2]
    local want=$1 got
    shift
    got=$(node tests/tools/convert/pixels.mjs "$@")
    [ "$got" = "$want" ] && pass || fail "$* shows $got, not $want"
}
shows 255,0,0 "$work/paint/Paint.png"
shows 0,127,255 "$work/paint/Paint_001.png"

# Both in one skin. What was there, and has changed, is replaced.
echo old >"$work/paint/skin.png"
converted "$work/paint/tris.md2" "$work/scenes/paint.gltf"
shows '0,127,255 255,0,0' "$work/paint/skin.png" "$work/paint/tris.md2"

# The colors of vertices become a palette; a picture is multiplied with its material's color; two pictures of one name
# and a plain material share a skin.
for one in vertex_colors factor pictures; do
    mkdir -p "$work/$one"
    converted "$work/$one/tris.md2" "$work/scenes/$one.gltf"
    converted "$work/$one/mesh.md5mesh" "$work/scenes/$one.gltf"
done
shows '0,0,255 255,0,0' "$work/vertex_colors/Colored.png" "$work/vertex_colors/tris.md2"
shows '188,0,0' "$work/factor/white.png" "$work/factor/tris.md2"
shows '0,0,255 0,255,0 255,0,0' "$work/pictures/skin.png" "$work/pictures/tris.md2"
holds "$work/pictures/mesh.md5mesh" 'shader "hero"'
holds "$work/pictures/mesh.md5mesh" 'shader "Hero_2"'

# Of what is see-through alpha stays, with the cutoff at a half; of what is not, it goes. What shines is in the picture.
for one in see_through shining; do
    mkdir -p "$work/$one"
    converted "$work/$one/mesh.md5mesh" "$work/scenes/$one.gltf"
done
shows '0,255,0' "$work/see_through/leaf.png"
shows '0,255,0,85' "$work/see_through/leaf_2.png"
shows '0,255,0,134' "$work/see_through/leaf_3.png"
holds "$work/see_through/mesh.md5mesh.log" '2 of 4 parts are see-through: .* options\.cut_out'
shows '255,0,255' "$work/shining/red.png"
shows '0,255,0' "$work/shining/lamp.png"
holds "$work/shining/mesh.md5mesh.log" '2 of 2 parts emit light'

# One of more than 4,096 by 4,096 pixels is halved.
mkdir -p "$work/large"
converted "$work/large/mesh.md5mesh" "$work/scenes/large.gltf"
converted "$work/large/tris.md2" "$work/scenes/large.gltf"
shows '0,255,0' "$work/large/leaf.png"
shows '0,255,0 255,255,255' "$work/large/skin.png" "$work/large/tris.md2"

# Many nodes with many animations take no longer than each alone.
timeout 30 "$BUILD/mdconvert" "$work/scenes/crowd.gltf" -o "$work/crowd/crowd.md2" >/dev/null && pass || fail 'a crowd takes too long'

# An MD2 tells no rate.
converted "$work/paint/fast.md2" "$work/scenes/paint.gltf" --fps 30
holds "$work/paint/fast.md2.log" '30 frames per second: .* options\.fps'

# A wedge, 2 meters long and half a meter high: raised from its back; turned to the left; too large.
converted "$work/paint/up.md5mesh" "$work/scenes/wedge.gltf" --y-up
converted "$work/paint/left.md2" "$work/scenes/wedge.gltf" --turn 90
converted "$work/paint/large.md2" "$work/scenes/wedge.gltf" --scale 100
holds "$work/paint/up.md5mesh.log" '^size: 20 units long, 39 wide and 79 high$'
holds "$work/paint/left.md2.log" '^size: 39 units long, 79 wide and 20 high$'
holds "$work/paint/large.md2.log" '^size: 7874 units long.*: --scale 1 would make it 79$'
holds "$work/hero.glb.log" '^size: 0\.66 meters long, 0\.87 wide and 1\.49 high$'
holds "$work/repaired.md2.log" '^size: 26 units long, 34 wide and 59 high$'
converted "$work/paint/tiny.glb" "${knight[0]}" --scale 0.001
holds "$work/paint/tiny.glb.log" '^size: 0\.03 meters long.*: --scale 0\.01 would make it 0\.59$'
left=$(node -p "const d = require('fs').readFileSync('$work/paint/left.md2'); Math.round(d.readFloatLE(d.readInt32LE(56) + 16))")
[ "$left" = 0 ] && pass || fail "a wedge that is turned to the left ends at $left"

# As a strip, as a fan, with replaced places, it has the same faces, which look the same way.
faces() {
    converted "$work/paint/$1.md2" "$work/scenes/$1.gltf"
    "$BUILD/positions" --frames "$work/paint/$1.md2" | node -e "
        const corners = JSON.parse(require('fs').readFileSync(0)).frames[0].corners.map(x => x.toFixed(2)), at = i => corners.slice(3 * i, 3 * i + 3).join();
        const face = i => [0, 1, 2].map(k => [0, 1, 2].map(n => at(3 * i + (k + n) % 3)).join(' ')).sort()[0];
        console.log([...Array(corners.length / 9).keys()].map(face).sort().join(';'))"
}
wedge=$(faces wedge)
for one in strip fan sparse; do [ "$(faces $one)" = "$wedge" ] && pass || fail "the faces of $one are others"; done

converted "$work/paint/turned_picture.md5mesh" "$work/scenes/turned_picture.gltf"
holds "$work/paint/turned_picture.md5mesh" 'vert 1 \( 0\.(6000|5999)\d* 0\.(2000|1999)\d* \)'
converted "$work/paint/smile.md5mesh" "$work/scenes/smile.gltf"
[ -s "$work/paint/$(printf '\360\237\230\200').md5anim" ] && pass || fail 'no animation is called by a smile'

# One material in two parts: they have names of their own, and one picture. A part may be left out.
mkdir -p "$work/fan"
converted "$work/fan/fan.md5mesh" "$work/scenes/fan.gltf"
holds "$work/fan/fan.md5mesh" 'shader "part2/skin"'
: >"$work/fan/another.png"                 # else the only picture beside a model is taken for its own
converted "$work/fan/back.glb" "$work/fan/fan.md5mesh"
grep -q 'no picture' "$work/fan/back.glb.log" && fail 'the picture of a second part is not found' || pass
converted "$work/fan/paint.md5mesh" "$work/scenes/paint.gltf" --without Paint.001
grep -q 'Paint_001' "$work/fan/paint.md5mesh" && fail 'a part is not left out' || pass
for one in glb md2; do converted "$work/fan/one.$one" "$work/fan/fan.md5mesh" --without part2/skin; done
converted "$work/fan/one.md5mesh" "$work/fan/fan.md5mesh" --without part2/skin
grep -q 'part2' "$work/fan/one.md5mesh" && fail 'a mesh is not left out' || pass
converted "$work/fan/other.md5mesh" "$work/fan/fan.md5mesh" --without skin
holds "$work/fan/other.md5mesh" 'shader "part2/skin"'

# Files are what their first bytes say; what leads elsewhere is told.
refused() { # WORDS ARGUMENTS...
    local words=$1
    shift
    if "$convert" "$@" -o "$work/refused.md5mesh" >"$work/refused.log" 2>&1; then fail "$* is read"; else holds "$work/refused.log" "$words"; fi
}
cp "$work/scenes/wedge.gltf" "$work/scenes/wedge.dat"
converted "$work/paint/dat.md5mesh" "$work/scenes/wedge.dat"
printf 'Kaydara FBX Binary  \0' >"$work/scenes/hero.bin"
refused 'import the file into Blender' "$work/scenes/hero.bin"
refused 'no part has this name' "$work/scenes/paint.gltf" --without Nothing
refused 'no mesh has this name' "$work/fan/fan.md5mesh" --without Nothing
refused 'without it, nothing is left' "$work/fan/one.md5mesh" --without skin
refused 'one mesh' "$BUILD/character/tris.md2" --without skin
refused 'put it after the model' "$work/scenes/act.gltf"
refused 'ktxdecompress' "$work/scenes/ktx.gltf"
refused 'into real copies' "$work/scenes/copies.gltf"
refused 'gltf-pipeline' "$work/scenes/first.gltf"
refused '1000001 frames' "$work/scenes/endless.gltf"
refused 'show 6000000 vertices' "$work/scenes/legion.gltf"

# Nodes that mirror: the vertices are where three.js has them, and the triangles face outwards. An animation begins
# with its first key.
for one in right mirrored turned_over morphed; do
    mkdir -p "$work/$one"
    converted "$work/$one/tris.md2" "$work/scenes/$one.gltf"
    converted "$work/$one/again.md2" "$work/$one/tris.md2"
    grep -q 'inside out' "$work/$one/again.md2.log" && fail "$one is inside out" || pass
    [ $one = morphed ] && continue # no MD5 has morph targets
    converted "$work/$one/wedge.md5mesh" "$work/scenes/$one.gltf"
    holds "$work/$one/late.md5anim" '^numFrames 5$'
    "$BUILD/positions" "$work/$one/wedge.md5mesh" "$work/$one"/*.md5anim >"$work/$one.json"
    printf '{"glb":"%s","positions":"%s"}\n' "$work/scenes/$one.gltf" "$work/$one.json" >>"$list"
done

holds "$work/morphed/tris.md2.log" 'most of all late, from 0\.167 to 0\.2 seconds'

# The morph target, which is half as large again, has a weight of 0.2 in the first frame and of 0.68 a tenth of a second later.
growth=$(node -p "const d = require('fs').readFileSync('$work/morphed/tris.md2'), at = d.readInt32LE(56);
                  (d.readFloatLE(at + d.readInt32LE(16)) / d.readFloatLE(at)).toFixed(3)")
[ "$growth" = 1.218 ] && pass || fail "the second frame is $growth times as large as the first"

# Skins without matrices and with weights as bytes, meshes called like joints, curves and steps, joints that grow and are
# stretched, morph targets on bones: where three.js has them. An MD2 is compared where it has frames.
cloud() { # FORMAT FILE JSON WITHIN
    printf '{"cloud":"%s","positions":"%s","within":%s,"keys_only":%s}\n' "$2" "$3" "$4" "$1" >>"$list"
}
for one in rig stretched; do
    mkdir -p "$work/$one"
    converted "$work/$one/mesh.md5mesh" "$work/scenes/$one.gltf"
    "$BUILD/positions" "$work/$one/mesh.md5mesh" "$work/$one"/*.md5anim >"$work/$one.json"
    cloud false "$work/scenes/$one.gltf" "$work/$one.json" 2e-3
done
# The bounds of an animation hold joints that grow.
high=$(node -p "const rest = require('fs').readFileSync('$work/rig/grow.md5anim', 'utf8').split('bounds {')[1].split('}')[0];
                const grow = JSON.parse(require('fs').readFileSync('$work/rig.json')).anims.find(one => one.name === 'grow');
                Math.max(...rest.trim().split('\n').map(line => +line.match(/[-\d.e]+/g)[5])) -
                Math.max(...grow.samples.flatMap(one => one.parts.flat().filter((_, i) => i % 3 === 1))) / 0.0254 > -0.01")
[ "$high" = true ] && pass || fail 'bounds do not hold what grows'
[ -s "$work/rig/grow.md5scale" ] && pass || fail 'no .md5scale is written'
for one in rig stretched morph_rig; do
    mkdir -p "$work/$one"
    converted "$work/$one/tris.md2" "$work/scenes/$one.gltf"
    "$BUILD/positions" "$work/$one/tris.md2" >"$work/$one.md2.json"
    cloud true "$work/scenes/$one.gltf" "$work/$one.md2.json" 6e-3
done

# The animations of another file, whose bones are twice as long, on this one's.
mkdir -p "$work/lent"
converted "$work/lent/rig.md5mesh" "$work/scenes/rig.gltf" "$work/scenes/long_rig.gltf"
"$BUILD/positions" "$work/lent/rig.md5mesh" "$work/lent/bend.md5anim" >"$work/bend.json"
"$BUILD/positions" "$work/lent/rig.md5mesh" "$work/lent/long_rig.md5anim" | sed 's/"long_rig"/"bend"/' >"$work/long_rig.json"
printf '{"same":"%s","as":"%s","within":1e-4}\n' "$work/long_rig.json" "$work/bend.json" >>"$list"

# A hero with animations of files that rest in another pose than his: one has his bones, which he may have larger and
# turned; one has longer bones, faces another way, and its skin tells the bind pose.
for one in hero hero_90 hero_180 hero_big; do
    mkdir -p "$work/$one"
    converted "$work/$one/hero.md5mesh" "$work/scenes/$one.gltf" "$work/scenes/act.gltf" "$work/scenes/act_long.gltf"
    "$BUILD/positions" "$work/$one/hero.md5mesh" "$work/$one"/*.md5anim >"$work/$one/hero.json"
    cloud false "$work/scenes/${one}_acts.gltf" "$work/$one/hero.json" 2e-3
done
holds "$work/hero/hero.md5mesh.log" 'act\.gltf: its bones are those of hero\.gltf'
holds "$work/hero/hero.md5mesh.log" 'act_long\.gltf: by names: .* is in its skin'
holds "$work/lent/rig.md5mesh.log" 'not in the file, so its rest pose is taken'
if "$convert" "$work/scenes/hero.gltf" "$work/scenes/stranger.gltf" -o "$work/stranger.md5mesh" >"$work/stranger.log" 2>&1; then
    fail 'a stranger moves the hero'
else
    holds "$work/stranger.log" 'Hips, Spine, ArmL.* has Bip01 Hips, Bip01 Spine, Bip01 ArmL'
fi

# What is packed is refused, with what to do.
if "$convert" "$work/scenes/packed.gltf" -o "$work/packed.md2" >"$work/packed.log" 2>&1; then fail 'a packed mesh is read'; else pass; fi
holds "$work/packed.log" 'gltf-transform'

# An MD2 without a skin, and a weapon that stands still: u, v, animations and frames come back.
again() { # MD2
    local name
    name=$(basename "$1" .md2)
    mkdir -p "$work/again"
    converted "$work/again/$name.glb" "$1"
    converted "$work/again/$name.md2" "$work/again/$name.glb"
    printf '{"validate":"%s"}\n' "$work/again/$name.glb" >>"$list"
    node tests/tools/convert/same_md2.mjs "$1" "$work/again/$name.md2" >"$work/again/$name.log" 2>&1 && pass || fail "$1: $(tail -n 1 "$work/again/$name.log")"
}
mkdir -p "$work/skinless"
cp "$BUILD/character/tris.md2" "$work/skinless/hero.md2"
cp "$BUILD/character/weapon.md2" "$work/skinless/weapon.md2"
node tests/tools/convert/scenes.mjs --still "$BUILD/character/weapon.md2" "$work/skinless/still.md2"
for one in hero weapon still; do again "$work/skinless/$one.md2"; done

# -- Files: what is read beside a .gltf, and how others are replaced -----------------------------------------------

mkdir -p "$work/files"
mkfifo "$work/scenes/fifo"
echo secret | tee "$work/secret.png" >"$work/scenes/notes.txt"
timeout 60 "$convert" "$work/scenes/beside.gltf" -o "$work/files/new folder/mesh.md5mesh" >"$work/files/log" 2>&1 && pass || fail 'beside.gltf'
holds "$work/files/log" '\.\./secret\.png is not below the folder of the \.gltf: copy it there'
holds "$work/files/log" 'fifo is not a regular file'
holds "$work/files/log" '"notes\.txt" is not a picture'
grep -rq secret "$work/files/new folder" && fail 'a file that is no picture is copied' || pass

# A link stays one, and the file its mode; a name that another program took is left alone.
echo old >"$work/files/real.md5mesh"
chmod 640 "$work/files/real.md5mesh"
ln -s real.md5mesh "$work/files/link.md5mesh"
echo victim >"$work/files/victim"
for number in 000000 000001 000002; do ln -s victim "$work/files/mdconvert$number.part"; done
converted "$work/files/link.md5mesh" "$work/scenes/paint.gltf"
[ -L "$work/files/link.md5mesh" ] && pass || fail 'a link became a file'
[ "$(stat -c %a "$work/files/real.md5mesh")" = 640 ] && pass || fail 'a file got another mode'
[ "$(cat "$work/files/victim")" = victim ] && pass || fail 'a link was written through'

# Where there is no room, nothing stays.
mkdir -p "$work/full"
(trap '' XFSZ; ulimit -f 1; "$convert" "$BUILD/character/tris.md2" -o "$work/full/hero.glb") >/dev/null 2>&1 && fail 'a full disk' || pass
[ -z "$(ls "$work/full")" ] && pass || fail "on a full disk stay $(ls "$work/full")"

# -- Every model that the tests build: broken ones give an error, never a crash ------------------------------

"$BUILD/make_models" "$BUILD/models" >/dev/null
told=0 made=0
try() {
    local output=$1
    shift
    "$convert" "$@" -o "$output" >"$output.log" 2>&1
    local status=$?
    if [ $status = 0 ] && [ -s "$output" ]; then
        made=$((made + 1))
        case $output in *.glb) printf '{"validate":"%s"}\n' "$output" >>"$list" ;; esac
    elif [ $status = 1 ] && [ ! -e "$output" ] && grep -q '^mdconvert: ' "$output.log" && ! grep -q Sanitizer "$output.log"; then
        told=$((told + 1))
    else
        fail "$* -o $output ended with $status: $(tail -n 1 "$output.log")"
    fi
}

number=0
while IFS= read -r model; do
    number=$((number + 1))
    case $model in
        *.md2) try "$work/$number.glb" "$model"; try "$work/$number.md2" "$model"
               case $model in
                   */65536_points.md2) refused 'bones are found in up to 8,192' "$model" ;;
                   *)                  try "$work/$number.md5mesh" "$model" ;;
               esac
               # Back again; of the model with 65,536 frames that is 50 MB.
               if [ -s "$work/$number.glb" ] && [ "$(stat -c %s "$work/$number.glb")" -lt 1000000 ]; then
                   try "$work/$number.back.md2" "$work/$number.glb"
                   if grep -q damaged "$work/$number.back.md2.log"; then fail "$work/$number.glb is refused"; fi
               fi ;;
        *)     try "$work/$number.glb" "$model"; try "$work/$number.md2" "$model"; try "$work/$number.md5mesh" "$model" ;;
    esac
done < <(find "$BUILD/models" -iname '*.md2' -o -iname '*.md5mesh' | sort)

# The character's sword, cut off and with bytes changed anywhere.
converted "$work/weapon.glb" "$BUILD/character/weapon.md2"
converted "$work/run.glb" "$BUILD/character/knight.md5mesh" "$BUILD/character/run.md5anim"
node tests/tools/convert/damage.mjs "$work" "$BUILD/character/weapon.md2" "$BUILD/character/weapon.md5mesh" \
    "$BUILD/character/walk.md5anim" "$work/weapon.glb" "$work/run.glb"
for model in "$work"/damaged*.glb; do
    try "$model.md5mesh" "$model"
    try "$model.md2" "$model"
done
for model in "$work"/damaged*.md2; do
    try "$model.glb" "$model"
    try "$model.new.md2" "$model"
    try "$model.md5mesh" "$model"
done
for model in "$work"/damaged*.md5mesh; do
    try "$model.glb" "$model"
    try "$model.new.md2" "$model"
done
for anim in "$work"/damaged*.md5anim; do
    try "$anim.glb" "$BUILD/character/knight.md5mesh" "$anim"
done
echo "models of the tests, and damaged ones: $made files made, $told errors told"
[ $made -ge 250 ] && pass || fail "only $made files were made"
[ $told -ge 100 ] && pass || fail "only $told errors were told"
passed=$((passed + made + told))

# -- Real ones ------------------------------------------------------------------------------------------------

# Those whose vertices have up to four weights are compared with three.js, which reads no more.
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
        converted "$output.glb" "$model" ${anims[@]+"${anims[@]}"}
        printf '{"validate":"%s"}\n' "$output.glb" >>"$list"
        if "$BUILD/positions" "$model" ${anims[@]+"${anims[@]}"} >"$output.json"; then
            printf '{"glb":"%s","positions":"%s"}\n' "$output.glb" "$output.json" >>"$list"
        fi
    done < <(find "$MODELS" -path "$MODELS/bad" -prune -o \( -iname '*.md2' -o -iname '*.md5mesh' \) -print | sort)
    echo "real models: $number"
fi

# Heroes and animations in files of their own: where these are copied, three.js, which goes by the names of nodes, has
# him there. Each file is one of such a pair. In the other pairs, test_retarget compares the directions of limbs.
if [ -n "${BORROW:-}" ]; then
    pairs=0
    : >"$work/borrowed"
    for hero in "$BORROW"/*.glb; do
        for anim in "$BORROW"/*.glb; do
            [ "$hero" != "$anim" ] || continue
            output=$work/real_pair$pairs
            mkdir -p "$output"
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
    echo "pairs of a hero and an animation: $pairs"
    "$BUILD/test_retarget" --borrow="$BORROW" pairs >"$work/pairs.log" 2>&1
    counted "$work/pairs.log"
fi

# -- Programs of others -----------------------------------------------------------------------------------------

mkdir -p "$work/blender"
for one in hero knight; do
    timeout 600 blender --background --factory-startup --python tests/tools/convert/check_blender.py -- \
        "$work/$one.glb" "$work/$one.json" "$work/blender/$one.glb" >"$work/blender_$one.out" 2>&1
    grep '^blender: ' "$work/blender_$one.out" | sed 's/^blender: //' >"$work/blender_$one.log"
    [ -s "$work/blender_$one.log" ] || cat "$work/blender_$one.out"
    counted "$work/blender_$one.log"
done

# What Blender writes becomes both knights again.
converted "$work/blender/knight.md5mesh" "$work/blender/knight.glb"
converted "$work/blender/tris.md2" "$work/blender/hero.glb"
"$BUILD/positions" "$work/blender/knight.md5mesh" "$work"/blender/*.md5anim >"$work/blender/knight.json"
"$BUILD/positions" --frames "$work/blender/tris.md2" >"$work/blender/tris.json"
{
    printf '{"same":"%s","as":"%s","within":1e-4}\n' "$work/blender/knight.json" "$work/knight.json"
    printf '{"same":"%s","as":"%s","within":1e-3}\n' "$work/blender/tris.json" "$work/tris.json"
} >>"$list"

node tests/tools/convert/check.mjs "$NODE_MODULES" "$list" >"$work/check.log" 2>&1
counted "$work/check.log"

[ "${KEEP:-}" ] || find "$work" -depth -path '*/real*' -delete
echo "$passed passed, $failed failed"
[ $failed = 0 ]
