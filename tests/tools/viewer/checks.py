"""Functions for tests: checks with counts, programs that end, and comparison of pictures. Public domain."""
import os
import subprocess
import time

counts = {True: 0, False: 0}
state = {'test': '', 'part': ''}


def begin_part(name):
    """Sets the name of the current part of a test. It is printed with each failure."""
    state['part'] = name


def check(good, what, *details):
    counts[bool(good)] += 1
    if not good:
        print('failed: [%s] %s' % (': '.join(filter(None, state.values())), what), *details, flush=True)
    return good


def same(got, want, what):
    return check(got == want, what, 'is', repr(got), 'not', repr(want))


def at_least(count, floor, what):
    print('%s: %d (at least %d)' % (what, count, floor))
    return check(count >= floor, what)


def run_tests(tests, wanted, *arguments):
    """Runs functions named test_NAME whose name contains a word of `wanted`, or all. A test that raises an exception fails,
    and the next one runs. Returns the exit status."""
    for word in wanted:
        if not any(word in test.__name__[5:] for test in tests):
            check(False, 'no test has a name with ' + word)
    for test in tests:
        name, before, start = test.__name__[5:], counts[True], time.monotonic()
        if wanted and not any(word in name for word in wanted):
            continue
        state['test'] = name
        begin_part('')
        try:
            test(*arguments)
        except Exception as problem:
            check(False, type(problem).__name__, problem)
        print('%-12s %d passed in %.0f s' % (name, counts[True] - before, time.monotonic() - start), flush=True)
    print('%d passed, %d failed' % (counts[True], counts[False]))
    return 1 if counts[False] or not counts[True] else 0


def wait(question, seconds=60, step=0.02):
    """Calls a function until it returns a true value, or until the time is over. Returns the last value."""
    end = time.monotonic() + seconds
    while True:
        answer = question()
        if answer or time.monotonic() > end:
            return answer
        time.sleep(step)


def run(*command, seconds=600):
    """Runs a command. Returns an object with returncode, stdout and stderr. The returncode is negative after a crash or a
    timeout."""
    try:
        return subprocess.run(command, capture_output=True, text=True, errors='replace', timeout=seconds,
                              stdin=subprocess.DEVNULL, env=dict(os.environ, LIBGL_ALWAYS_SOFTWARE='1'))
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, '', 'it did not end in %d s\n' % seconds)


def compare(a, b, percent=0.1, block=1):
    """Compares two pictures. Returns True if at most `percent` of the pixels differ, and a line with the numbers. If `block`
    is above 1, the means of squares of so many pixels are compared. Alpha is ignored, because a JPEG has none."""
    done = run('convert', a, b, '-alpha', 'off', '-scale', '%g%%' % (100 / block), '-fuzz', '4%', '-metric', 'AE',
               '-compare', '-format', '%[distortion] %[fx:w*h]', 'info:')
    if done.returncode:
        return False, done.stderr.strip()
    differ, pixels = map(float, done.stdout.split())
    return 100 * differ <= percent * pixels, '%d of %d pixels differ (%.4f %%)' % (differ, pixels, 100 * differ / pixels)
