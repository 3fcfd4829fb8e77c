#!/bin/sh
# recipes.sh FOLDER: writes every C block of the README and the cookbook to FOLDER/NAME.inc, where NAME is the word
# after ```c, and RECIPE(NAME, LINES) for each block to FOLDER/all.inc. With #line, compilers report lines of the page.
set -u
out=$1
mkdir -p "$out" && rm -f "$out"/*.inc || exit 1
awk -v out="$out" '
    function fail(why) { printf "%s:%d: %s\n", FILENAME, FNR, why >"/dev/stderr"; failed = 1; exit 1 }
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
        printf "#line %d \"%s\"\n", FNR + 1, FILENAME >(out "/" name ".inc")
        next
    }
    /^```/ { other = !other; next }
    /```/ || /^~~~/ { fail("a fence that this script does not support") }
    (inside || other) && length > 92 { fail("a line of code of more than 92 columns, which a page cuts off") }
    inside { ++count; print >(out "/" name ".inc") }
    END { if (!failed && inside) fail("a block without an end") }
' README.md tests/recipes/README.md && [ -s "$out/all.inc" ]
