"""docs.py: what a reader would stumble over. No paragraph of an interface is without a comment; what the pages link to
and the targets that they name are there, and the first page is short; the workflows run on the Debians that the tests are
for. Run in the repository. Public domain."""
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
    """Empty lines end a paragraph: what it declares, its comments are about."""
    prefix, text = header[:3].upper(), read(header)
    start, end = text.index(f'#ifndef {prefix}_LIBRARY_H'), text.index(f'#if defined({prefix}_IMPLEMENTATION)')
    for paragraph in re.split(r'\n\s*\n', text[start:end]):
        if re.search(rf'^({prefix}_API|typedef|enum)\b', paragraph, re.M):
            check('*/' in paragraph, f'{header}: without a comment:\n{paragraph}')


def headings_of(page):
    """What a link to a headline of the page has behind its #: small letters, - for a blank, no other marks."""
    titles = re.findall('^#+ (.*)', read(page), re.M)
    return {re.sub(r'[^\w-]', '', title.lower().replace(' ', '-')) for title in titles}


def check_links(name, targets):
    page, folder = read(name), os.path.dirname(name)
    for link in re.findall(r'(?:\]\(|src=")([^)"]*)', page):
        path, _, anchor = link.partition('#')
        path = os.path.join(folder, path) if path else name
        good = os.path.exists(path) and (not anchor or anchor in headings_of(path))
        check(link.startswith('http') or good, f'{name}: nothing is at {link}')
    for target in re.findall(r'(?:^|`)make ([a-z-]+)(?= |`|$)', page, re.M):
        check(target in targets, f'{name}: no target {target}')


def check_map():
    """The map of the tests names files without links."""
    places = r'\b((?:both|md2|md5|gl|fuzz|support|tools/\w+|portable|readme)/\w+\.[ch])\b'
    for path in re.findall(places, read('tests/README.md')):
        check(os.path.exists('tests/' + path), f'tests/README.md: no file {path}')


def check_debians():
    """The workflows run on the releases that tests.mk names, and the tests on each of these."""
    named = re.search(r'^DEBIANS \?= (.*)', read('tests/tests.mk'), re.M)[1].split()
    tested = re.search(r'debian: \[(.*)\]', read('.github/workflows/test.yml'))[1].split(', ')
    check(tested == named, f'test.yml runs on {tested}, not on {named}')
    for path in '.github/workflows/pages.yml', '.github/workflows/release.yml':
        for release in re.findall(r'container: debian:(\S+)', read(path)):
            check(release in named, f'{path} runs on {release}, which is none of {named}')


def check_settings():
    """Makefile.config is read first, so what it may set is assigned by ?=."""
    for path in MAKEFILES:
        for name, sign in re.findall(r'^([A-Z][A-Z_0-9]*) *([:+]?=)', read(path), re.M):
            check(False, f'{path}: {name} is assigned by {sign}, which overwrites Makefile.config')


def check_length():
    """A page that is read in five minutes."""
    page = read('README.md')
    check(len(page.split()) <= 1200, f'README.md has {len(page.split())} words, at most 1,200 are wanted')


check_comments('md2.h')
check_comments('md5.h')
known = set(re.findall(r'^([\w-]+):', '\n'.join(map(read, MAKEFILES)), re.M))
for one in PAGES:
    check_links(one, known)
check_map()
check_length()
check_settings()
check_debians()
print(f'{passed} passed, {failed} failed')
sys.exit(failed > 0)
