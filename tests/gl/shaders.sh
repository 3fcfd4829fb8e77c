#!/bin/sh
# shaders.sh [--write]: the text of each shader stands in shaders/NAME, and as a C string in the header between
#   /* [shader: NAME] */ ... /* [/shader] */
# Says where the two differ; --write pastes shaders/* into the headers. Each source is then compiled as GLSL 330 core and
# as 300 es, with what the headers put before it, for two frames and for eight, where glslangValidator is there.
set -u
cd "$(dirname "$0")/../.." || exit 1
work=${BUILD:-build}/shaders
rm -rf "$work" && mkdir -p "$work" || exit 1
passed=0 failed=0 pasted=0 compiled=0 expected=0
floor=${SHADERS_FLOOR:-16}

verdict() {
    if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "shaders: FAIL: $2"; fi
}

# The header with each shader's text put anew between its markers: the line behind the first marker stays, it begins
# the declaration. Complains about markers without a shader, shaders without a marker, lines over 100 columns.
paste_into() {
    awk -v header="$1" '
        function complain(what) { printf "shaders: %s:%d: %s\n", header, NR, what > "/dev/stderr"; bad = 1 }
        function quoted(text) { gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); return "    \"" text "\\n\"" }
        /\/\* \[shader: [a-z0-9_.]+\] \*\// {
            if (name != "") complain("shader " name " is not closed")
            name = $0; sub(/.*\[shader: /, "", name); sub(/\].*/, "", name)
            print
            if ((getline declaration) <= 0) complain("nothing behind the marker of " name)
            print declaration
            count = 0
            while ((getline text < ("shaders/" name)) > 0) lines[++count] = quoted(text)
            if (count == 0) complain("there is no shaders/" name)
            for (i = 1; i <= count; i++) {
                if (length(lines[i]) > 100) complain("line " i " of shaders/" name " is too wide once quoted")
                print lines[i] (i == count ? ";" : "")
            }
            next
        }
        /\/\* \[\/shader\] \*\// { if (name == "") complain("the end of no shader"); name = ""; print; next }
        /\[\/?shader[]:]/ { complain("a marker that is not understood") }
        name == "" { print }
        END { if (name != "") complain("shader " name " is not closed"); exit bad }' "$1"
}

for header in md2.h md5.h; do
    [ -f "$header" ] && grep -q '\[shader: ' "$header" || continue
    paste_into "$header" >"$work/$header"
    status=$?
    verdict $status "the markers of $header"
    [ $status -eq 0 ] || continue
    if [ "${1:-}" = --write ] && ! cmp -s "$header" "$work/$header"; then
        cat "$work/$header" >"$header" && echo "shaders: pasted into $header"
    fi
    diff -u --label "$header" --label "$header with shaders/ pasted" "$header" "$work/$header"
    verdict $? "$header differs from shaders/ (make shaders pastes them)"
done

# Every file of shaders/ is in the header of its name, if that header draws at all.
for source in shaders/*.vert shaders/*.frag; do
    name=${source##*/} header=${source##*/}
    header=${header%%.*}.h
    grep -q '\[shader: ' "$header" 2>/dev/null || continue
    expected=$((expected + 1))
    [ "$(grep -c "\[shader: $name\]" "$header")" = 1 ]
    status=$?
    verdict $status "$header has not exactly one place for $source"
    [ $status -eq 0 ] && pasted=$((pasted + 1))
done
verdict "$([ "$pasted" -ge $((floor / 4)) ]; echo $?)" "only $pasted shaders in the headers, at least $((floor / 4)) expected"

# What md2.h and md5.h put before a source in GL ES.
precision=$(sed -n '/"precision /,/;$/p' md2.h | sed -n 's/^[^"]*"\(.*\)";\{0,1\}$/\1/p' | sed 's/\\n/\
/g')
if command -v glslangValidator >/dev/null 2>&1; then
    for source in shaders/*.vert shaders/*.frag; do
        for version in '330 core' '300 es'; do
            for defines in '#define FRAMES 2' '#define FRAMES 8
#define CUT_OUT'; do
                file="$work/$(echo "$version" | tr ' ' '_').${source##*/}"
                { echo "#version $version"; [ "$version" = '330 core' ] || echo "$precision"
                  echo "$defines"; cat "$source"; } >"$file"
                glslangValidator "$file" >"$file.log" 2>&1
                status=$?
                [ $status -eq 0 ] || cat "$file.log"
                verdict $status "$source as $version with $defines"
                [ $status -eq 0 ] && compiled=$((compiled + 1))
            done
        done
    done
    [ "$compiled" -ge "$floor" ]
    verdict $? "only $compiled compilations, at least $floor expected"
    sed '1i #version 330 core\n#define FRAMES 2' shaders/md2.vert | sed 's/gl_Position/gl_Posture/' >"$work/wrong.vert"
    ! glslangValidator "$work/wrong.vert" >/dev/null 2>&1
    verdict $? "glslangValidator lets a wrong shader pass"
else
    echo 'shaders: SKIPPED: there is no glslangValidator'
    [ -z "${CI:-}" ]
    verdict $? 'with CI set, that is a failure'
fi
echo "shaders: $pasted of $expected sources in the headers, $compiled compilations (floor $floor)"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
