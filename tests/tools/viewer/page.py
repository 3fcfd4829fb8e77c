"""page.py BUILD REPOSITORY ADDRESS: builds the page in BUILD/web. The name of each part changes with its content, because
servers and browsers cache files. REPOSITORY is the address for the links to the repository. ADDRESS is the address of the
page; sites that show a card for a link need the whole address of its picture. Both may be empty. Public domain."""
import gzip
import hashlib
import json
import os
import re
import shutil
import sys

BUILD, REPOSITORY, ADDRESS = sys.argv[1:4]
HERE = os.path.dirname(os.path.abspath(__file__))
PAGE, GOLDEN = os.path.join(HERE, 'page'), os.path.join(HERE, '..', '..', 'golden')
CHARACTER, OUT = os.path.join(BUILD, 'character'), os.path.join(BUILD, 'web')
PICTURES = 'skin.png', 'weapon.png'


def read(*path):
    with open(os.path.join(*path), 'rb') as file:
        return file.read()


def add(name, content):
    """Writes a part of the page, and returns its name."""
    stem, extension = os.path.splitext(name)
    name = '%s-%s%s' % (stem, hashlib.sha256(content).hexdigest()[:8], extension)
    with open(os.path.join(OUT, name), 'wb') as file:
        file.write(content)
    return name


def pack(name, files):
    """Writes a pack of files, and returns its name and size: a line of names and sizes, then the files, all compressed with
    gzip, because some servers do not compress unknown types."""
    contents = [read(CHARACTER, file) for file in files]
    line = json.dumps([[file, len(content)] for file, content in zip(files, contents)]) + '\n'
    packed = gzip.compress(line.encode() + b''.join(contents), 9, mtime=0)
    return [add(name, packed), len(packed)]


def fill(page, element, value):
    """Writes a value into a <script type="application/json"> of the page."""
    before = '<script id="%s" type="application/json">' % element
    start = page.index(before) + len(before)
    return page[:start] + json.dumps(value).replace('<', '\\u003c') + page[page.index('</script>', start):]


shutil.rmtree(OUT, ignore_errors=True)
os.makedirs(OUT)
program = read(BUILD, 'web-parts', 'viewer.wasm')
anims = sorted(name for name in os.listdir(CHARACTER) if name.endswith('.md5anim'))
programs = {name: [add(name + '.' + kind, read(BUILD, 'web-parts', name + '.' + kind)) for kind in ('js', 'wasm')]
            for name in ('mdconvert', 'info')}
parts = {
    'script': add('viewer.js', read(BUILD, 'web-parts', 'viewer.js')),
    'wasm': [add('viewer.wasm', program), len(program)],
    'md5': pack('md5.pack', ['knight.md5mesh', 'weapon.md5mesh', *anims, *PICTURES]),
    'md2': pack('md2.pack', ['tris.md2', 'weapon.md2', *PICTURES]),
    'worker': add('worker.js', read(PAGE, 'worker.js')),
    **programs,
    'poster': add('poster.jpg', read(GOLDEN, 'poster.jpg')),
}
page = read(PAGE, 'index.html').decode()
scripts = re.findall(r'<script src="(.*)"></script>\n', page)
script = add('page.js', b''.join(read(PAGE, script) for script in scripts))
icon = add('icon.svg', read(PAGE, 'icon.svg'))
manifest = add('manifest.json', read(PAGE, 'manifest.json').replace(b'icon.svg', icon.encode()))
first = [script, parts['script'], parts['wasm'][0], parts['md5'][0], parts['poster'], icon, manifest]

page = re.sub(r'(<script src=".*"></script>\n)+', '<script src="%s"></script>\n' % script, page)
page = fill(fill(page, 'parts', parts), 'repository', REPOSITORY)
page = page.replace('href="icon.svg"', 'href="%s"' % icon).replace('href="manifest.json"', 'href="%s"' % manifest)
page = page.replace('content="card.png"', 'content="%s"' % (ADDRESS + add('card.png', read(GOLDEN, 'card.png'))))
page = page.replace('<style>', '<link rel="preload" href="%s" as="script">\n<style>' % parts['script'], 1)

# The service worker changes with each version, so that browsers install it again.
worker = read(PAGE, 'sw.js').decode().replace(
    'const PARTS = [], FIRST = [];', 'const PARTS = %s, FIRST = %s;' % (json.dumps(sorted(os.listdir(OUT))), json.dumps(first)))
for name, content in ('index.html', page), ('sw.js', worker):
    with open(os.path.join(OUT, name), 'w', encoding='utf-8') as file:
        file.write(content)
