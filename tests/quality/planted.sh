#!/bin/bash
# planted.sh [REGEX]: each gate that looks for faults proves that it finds one. In copies of what git holds, one
# fault is planted for each gate; then that gate, run as small as it can be, must fail and name it. Ends with
# a table: the gate, the fault, the first line of what the gate said of it. REGEX chooses gates by their names.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=${BUILD:-build}/planted
only=${1:-}
rm -rf "$out" && mkdir -p "$out/clean" && out=$(realpath "$out") || exit 1
sh tests/support/archive.sh "$out/clean.tar" && tar -x -f "$out/clean.tar" -C "$out/clean" || exit 1
unset MAKEFLAGS MAKELEVEL MODELS TABLES ENGINES FULL ONLY BUILD # the copies are their own
export CI=1                                             # what is skipped finds nothing
passed=0 failed=0 skipped=0
table=()

# -- Planting: these run in a copy ------------------------------------------------------------------------

# into HEADER FUNCTION LINE...: at the beginning of its body. Its declaration ends with a semicolon.
into() {
    local header=$1 name=$2 lines
    shift 2
    lines=$(printf '    %s\n' "$@")
    name=$name lines=$lines awk '
        index($0, " " ENVIRON["name"] "(") || index($0, "*" ENVIRON["name"] "(") { inside = /^[A-Za-z]/ }
        inside && /;/   { inside = 0 }
                        { print }
        inside && /^{$/ { print ENVIRON["lines"]; inside = 0 }' "$header" >planted.h && mv planted.h "$header"
}

# before HEADER TEXT LINE...: before the first line that begins so.
before() {
    local header=$1 text=$2 lines
    shift 2
    lines=$(printf '%s\n' "$@")
    text=$text lines=$lines awk '
        !done && index($0, ENVIRON["text"]) == 1 { print ENVIRON["lines"]; done = 1 }
        { print }' "$header" >planted.h && mv planted.h "$header"
}

# -- Judging ----------------------------------------------------------------------------------------------

# needs_of GATE: what it needs, as `make needs-NAME` prints it.
needs_of() {
    case $1 in
        asan|ubsan) make -s --no-print-directory needs-sanitize ;;
        test-gl)    make -s --no-print-directory needs-gl ;;
        test-film*) make -s --no-print-directory needs-film ;;
        *)          make -s --no-print-directory "needs-${1%%,*}" ;;
    esac
}

# gate NAME FAULT PATTERN COMMAND...: plant_NAME, then the command, which must fail and say what matches.
gate() {
    local name=$1 fault=$2 pattern=$3 copy=$out/$1 log=$out/$1.log needs said status start=$SECONDS
    shift 3
    [[ $name =~ $only ]] || return
    # shellcheck disable=SC2046
    needs=$(sh tests/support/deps.sh --look $(needs_of "$name")) || {
        skipped=$((skipped + 1))
        table+=("$name|$fault|SKIPPED: without $needs")
        echo "SKIPPED $name: without $needs"
        return
    }
    rm -rf "$copy" && cp -a "$out/clean" "$copy" && (cd "$copy" && "plant_${name//[-,]/_}") || exit 1
    if diff -qr "$out/clean" "$copy" >/dev/null; then
        status=0
        echo 'nothing was planted: what it goes by is no longer there' >"$log"
    else
        (cd "$copy" && exec timeout 900 "$@") >"$log" 2>&1 </dev/null
        status=$?
    fi
    said=$(grep -m 1 -E -e "$pattern" "$log" | sed "s|$copy/||g; s/^ *//" | cut -c 1-160)
    if [ $status != 0 ] && [ $status != 124 ] && [ -n "$said" ]; then
        passed=$((passed + 1))
        echo "ok    $name finds $fault ($((SECONDS - start)) s)"
        rm -rf "$copy"
    else
        failed=$((failed + 1))
        echo "FAIL  $name does not find $fault (status $status, $((SECONDS - start)) s): $*"
        tail -n 20 "$log" | cut -c 1-200
        said='NOT FOUND'
    fi
    table+=("$name|$fault|$said")
}

# -- The gates --------------------------------------------------------------------------------------------

plant_docs() { before md2.h '#if defined(MD2_IMPLEMENTATION)' '' 'MD2_API void md2_planted(void);' ''; }
gate docs 'a public function without a comment' 'function md2_planted has no comment' make docs

plant_symbols() { into md2.h md2_find_frame 'static unsigned planted;' 'if (name) ++planted;'; }
gate symbols 'a global variable' '^ *\.bss .* bytes' make symbols headers=md2.h

plant_symbols_names() { sed -i 's/^static bool md2__is_finite/bool md2__is_finite/' md2.h; }
gate symbols,names 'a private function that is not static' '^ *md2__is_finite$' make symbols headers=md2.h

plant_strict() { into md2.h md2_find_frame 'void *nothing = NULL;' 'char *planted = nothing;' '(void)planted;'; }
gate strict 'a line that C++ refuses' "invalid conversion from .void\*. to .char\*" make strict 'ONLY=program.*98.*alone.c'

plant_lint() { into md2.h md2_find_frame 'if (!model && model->frame_count == 7) return -1;'; }
gate lint 'NULL that is dereferenced' 'md2\.h.*[Nn]ull pointer' make lint headers=md2.h

plant_asan() { into md2.h md2_find_frame 'if (name && strlen(name) == 5) {' \
    '    volatile char planted = name[6];' '    (void)planted;' '}'; }
gate asan 'a name of five letters is read one past its end' 'SUMMARY: AddressSanitizer: .*buffer-overflow .* in md2_find_frame' \
    make asan TESTS=test_md2 ONLY=find

plant_ubsan() { into md2.h md2_crossed 'volatile int planted = 2147483647;' 'if (frame > 1) planted += (int)frame;'; }
gate ubsan 'a sum that overflows' 'md2\.h:[0-9:]+ runtime error: signed integer overflow' make ubsan TESTS=test_md2 ONLY=crossed

plant_tsan() { into md2.h md2_pose_vertices 'static volatile unsigned md2__planted;' '++md2__planted;'; }
gate tsan 'threads that write to one counter' 'ThreadSanitizer: data race.*md2_pose_vertices' make tsan

plant_valgrind() { into md2.h md2_find_frame 'volatile int planted[2];' 'planted[0] = 0;' 'if (planted[1] == 7) return -1;'; }
gate valgrind 'a decision by what was never set' ': md2_find_frame \(md2\.h' \
    make valgrind TESTS=test_nulls VALGRIND_FLOOR=1

plant_cover() { into md2.h md2_find_frame 'if (name && !strcmp(name, "a name that no test asks for"))' '    return -7;'; }
gate cover 'a line that no test reaches' 'md2\.h:[0-9]+: never ran: +return -7;' make cover

plant_test_gl() { sed -i 's/v_light = md2_scene\[4\];/v_light = vec4(-md2_scene[4].xyz, md2_scene[4].w);/' md2.h shaders/md2.vert; }
gate test-gl 'light from the other side' 'FAILED gl33/md2/light' make test-gl ONLY=light

plant_test_film() { sed -i 's|film\.time + STEP / 2 < viewer\.time|film.time - STEP / 2 < viewer.time|' tests/tools/viewer/film.c; }
gate test-film 'a film that is one frame late' 'failed: .*every region looks as drawn' make test-film

# The lower half of one frame of many is moved aside.
plant_test_film_torn() {
    local film=tests/golden/crowd.webp parts frames=() i
    parts=$(mktemp -d) || return
    for i in {1..126}; do
        webpmux -get frame "$i" $film -o "$parts/$i.webp"
        frames+=(-frame "$parts/$i.webp" +33)
    done
    convert "$parts/60.webp" '(' +clone -crop 720x180+0+180 +repage -roll +24+0 ')' -geometry +0+180 -composite "$parts/torn.png"
    cwebp -quiet -q 80 "$parts/torn.png" -o "$parts/60.webp"
    webpmux "${frames[@]}" -loop 0 -o $film
    rm -r "$parts"
}
gate test-film,torn 'a film with a torn frame' 'failed: \[film: frame 60\] every region looks as drawn' make test-film

plant_test_web() { sed -i "/^function drag/,/^}/s/event.preventDefault();//" tests/tools/viewer/index.html; }
gate test-web 'a page that lets the browser open what is dropped' 'failed: \[drop' make test-web ONLY=drop

plant_engines() { sed -i 's/gl->fn\.UseProgram(has_ended ? 0 : program);/(void)program;/' md2.h; }
gate engines 'a draw that leaves its program in use' 'FAIL: sfml: of ' make engines

# -- The table --------------------------------------------------------------------------------------------

echo
for row in "${table[@]}"; do
    IFS='|' read -r name fault said <<<"$row"
    printf '%-14s %-52s %s\n' "$name" "$fault" "$said"
done
if [ -z "$only" ] && [ $((passed + failed + skipped)) -lt 15 ]; then failed=$((failed + 1)); fi
echo "$passed passed, $failed failed$([ $skipped = 0 ] || echo ", $skipped skipped")"
[ $failed = 0 ] && [ $((passed + skipped)) -gt 0 ]
