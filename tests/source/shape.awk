# Measures one header for shape.sh. Prints "KEY VALUE NOTE" lines:
#   lines, wide (over 100 columns), interface_comments (percent of its lines that carry one), functions, median,
#   ninetieth (percentile) and longest (of the functions' lengths), one_word (percent of the names), words (mean a
#   name), comments (in the implementation), openings (percent that begin what, where, whether, which, how or of),
#   depth (calls from a public loader to its deepest helper)
function basename(name) { sub(/^md[25]_+(gl_+)?/, "", name); return name }

# The longest chain of calls from here; the headers have no recursion (make symbols).
function depth_of(name, i, list, n, best, below) {
    if (name in depth) return depth[name]
    depth[name] = 1
    n = split(calls[name], list, " ")
    for (i = 1; i <= n; ++i) {
        if (list[i] == name || !(list[i] in is_function)) continue
        below = depth_of(list[i])
        if (below + 1 > best) { best = below + 1; deepest[name] = list[i] }
    }
    depth[name] = best > 1 ? best : 1
    return depth[name]
}

function end_comment(text, first) {
    ++comments
    sub(/^[ \t\n*]+/, "", text)
    first = tolower(text); sub(/[^a-z].*/, "", first)
    if (first ~ /^(what|where|whether|which|how|of)$/ && text !~ /\?/) { ++openings; bad = bad " " NR }
}

{
    if (length($0) > 100) ++wide
    if (/_IMPLEMENTATION_ONCE$/ && /define/) implementation = 1
    if (!implementation && /[^ \t]/) { ++interface_lines; if (inside || /\/\*/) ++interface_commented }
}

# Comments: the text of each, whole. Strings of the headers hold no comment marks outside shaders.
{
    rest = /^ *"/ ? "" : $0
    while (1) {
        if (inside) {
            if ((at = index(rest, "*/")) == 0) { text = text " " rest; break }
            if (implementation) end_comment(text " " substr(rest, 1, at - 1))
            rest = substr(rest, at + 2); inside = 0
        } else {
            if ((at = index(rest, "/*")) == 0) break
            rest = substr(rest, at + 2); inside = 1; text = ""
        }
    }
}

# Functions: a head in the first column, a body from "{" to "}" there, or all of it on one line.
/^[A-Za-z_].*\(/ && !/;[ \t]*$/ && !/^#/ { head = NR; name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
/^[A-Za-z_].*\) *\{.*\}$/ && head { add_function(1, $0) }
/^\{/ && head { body = 1; next }
body && /^\}/ { add_function(NR - head + 1, code); body = head = 0; code = ""; next }
body { code = code " " $0 }

function add_function(size, source, list, n, i, word) {
    if (!(name in is_function)) { is_function[name] = 1; ++functions; n = split(basename(name), list, "_"); words += n; one_word += n == 1 }
    sizes[++size_count] = size
    if (size > longest) { longest = size; longest_name = name }
    gsub(/"([^"\\]|\\.)*"/, "", source)
    gsub(/[^A-Za-z0-9_]+/, " ", source)
    n = split(source, list, " ")
    for (i = 1; i <= n; ++i) if (list[i] ~ /^md[25]_/) calls[name] = calls[name] " " list[i]
    if (size == 1) head = 0
}

END {
    for (i = 1; i <= size_count; ++i) for (k = i; k > 1 && sizes[k - 1] > sizes[k]; --k) { t = sizes[k]; sizes[k] = sizes[k - 1]; sizes[k - 1] = t }
    for (name in is_function) {
        if (name ~ /^md[25]_load_/ && depth_of(name) > most) {
            most = depth_of(name)
            for (chain = name; chain in deepest && length(path) < 2000; chain = deepest[chain]) path = (chain == name ? "" : path " ") chain
            path = path " " chain
        }
    }
    print "lines", NR
    print "wide", wide + 0
    printf "interface_comments %d\n", 100 * interface_commented / interface_lines
    print "functions", functions
    print "median", sizes[int((size_count - 1) * 0.5) + 1]
    print "ninetieth", sizes[int((size_count - 1) * 0.9) + 1]
    print "longest", longest, longest_name
    printf "one_word %.1f\n", 100 * one_word / functions
    printf "words %.2f\n", words / functions
    print "comments", comments
    printf "openings %.1f lines%s\n", 100 * openings / comments, bad
    print "depth", most, path
}
