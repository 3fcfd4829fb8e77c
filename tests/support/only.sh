# Included by all scripts that read ONLY, so that it means the same everywhere: words with | between them.

# wanted WORDS TEXT: succeeds if the text contains one of the words, or if there are no words.
wanted() { [ -z "$1" ] || printf '%s\n' "$2" | grep -q -F -e "$(printf '%s' "$1" | tr '|' '\n')"; }

# some COUNT WORDS: fails with a message if nothing matched the words.
some() { [ "$1" != 0 ] || { echo "nothing here is called '$2'"; return 1; }; }
