#!/bin/sh
# archive.sh FILE: what git holds as a tar, the last commit with all changes since to files that git knows. For tests
# that need a copy as a stranger gets it. Untracked files are left out: git add them first.
set -eu
cd "$(dirname "$0")/../.."
changed=$(git stash create)
git archive "${changed:-HEAD}" >"$1"
