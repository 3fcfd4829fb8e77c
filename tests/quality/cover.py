"""cover.py FOLDER HEADER...: builds and runs the tests in FOLDER, and measures with gcov which lines and branches of
the headers have run. A header is part of several programs, with and without SIMD; a line or branch counts if it ran in
any of them. Prints all lines that never ran, and with BRANCHES set also the lines of branches that were never taken.
Fails if less than LINES_PERCENT of the lines or BRANCHES_PERCENT of the branches ran, or if the headers together have
fewer than COVER_FLOOR lines of code. Public domain."""
import collections
import glob
import json
import os
import shutil
import subprocess
import sys

LINES_PERCENT, BRANCHES_PERCENT, FLOOR = (float(os.environ[name])
                                          for name in ('LINES_PERCENT', 'BRANCHES_PERCENT', 'COVER_FLOOR'))
# Left out are the test chapters called work, whose macros add branches to the headers, and the recipes, which compile
# code without running it.
LEFT_OUT = '/work.', '/readme/'


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)


def find_counts(folder):
    return sorted(glob.glob(folder + '/obj/**/*.gcda', recursive=True))


def run_tests(folder):
    for path in find_counts(folder):
        os.remove(path)
    done = run(os.environ.get('MAKE', 'make'), '--no-print-directory', 'BUILD=' + folder, 'CC=gcc',
               'CFLAGS=-std=c99 -O0 --coverage', 'QUICK=1', 'test', env=dict(os.environ, MAKEFLAGS=''))
    if done.returncode:
        print(done.stdout + 'cover: the tests fail\n0 passed, 1 failed')
        sys.exit(1)


def read_counts(folder):
    """Returns for each file which lines ran, and which branches were taken. If a line has different numbers of branches
    in different programs, its code differs there, so the branches are counted separately for each number."""
    lines, branches = (collections.defaultdict(lambda: collections.defaultdict(bool)) for _ in range(2))
    gcov = shutil.which('gcov') or 'gcov-' + run('gcc', '-dumpversion').stdout.strip()
    for path in find_counts(folder):
        if any(part in path for part in LEFT_OUT):
            continue
        for file in json.loads(run(gcov, '--json-format', '--branch-probabilities', '--stdout', path).stdout)['files']:
            name = os.path.basename(file['file'])
            for line in file['lines']:
                number, line_branches = line['line_number'], line['branches']
                lines[name][number] |= line['count'] > 0
                for i, branch in enumerate(line_branches):
                    branches[name][number, len(line_branches), i] |= branch['count'] > 0
    return lines, branches


def is_covered(header, lines, branches):
    with open(header, encoding='utf-8') as file:
        source = file.read().split('\n')
    for number in sorted(lines):
        taken = [is_taken for key, is_taken in branches.items() if key[0] == number]
        if not lines[number]:
            print(f'{header}:{number}: never ran: {source[number - 1]}')
        elif os.environ.get('BRANCHES') and not all(taken):
            print(f'{header}:{number}: {taken.count(False)} of {len(taken)} branches never taken: {source[number - 1]}')
    percents = [100 * sum(ran.values()) / max(len(ran), 1) for ran in (lines, branches)]
    print(f'cover: {header}: {len(lines)} lines, {percents[0]:.2f} % ran (at least {LINES_PERCENT:g}); '
          f'{len(branches)} branches, {percents[1]:.2f} % taken (at least {BRANCHES_PERCENT:g})')
    return percents[0] >= LINES_PERCENT and percents[1] >= BRANCHES_PERCENT


run_tests(sys.argv[1])
all_lines, all_branches = read_counts(sys.argv[1])
headers = {path: os.path.basename(path) for path in sys.argv[2:]}
covered = [is_covered(path, all_lines[name], all_branches[name]) for path, name in headers.items()]
line_count = sum(len(all_lines[name]) for name in headers.values())
covered.append(line_count >= FLOOR)
print(f'cover: {line_count} lines in all (at least {FLOOR:g})\n{sum(covered)} passed, {covered.count(False)} failed')
sys.exit(not all(covered))
