"""shape.py: how the headers read, as far as that can be measured: their size, the length of their functions, the
words in their names, the openings of their comments and the depth of their calls, each against a limit. The limits
are what widely read single-file libraries have. Run in the repository. Public domain."""
import re
import sys

MOST = {'wide': 0, 'median': 14, 'ninetieth': 32, 'longest': 60, 'one_word': 10, 'openings': 2, 'depth': 12}
LEAST = {'interface_comments': 60, 'words': 2.3, 'comments': 150}
LIMITS = {'md2.h': (dict(MOST, lines=4600, smoothing=500), dict(LEAST, functions=200, smoothing=1)),
          'md5.h': (dict(MOST, lines=6200), dict(LEAST, functions=250)), 'both': ({'hand_kept': 9300}, {})}
counts = {True: 0, False: 0}


def check(subject, measured, notes):
    most, least = LIMITS[subject]
    results = [(name, 'at most', bound, measured[name] <= bound) for name, bound in most.items()]
    results += [(name, 'at least', bound, measured[name] >= bound) for name, bound in least.items()]
    for name, words, bound, good in results:
        counts[good] += 1
        if not good:
            print(f'shape: FAIL: {subject}: {name} is {measured[name]} {notes.get(name, "")}, not {words} {bound}')


def read_comments(lines):
    """The text of each comment and the line that it ends on, and for each line whether a comment is on it. Strings of
    the headers hold no comment marks outside shaders, whose lines begin with a string."""
    comments, commented, text = [], [], None
    for number, rest in enumerate(lines):
        commented.append(text is not None or '/*' in rest)
        rest = '' if re.match(' *"', rest) else rest
        while rest or text is not None:
            head, mark, rest = rest.partition('/*' if text is None else '*/')
            if text is not None:
                text += ' ' + head
            if not mark:
                break
            if text is None:
                text = ''
            else:
                comments.append((number, text))
                text = None
    return comments, commented


def read_functions(lines):
    """The name, the length and the code of each: a head in the first column, a body from "{" to "}" there, or all of
    it on one line."""
    functions, head, name, body = [], None, '', None
    for number, line in enumerate(lines):
        if re.match(r'[A-Za-z_].*\(', line) and not re.search(r';\s*$', line):
            head, name = number, re.split('[ *]', line.partition('(')[0])[-1]
        if re.match(r'[A-Za-z_].*\) *\{.*\}$', line) and head is not None:
            functions.append((name, 1, line))
            head = None
        elif line.startswith('{') and head is not None:
            body = []
        elif line.startswith('}') and body is not None:
            functions.append((name, number - head + 1, ' '.join(body)))
            head = body = None
        elif body is not None:
            body.append(line)
    return functions


def deepest_calls(functions):
    """The longest chain of calls from a public loader; the headers have no recursion (make symbols)."""
    calls = {}
    for name, _, code in functions:
        code = re.sub(r'"([^"\\]|\\.)*"', '', code)
        calls.setdefault(name, []).extend(re.findall(r'\bmd[25]_\w+', code))
    chains = {}

    def chain(name):
        if name not in chains:
            chains[name] = [name]
            chains[name] += max((chain(other) for other in calls[name] if other in calls and other != name),
                                key=len, default=[])
        return chains[name]

    return max((chain(name) for name in calls if re.match('md[25]_load_', name)), key=len)


def measure(header):
    """Numbers; and what some of them are about. Shares are in percent, `words` is the mean of a name."""
    with open(header, encoding='utf-8') as file:
        lines = file.read().splitlines()
    begin = next(i for i, line in enumerate(lines) if re.search('define.*_IMPLEMENTATION_ONCE$', line))
    titles = [i for i, line in enumerate(lines) if line.startswith('/* -- ')] + [len(lines)]
    smoothing = sum(end - i for i, end in zip(titles, titles[1:]) if '-- Smoothing' in lines[i])
    comments, commented = read_comments(lines)
    comments = [(number, text.strip(' \t*')) for number, text in comments if number >= begin]
    openings = [number + 1 for number, text in comments
                if re.match('(what|where|whether|which|how|of)([^a-z]|$)', text.lower()) and '?' not in text]
    interface = [good for line, good in zip(lines[:begin], commented) if line.strip()]
    functions = read_functions(lines)
    names = {name: len(re.sub('^md[25]_+(gl_+)?', '', name).split('_')) for name, *_ in functions}
    sizes, longest = sorted(size for _, size, _ in functions), max(functions, key=lambda function: function[1])
    path = deepest_calls(functions)
    return {'lines': len(lines) - smoothing, 'smoothing': smoothing, 'wide': sum(len(line) > 100 for line in lines),
            'interface_comments': 100 * sum(interface) // len(interface), 'functions': len(names),
            'median': sizes[(len(sizes) - 1) // 2], 'ninetieth': sizes[int((len(sizes) - 1) * 0.9)],
            'longest': longest[1], 'one_word': round(100 * list(names.values()).count(1) / len(names), 1),
            'words': round(sum(names.values()) / len(names), 2), 'comments': len(comments),
            'openings': round(100 * len(openings) / len(comments), 1), 'depth': len(path)
            }, {'longest': longest[0], 'openings': openings, 'depth': path}


def main():
    hand_kept = 0
    for header in 'md2.h', 'md5.h':
        measured, notes = measure(header)
        print(f'shape: {header}:', ', '.join(f'{name} {value}' for name, value in measured.items()))
        check(header, measured, notes)
        hand_kept += measured['lines']
    with open('md5.h', encoding='utf-8') as file:
        copied = sum(block.count('\n') for block in re.findall(r'\[twin: .*\n((?:.*\n)*?).*\[/twin: ', file.read()))
    print(f'shape: {hand_kept - copied} lines of both headers are kept by hand, {copied} are written by make twins')
    check('both', {'hand_kept': hand_kept - copied}, {})
    print(f'{counts[True]} passed, {counts[False]} failed')
    sys.exit(counts[False] > 0)


main()
