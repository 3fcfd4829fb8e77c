"""Checks that count themselves, programs, and pictures. Public domain."""
import os
import subprocess
import time

counts = {True: 0, False: 0}
state = {'section': '', 'subject': ''}


def subject(name):
    state['subject'] = name


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
    """Each is a function test_NAME; one that raises hides none of the others. Those are run whose name has a word of
    `wanted`, or all. Returns the exit status."""
    for word in wanted:
        if not any(word in test.__name__[5:] for test in tests):
            check(False, 'no test is called ' + word)
    for test in tests:
        name, before, start = test.__name__[5:], counts[True], time.monotonic()
        if wanted and not any(word in name for word in wanted):
            continue
        state['section'] = name
        subject('')
        try:
            test(*arguments)
        except Exception as problem:
            check(False, type(problem).__name__, problem)
        print('%-12s %d passed in %.0f s' % (name, counts[True] - before, time.monotonic() - start), flush=True)
    print('%d passed, %d failed' % (counts[True], counts[False]))
    return 1 if counts[False] or not counts[True] else 0


def wait(question, seconds=60, step=0.02):
    """The first answer that is true, or the last one."""
    end = time.monotonic() + seconds
    while True:
        answer = question()
        if answer or time.monotonic() > end:
            return answer
        time.sleep(step)


def run(*command, seconds=600):
    """Returns the exit status, the output and the errors as attributes. After a crash or a timeout it is negative."""
    try:
        return subprocess.run(command, capture_output=True, text=True, errors='replace', timeout=seconds,
                              stdin=subprocess.DEVNULL, env=dict(os.environ, LIBGL_ALWAYS_SOFTWARE='1'))
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, '', 'it did not end in %d s\n' % seconds)


def compare(a, b, percent=0.1, block=1):
    """True if at most so many pixels of two files differ, or of the means of their squares; and a line that says it.
    Of a PNG with alpha and a JPEG without, convert would compare the alpha that is not there."""
    done = run('convert', a, b, '-alpha', 'off', '-scale', '%g%%' % (100 / block), '-fuzz', '4%', '-metric', 'AE',
               '-compare', '-format', '%[distortion] %[fx:w*h]', 'info:')
    if done.returncode:
        return False, done.stderr.strip()
    differ, pixels = map(float, done.stdout.split())
    return 100 * differ <= percent * pixels, '%d of %d pixels differ (%.4f %%)' % (differ, pixels, 100 * differ / pixels)
