#!/bin/sh
# recipes.sh PAGE FOLDER: every block of C on the page as FOLDER/NAME.inc, NAME being the word behind ```c, and
# RECIPE(NAME, LINES) for each in FOLDER/all.inc. Compilers then speak of the page's lines.
set -u
page=$1 out=$2
mkdir -p "$out" && rm -f "$out"/*.inc || exit 1
awk -v out="$out" -v page="$page" '
    function fail(why) { printf "%s:%d: %s\n", page, NR, why >"/dev/stderr"; failed = 1; exit 1 }
    length > 100 { fail("a line of more than 100 columns") }
    NR > 590 { fail("more than 590 lines") }
    /^```/ && inside {
        inside = 0
        printf "RECIPE(%s, %d)\n", name, count >(out "/all.inc")
        close(out "/" name ".inc")
        next
    }
    /^```c( |$)/ {
        inside = 1; count = 0; name = $2
        if (name !~ /^[a-z0-9]+$/) fail("a block of C without a name")
        if (name in seen) fail("two blocks called " name)
        seen[name] = 1
        printf "#line %d \"%s\"\n", NR + 1, page >(out "/" name ".inc")
        next
    }
    /^```/ { other = !other; next }
    /```/ || /^~~~/ { fail("a fence that this script does not understand") }
    (inside || other) && length > 92 { fail("a line of code of more than 92 columns, which a page cuts off") }
    inside { ++count; print >(out "/" name ".inc") }
    END { if (!failed && inside) fail("a block without an end") }
' "$page" && [ -s "$out/all.inc" ]
