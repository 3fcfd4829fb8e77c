"""bench_check.py PROGRAM CHARACTER-FOLDER OUTPUT-FOLDER: how many instructions md2.h and md5.h take for what has to be
fast, compared with tests/tools/bench/bench_counts.txt. PROGRAM.sse2 and PROGRAM.plain are builds of bench_counts.c.
BENCH_RECORD=1 writes that file anew. Public domain."""
import os
import re
import subprocess
import sys

RECORD, TOLERANCE = 'tests/tools/bench/bench_counts.txt', 3
program, character, out = sys.argv[1:]


def finish(passed, failed):
    print('%d passed, %d failed' % (passed, failed))
    sys.exit(failed > 0)


def add_up(path, build):
    """Only what runs in functions of the libraries counts: the C library's differ from one processor to the next."""
    totals, names, ours, skipped = {}, {}, False, False
    with open(path, encoding='utf-8') as file:
        for line in file:
            if line.startswith('desc: Trigger: '):
                kernel = re.match('desc: Trigger: Client Request: (.*)', line)
                kernel = kernel and '%s %s' % (build, kernel[1])
            function = re.match(r'(c?)fn=(\S+)(?: (\S+))?', line)
            if function:
                name = names.setdefault(function[2], function[3])
                ours = ours if function[1] else bool(kernel and re.match('md[25]_', name))
            elif re.match('[-+*0-9]', line) and ours and not skipped:
                totals[kernel] = totals.get(kernel, 0) + int(line.split()[1])
            skipped = line.startswith('calls=')     # what is behind it is the callee's
    return totals


def count(build):
    """The counts of a build, and its compiler."""
    dump = out + '/bench_counts.callgrind'
    done = subprocess.run(['valgrind', '--quiet', '--tool=callgrind', '--combine-dumps=yes', '--callgrind-out-file=' + dump,
                           program + '.' + build, character], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        print(done.stdout)
        finish(0, 1)
    return add_up(dump, build), re.search('^compiler (.*)', done.stdout, re.M)[1]


def compare(what, now, old):
    if not now or not old:
        print('%-28s %10d  is new, or gone' % (what, now or old))
        return False
    change = (now - old) * 100 / old
    good = abs(change) <= TOLERANCE
    print('%-28s %10d  %+6.1f %%%s' % (what, now, change, '' if good else '  SLOWER' if change > 0 else '  faster: record it'))
    return good


counts, compiler = count('sse2')
counts.update(count('plain')[0])
table = ''.join('%s %d\n' % entry for entry in counts.items())
if os.environ.get('BENCH_RECORD'):
    with open(RECORD, 'w', encoding='utf-8') as file:
        file.write('# Instructions that md2.h and md5.h take (make bench COUNTS=1; to record anew: make '
                   'record WHAT=counts).\ncompiler %s\n%s' % (compiler, table))
with open(RECORD, encoding='utf-8') as file:
    recorded = [line.split(maxsplit=1) for line in file.read().splitlines()[1:]]
if recorded[0][1] != compiler:
    print(table + 'SKIPPED: another compiler makes other instructions. %s has those of %s; above are those of %s.' % (
        RECORD, recorded[0][1], compiler))
    print('0 passed, 0 failed, 1 skipped')
    sys.exit(0)
old = {'%s %s' % (build, rest.split()[0]): int(rest.split()[1]) for build, rest in recorded[1:]}
verdicts = [compare(what, counts.get(what, 0), old.get(what, 0)) for what in {**counts, **old}]
finish(sum(verdicts), len(verdicts) - sum(verdicts))
