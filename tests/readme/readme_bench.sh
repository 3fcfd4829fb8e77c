#!/bin/sh
# readme_bench.sh BENCH PAGE CHARACTER PICTURE: copies some rows of the output of `make bench` to the page, between its
# markers, with the sizes of the files in CHARACTER, and draws the table of characters animated in 1/60 s as PICTURE.
# Fails if the output lacks a row or the table.
set -u
bench=$1 page=$2 character=$3 picture=$4
new=$(mktemp) || exit 1
trap 'rm -f "$new"' EXIT

# kilobytes FILE...: prints the mean size of a file, because the bench prints the mean time.
kilobytes() { echo $(($(cat "$@" | wc -c) / $# / 1000)) KB; }

awk -v md2="$(kilobytes "$character"/*.md2)" -v anim="$(kilobytes "$character"/*.md5anim)" '
    BEGIN {
        FS = " *\\| *"
        # The names in the output of the bench, of the task and of the code it is compared with; then the names on the
        # page.
        want("load an MD2", "every frame to floats, unchecked", "load an MD2, " md2, "frames converted to floats, unchecked")
        want("load an MD5 animation", "tokens by strtof, unchecked", "load an MD5 animation, " anim, "only its numbers, by `strtof`")
        want("blend two MD2 frames with unit normals, a vertex", "Quake II" "\047" "s loop, unit normals too", "blend an MD2 vertex, with its normal", "the loop of Quake II")
        want("pose an MD5 skeleton, a joint", "the loop with sines, to matrices", "pose an MD5 joint", "slerps by sines, then matrices")
        want("skin an MD5 vertex", "the article" "\047" "s rotations", "skin an MD5 vertex", "a quaternion rotation for each weight")
    }
    function want(what, against, ours, theirs) {
        keys[++count] = what "|" against; ours_name[count] = ours; theirs_name[count] = theirs
    }
    FNR == NR && NF > 6 { ours[$2 "|" $3] = $4; theirs[$2 "|" $3] = $5; ratio[$2 "|" $3] = $6; next }
    FNR == NR { next }
    /<!-- \/bench -->/ { table = 0; closed = 1; print "" }
    !table { print }
    /<!-- bench:/ {
        table = opened = 1
        print "\n| what | ours | compared with | theirs | ratio |\n|---|---:|---|---:|---:|"
        for (i = 1; i <= count; ++i) {
            if (!(keys[i] in ours)) { print "readme_bench: the bench has no row " keys[i] >"/dev/stderr"; missing = 1 }
            print "| " ours_name[i] " | " ours[keys[i]] " | " theirs_name[i] " | " theirs[keys[i]] " | " ratio[keys[i]] " |"
        }
    }
    END {
        if (!opened || !closed) print "readme_bench: markers are missing" >"/dev/stderr"
        exit missing || !opened || !closed
    }' "$bench" "$page" >"$new" && cat "$new" >"$page" || exit 1

# Draws two groups of bars. The picture has its own light background, so that it can also be read on a dark page.
# The times of the GPU were measured once and are written here, because few machines that draw this picture have one.
awk '
    BEGIN { FS = " *\\| *" }
    /^\| MD2, [0-9]+ vertices/ { split($2, words, " "); vertices = number(words[2]) }
    /^\| MD2 in 1\/60 s/ { md2[1] = $3; md2[2] = $4; md2[3] = $5; ++found }
    /^\| MD5 in 1\/60 s/ { md5[1] = $3; md5[2] = $4; md5[3] = $5; ++found }
    function number(value) { return value < 1000 ? value : int(value / 1000) "," sprintf("%03d", value % 1000) }
    function text(x, class, words) { printf "<text x=\"%d\" y=\"%d\" class=\"%s\">%s</text>\n", x, y, class, words }
    function headline(words) { y += 34; text(24, "head", words); y += 8 }
    function bar(name, value, most, shown, class) {
        y += 24
        text(24, "name", name)
        printf "<rect x=\"330\" y=\"%d\" width=\"%.1f\" height=\"16\" rx=\"2\" class=\"%s\"/>\n", y - 13, 400 * value / most, class
        text(338 + 400 * value / most, "number", shown)
    }
    END {
        if (found != 2) { print "readme_bench: the table of animated characters is missing" >"/dev/stderr"; exit 1 }
        print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 820 404\" width=\"820\" height=\"404\">"
        print "<style>text { font: 14px sans-serif; fill: #1f2328 } .head { font-weight: bold } .number { font-size: 13px }"
        print ".ours { fill: #b3402a } .two { fill: #d98a5f } .theirs { fill: #8b949e }</style>"
        print "<rect width=\"820\" height=\"404\" rx=\"8\" fill=\"#f6f8fa\"/>"
        y = 0
        headline("Knights of " vertices " vertices, animated with normals in 1/60 s")
        most = md2[2] > md5[2] ? md2[2] : md5[2]
        bar("MD2, md2.h on two cores", md2[2], most, number(md2[2]), "two")
        bar("MD2, md2.h on one core", md2[1], most, number(md2[1]), "ours")
        bar("MD2, the loop of Quake II", md2[3], most, number(md2[3]), "theirs")
        y += 8
        bar("MD5, md5.h on two cores", md5[2], most, number(md5[2]), "two")
        bar("MD5, md5.h on one core", md5[1], most, number(md5[1]), "ours")
        bar("MD5, the loops of the article, no normals", md5[3], most, number(md5[3]), "theirs")
        y += 14
        headline("10,000 such knights drawn by a GPU (NVIDIA H200, November 2026)")
        bar("MD2, md2_gl_draw", 17.1, 30, "17.1 ms", "ours")
        bar("static meshes, instanced", 16.5, 30, "16.5 ms", "theirs")
        bar("MD2, a draw each, frames as attributes", 24.8, 30, "24.8 ms", "theirs")
        y += 8
        bar("MD5, md5_gl_draw_meshes", 19.8, 30, "19.8 ms", "ours")
        bar("MD5, plain skinning, four weights", 29.6, 30, "29.6 ms", "theirs")
        print "</svg>"
    }' "$bench" >"$new" && cat "$new" >"$picture" && echo "readme_bench: $page is filled, $picture is drawn"
