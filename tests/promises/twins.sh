#!/bin/sh
# twins.sh --write | --check BLOCKS LINES
# md2.h and md5.h share code that is written once, in md2.h, between two marks
#   /* [twin: name] ... */
#   /* [/twin: name] */
# and copied into md5.h, between the same marks, with the prefix md2 replaced by md5, except in a line
# that names both, as the licence does. --write makes the copies. --check fails if a copy differs, if a
# mark has no partner, or if there are fewer blocks or lines than given.
set -u
cd "$(dirname "$0")/../.." || exit 1
mode=${1:?usage: twins.sh --write | --check BLOCKS LINES}
new=$(mktemp) || exit 1
trap 'rm -f "$new"' EXIT

# Prints md5.h with its copies made anew; counts go to standard error as "BLOCKS LINES ERRORS".
copy_blocks() {
    awk '
        function complain(what) { printf "%s:%d: %s\n", FILENAME, FNR, what | "cat >&2"; ++errors }
        function mark_name(line) { sub(/.*\[\/?twin: /, "", line); sub(/\].*/, "", line); return line }
        FNR == 1 && open != "" { complain("twin \"" open "\" of the file before is not closed"); open = "" }
        /\[twin: [a-z0-9 ]+\]/ {
            name = mark_name($0)
            if (open != "") complain("twin \"" name "\" begins inside \"" open "\"")
            if ((FILENAME, name) in seen) complain("a second twin \"" name "\"")
            seen[FILENAME, name] = 1
            open = name
            if (FILENAME == "md5.h") {
                print
                if (!((("md2.h"), name) in seen)) complain("md2.h has no twin \"" name "\"")
                printf "%s", block[name]
                ++copies; lines += count[name]
            } else { ++blocks }
            next
        }
        /\[\/twin: [a-z0-9 ]+\]/ {
            name = mark_name($0)
            if (name != open) complain("the end of twin \"" name "\" without its beginning")
            open = ""
            if (FILENAME == "md5.h") print
            next
        }
        /\[\/?twin/ { complain("a mark that is not understood: " $0) }
        FILENAME == "md2.h" && open != "" {
            text = $0
            if (text !~ /md5/) { gsub(/md2/, "md5", text); gsub(/MD2/, "MD5", text) }
            block[open] = block[open] text "\n"; ++count[open]
        }
        FILENAME == "md5.h" && open == "" { print }
        END {
            if (open != "") complain("twin \"" open "\" is not closed")
            if (copies != blocks) complain(blocks " twins in md2.h, but " copies " in md5.h")
            printf "%d %d %d\n", copies, lines, errors >"/dev/fd/3"
        }' md2.h md5.h
}

counts=$({ copy_blocks >"$new"; } 3>&1) || exit 1
blocks=${counts%% *} errors=${counts##* }
lines=${counts#* } lines=${lines% *}

case $mode in
    --write)
        [ "$errors" = 0 ] || exit 1
        cmp -s "$new" md5.h || cat "$new" >md5.h
        echo "twins: md5.h has $blocks blocks of $lines lines from md2.h" ;;
    --check)
        passed=0 failed=$errors
        if diff -u --label 'md5.h' --label 'what "make twins" writes' md5.h "$new"; then
            passed=$blocks
        else
            echo 'twins: md5.h differs from md2.h: edit md2.h, then run "make twins"'
            failed=$((failed + 1))
        fi
        echo "twins: $blocks blocks of $lines lines (at least ${2:?} and ${3:?})"
        if [ "$blocks" -lt "$2" ] || [ "$lines" -lt "$3" ]; then
            echo 'twins: fewer than there must be'
            failed=$((failed + 1))
        fi
        echo "$passed passed, $failed failed"
        [ "$failed" = 0 ] ;;
esac
