"""version.py [VERSION SENTENCE]: checks that all PLACES have the same version, and that no other place has it. With
arguments, writes a new version to all places, and the sentence to the history of both headers and to a new entry of
CHANGELOG.md; complete this entry and its date by hand. Run this in the root of the repository. Public domain."""
import glob
import re
import sys

SMOOTH, CHANGES = 'tests/recipes/md2_smooth.h', 'CHANGELOG.md'
HISTORY = r'VERSION HISTORY\n +(\S+)'
PLACES = (*((f'{name}.h', pattern) for name in ('md2', 'md5') for pattern in (
              rf'^/\* {name}\.h - (\S+) -', rf'#define {name.upper()}_LIBRARY_VERSION (\d+)', HISTORY)),
          (SMOOTH, r'^/\* md2_smooth\.h - (\S+) -'), (SMOOTH, r'MD2_LIBRARY_VERSION != (\d+)'),
          ('README.md', r'This is version ([\d.]+\d)'), (CHANGES, r'\n## (\S+)'))
TAG = ('tests/recipes/README.md', r'GIT_TAG v(\S+)')


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def write(path, text):
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


# publish.py adds the recipe for CMake to the cookbook.
if re.search(TAG[1], read(TAG[0])):
    PLACES += TAG,


def number_of(version):
    major, minor, patch = map(int, version.split('.'))
    return str(major * 10000 + minor * 100 + patch)


def update(version, sentence):
    """Writes the version to all places, or to none if a place is not found. A place that already has the version, as
    before the first release, stays unchanged."""
    if not re.fullmatch(r'\d+\.\d+\.\d+', version):
        sys.exit(f'version.py: a version is three numbers, such as 1.2.0, not {version}: nothing is written')
    texts = {path: read(path) for path, _ in PLACES}
    for path, pattern in PLACES:
        found = re.search(pattern, texts[path])
        if not found:
            sys.exit(f'version.py: {path} has no version: nothing is written')
        start, end = found.span(1)
        new = version if '.' in found[1] else number_of(version)
        if new == found[1]:
            continue
        if pattern == HISTORY:
            new += f'  {sentence}\n   {found[1]}'
        elif path == CHANGES:
            new += f' (not released)\n\n{sentence[0].upper()}{sentence[1:]}.\n\n## {found[1]}'
        texts[path] = texts[path][:start] + new + texts[path][end:]
    for path, text in texts.items():
        write(path, text)


def files():
    """Returns the paths of pages, code and workflows."""
    paths = glob.glob('*') + glob.glob('.github/**', recursive=True) + glob.glob('tests/**', recursive=True)
    return [path for path in paths if re.search(r'(\.(c|cpp|h|html|js|md|mjs|mk|py|sh|yml)|Makefile)$', path)]


def check():
    """Returns the version and a list of problems."""
    matches = [(path, re.search(pattern, read(path))) for path, pattern in PLACES]
    problems = [f'{path} has no version' for path, found in matches if not found]
    versions = [(path, found[1]) for path, found in matches if found]
    version = next((word for _, word in versions if '.' in word), 'none')
    problems += [f'{path} has version {word}, expected {version}' for path, word in versions
                 if word not in (version, number_of(version))]
    for path in files():
        occurrences = len(re.findall(rf'(?<![\d.]){re.escape(version)}(?![\d.-]*\d)', read(path)))
        listed = sum(place == path and word == version for place, word in versions)
        if occurrences > listed:
            problems.append(f'{path} has {version} in a place that version.py does not update')
    return version, problems


if len(sys.argv) == 3:
    update(*sys.argv[1:])
now, wrong = check()
for problem in wrong:
    print('version: FAIL:', problem)
print('version', now)
print(f'{len(PLACES) - len(wrong)} passed, {len(wrong)} failed')
sys.exit(len(wrong) > 0)
