"""bench_check.py PROGRAM CHARACTER-FOLDER OUTPUT-FOLDER: counts the instructions of md2.h and md5.h in code that must
be fast, and compares the counts with tests/tools/bench/bench_counts.txt. PROGRAM.sse2 and PROGRAM.plain are builds of
bench_counts.c. With BENCH_RECORD=1, records the counts of this compiler. Public domain."""
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
    """Adds up instructions in functions of the libraries. The C library does not count, because its code depends on the
    processor."""
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
            skipped = line.startswith('calls=')     # the next line counts the instructions of the called function
    return totals


def count(build):
    """Returns the counts of a build, and its compiler."""
    dump = out + '/bench_counts.callgrind'
    done = subprocess.run(['valgrind', '--quiet', '--tool=callgrind', '--combine-dumps=yes', '--callgrind-out-file=' + dump,
                           program + '.' + build, character], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        print(done.stdout)
        finish(0, 1)
    return add_up(dump, build), re.search('^compiler (.*)', done.stdout, re.M)[1]


def read_records():
    """Returns the recorded counts of each compiler, by name."""
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
        file.write('# Instructions of md2.h and md5.h (make bench COUNTS=1). make record WHAT=counts replaces the counts of '
                   'the installed compiler.\n')
        for name, numbers in sorted(records.items()):
            file.write('compiler %s\n' % name + ''.join('%s %d\n' % entry for entry in numbers.items()))


def compare(what, now, old):
    """Prints a count and its change. Returns True if the count has not grown by more than the tolerance."""
    if not now or not old:
        print('%-28s %10d  %s' % (what, now or old, 'is not recorded' if now else 'is recorded, but no longer counted'))
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
    print(''.join('%s %d\n' % entry for entry in counts.items()) + 'SKIPPED: there is no record for this compiler. '
          '%s has records of %s; the counts above are of %s.' % (RECORD, ', '.join(recorded), compiler))
    print('0 passed, 0 failed, 1 skipped')
    sys.exit(0)
old = recorded[compiler]
verdicts = [compare(what, counts.get(what, 0), old.get(what, 0)) for what in {**counts, **old}]
finish(sum(verdicts), len(verdicts) - sum(verdicts))
