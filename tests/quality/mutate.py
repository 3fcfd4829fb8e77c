#!/usr/bin/env python3
"""Makes small changes to the headers, one at a time, and prints the changes that no test notices. They show which code
is tested less than the rest. Read them: some have no effect that a user could see, others show that a test is missing.

Only a random sample of all possible changes is tried; a seed always gives the same sample of the same source. A change
that does not compile is not counted. A change is noticed if a test fails, crashes or runs for too long. Run this in the
root of the repository, on POSIX; JOBS=2 in the environment tries two changes at a time. Public domain."""
import argparse
import collections
import concurrent.futures
import hashlib
import math
import os
import queue
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# The programs that test a change to a header. The first programs are the fastest and notice the most. The last program
# reads damaged files from blocks of exactly their size, so that the sanitizer detects a read outside of them.
PLAIN = 'gcc -O0 -w'
SANITIZED = PLAIN + ' -fsanitize=address,bounds -fno-sanitize-recover=all'
PROGRAMS = {header: [(f'test_{format_name}', PLAIN, ''),
                     ('test_nulls', PLAIN, '--folder=fresh'),
                     ('test_gl_mock', PLAIN, '--folder=fresh'),
                     ('hashes', PLAIN, '--folder=fresh'),
                     ('test_fuzz', SANITIZED, '--quick')]
            for header, format_name in (('md2.h', 'md2'), ('md5.h', 'md5'), ('tests/recipes/md2_smooth.h', 'md2'))}


def stop(message):
    print(f'mutate: {message}\n0 passed, 1 failed')
    sys.exit(1)


def read_text(path):
    with open(path, encoding='latin-1', newline='') as file:
        return file.read()


def write_text(path, text):
    with open(path, 'w', encoding='latin-1', newline='') as file:
        file.write(text)


# -- The possible changes to a header, found from its tokens ----------------------------------------------

TOKEN = re.compile(r'''(?P<other>/\*.*?\*/|\#(?:\\\n|[^\n])*|\s)
                     | (?P<word>[A-Za-z_]\w*)
                     | (?P<number>0x[0-9A-Fa-f]+|\d*\.?\d+(?:e[-+]?\d+)?)(?P<suffix>[A-Za-z.]*)
                     | (?P<literal>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
                     | (?P<mark><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|[<>=!+\-*/%&|^]=|&&|\|\||.)''', re.S | re.X)
OPERATORS = {'<': ['<=', '>='], '<=': ['<', '>'], '>': ['>=', '<='], '>=': ['>', '<'], '==': ['!='], '!=': ['=='],
             '+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'], '%': ['/'], '<<': ['>>'], '>>': ['<<'], '&': ['|'],
             '|': ['&'], '^': ['|'], '&&': ['||'], '||': ['&&'], '+=': ['-=', '='], '-=': ['+='], '*=': ['/='],
             '/=': ['*='], '|=': ['='], '&=': ['=']}
SIGNS = {'++': '--', '--': '++', '!': '', '-': ''}
COMMUTATIVE = re.compile('md[25]__(f4_add|f4_mul|vec3_dot)')  # the order of their arguments does not matter
NO_STATEMENTS = set('if for while do switch return case default const static else goto typedef struct'.split())
Change = collections.namedtuple('Change', 'header line function start end by')


def find_end(tokens, start, mark):
    """Returns the position of the first `mark` outside of parentheses and braces: the token that closes tokens[start],
    or the semicolon of a statement."""
    depth = 0
    for i in range(start, len(tokens)):
        depth += (tokens[i].group() in '({') - (tokens[i].group() in ')}')
        if depth == 0 and tokens[i].group() == mark:
            return tokens[i].start()
    return tokens[-1].start()


def change_number(token):
    """Yields the number minus 1 and plus 1."""
    text, suffix = token['number'], token['suffix']
    for step in (-1, 1):
        if re.search('[.e]', text + suffix) and text[:2] != '0x':
            yield f'{float(text) + step!r}' + suffix.strip('.')
        elif int(text, 0) + step >= 0:
            yield (hex if text[:2] == '0x' else str)(int(text, 0) + step) + suffix


def change_token(source, tokens, i):
    """Yields replacements for parts of the source: (start, end, by)."""
    one, text, following = tokens[i], tokens[i].group(), tokens[i + 1]
    is_spaced = source[one.start() - 1] in ' \n' and source[one.end()] in ' \n'  # so it has two operands
    others = OPERATORS.get(text, []) if is_spaced else [SIGNS[text]] if text in SIGNS else []
    if one['number']:
        others = change_number(one)
    if text in ('true', 'false'):
        others = ['false' if text == 'true' else 'true']
    for by in others:
        yield one.start(), one.end(), by
    if text in ('if', 'while'):
        start, end = tokens[i + 1].end(), find_end(tokens, i + 1, ')')
        for by in ('0 && ', '1 || ')[:2 if text == 'if' else 1]:
            yield start, end, f'{by}({source[start:end]})'
    call = re.compile(r'\(\s*(\w+), (\w+)(?=[,)])').match(source, one.end()) if one['word'] else None
    if call and call[1] != call[2] and not COMMUTATIVE.fullmatch(text):
        yield call.start(1), call.end(2), f'{call[2]}, {call[1]}'
    begins = tokens[i - 1].group() in ';{}' and text not in NO_STATEMENTS
    if begins and (one['word'] or text in '*++--') and following.group() != '*' and not following['word']:
        yield one.start(), find_end(tokens, i, ';'), ''


FUNCTION = re.compile(r'\n(?!typedef|struct|enum)\w[^;{}#]*?(\w+)\([^;{}#]*\)\s*(\{\n.*?\n\})', re.S)


def find_changes(header, source):
    """Yields the changes inside of functions, whose bodies begin with a brace at the beginning of a line. The rest of
    the header's code is types, tables and shaders."""
    begin, end = source.find('End of the interface'), source.find('/* -- License')
    if os.path.basename(header) == 'md2_smooth.h':  # it has no interface section
        begin, end = 0, len(source)
    if begin < 0 or end < 0:
        stop(f'cannot find the ends of the implementation of {header}')
    for body in FUNCTION.finditer(source, begin, end):
        tokens = [one for one in TOKEN.finditer(source, body.start(2), body.end()) if one.lastgroup != 'other']
        above = source.count('\n', 0, body.start(2)) + 1
        for i in range(1, len(tokens) - 1):
            line = above + source.count('\n', body.start(2), tokens[i].start())
            for start, stop_at, by in change_token(source, tokens, i):
                yield Change(header, line, body[1], start, stop_at, by)


# -- Programs ---------------------------------------------------------------------------------------------

def run(command, folder, seconds):
    """Returns True if a shell command succeeds within this many seconds of processor time, and within ten times as many
    (plus 60) by the clock."""
    limits = f'ulimit -c 0; ulimit -f 500000; ulimit -t {int(seconds) + 1};'
    with open(folder + '/log', 'wb') as log, \
         subprocess.Popen(limits + command, shell=True, cwd=folder, start_new_session=True, stdin=subprocess.DEVNULL,
                          stdout=log, stderr=log) as child:
        try:
            return child.wait(10 * seconds + 60) == 0
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            return False


class Program:
    """A test program. Its files with the implementation of the header are compiled for each change, all other files
    once for all programs, because no change is in the interface."""
    def __init__(self, header, name, compiler, arguments, folder):
        self.name, self.seconds, self.base_name = name, 300, os.path.basename(header)
        made = subprocess.run(['make', '-s', '--no-print-directory', 'files-' + name], capture_output=True, text=True,
                              check=True).stdout.split()
        files = [word for word in made if word[0] != '-']
        self.changing = [one for one in files if f'#define {self.base_name[:3].upper()}_IMPLEMENTATION' in read_text(one)]
        self.compiler = compiler + ' ' + ' '.join(word for word in made if word[0] == '-')
        self.sanitized = 'sanitized_' * (compiler == SANITIZED)
        self.linking = f'{compiler} -o fresh/{name} {" ".join(self.object_of(one) for one in files)} -lm'
        memory = '' if self.sanitized else 'ulimit -v 4000000;'  # the sanitizer reserves terabytes of addresses
        self.running = f'{memory} CHECK_STOP=1 ASAN_OPTIONS=detect_leaks=0 exec fresh/{name} {arguments}'
        self.lines = self.find_lines()
        others = [one for one in files if not os.path.exists(f'{folder}/{self.object_of(one)}')]
        if not self.changing or not all(self.compile(one, folder) for one in others):
            stop(f'{name} does not compile:\n' + read_text(folder + '/log')[-2000:])

    def object_of(self, file):
        return f'{self.sanitized}{self.base_name if file in self.changing else ""}{file.replace("/", "_")}.o'

    def find_lines(self):
        """Returns the numbers of the header's lines that the preprocessor keeps."""
        lines, number, inside = set(), 0, False
        output = subprocess.run(f'{self.compiler} -E {" ".join(self.changing)}', shell=True, capture_output=True,
                                encoding='latin-1', check=False).stdout
        for line in output.split('\n'):
            mark = re.match(r'# (\d+) "([^"]*)"', line)
            if mark:
                number, inside = int(mark[1]), os.path.basename(mark[2]) == self.base_name
                continue
            if inside and line.strip():
                lines.add(number)
            number += 1
        return lines

    def compile(self, file, folder):
        return run(f'{self.compiler} -c -o {self.object_of(file)} {file}', folder, 120)

    def build(self, folder):
        """Builds the program in a new folder, so that it finds no files of an earlier program."""
        shutil.rmtree(folder + '/fresh', ignore_errors=True)
        os.mkdir(folder + '/fresh')
        return all(self.compile(one, folder) for one in self.changing) and run(self.linking, folder, 120)

    def passes(self, folder):
        return run(self.running, folder, self.seconds)


def prepare(folder, header):
    """Builds the programs for a header and runs them once without a change. Later, each may take four times as long."""
    programs = [Program(header, *words, folder) for words in PROGRAMS[header]]
    for one in programs:
        begun = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        if not one.build(folder) or not one.passes(folder):
            stop(f'{one.name} fails without a change:\n' + read_text(folder + '/log')[-2000:])
        one.seconds = 4 * (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begun) + 2
    return programs


def find_verdict(folder, programs, change, source):
    """Returns the name of the program that notices a change, "nothing", or "no compiler" if it does not compile."""
    write_text(f'{folder}/{change.header}', source[:change.start] + change.by + source[change.end:])
    programs = [one for one in programs if change.line in one.lines]
    verdict = 'nothing' if programs[0].build(folder) else 'no compiler'
    for one in programs:
        if verdict == 'nothing' and not ((one is programs[0] or one.build(folder)) and one.passes(folder)):
            verdict = one.name
    write_text(f'{folder}/{change.header}', source)
    return verdict


# -- The main program -------------------------------------------------------------------------------------

def print_change(change, source):
    start, end = source.rindex('\n', 0, change.start) + 1, source.index('\n', change.end)
    changed = source[start:change.start] + change.by + source[change.end:end]
    print(f'{change.header}:{change.line}: {change.function}\n  - {source[start:end].strip()}\n  + {changed.strip()}')


def try_all(settings, work, sources):
    """Returns how many changes each program noticed. Each thread works in its own folder."""
    shutil.copytree('tests', work + '/first/tests')
    for header in sources:
        shutil.copy(header, f'{work}/first/{header}')
    programs = {header: prepare(work + '/first', header) for header in sources}
    changes = [one for header in sources for one in find_changes(header, sources[header])
               if any(one.line in program.lines for program in programs[header]) and
               (not settings.functions or one.function in settings.functions.split(','))]
    changes.sort(key=lambda one: hashlib.md5(f'{settings.seed} {one}'.encode()).digest())
    count = settings.count or len(changes)
    print(f'mutate: {len(changes)} changes are possible in {len({one[:3:2] for one in changes})} functions')

    jobs, folders, totals, begun = int(os.environ.get('JOBS') or 2), queue.Queue(), collections.Counter(), time.time()
    for number in range(jobs):
        shutil.copytree(work + '/first', f'{work}/{number}')
        folders.put(f'{work}/{number}')

    def try_one(change):
        folder = folders.get()
        verdict = find_verdict(folder, programs[change.header], change, sources[change.header])
        folders.put(folder)
        return change, verdict

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for change, verdict in pool.map(try_one, changes[:count]):
            totals[verdict] += 1
            if verdict == 'nothing':
                print_change(change, sources[change.header])
    print(f'mutate: tried in {time.time() - begun:.0f} s')
    return totals


def find_probability(noticed, tried, fraction):
    """Returns the probability that at most `noticed` changes of a sample are noticed, if this fraction of all changes
    would be noticed (binomial distribution)."""
    return sum(math.comb(tried, i) * fraction ** i * (1 - fraction) ** (tried - i) for i in range(noticed + 1))


def main():
    sys.stdout.reconfigure(line_buffering=True)
    os.environ.pop('MODELS', None)  # reading the models for each change would take too long
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n', maxsplit=1)[0])
    parser.add_argument('--count', type=int, default=150, help='number of changes, chosen at random; 0 means all')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--percent', type=int, default=88, help='percentage of all changes that must be '
                        'noticed; a sample fails if it would be one of the worst hundredth at that percentage')
    parser.add_argument('--functions', default='', help='only in these functions: md2__fail,md2__fail_at')
    parser.add_argument('--work', default='build/mutants', help='a folder in which each run creates its own folder')
    settings = parser.parse_args()
    os.makedirs(settings.work, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=settings.work) as work:
        totals = try_all(settings, os.path.abspath(work), {header: read_text(header) for header in PROGRAMS})

    invalid, unnoticed = totals.pop('no compiler', 0), totals.pop('nothing', 0)
    noticed = sum(totals.values())
    percent = 100 * noticed / max(noticed + unnoticed, 1)
    by_what = ', '.join(f'{number} by {name}' for name, number in totals.most_common())
    print(f'mutate: {noticed} of {noticed + unnoticed} changes are noticed ({percent:.1f} %): {by_what}; '
          f'{invalid} more do not compile')
    is_broken = find_probability(noticed, noticed + unnoticed, settings.percent / 100) < 0.01 or not noticed
    if is_broken:
        print(f'mutate: FAIL: too few are noticed; expected {settings.percent} %. '
              'Do the programs still test the changed header?')
    print(f'{noticed} passed, {int(is_broken)} failed')
    return is_broken


if __name__ == '__main__':
    sys.exit(main())
