"""bench_check.py PROGRAM CHARACTER-FOLDER OUTPUT-FOLDER: how many instructions md2.h and md5.h take for what has to be
fast, compared with tests/tools/bench/bench_counts.txt. PROGRAM.sse2 and PROGRAM.plain are builds of bench_counts.c.
BENCH_RECORD=1 writes the counts of this compiler there. Public domain."""
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


def read_records():
    """Of each compiler, its counts by their names."""
    records, counts = {}, {}
    with open(RECORD, encoding='utf-8') as file:
        for line in file.read().splitlines()[1:]:
            first, rest = line.split(maxsplit=1)
            if first == 'compiler':
                counts = records[rest] = {}
            else:
                counts['%s %s' % (first, rest.split()[0])] = int(rest.split()[1])
    return records


def write_records(records):
    with open(RECORD, 'w', encoding='utf-8') as file:
        file.write('# Instructions that md2.h and md5.h take (make bench COUNTS=1). make record WHAT=counts replaces those of '
                   'the compiler that is here.\n')
        for name, numbers in sorted(records.items()):
            file.write('compiler %s\n' % name + ''.join('%s %d\n' % entry for entry in numbers.items()))


def compare(what, now, old):
    """Whether it takes no more than it did. Less is good news, and a reason to record it."""
    if not now or not old:
        print('%-28s %10d  is new, or gone' % (what, now or old))
        return False
    change = (now - old) * 100 / old
    is_slower = change > TOLERANCE
    print('%-28s %10d  %+6.1f %%%s' % (what, now, change, '  SLOWER' if is_slower else '  faster' if change < -TOLERANCE else ''))
    return not is_slower


counts, compiler = count('sse2')
counts.update(count('plain')[0])
recorded = read_records()
if os.environ.get('BENCH_RECORD'):
    recorded[compiler] = counts
    write_records(recorded)
if compiler not in recorded:
    print(''.join('%s %d\n' % entry for entry in counts.items()) + 'SKIPPED: another compiler makes other instructions. '
          '%s has those of %s; above are those of %s.' % (RECORD, ', '.join(recorded), compiler))
    print('0 passed, 0 failed, 1 skipped')
    sys.exit(0)
old = recorded[compiler]
verdicts = [compare(what, counts.get(what, 0), old.get(what, 0)) for what in {**counts, **old}]
finish(sum(verdicts), len(verdicts) - sum(verdicts))
