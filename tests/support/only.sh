# For scripts that include this, as ONLY means one thing everywhere: words with | between them.

# wanted WORDS TEXT: whether a word is a part of the text. Without words, all is wanted.
wanted() { [ -z "$1" ] || printf '%s\n' "$2" | grep -q -F -e "$(printf '%s' "$1" | tr '|' '\n')"; }

# some COUNT WORDS: words that match nothing fail, and are told.
some() { [ "$1" != 0 ] || { echo "nothing here is called '$2'"; return 1; }; }
