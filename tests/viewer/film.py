"""film.py BUILD FILM [--record]: draws the frames of the README's film and compares FILM with them; --record makes
FILM of them first. The six animations take 0.4, 0.6 and 1.2 seconds, so the film repeats after 1.2. Needs a display.
Public domain."""
import ctypes
import os
import shutil
import sys

import checks
from checks import at_least, check, same, subject

BUILD, FILM = sys.argv[1:3]
FRAMES, RATE, WIDTH, HEIGHT, MOST_BYTES = 24, 20, 720, 320, 500000
FOLDER = os.path.join(BUILD, 'film')
BLOCK = 16                                          # compression keeps the mean of such squares
DEMUX_ABI = 0x0107


def drawn(frame):
    return os.path.join(FOLDER, 'frame%04d.png' % frame)


def draw():
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    files = ['robot.md5mesh', 'weapon.md5mesh'] + [anim + '.md5anim' for anim in
                                                   ('run', 'flip', 'point', 'jump', 'pain1', 'crwalk')]
    done = checks.run(os.path.join(BUILD, 'viewer'), *(os.path.join(BUILD, 'character', name) for name in files),
                      *'--crowd 23 --keys m --yaw 10'.split(), '--size', '%dx%d' % (WIDTH, HEIGHT), '--frames',
                      str(FRAMES + 1), '--fps', str(RATE), '--shot', os.path.join(FOLDER, 'frame#.png'), seconds=600)
    check(done.returncode == 0, 'the frames are drawn', done.stderr)


def record():
    done = checks.run('img2webp', *'-loop 0 -lossy -q 58 -m 6 -d'.split(), str(1000 // RATE),
                      *(drawn(frame) for frame in range(1, FRAMES + 1)), '-o', FILM, seconds=300)
    check(done.returncode == 0, 'the film is made', done.stderr)


def decode(data):
    """Width, height and loops of the film, and its frames: for each, when it ends, and its RGBA."""
    demux = ctypes.CDLL('libwebpdemux.so.2')
    demux.WebPAnimDecoderNewInternal.restype = ctypes.c_void_p
    content = (ctypes.c_void_p * 2)(ctypes.cast(data, ctypes.c_void_p), len(data))
    decoder = ctypes.c_void_p(demux.WebPAnimDecoderNewInternal(content, None, DEMUX_ABI))
    info, pixels, end, frames = (ctypes.c_uint32 * 16)(), ctypes.c_void_p(), ctypes.c_int(), []
    if not check(decoder.value and demux.WebPAnimDecoderGetInfo(decoder, info), 'it can be decoded'):
        return 0, 0, 0, []
    while demux.WebPAnimDecoderGetNext(decoder, ctypes.byref(pixels), ctypes.byref(end)):
        frames.append((end.value, ctypes.string_at(pixels, info[0] * info[1] * 4)))
    demux.WebPAnimDecoderDelete(decoder)
    return info[0], info[1], info[2], frames


def test_film():
    with open(FILM, 'rb') as file:
        data = file.read()
    width, height, loops, frames = decode(data)
    print('%s: %d x %d, %d frames, %d bytes' % (FILM, width, height, len(frames), len(data)))
    check(len(data) <= MOST_BYTES, 'it is small')
    same((width, height, loops), (WIDTH, HEIGHT, 0), 'width, height and loops')
    at_least(len(frames), FRAMES, 'frames')
    shown = os.path.join(FOLDER, 'shown.ppm')
    for number, (end, rgba) in enumerate(frames, 1):
        subject('frame %d' % number)
        rgb = bytearray(3 * width * height)
        rgb[0::3], rgb[1::3], rgb[2::3] = rgba[0::4], rgba[1::4], rgba[2::4]
        with open(shown, 'wb') as file:
            file.write(b'P6 %d %d 255\n' % (width, height) + rgb)
        same(end, number * 1000 // RATE, 'its end in milliseconds')
        check(*checks.compare(BUILD, shown, drawn(number), block=BLOCK))
        close, line = checks.compare(BUILD, shown, drawn(number + 1), block=BLOCK)
        check(not close and 'differ by' in line, 'it is not the next one', line)
    subject('')
    check(*checks.compare(BUILD, drawn(1), drawn(FRAMES + 1)))


if __name__ == '__main__':
    draw()
    if '--record' in sys.argv:
        record()
    sys.exit(checks.run_tests([test_film], [], 3 * FRAMES))
