"""shaders.py [--write]: the text of each shader stands in shaders/NAME, and as a C string in the header between
  /* [shader: NAME] */ ... /* [/shader] */
Says where the two differ; --write pastes shaders/* into the headers. Each source is then compiled as GLSL 330 core and
as 300 es, with what the headers put before it, for two frames and for eight, where glslangValidator is there."""
import difflib
import os
import re
import shutil
import subprocess
import sys

# The line behind the first marker stays, it begins the declaration.
MARKED = re.compile(r'(/\* \[shader: ([a-z0-9_.]+)\] \*/.*\n.*\n)((?:.*\n)*?)(/\* \[/shader\] \*/)')
counts = {True: 0, False: 0}


def verdict(good, what):
    counts[bool(good)] += 1
    if not good:
        print('shaders: FAIL:', what)
    return good


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def paste(found):
    text = sources[found[2]].replace('\\', '\\\\').replace('"', '\\"')
    lines = ['    "%s\\n"' % line for line in text.splitlines()]
    verdict(max(map(len, lines)) <= 100, 'shaders/%s is too wide once quoted' % found[2])
    return found[1] + '\n'.join(lines) + ';\n' + found[4]


def check_header(header):
    text = read(header)
    names = [found[2] for found in MARKED.finditer(text)]
    wanted = [name for name in sources if name.startswith(header[:4])]
    sound = sorted(names) == wanted and len(re.findall(r'\[/?shader[]:]', text)) == 2 * len(names) > 0
    if not verdict(sound, '%s has the markers of %s, not of %s alone' % (header, names, wanted)):
        return
    pasted = MARKED.sub(paste, text)
    if '--write' in sys.argv and pasted != text:
        with open(header, 'w', encoding='utf-8') as file:
            file.write(pasted)
        print('shaders: pasted into', header)
        text = pasted
    for line in difflib.unified_diff(text.splitlines(), pasted.splitlines(), header, 'shaders/ pasted', lineterm=''):
        print(line)
    verdict(pasted == text, header + ' differs from shaders/ (make twins pastes them)')


def complaint(stage, *parts):
    """What glslangValidator says of a source, or nothing."""
    done = subprocess.run(['glslangValidator', '--stdin', '-S', stage], input='\n'.join(parts), text=True,
                          stdout=subprocess.PIPE, check=False)
    return done.returncode and (done.stdout or 'status %d' % done.returncode)


def compile_all():
    precision = ''.join(re.findall(r'"(precision .*)"', read('md2.h'))).replace('\\n', '\n')    # in GL ES
    for name, source in sources.items():
        for version in ('#version 330 core', '#version 300 es\n' + precision):
            for defines in '#define FRAMES 2', '#define FRAMES 8\n#define CUT_OUT':
                said = complaint(name[-4:], version, defines, source)
                verdict(not said, '%s with %s %s: %s' % (name, version, defines, said))
    wrong = sources['md2.vert'].replace('gl_Position', 'gl_Posture')
    verdict('gl_Posture' in (complaint('vert', '#version 330 core\n#define FRAMES 2', wrong) or ''),
            'glslangValidator lets a wrong shader pass')


sources = {name: read('shaders/' + name) for name in sorted(os.listdir('shaders'))}
for each in 'md2.h', 'md5.h':
    check_header(each)
if shutil.which('glslangValidator'):
    compile_all()
    skipped = ''
else:
    skipped = ', 1 skipped'
    print('shaders: SKIPPED: there is no glslangValidator')
    verdict(not os.environ.get('CI'), 'with CI set, that is a failure')
print('%d passed, %d failed%s' % (counts[True], counts[False], skipped))
sys.exit(counts[False] > 0)
