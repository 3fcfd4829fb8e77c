"""shaders.py [--write]: compares each shader in shaders/NAME with its copy, a C string in the header between
  /* [shader: NAME] */ ... /* [/shader] */
With --write, pastes shaders/* into the headers. Then, if glslangValidator is installed, compiles each shader as GLSL 330
core and as 300 es, with the lines that the headers put before it, for two frames and for eight."""
import difflib
import os
import re
import shutil
import subprocess
import sys

# The line after the first marker, which begins the declaration, is kept.
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
    verdict(max(map(len, lines)) <= 100, 'shaders/%s has lines of more than 100 columns when quoted' % found[2])
    return found[1] + '\n'.join(lines) + ';\n' + found[4]


def check_header(header):
    text = read(header)
    names = [found[2] for found in MARKED.finditer(text)]
    wanted = [name for name in sources if name.startswith(header[:4])]
    sound = sorted(names) == wanted and len(re.findall(r'\[/?shader[]:]', text)) == 2 * len(names) > 0
    if not verdict(sound, '%s has markers of %s, expected %s, each once' % (header, names, wanted)):
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


def find_errors(stage, *parts):
    """Returns the errors of glslangValidator for a shader, or something false if there are none."""
    done = subprocess.run(['glslangValidator', '--stdin', '-S', stage], input='\n'.join(parts), text=True,
                          stdout=subprocess.PIPE, check=False)
    return done.returncode and (done.stdout or 'status %d' % done.returncode)


def compile_all():
    precision = ''.join(re.findall(r'"(precision .*)"', read('md2.h'))).replace('\\n', '\n')    # in GL ES
    for name, source in sources.items():
        for version in ('#version 330 core', '#version 300 es\n' + precision):
            for defines in '#define FRAMES 2', '#define FRAMES 8\n#define CUT_OUT':
                errors = find_errors(name[-4:], version, defines, source)
                verdict(not errors, '%s with %s %s: %s' % (name, version, defines, errors))
    wrong = sources['md2.vert'].replace('gl_Position', 'gl_Posture')
    verdict('gl_Posture' in (find_errors('vert', '#version 330 core\n#define FRAMES 2', wrong) or ''),
            'glslangValidator reports no error in a wrong shader')


sources = {name: read('shaders/' + name) for name in sorted(os.listdir('shaders'))}
for header_path in 'md2.h', 'md5.h':
    check_header(header_path)
if shutil.which('glslangValidator'):
    compile_all()
    skipped = ''
else:
    skipped = ', 1 skipped'
    print('shaders: SKIPPED: glslangValidator is not installed')
    verdict(not os.environ.get('CI'), 'with CI set, a skipped check is a failure')
print('%d passed, %d failed%s' % (counts[True], counts[False], skipped))
sys.exit(counts[False] > 0)
