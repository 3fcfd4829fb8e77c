"""film.py BUILD FILM [--record]: draws the frames of the README's film and compares FILM with them; --record makes
FILM of them first. Needs a display. Public domain."""
import os
import shutil
import sys

import checks
from checks import check, same, subject

BUILD, FILM = sys.argv[1:3]
FRAMES, DELAY, WIDTH, HEIGHT, MOST_BYTES = 67, 60, 960, 480, 1500000    # a delay in milliseconds
FOLDER = os.path.join(BUILD, 'film')
BLOCK, PERCENT = 16, 3                              # compression keeps the mean of such squares, but for so many

# The camera looks along -Y, so that -X is right. Who is struck down gets up again behind who runs past.
ANIMS = 'stand run attack pain3 death1 taunt flip jump wave salute'.split()
CAST = """
4.02  -3 0 30  182  98 9 8
/ f0b848  215  -34 180 110  run 0
/ 686078  270  -52 180 110  run 0
/ 78a0e8   68   12 186   0  stand 0 taunt 0.4 stand 2.1 attack 2.7 attack 3.5
/ e07060   18    8   8   0  death1 0 stand 1.45 pain3 3.05 stand 3.45 pain3 3.85
/ 88c878   -8  -84  75   0  flip 0 stand 1.2 jump 1.9 jump 2.5 stand 3.1
/ 909090  -76    4  62   0  wave 0 wave 1.1 salute 2.2 stand 3.3
/ b890e8  104 -128  60   0  attack 0 attack 0.8 jump 1.6 flip 2.2 stand 3.4
/ 60c0b8 -178   54   0 110  run 0
"""


def drawn(frame):
    return os.path.join(FOLDER, 'frame%04d.png' % frame)


def draw():
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    files = ['robot.md5mesh', 'weapon.md5mesh'] + [anim + '.md5anim' for anim in ANIMS]
    done = checks.run(os.path.join(BUILD, 'viewer'), *(os.path.join(BUILD, 'character', name) for name in files),
                      '--cast', CAST, '--size', '%dx%d' % (WIDTH, HEIGHT), '--frames', str(FRAMES + 1),
                      '--fps', str(1000 / DELAY), '--shot', os.path.join(FOLDER, 'frame#.png'), seconds=600)
    check(done.returncode == 0, 'the frames are drawn', done.stderr)


def record():
    done = checks.run('img2webp', *'-loop 0 -lossy -q 60 -m 6 -d'.split(), str(DELAY),
                      *(drawn(frame) for frame in range(1, FRAMES + 1)), '-o', FILM, seconds=300)
    check(done.returncode == 0, 'the film is made', done.stderr)


def test_film():
    told = checks.run('webpinfo', FILM).stdout
    size = os.path.getsize(FILM)
    print('%s: %d bytes' % (FILM, size))
    check(size <= MOST_BYTES, 'it is small')
    check('Canvas size %d x %d' % (WIDTH, HEIGHT) in told, 'width and height', told[:300])
    same([told.count('Loop count      : 0\n'), told.count('Duration: %d\n' % DELAY)], [1, FRAMES], 'endless; frames of this delay')
    shown = os.path.join(FOLDER, 'shown%04d.ppm')
    same(checks.run('convert', FILM, '-coalesce', shown).returncode, 0, 'it can be decoded')
    for frame in range(1, FRAMES + 1):
        subject('frame %d' % frame)
        check(*checks.compare(shown % (frame - 1), drawn(frame), PERCENT, BLOCK))
        close, line = checks.compare(shown % (frame - 1), drawn(frame + 1), PERCENT, BLOCK)
        check(not close and 'pixels differ' in line, 'it is not the next one', line)
    subject('')
    check(*checks.compare(drawn(1), drawn(FRAMES + 1)))


if __name__ == '__main__':
    draw()
    if '--record' in sys.argv:
        record()
    sys.exit(checks.run_tests([test_film], [], 2 * FRAMES))
