"""docs.py: checks the documentation: each paragraph of an interface has a comment; links and targets in the pages
exist; the first page is short; the workflows run on the releases of Debian that tests.mk names. Run this in the root of
the repository. Public domain."""
import os
import re
import sys

PAGES = 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'tests/README.md', 'tests/recipes/README.md'
MAKEFILES = 'Makefile', 'tests/tests.mk', 'tests/tools/viewer/viewer.mk', 'tests/tools/convert/convert.mk'
passed = failed = 0


def check(good, message):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print('docs: FAIL:', message)


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def check_comments(header):
    """Checks that each paragraph with declarations has a comment. Empty lines end a paragraph."""
    prefix, text = header[:3].upper(), read(header)
    start, end = text.index(f'#ifndef {prefix}_LIBRARY_H'), text.index(f'#if defined({prefix}_IMPLEMENTATION)')
    for paragraph in re.split(r'\n\s*\n', text[start:end]):
        if re.search(rf'^({prefix}_API|typedef|enum)\b', paragraph, re.M):
            check('*/' in paragraph, f'{header}: a declaration has no comment:\n{paragraph}')


def headings_of(page):
    """Returns the anchors of the page's headings: in lower case, with - for spaces, without other punctuation."""
    titles = re.findall('^#+ (.*)', read(page), re.M)
    return {re.sub(r'[^\w-]', '', title.lower().replace(' ', '-')) for title in titles}


def check_links(name, targets):
    page, folder = read(name), os.path.dirname(name)
    for link in re.findall(r'(?:\]\(|src=")([^)"]*)', page):
        path, _, anchor = link.partition('#')
        path = os.path.join(folder, path) if path else name
        good = os.path.exists(path) and (not anchor or anchor in headings_of(path))
        check(link.startswith('http') or good, f'{name}: the link {link} leads nowhere')
    for target in re.findall(r'(?:^|`)make ([a-z-]+)(?= |`|$)', page, re.M):
        check(target in targets, f'{name}: make has no target {target}')


def check_map():
    """Checks that the files exist that tests/README.md names without links."""
    pattern = r'\b((?:both|md2|md5|gl|fuzz|support|tools/\w+|portable|readme)/\w+\.[ch])\b'
    for path in re.findall(pattern, read('tests/README.md')):
        check(os.path.exists('tests/' + path), f'tests/README.md: there is no file tests/{path}')


def check_debians():
    """Checks that test.yml runs on all releases of Debian in tests.mk, and that other workflows run on one of them."""
    named = re.search(r'^DEBIANS \?= (.*)', read('tests/tests.mk'), re.M)[1].split()
    tested = re.search(r'debian: \[(.*)\]', read('.github/workflows/test.yml'))[1].split(', ')
    check(tested == named, f'test.yml runs on {tested}, but tests.mk has {named}')
    for path in '.github/workflows/pages.yml', '.github/workflows/release.yml':
        for release in re.findall(r'container: debian:(\S+)', read(path)):
            check(release in named, f'{path} runs on {release}, but tests.mk has {named}')


def check_settings():
    """Checks that variables in capitals are assigned with ?=, so that Makefile.config, which is read first, can set
    them."""
    for path in MAKEFILES:
        for name, sign in re.findall(r'^([A-Z][A-Z_0-9]*) *([:+]?=)', read(path), re.M):
            check(False, f'{path}: {name} is assigned with {sign}, which overwrites Makefile.config; use ?=')


def check_length():
    """Checks that the first page can be read in five minutes."""
    page = read('README.md')
    check(len(page.split()) <= 1200, f'README.md has {len(page.split())} words; the limit is 1,200')


check_comments('md2.h')
check_comments('md5.h')
known = set(re.findall(r'^([\w-]+):', '\n'.join(map(read, MAKEFILES)), re.M))
for page_name in PAGES:
    check_links(page_name, known)
check_map()
check_length()
check_settings()
check_debians()
print(f'{passed} passed, {failed} failed')
sys.exit(failed > 0)
