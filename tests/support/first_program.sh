#!/bin/sh
# first_program.sh: types what the README says into a shell: saves its first program beside the headers, and runs the
# commands below it, in the folder where this starts. It needs a C compiler and make. Fails unless the program prints
# what the page promises.
set -eu
sh tests/readme/recipes.sh page
cp page/first.inc first.c # the page's text of it
awk '/^```/ { shell = $0 == "```sh"; next } shell' README.md >commands
grep -q '^make knight' commands
grep -q '^cc .*first' commands
sh -e commands >printed
cat printed
[ "$(tail -n 4 printed | tr '\n' ' ')" = 'footstep in frame 40 footstep in frame 43 footstep in frame 40 footstep in frame 43 ' ]
