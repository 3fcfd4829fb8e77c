"""emulated.py: runs the main tests, and compares hashes of all results with one table, on all platforms for which
there is a compiler and an emulator. Prints a table: for each platform, the number of checks that each program passed.
Public domain.
    ONLY='aarch64|Windows'    only platforms with one of these words
    JOBS=2                    number of programs that run at the same time"""
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

OUT = os.path.join(os.environ.get('BUILD') or 'build', 'emulated')
LIMIT = 1800                                # seconds for a program
EACH = ['hashes', 'test_md2', 'test_md5', 'test_fuzz']
PROGRAMS = {'all': EACH, 'numbers': EACH[:3], 'hashes': ['hashes']}

PLAIN = '-DMD2_NO_SIMD -DMD5_NO_SIMD'
SSE = '-m32 -msse2 -mfpmath=sse'            # the x87 unit keeps more bits than a float has
with open('/proc/cpuinfo', encoding='utf-8') as info:
    HASWELL = '' if re.search(r'\bfma\b', info.read()) else 'qemu-x86_64 -cpu Haswell'

# Some kernels for x86-64 cannot run 32-bit programs.
def runs_32_bit():
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'program')
        source = b'int main(void) { return 0; }'
        try:
            subprocess.run(['gcc', '-m32', '-x', 'c', '-', '-o', program], input=source, check=True)
            return subprocess.run([program], check=False).returncode == 0
        except (OSError, subprocess.CalledProcessError):
            return False


I386 = '' if runs_32_bit() else 'qemu-i386'

# NAME | programs | command that runs them | compiler. Slow platforms come first. "hashes" is enough if only the
# arithmetic can differ from another platform, "numbers" if the other tests run elsewhere, such as in `make strict`.
# With gnu99, gcc may fuse multiplications and additions; the headers must prevent it.
PLATFORMS = f'''
powerpc (big-endian)|hashes|qemu-ppc|powerpc-linux-gnu-gcc -std=gnu99 -O2 -static -fno-builtin-sin -fno-builtin-cos tests/portable/emulated_powerpc.c
s390x (big-endian)|all|qemu-s390x|s390x-linux-gnu-gcc -std=gnu99 -O2 -static
riscv64|hashes|qemu-riscv64|riscv64-linux-gnu-gcc -std=gnu99 -O2 -static
armhf|all|qemu-arm|arm-linux-gnueabihf-gcc -std=gnu99 -O2 -static
aarch64 NEON|all|qemu-aarch64|aarch64-linux-gnu-gcc -std=gnu99 -O2 -static
aarch64 plain C|hashes|qemu-aarch64|aarch64-linux-gnu-gcc -std=gnu99 -O2 -static {PLAIN}
Windows, mingw|all|/usr/lib/wine/wine64|x86_64-w64-mingw32-gcc -std=gnu99 -O2 -static
WebAssembly SIMD|all|node|emcc -O2 -msimd128 -msse2 -sWASM_ASYNC_COMPILATION=0 -sNODERAWFS -sALLOW_MEMORY_GROWTH -sEXIT_RUNTIME
WebAssembly plain C|hashes|node|emcc -O2 -sWASM_ASYNC_COMPILATION=0 -sNODERAWFS -sALLOW_MEMORY_GROWTH -sEXIT_RUNTIME
i386 gcc|hashes|{I386}|gcc -std=gnu99 -O2 {SSE}
x86-64 tcc|hashes||tcc -std=c99
x86-64 gcc haswell|hashes|{HASWELL}|gcc -std=gnu99 -O3 -march=haswell
x86-64 g++|hashes||g++ -x c++ -std=gnu++17 -O2
x86-64 clang -O2|numbers||clang -std=gnu99 -O2
x86-64 clang haswell|hashes|{HASWELL}|clang -std=gnu99 -O3 -march=haswell -ffp-contract=on
'''.strip().split('\n')


def call(command, limit=LIMIT, **options):
    """Returns the exit status and the output. Uses a file, because processes that wine leaves behind keep a pipe open."""
    with tempfile.TemporaryFile('w+', errors='replace') as log:
        try:
            status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=limit,
                                    **options).returncode
        except (OSError, subprocess.TimeoutExpired) as problem:
            return -1, f'{problem}\n'
        log.seek(0)
        return status, log.read()


def arguments_of(program, runner):
    if program == 'hashes':
        return ['--folder=.', '--table=hashes.txt']
    if program == 'test_fuzz':
        return ['--folder=' + os.path.abspath('tests/fuzz')] + ['--quick'] * runner.startswith('qemu')
    return ['--quick'] if program == 'test_md2' and runner else []


def run_cell(name, program, runner, compiler, sources):
    """Builds and runs one program in a separate folder. Returns the number of checks that passed and that failed, the
    text for the table, and the output."""
    folder = os.path.join(OUT, re.sub('[^a-zA-Z0-9]', '-', name), program)
    built = program + {'/usr/lib/wine/wine64': '.exe', 'node': '.js'}.get(runner, '')
    os.makedirs(folder)
    shutil.copy('tests/golden/hashes.txt', folder)
    status, log = call([*compiler.split(), *sources, '-o', os.path.join(folder, built), '-lm'])
    if status:
        return 0, 1, 'not-built', log
    status, log = call([*runner.split(), './' + built, *arguments_of(program, runner)], cwd=folder)
    found = re.search(r'^(\d+) passed, (\d+) failed\n?\Z', log, re.M)
    passed, failed = map(int, found.groups()) if found else (0, 0)
    shown = ('crashed' if not found else f'{failed}-failed' if failed else 'ended-badly' if status else str(passed))
    return passed, 0 if shown == str(passed) else max(failed, 1), shown, log


def start_wine(home):
    """Makes a home folder for wine, and starts a server that runs until the end."""
    os.environ.update(WINEPREFIX=home, PATH=os.environ['PATH'] + ':/usr/lib/wine')
    call(['wine64', 'wineboot', '-i'], 120)
    call(['wineserver', '-p'], 30)


def print_matrix(platforms, cells):
    print(f'{"platform":22}', *(f'{program:>12}' for program in EACH))
    for name, *_ in platforms:
        row = (cells[name, program].result()[2] if (name, program) in cells else '.' for program in EACH)
        print(f'{name:22}', *(f'{shown:>12}' for shown in row), flush=True)
    for (name, program), cell in cells.items():
        _, failed, shown, log = cell.result()
        if failed:
            print(f'-- {name}, {program}: {shown}', *(line[:160] for line in log.splitlines()[-8:]), sep='\n')


def count_control(sources):
    """Checks that a build with fused operations differs from the table. Otherwise the table would prove nothing."""
    compiler = 'clang -std=c99 -O2 -march=haswell -ffp-contract=fast'
    log = run_cell('control: fused', 'hashes', HASWELL, compiler, sources)[3]
    differ = log.count(' differs\n')
    print(f'control: with -ffp-contract=fast, {differ} rows of hashes differ')
    return differ > 0


def main():
    start, only = time.monotonic(), os.environ.get('ONLY') or ''
    # In an ASCII locale, wine cannot create files with other names.
    os.environ.update(NODE_PATH='/usr/share/nodejs', WINEDEBUG='-all', WINEDLLOVERRIDES='mscoree,mshtml=',
                      LC_ALL='C.UTF-8')
    for name in 'MODELS', 'TABLES':
        os.environ.pop(name, None)
    shutil.rmtree(OUT, ignore_errors=True)
    if platform.machine() != 'x86_64':
        print('this is not an x86-64 machine: platforms without an emulator will fail')
    sources = {program: subprocess.check_output(['make', '-s', '--no-print-directory', 'files-' + program],
                                                text=True).split() for program in EACH}
    platforms = [line.split('|') for line in PLATFORMS if any(word in line for word in only.split('|'))]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))       # ends wine too
    wine = any('wine' in runner for _, _, runner, _ in platforms)
    pool = ThreadPoolExecutor(int(os.environ.get('JOBS') or 2))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        try:
            if wine:
                start_wine(home)
            cells = {(name, program): pool.submit(run_cell, name, program, runner, compiler, sources[program])
                     for name, programs, runner, compiler in platforms for program in PROGRAMS[programs]}
            print_matrix(platforms, cells)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            if wine:
                call(['wineserver', '-k'], 30)
    results = [cell.result() for cell in cells.values()]
    passed, failed = sum(cell[0] for cell in results), sum(cell[1] for cell in results)
    control = count_control(sources['hashes'])
    with open('tests/golden/hashes.txt', encoding='utf-8') as table:
        print(f'{len(list(table))} hashes, {len(platforms)} platforms, {len(cells)} programs run,',
              f'{time.monotonic() - start:.0f} s')
    if not cells:
        print(f'no platform has the name {only}')
        failed += 1
    print(f'{passed + control} passed, {failed + (not control)} failed')
    return failed > 0 or not control


sys.exit(main())
