#!/bin/sh
# readme_bench.sh BENCH PAGE CHARACTER: the rows below of what `make bench` printed, between the
# markers of the page, with the sizes of the files in CHARACTER. Fails when the bench lacks one of them.
set -u
bench=$1 page=$2 character=$3
new=$(mktemp) || exit 1
trap 'rm -f "$new"' EXIT

# kilobytes FILE...: of one of them on average, as the bench tells the time.
kilobytes() { echo $(($(cat "$@" | wc -c) / $# / 1000)) KB; }

awk -v md2="$(kilobytes "$character"/*.md2)" -v mesh="$(kilobytes "$character/robot.md5mesh")" \
    -v anim="$(kilobytes "$character"/*.md5anim)" '
    BEGIN {
        FS = " *\\| *"
        # What the bench calls it, and what it is compared with; then the words of the page.
        want("load an MD2", "every frame to floats, unchecked", "load an MD2, " md2, "every frame to floats, unchecked")
        want("most bytes in loading two MD2", "bytes of the files", "memory while loading two, bytes", "bytes of the files")
        want("load an MD5 mesh", "tokens by strtof, no normals", "load an MD5 mesh, " mesh, "its tokens by `strtof`, no normals")
        want("load an MD5 animation", "tokens by strtof, unchecked", "load an MD5 animation, " anim, "its numbers by `strtof` alone")
        want("blend two MD2 frames, a vertex", "Quake II" "\047" "s loop", "blend two MD2 frames, a vertex", "the loop of Quake II")
        want("the same with unit normals", "the loop, unit normals too", "the same with unit normals", "the loop with unit normals")
        want("pose an MD5 skeleton, a joint", "a plain slerp, to matrices", "pose an MD5 skeleton, a joint", "a plain slerp, to matrices")
        want("skin an MD5 vertex", "the article" "\047" "s rotations", "skin an MD5 vertex", "the rotations of the well-known article")
        want("bytes of code of md2.h, without GL", "stb_image.h", "code of md2.h at -O2, bytes", "stb_image.h")
        want("bytes of code of md5.h, without GL", "stb_image.h", "code of md5.h at -O2, bytes", "stb_image.h")
    }
    function want(what, against, ours, theirs) {
        keys[++count] = what "|" against; ours_name[count] = ours; theirs_name[count] = theirs
    }
    FNR == NR && /^\| MD[25], .*(SSE2|GPU) +\|/ { gsub(/ +/, " "); crowd[++crowds] = $0; next }
    FNR == NR && NF > 8 { ours[$2 "|" $3] = $4; theirs[$2 "|" $3] = $5; ratio[$2 "|" $3] = $6; bar[$2 "|" $3] = $8; next }
    FNR == NR { next }
    /<!-- \/bench -->/ { table = 0; closed = 1; print "" }
    !table { print }
    /<!-- bench:/ {
        table = opened = 1
        print "\n| what | ours | compared with | theirs | ratio | bar |\n|---|---:|---|---:|---:|---:|"
        for (i = 1; i <= count; ++i) {
            if (!(keys[i] in ours)) { print "readme_bench: the bench has no row " keys[i] >"/dev/stderr"; missing = 1 }
            print "| " ours_name[i] " | " ours[keys[i]] " | " theirs_name[i] " | " theirs[keys[i]] " | " \
                  ratio[keys[i]] " | " bar[keys[i]] " |"
        }
        print "\n| CPU time for one frame of a crowd, one core | 1 | 10 | 100 | 1,000 | 10,000 |\n|---|---:|---:|---:|---:|---:|"
        for (i = 1; i <= crowds; ++i) print crowd[i]
    }
    END {
        if (!opened || !closed || crowds != 4) print "readme_bench: markers or rows of crowds are missing" >"/dev/stderr"
        exit missing || !opened || !closed || crowds != 4
    }' "$bench" "$page" >"$new" && cat "$new" >"$page" && echo "readme_bench: $page is filled"
