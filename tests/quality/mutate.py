#!/usr/bin/env python3
"""Makes small changes to the headers, one at a time, and counts how many of them the tests notice. A change
that does not compile does not count; one that makes a test fail, crash or run for too long is noticed. Changes
that no test notices are printed, unless tests/quality/mutants.txt says why nobody can.

Runs from the repository's root, on POSIX; JOBS=2 in the environment tries so many at a time. Public domain."""
import argparse
import bisect
import hashlib
import multiprocessing
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor

HEADERS = ['md2.h', 'md5.h']
QUICK_CODE = 'gcc -O1 -g0 -w'
SANITIZER = QUICK_CODE + ' -fsanitize=address,undefined -fno-sanitize-recover=all'
KINDS = 'condition, comparison, logic, arithmetic, constant, swap, statement'


def stop(message):
    print(f'mutate: {message}\n0 passed, 1 failed')
    sys.exit(1)


def read_text(path):
    with open(path, encoding='latin-1', newline='') as file:
        return file.read()


def write_text(path, text):
    with open(path, 'w', encoding='latin-1', newline='') as file:
        file.write(text)


# -- The changes to a header, found by its tokens ---------------------------------------------------------

TOKEN = re.compile(r'''(?P<other>/\*.*?\*/|\#(?:\\\n|[^\n])*|\s)
                     | (?P<word>[A-Za-z_]\w*)
                     | (?P<number>0x[0-9A-Za-z.]*|(?:\d|\.\d)(?:[A-Za-z0-9.]|(?<=[eE])[-+])*)
                     | (?P<literal>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
                     | (?P<mark><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|[<>=!+\-*/%&|^]=|&&|\|\||.)''', re.S | re.X)

OPERATORS = [
    ('comparison', [('<', '<='), ('<', '>='), ('<=', '<'), ('<=', '>'), ('>', '>='), ('>', '<='), ('>=', '>'),
                    ('>=', '<'), ('==', '!='), ('!=', '==')]),
    ('arithmetic', [('+', '-'), ('-', '+'), ('*', '/'), ('/', '*'), ('%', '/'), ('<<', '>>'), ('>>', '<<'),
                    ('&', '|'), ('|', '&'), ('^', '|')]),
    ('logic', [('&&', '||'), ('||', '&&')]),
    ('arithmetic', [('+=', '-='), ('-=', '+='), ('*=', '/='), ('/=', '*='), ('|=', '='), ('&=', '='), ('+=', '='),
                    ('<<=', '>>='), ('>>=', '<<=')]),
]

# Of these the order of the arguments does not matter.
COMMUTATIVE = re.compile('md[25]__(f4_add|f4_mul|vec3_dot)')

# What begins a statement that is not removed.
OTHERS = set('if for while do switch return case default const static else goto typedef struct unsigned char'.split())


class Token:
    def __init__(self, kind, text, start, line):
        self.kind, self.text, self.start, self.end, self.line = kind, text, start, start + len(text), line
        self.depth, self.function = 0, None  # of braces; (number, name), or None outside


class Mutant:
    """The header from `start` to `end` becomes `by`. `change` is how mutants.txt writes it: 32 -> 31; `nth` is
    its number among the same changes of the function."""
    def __init__(self, header, kind, token, start, end, by, change):
        self.header, self.kind, self.line = header, kind, token.line
        self.start, self.end, self.by, self.change = start, end, by, change
        self.owner = token.function or (0, 'tables')
        self.function, self.nth, self.excuse, self.is_equal = self.owner[1], 1, None, False


def function_name(tokens):
    """The name of the function whose body follows the last token, a closing parenthesis."""
    depth = 0
    for i in range(len(tokens) - 1, 0, -1):
        depth += (tokens[i].text == ')') - (tokens[i].text == '(')
        if depth == 0:
            return tokens[i - 1].text
    return tokens[0].text


def split(source, compiled):
    """The code of the implementation that is compiled, without comments and the preprocessor."""
    begin, end = source.find('End of the interface'), source.find('/* -- Licence')
    if begin < 0 or end < 0:
        stop('cannot find the ends of the implementation')
    line_starts = [0] + [match.end() for match in re.finditer('\n', source)]
    tokens, depth, function, count = [], 0, None, 0
    for match in TOKEN.finditer(source, source.index('\n', begin), end):
        if match.lastgroup == 'other':
            continue
        one = Token(match.lastgroup, match.group(), match.start(), bisect.bisect(line_starts, match.start()))
        if not compiled[one.line]:
            continue
        depth -= one.text == '}'
        if one.text == '{' and depth == 0:
            count += 1
            function = (count, function_name(tokens)) if tokens and tokens[-1].text == ')' else None
        one.depth = depth
        one.function = function if depth > 0 else None
        depth += one.text == '{'
        tokens.append(one)
    return tokens


class Changes:
    """All changes to the lines of a header that are compiled."""
    def __init__(self, header, source, compiled):
        self.header, self.source, self.tokens, self.list = header, source, split(source, compiled), []
        outside = 0
        for i in range(1, len(self.tokens) - 1):
            one = self.tokens[i]
            if one.kind == 'mark' and one.function:
                self.change_operator(one)
                self.change_sign(one)
            if one.kind == 'number' and (one.function or one.depth):
                tried = bool(one.function)
                if not tried:
                    tried, outside = outside % 8 == 0, outside + 1
                in_sizeof = i >= 3 and self.tokens[i - 3].text == 'sizeof'  # the 0 of x[0]
                if tried and not in_sizeof and not self.is_never_shown(i):
                    self.change_number(one)
            if one.function:
                if one.text in ('true', 'false'):
                    self.replace('constant', one, 'false' if one.text == 'true' else 'true')
                self.change_condition(i)
                self.swap_arguments(i)
            self.remove_statement(i)

    def add(self, kind, token, start, end, by, change):
        one = Mutant(self.header, kind, token, start, end, by, change)
        for other in reversed(self.list):
            if other.owner != one.owner:
                break
            one.nth += other.change == change
        self.list.append(one)

    def replace(self, kind, one, by):
        self.add(kind, one, one.start, one.end, by, f'{one.text} -> {by or "nothing"}')

    def is_spaced(self, one):
        return self.source[one.start - 1] in ' \n' and self.source[one.end] in ' \n'

    def is_lesser_or_greater(self, one):
        """a < b ? a : b, which gives the same for equal operands under <=. The operands have no blanks."""
        start = max(self.source.rfind(' ', 0, one.start - 1), self.source.rfind('(', 0, one.start - 1)) + 1
        found = re.match(r'(\S+)\s+\S+\s+(\S+)\s+\?\s*(\S+)\s+:\s*([^;, )]+)', self.source[start:start + 300])
        return bool(found) and {found[1], found[2]} == {found[3], found[4]}

    def change_operator(self, one):
        """Operators between two operands; the style of the headers has blanks around these alone."""
        if not self.is_spaced(one):
            return
        for kind, changes in OPERATORS:
            for old, new in changes:
                if one.text != old:
                    continue
                by_equality = kind == 'comparison' and len(old) != len(new) and old[0] == new[0] and '=' not in old[0]
                if not (by_equality and self.is_lesser_or_greater(one)):
                    self.replace(kind, one, new)

    def change_sign(self, one):
        if one.text in ('++', '--'):
            self.replace('arithmetic', one, '--' if one.text == '++' else '++')
        if one.text == '!':
            self.replace('logic', one, '')
        if one.text == '-' and not self.is_spaced(one):
            self.replace('arithmetic', one, '')

    def change_number(self, one):
        """One less and one more."""
        hexadecimal = one.text.startswith('0x')
        for step in (-1, 1):
            if not hexadecimal and re.search('[.eE]', one.text):
                digits = re.match(r'\d*\.?\d*(?:[eE][-+]?\d+)?', one.text)[0]
                by = '%.9g' % (float(digits) + step)
                by += '' if re.search('[.e]', by) else '.0'
            else:
                digits = re.match(r'0x[0-9A-Fa-f]+|\d+', one.text)[0]
                value = int(digits, 16 if hexadecimal else 8 if re.match('0[0-7]', digits) else 10)
                if value == 0 and step < 0:
                    continue
                by = ('0x%x' if hexadecimal else '%d') % ((value + step) % 2**64)
            self.replace('constant', one, by + one.text[len(digits):])

    def closing(self, start):
        """The parenthesis that closes the one at `start`."""
        depth = 0
        for i in range(start, len(self.tokens)):
            depth += (self.tokens[i].text == '(') - (self.tokens[i].text == ')')
            if depth == 0:
                return i
        return len(self.tokens) - 1

    def is_never_shown(self, i):
        """A sentence of md2__fail and its like shows each number where it has a #, and the last where it has two."""
        depth, sentences, signs, is_last = 0, 0, 0, self.tokens[i + 1].text == ')'
        while i > 0 and depth >= 0:
            one = self.tokens[i]
            depth += (one.text == ')') - (one.text == '(')
            if one.kind == 'literal' and depth == 0:
                sentences, signs = sentences + 1, signs + one.text.count('#')
            i -= 1
        return sentences > 0 and signs <= is_last and self.tokens[i].text[3:9] == '__fail'

    def change_condition(self, i):
        """A condition that never holds, and one that always does."""
        one = self.tokens[i]
        if one.text not in ('if', 'while') or self.tokens[i + 1].text != '(':
            return
        start, end = self.tokens[i + 1].end, self.tokens[self.closing(i + 1)].start
        condition = self.source[start:end]
        self.add('condition', one, start, end, f'0 && ({condition})', f'{one.text} -> never')
        if one.text == 'if':
            self.add('condition', one, start, end, f'1 || ({condition})', 'if -> always')

    def swap_arguments(self, i):
        """The first two arguments of a call, if they are words or numbers."""
        part = self.tokens[i:i + 6]
        if (len(part) < 6 or part[0].kind != 'word' or part[1].text != '(' or part[3].text != ',' or
                part[5].text not in '),' or part[2].text == part[4].text or
                any(part[k].kind not in ('word', 'number') for k in (2, 4))):
            return
        self.add('swap', part[0], part[2].start, part[4].end, f'{part[4].text}, {part[2].text}', 'arguments -> swapped')
        self.list[-1].is_equal = bool(COMMUTATIVE.fullmatch(part[0].text))

    def remove_statement(self, i):
        """An assignment, a call, a break or a return of nothing."""
        one, following = self.tokens[i], self.tokens[i + 1]
        if not one.function or self.tokens[i - 1].text not in (';', '{', '}'):
            return
        if one.kind == 'word':
            empty_return = one.text == 'return' and following.text == ';'
            if (one.text in OTHERS and not empty_return) or following.kind == 'word' or following.text == '*':
                return
        elif one.text not in ('++', '--', '*'):
            return
        depth = 0
        for end in self.tokens[i:]:
            if depth == 0 and end.text == ';':
                self.add('statement', one, one.start, end.start, '', 'statement -> nothing')
                return
            depth += (end.text in ('(', '{')) - (end.text in (')', '}'))
            if depth < 0:
                return


# -- Explanations -----------------------------------------------------------------------------------------

class Excuse:
    """A line of mutants.txt: "function: 2nd 32 -> 31". A function of md2.h stands for that of md5.h, too."""
    def __init__(self, function, nth, change, vectors):
        self.function, self.nth, self.change, self.vectors = function, nth, change, vectors
        self.found = self.used = False

    def is_about(self, one):
        same = self.function == one.function or (one.function.startswith('md5') and
                                                 self.function == 'md2' + one.function[3:])
        return same and self.nth == one.nth and self.change == one.change


def read_excuses(path):
    """"function: 2nd 32 -> 31 or 33" is two entries."""
    excuses, vectors = [], False
    for line in read_text(path).split('\n'):
        entry = re.match(r'(md.*?): (?:(\d+)(?:st|nd|rd|th) )?(.*?) -> (.*)', line)
        if entry:
            excuses += [Excuse(entry[1], int(entry[2] or 1), f'{entry[3]} -> {by}', vectors)
                        for by in entry[4].split(' or ')]
        else:
            vectors = line == 'with vectors'
    return excuses


def print_change(one):
    ending = {2: 'nd', 3: 'rd'}.get(one.nth, 'th')
    print(f'{one.function}: {f"{one.nth}{ending} " if one.nth > 1 else ""}{one.change}')


# -- Programs ---------------------------------------------------------------------------------------------

TOO_LONG = -signal.SIGXCPU


def run(command, seconds):
    """The exit status of a command of the shell; TOO_LONG after so many seconds of processor time, or many more by
    the clock: others may use the processor. Another signal gives -1."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds + 1)))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (256 << 20, 256 << 20))
    child = subprocess.Popen(command, shell=True, start_new_session=True, preexec_fn=limit, stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        status = child.wait(20 * seconds + 60)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        status = TOO_LONG
    return status if status == TOO_LONG or 0 <= status < 128 else -1


class Program:
    """The files with the implementation are compiled for each change, all others once: a change is never in
    the interface."""
    def __init__(self, header, name, arguments=''):
        self.header, self.name, self.arguments = header, name, arguments
        self.active, self.seconds = set(), 0.0  # lines of the header that it compiles; to run it without a change
        self.noticed = []  # lines of changes
        made = subprocess.run(['make', '-s', '--no-print-directory', 'files-' + name], capture_output=True, text=True,
                              check=False)
        words = made.stdout.split()
        self.includes = ' '.join(word for word in words if word[0] == '-')
        self.files = [word for word in words if word[0] != '-']
        self.changing = [file for file in self.files
                         if f'#define {header[:3].upper()}_IMPLEMENTATION' in read_text(file)]
        if made.returncode or not self.changing:
            stop(f'make knows no files of {name} with the implementation of {header}')

    def compiler(self, cc):
        return f'cd {settings.work} && {cc} {"" if settings.simd else "-DMD2_NO_SIMD -DMD5_NO_SIMD"} {self.includes}'

    def compile(self, cc):
        objects = []
        for file in self.files:
            changing = file in self.changing
            objects.append(f'{"sanitized_" * (cc == SANITIZER)}{self.header * changing}{file.replace("/", "_")}.o')
            if changing or not os.path.exists(f'{settings.work}/{objects[-1]}'):
                with_cc = cc if changing or cc == SANITIZER else QUICK_CODE
                if run(f'{self.compiler(with_cc)} -c -o {objects[-1]} {file}', 120) != 0:
                    return False
        return run(f'{self.compiler(cc)} -o {self.name} {" ".join(objects)} -lm', 120) == 0

    def execute(self, sanitized, seconds):
        """A runaway may not take all memory, but the sanitizers reserve addresses without end."""
        limit = '' if sanitized else 'ulimit -v 4000000;'
        return run(f'cd {settings.work} && {limit} CHECK_STOP=1 UBSAN_OPTIONS=halt_on_error=1 '
                   f'ASAN_OPTIONS=detect_leaks=0 exec ./{self.name} {self.arguments}', seconds)

    def find_active(self):
        self.active, number, inside = set(), 0, False
        output = subprocess.run(f'{self.compiler(settings.cc)} -E {" ".join(self.changing)}', shell=True,
                                capture_output=True, encoding='latin-1', check=False).stdout
        for line in output.split('\n'):
            mark = re.match(r'#(?:line)? (\d+) "([^"]*)"', line)
            if mark:
                number, inside = int(mark[1]), os.path.basename(mark[2]) == self.header
                continue
            if inside and line.strip():
                self.active.add(number)
            number += 1


def prepare():
    """The quick ones first: the fake GL is for what is compiled nowhere else."""
    shutil.rmtree(settings.work, ignore_errors=True)
    settings.work += '/first'
    os.makedirs(settings.work + '/gl')
    os.makedirs(settings.work + '/hashed')
    for header in HEADERS:
        shutil.copy(header, settings.work)
    shutil.copytree('tests', settings.work + '/tests')
    programs = [Program('md2.h', 'test_md2'), Program('md2.h', 'test_gl_mock', '--folder=gl'),
                Program('md2.h', 'test_nulls', '--folder=gl'),
                Program('md2.h', 'torture_md2', '--quick'), Program('md2.h', 'hashes', '--folder=hashed'),
                Program('md5.h', 'test_md5', '--quick'), Program('md5.h', 'test_gl_mock', '--folder=gl'),
                Program('md5.h', 'test_nulls', '--folder=gl'),
                Program('md5.h', 'torture_md5', '--quick'), Program('md5.h', 'hashes', '--folder=hashed')]
    for one in programs:
        if settings.header not in (None, one.header):
            continue
        if not one.compile(QUICK_CODE):
            stop(f'{one.name} does not compile')
        begun = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        if one.execute(False, 300) != 0:
            stop(f'{one.name} fails without a change')
        one.seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begun
        print(f'mutate: {one.name} of {one.header} takes {one.seconds:.2f} s')
    return programs


# -- The verdict on one -----------------------------------------------------------------------------------

def is_worth_running(programs, one, mutant):
    if one.header != mutant.header or mutant.line not in one.active:
        return False
    before = programs[:programs.index(one)] if one.name == 'test_gl_mock' else []
    return not any(other.header == mutant.header and mutant.line in other.active for other in before)


def try_programs(programs, line, cc, brief=False):
    """'invalid', 'noticed' or 'survived', and which programs did not end: if brief, the slow ones run for a second.
    The first is what noticed a change near this line before."""
    unfinished = []
    programs.sort(key=lambda one: min((abs(line - other) for other in one.noticed), default=10**6))
    for one in programs:
        if not one.compile(cc):
            return 'invalid' if one is programs[0] else 'noticed', []
        a_second = brief and one.seconds > 1
        slower = {SANITIZER: 80 * one.seconds + 20, QUICK_CODE: 4 * one.seconds}.get(cc, 8 * one.seconds) + 2
        status = one.execute(cc == SANITIZER, 1 if a_second else slower)
        if a_second and status == TOO_LONG:
            unfinished.append(one)
        elif status != 0:
            one.noticed.append(line)
            return 'noticed', []
    return 'survived' if programs else 'invalid', unfinished


def try_mutant(programs, source, mutant, sanitized):
    """Most are noticed at once by one of the programs, so each is first tried as what is quickly compiled."""
    write_text(f'{settings.work}/{mutant.header}', source[:mutant.start] + mutant.by + source[mutant.end:])
    worth = [one for one in programs if is_worth_running(programs, one, mutant)]
    if sanitized:
        return try_programs(worth, mutant.line, SANITIZER)[0]
    verdict, unfinished = try_programs(worth, mutant.line, settings.cc, True)
    return try_programs(unfinished, mutant.line, QUICK_CODE)[0] if unfinished else verdict


def begin_worker():
    own = f'{os.path.dirname(settings.work)}/{os.getpid()}'
    shutil.copytree(settings.work, own)
    settings.work = own


def find_verdict(mutant):
    programs, source, verdict = settings.programs, settings.sources[mutant.header], 'survived'
    if not mutant.excuse or not settings.trust:
        verdict = try_mutant(programs, source, mutant, False)
    if verdict == 'survived' and settings.second_look and not mutant.excuse:
        if try_mutant(programs, source, mutant, True) != 'survived':
            verdict = 'noticed'
    write_text(f'{settings.work}/{mutant.header}', source)
    return verdict


class Totals:
    made = noticed = excused = invalid = unexplained = conditions = 0


def tell(verdict, source, mutant, totals):
    totals.invalid += verdict == 'invalid'
    totals.made += verdict != 'invalid'
    totals.noticed += verdict == 'noticed'
    if verdict != 'survived':
        return
    if mutant.excuse:
        mutant.excuse.used = True
        totals.excused += 1
        return
    totals.unexplained += 1
    totals.conditions += mutant.kind == 'condition'
    print(f'{mutant.header}:{mutant.line}: {mutant.kind}')
    print_change(mutant)
    print(f'    {source[:source.index(chr(10), mutant.start)].rsplit(chr(10), 1)[-1].strip()}')


# -- All of it --------------------------------------------------------------------------------------------

def compiled_lines(programs, header):
    lines = set()
    for one in programs:
        if one.header == header:
            one.find_active()
            lines |= one.active
    return lines


def collect(programs, excuses, header, source):
    """Scalar code is active in the SIMD build too: with --simd only lines that are active in nothing else."""
    plain = set()
    if settings.simd:
        settings.simd = False
        plain = compiled_lines(programs, header)
        settings.simd = True
    lines = compiled_lines(programs, header)
    changes = Changes(header, source, [number in lines for number in range(source.count('\n') + 3)]).list
    for one in changes:
        one.excuse = next((excuse for excuse in excuses if excuse.is_about(one)), None)
        if one.excuse:
            one.excuse.found = True
    return [one for one in changes
            if one.line in lines and one.line not in plain and not one.is_equal and
            (not settings.functions or one.function in settings.functions.split(',')) and
            (not settings.kinds or one.kind in settings.kinds.split(','))]


def count_stale(excuses, complete):
    """Entries of mutants.txt that match no change at all, and after a complete run those that a test notices."""
    stale = [one for one in excuses if not settings.header and one.vectors == settings.simd and
             not (one.found and (one.used or not complete))]
    for one in stale:
        print(f'mutate: explained, but {"noticed" if one.found else "not in the headers"}: ', end='')
        print_change(one)
    return len(stale)


def report(totals, excuses, complete):
    counted, stale = totals.made - totals.excused, count_stale(excuses, complete)
    percent = 100 * totals.noticed / counted if counted else 0
    print(f'mutate: {totals.made} changes, {totals.noticed} noticed ({percent:.1f} % of those that could be), '
          f'{totals.excused} explained, {totals.unexplained} unexplained, {totals.conditions} of them checks; '
          f'{totals.invalid} more did not compile; {len(excuses)} entries explain, {stale} of them nothing')
    enough = percent >= settings.percent
    if not enough:
        print(f'mutate: FAIL: fewer than {settings.percent} % noticed')
    if totals.conditions:
        print('mutate: FAIL: checks that no test misses')
    passed = enough + (not totals.conditions) + (not stale)
    print(f'{passed} passed, {3 - passed} failed')
    return passed < 3


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n', maxsplit=1)[0])
    parser.add_argument('--count', type=int, default=200, help='this many changes, chosen at random; 0 is all')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--percent', type=int, default=90, help='that must be noticed')
    parser.add_argument('--header', choices=HEADERS)
    parser.add_argument('--functions', help='only in these: md2__fail,md2__fail_at')
    parser.add_argument('--kinds', help='only these: ' + KINDS)
    parser.add_argument('--trust', action='store_true', help='skips the changes that mutants.txt explains')
    parser.add_argument('--simd', action='store_true', help='only the lines that MD2_NO_SIMD and MD5_NO_SIMD leave out')
    parser.add_argument('--no-second-look', dest='second_look', action='store_false',
                        help='does not try survivors again under sanitizers, which notice reads out of bounds')
    parser.add_argument('--cc')
    parser.add_argument('--work', default='build/mutate')
    arguments = parser.parse_args()
    arguments.cc = arguments.cc or ('gcc -O0 -w' if arguments.simd else 'tcc')
    return arguments


def main():
    sys.stdout.reconfigure(line_buffering=True)
    os.environ.pop('MODELS', None)  # which would be read again for each change
    excuses, chosen = read_excuses('tests/quality/mutants.txt'), []
    programs = settings.programs = prepare()
    sources = settings.sources = {header: read_text(header) for header in HEADERS}
    for header in HEADERS:
        if settings.header in (None, header):
            chosen += collect(programs, excuses, header, sources[header])
            print(f'mutate: {header}: {len(chosen)} changes are possible so far')
    chosen.sort(key=lambda one: hashlib.md5(f'{settings.seed} {one.header} {one.start} {one.change}'.encode()).digest())
    count = min(settings.count or len(chosen), len(chosen))
    totals, begun = Totals(), time.time()
    jobs, fork = int(os.environ.get('JOBS') or 2), multiprocessing.get_context('fork')
    with ProcessPoolExecutor(jobs, fork, begin_worker) as pool:
        for i, (mutant, verdict) in enumerate(zip(chosen, pool.map(find_verdict, chosen[:count])), 1):
            tell(verdict, sources[mutant.header], mutant, totals)
            if i % 25 == 0:
                print(f'mutate: {i} tried in {time.time() - begun:.0f} s, {totals.unexplained} unexplained')
    return report(totals, excuses, count == len(chosen) and not settings.functions and not settings.kinds)


settings = read_arguments()
sys.exit(main())
