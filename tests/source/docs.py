"""The headers are their own reference: every function, struct field, enum constant and macro that is public has
a comment, and some test uses it. What the pages link to, and the targets and files that they name, are there. Both headers, the
README and CHANGELOG.md tell of one version.

A comment belongs to a declaration when it begins on one of its lines, or stands on the lines directly above. It
belongs to all declarations of a block below it when it says "Each" or "Both". A macro may be in the list OPTIONS
at the top instead. Run in the repository. Public domain."""
import glob
import os
import re
import sys
from collections import Counter, namedtuple

FLOORS = {'md2.h': {'function': 34, 'field': 93, 'constant': 24, 'macro': 10},
          'md5.h': {'function': 41, 'field': 99, 'constant': 21, 'macro': 10}}
Line = namedtuple('Line', 'code begins text every')  # text: nothing but a comment, which began on such a line
Name = namedtuple('Name', 'text kind line documented')
counts = Counter()


def check(good, message):
    counts['passed' if good else 'failed'] += 1
    if not good:
        print('docs: FAIL:', message)


def check_floor(what, count, floor):
    print(f'{what}: {count} (at least {floor})')
    check(count >= floor, f'{what}: {count}, fewer than {floor}')


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


# -- What a header declares -------------------------------------------------------------------------------

def split_lines(text):
    lines, inside, own = [], False, False
    for rest in text.split('\n'):
        code, begins, comment, whole = '', False, inside, rest
        while rest:
            head, mark, rest = rest.partition('*/' if inside else '/*')
            code += '' if inside else head
            if mark and not inside:
                begins = comment = True
                own = not code.strip()
            inside = inside != bool(mark)
        only = comment and own and not code.strip()
        goes_on = only and not begins and lines[-1].every
        lines.append(Line(code, begins, only, only and bool(goes_on or re.search(r'\b(Each|Both)\b', whole))))
    return lines


def is_documented(lines, first, last):
    if any(line.begins and not line.text for line in lines[first:last + 1]) or lines[first - 1].text:
        return True
    while first > 0 and (lines[first - 1].code.strip() or lines[first - 1].text):
        first -= 1
        if lines[first].text:
            return lines[first].every
    return False


def declared_names(text, block):
    """"float u, v" and "float min[3], max[3]" and "void *(*alloc)(void *user, size_t size)"."""
    if block == 'struct':
        pointer = re.search(r'\(\*\s*(\w+)', text)
        found = [pointer[1]] if pointer else re.findall(r'(\w+)\s*(?:\[[^]]*\]\s*)*(?:,|$)', text)
        return 'field', found
    if block == 'enum':
        return 'constant', re.findall(r'^\s*(\w+)', text)
    return 'function', re.findall(r'_API [^(]*?(\w+)\s*\(', text)[:1]


def declarations(lines, first, last):
    """Each declaration from the guard to the end of the interface, with the lines that it stands on."""
    code = '\n'.join('' if line.code.lstrip().startswith('#') else line.code for line in lines[first:last])
    start, block = 0, ''
    for mark in re.finditer('[{};,]', code):
        if mark[0] == ',' and block != 'enum':
            continue
        text = code[start:mark.start()]
        begin = start + len(text) - len(text.lstrip())
        start = mark.end()
        if mark[0] == '{':
            block = (re.findall(r'\b(?:enum|struct)\b', text) + [''])[0]
        else:
            yield text.strip(), block, first + code.count('\n', 0, begin), first + code.count('\n', 0, mark.start())
            block = '' if mark[0] == '}' else block


def read_names(text, prefix):
    lines, names = split_lines(text), []
    first = next(i for i, line in enumerate(lines) if f'#ifndef {prefix}MODEL_H_INCLUDED' in line.code)
    last = next(i for i, line in enumerate(lines) if f'#if defined({prefix}IMPLEMENTATION)' in line.code)
    for declaration, block, begin, end in declarations(lines, first, last):
        kind, found = declared_names(declaration, block)
        names += [Name(one, kind, begin + 1, is_documented(lines, begin, end)) for one in found]
    options = re.search('OPTIONS, defined before.*?CONVENTIONS', text, re.S)
    options = set(re.findall(r'\w+', options[0] if options else ''))
    known = {one.text for one in names}
    for i, line in enumerate(lines):
        words = re.findall(rf'\b{prefix}[A-Z0-9]\w*', line.code) if line.code.lstrip().startswith('#') else []
        for word in words:
            if word not in known and not re.search('(_INCLUDED|_ONCE)$', word):
                known.add(word)
                names.append(Name(word, 'macro', i + 1, word in options or is_documented(lines, i, i)))
    return names


# -- What the tests use -----------------------------------------------------------------------------------

def read_tests(header):
    """The words, and the names of members, in all tests of this header, without comments and strings. The programs
    of tests/source/compile are written for md2.h, and rewritten for md5.h; what is for both says LIB(name)."""
    words, members, files = set(), set(), 0
    for path in glob.glob('tests/**/*.[ch]', recursive=True):
        text = read(path)
        if 'compile/' in path and header == 'md5.h':
            text = re.sub('(?i)(md)2', r'\g<1>5', text)
        both = path.endswith('.h') and 'LIB(' in text
        text = re.sub(r'\b(LIB|OPTION)\((\w+)\)', lambda m: header[:3].upper() + '_' + m[2] if m[1] == 'OPTION' else
                      header[:3] + '_' + m[2], text)
        if header in text or both or path.startswith(f'tests/{header[:3]}/'):
            text = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', ' ', text, flags=re.S)
            words.update(re.findall(r'\w+', text))
            members.update(re.findall(r'(?:\.|->)(\w+)', text))
            files += 1
    check_floor(f'{header}: files of tests', files, 25)
    return words, members


def check_versions():
    """Both headers tell their version by the title, the history and the macro; so do the page and the changes."""
    def find(pattern, text):
        return (re.findall(pattern, text) + ['none'])[0]

    told = {'README.md': find(r'\bversion (\d[\d.]*\d)', read('README.md')),
            'CHANGELOG.md': find(r'\n## (\S+)', read('CHANGELOG.md'))}
    for header in 'md2.h', 'md5.h':
        text = read(header)
        number = int(find(r'_VERSION (\d+)', text))
        told[header + ', title'] = find(rf'^/\* {header} - (\S+) -', text)
        told[header + ', history'] = find(r'VERSION HISTORY\n\s*(\S+)', text)
        told[header + ', macro'] = f'{number // 10000}.{number // 100 % 100}.{number % 100}'
    print('version:', told['md2.h, title'], f'in {len(told)} places')
    check(len(set(told.values())) == 1, f'the versions differ: {told}')


def check_header(header):
    text = read(header)
    words, members = read_tests(header)
    names = read_names(text, header[:3].upper() + '_')
    for one in names:
        subject = f'{header}:{one.line}: {one.kind} {one.text}'
        check(one.documented, subject + ' has no comment')
        check(one.text in (members if one.kind == 'field' else words), subject + ' is used by no test')
    for kind, floor in FLOORS[header].items():
        check_floor(f'{header}: {kind}s', sum(one.kind == kind for one in names), floor)


# -- The pages ---------------------------------------------------------------------------------------------

PAGES = 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'tests/README.md', 'tests/recipes/README.md'


def check_map():
    """What the map of the repository names is there."""
    here = read('CONTRIBUTING.md').split('## In this repository')[1].split('```')[1]
    named = re.findall(r'(?:^| )(md5\.h|Makefile|[\w/]+(?:\.\w+|/))(?= )', here, re.M)
    for path in named:
        check(os.path.exists(path), f'CONTRIBUTING.md: the map names {path}')
    check_floor('places on the map', len(named), 9)


def headings_of(page):
    """What a link to a headline of the page has behind its #: small letters, - for a blank, no other marks."""
    titles = re.findall('^#+ (.*)', read(page), re.M)
    return {re.sub(r'[^\w-]', '', title.lower().replace(' ', '-')) for title in titles}


def check_pages():
    makefile = '\n'.join(read(path) for path in ('Makefile', 'tests/tests.mk', 'tests/tools/viewer/viewer.mk'))
    links, pictures, targets = [], [], []
    for name in PAGES:
        page, folder = read(name), os.path.dirname(name)
        for link in re.findall(r'\]\(([^)"]*)', page):
            path, _, anchor = link.partition('#')
            path = os.path.join(folder, path) if path else name
            good = os.path.exists(path) and (not anchor or anchor in headings_of(path))
            check(link.startswith('http') or good, f'{name}: nothing is at {link}')
            links.append(link)
        for path in re.findall(r'src="([^"]*)', page):
            check(path.startswith('http') or os.path.exists(os.path.join(folder, path)), f'{name}: no picture {path}')
            pictures.append(path)
        for target in re.findall(r'(?:^|`|; |R )make ([a-z-]+(?:(?<=build)/[\w./-]+)?)', page, re.M):
            rule = '\n' + re.sub('^build/', '$(BUILD)/', target) + ':'
            program = '\n' + re.sub('^build/', '', target) + '_files '
            check(rule in makefile or program in makefile, f'{name}: no target {target}')
            targets.append(target)
    check_map()
    # Files that the map of the tests names without a link.
    named = re.findall(r'\b((?:both|md2|md5|gl|support|tools/\w+|portable|readme)/\w+\.[ch])\b', read('tests/README.md'))
    for path in named:
        check(os.path.exists('tests/' + path), f'tests/README.md: no file {path}')
    check_floor('links', len(links), 40)
    check_floor('pictures', len(pictures), 1)
    check_floor('targets', len(targets), 25)
    check_floor('files of the map', len(named), 40)


# -- This script itself -----------------------------------------------------------------------------------

SAMPLE = '''/* OPTIONS, defined before
   T_LISTED  is in the list
   CONVENTIONS */
#ifndef T_MODEL_H_INCLUDED
#define T_VERSION 1 /* yes */
#define T_BARE 1
#ifdef T_LISTED
#endif
typedef enum t_mode {
    T_ONE = 0,      /* yes, and
                       more of it */
    T_TWO,
    T_THREE
} t_mode;
enum { T_FOUR = 1, T_FIVE = 2 }; /* yes */
typedef struct t_thing {  /* of the thing alone */
    int no, none[3];
    float yes, more[3]; /* yes */
    /* yes */
    void *(*call)(void *user, int size);
    void (*quiet)(void);
} t_thing;
/* Each of them, yes. */
T_API int t_first(int a,
                  int b);
T_API int *t_second(void);

T_API void t_bare(void);
/* yes */
T_API void t_yes(void);
T_API void t_no(void);
T_API void t_beside(void); /* yes */
#if defined(T_IMPLEMENTATION)
'''
WANTED = ('+T_ONE -T_TWO -T_THREE +T_FOUR +T_FIVE -no -none +yes +more +call -quiet +t_first +t_second -t_bare +t_yes '
          '-t_no +t_beside +T_VERSION -T_BARE +T_LISTED -T_IMPLEMENTATION')


def main():
    found = ' '.join(('+' if one.documented else '-') + one.text for one in read_names(SAMPLE, 'T_'))
    check(found == WANTED, f'the sample is read as {found}')
    check_header('md2.h')
    check_header('md5.h')
    check_pages()
    check_versions()
    print(f'{counts["passed"]} passed, {counts["failed"]} failed')
    sys.exit(counts['failed'] > 0)


main()
