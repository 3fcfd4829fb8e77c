"""test_web.py BUILD [TEST...]: opens the page of BUILD/web in a headless Chromium, does what a visitor does, and
compares what it draws with the pictures of BUILD/viewer. Then it runs test_gl in BUILD/web-gl. TEST is a name like camera; else all run. Ends with
"N passed, N failed". Public domain."""
import base64
import os
import re
import shutil
import signal
import struct
import sys

import checks
from checks import check, same
from browser import DOWN, UP, Browser, Server, move

BUILD = sys.argv[1]
DEMO = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'demo.sh')
SHOTS = os.path.join(BUILD, 'web-shots')
CHARACTER = os.path.join(BUILD, 'character')
PERCENT = 0.5                   # of the pixels may differ from the native picture
FLOOR = 580                     # a run that checked fewer things than this has failed
FRAMES, FPS = 4, 10             # until a picture is compared: longer than an animation takes to fade in
WINDOW = (800, 500)
PHONES = (390, 844), (360, 640)
TOOLS = ['Pause', 'Crowd', 'Mixed', 'Skeleton', 'Bounds', 'Picture']
REPOSITORY = 'https://example.org/models'
TAB, ENTER, ESCAPE = '\ue004', '\ue007', '\ue00c'

# Frames pass when the test says so, by step(n): so the time that a software renderer takes for each does not matter.
HOLD = '''
  const waiting = [];
  window.requestAnimationFrame = callback => waiting.push(callback);
  window.step = count => { while (count-- > 0) for (const callback of waiting.splice(0)) callback(performance.now()); };
'''
NO_WEBGL = 'HTMLCanvasElement.prototype.getContext = () => null;'

DROP = '''
  const data = new DataTransfer(), [selector, files] = arguments;
  for (const [name, bytes] of files) {
    data.items.add(new File([Uint8Array.from(atob(bytes), letter => letter.charCodeAt(0))], name));
  }
  const target = document.querySelector(selector), seen = [];
  for (const type of ['dragenter', 'dragover', 'drop']) {
    const event = new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true });
    target.dispatchEvent(event);
    seen.push([type, event.defaultPrevented, document.body.classList.contains('drag')]);
  }
  return seen;
'''

class Page:
    """The page as its visitor knows it."""

    def __init__(self, browser, server):
        self.browser, self.server = browser, server
        self.run, self.wait = browser.run, browser.wait

    def open(self, arguments=''):
        """One knight, unless the arguments say more; with None, what a visitor sees who gives none."""
        self.browser.open(self.server.address + ('' if arguments is None else '?args=' + arguments.replace(' ', '+')))

    def open_and_draw(self, arguments=''):
        self.open(arguments)
        check(self.wait('return ready'), 'the viewer starts', self.error())
        self.step(2)

    def title(self):
        return self.run('return document.title')

    def error(self):
        return self.run('return document.getElementById("error").innerText')

    def wait_title(self, part, there=True):
        return check(self.wait('step(1); return document.title.includes(arguments[0]) === arguments[1]', part, there),
                     'title says %s: %s' % (part, there), self.title())

    def tool(self, name):
        self.browser.click('#tools button:nth-child(%d)' % (TOOLS.index(name) + 1))

    def anims(self):
        """The names in the file, whatever words the buttons show."""
        return self.run('return [...document.querySelectorAll("#anims button")].map(part => part.title)')

    def anim(self, name):
        names = self.anims()
        if check(name in names, 'a button for ' + name):
            self.browser.click('#anims button:nth-child(%d)' % (names.index(name) + 1))

    def labels(self, selector):
        return self.run('return [...document.querySelectorAll(arguments[0])].map(part => part.textContent)', selector)

    def pressed(self, group):
        return self.labels('#%s [aria-pressed=true]' % group)

    def drop(self, files, selector='#canvas'):
        return self.run(DROP, selector, [[name, base64.b64encode(data).decode()] for name, data in files])

    def step(self, count):
        """Draws so many frames."""
        before = self.run('return Module._viewer_frames()')
        same(self.run('step(arguments[0]); return Module._viewer_frames()', count) - before, count, 'frames drawn')

    def picture(self, name, bare=True):
        """A picture of the canvas if bare, else of the page."""
        path = os.path.join(SHOTS, name + '.png')
        self.run('for (const part of document.querySelectorAll("header, #error"))'
                 'part.style.visibility = arguments[0] ? "hidden" : "";', bare)
        self.browser.picture(path, 'canvas' if bare else None)
        self.run('for (const part of document.querySelectorAll("header, #error")) part.style.visibility = "";')
        return path


def character(*names):
    files = []
    for name in names:
        with open(os.path.join(CHARACTER, name), 'rb') as file:
            files.append((name, file.read()))
    return files


# -- What a visitor does -----------------------------------------------------------------------------------------------

def test_real_time(page):
    """A visitor who gives no arguments sees the crowd of `make demo`, and it moves."""
    page.browser.window(320, 200)
    page.open(None)
    check(page.wait('return ready && Module._viewer_frames() > 2', seconds=60), 'frames are drawn', page.error())
    same(page.title(), 'tris.md2 - stand - loop - 1x - 40 characters - mixed', 'title')
    with open(DEMO) as demo:
        check('exec "$viewer" %s\n' % page.run('return OPENING') in demo.read(), 'the crowd is that of make demo')
    page.browser.window(*WINDOW)
    page.browser.before_each_page(HOLD)


def check_canvas(page, width, height, ratio):
    """It is as wide as the window, and goes down to where the buttons begin."""
    check(page.wait('step(1); return canvas.width === arguments[0] && canvas.height === arguments[1] *'
                    'Math.round(canvas.clientHeight)', width * ratio, ratio),
          'one pixel of the canvas is one of the screen', width, height, ratio)
    bottom, buttons = page.run('return ["canvas", "footer"].map(part => document.querySelector(part)'
                               '.getBoundingClientRect()).map((box, i) => i ? box.top : box.bottom)')
    check(bottom <= buttons and buttons < height, 'buttons cover nothing', bottom, buttons)
    check(bottom >= height / 2, 'the picture has most of the window', bottom)


def test_first_frame(page):
    page.open_and_draw()
    same(page.error(), '', 'error')
    check_canvas(page, *WINDOW, 1)
    check(page.title().startswith('tris.md2 - '), 'the character is shown', page.title())
    same(page.run('return document.getElementById("state").innerText'), 'tris.md2 · stand', 'state in the corner')
    same(page.run('return document.querySelector("h1").innerText'), 'md2.h and md5.h', 'headline')
    check('drop one' in page.run('return document.querySelector("header").innerText'), 'it tells that models can be dropped')
    page.picture('page', bare=False)


def check_link(page, address):
    """The page as it is built with that address of the repository."""
    done = checks.run('make', '-s', '--no-print-directory', 'BUILD=' + BUILD, 'WEB_REPOSITORY=' + address,
                      os.path.join(BUILD, 'web', 'index.html'))
    check(done.returncode == 0, 'the page is built', done.stdout + done.stderr)
    page.open_and_draw()
    same(page.run('return [...document.querySelectorAll("a[href]")].map(part => [part.innerText, part.href])'),
         [['md2.h and md5.h', address]] if address else [], 'links')


def test_link(page):
    check_link(page, REPOSITORY)
    page.picture('link', bare=False)
    check_link(page, '')
    check_link(page, os.environ.get('WEB_REPOSITORY', ''))


def test_controls(page):
    names = page.run('return [...document.querySelectorAll("button, a[href], input, select, [onclick]")].map('
                     'part => [part.tagName, part.type, part.ariaLabel || part.innerText])')
    check(len(names) >= 25, 'number of controls', len(names))
    for tag, kind, name in names:
        check(tag in ('BUTTON', 'A') or (tag, kind) == ('INPUT', 'file'), 'a control is a button', tag, kind)
        check(name, 'a control has a name', tag, kind)
    check(page.run('return canvas.ariaLabel'), 'the canvas has a name')
    outside = page.run('return [...document.querySelectorAll("header > *, footer > *")].map(part =>'
                       'part.getBoundingClientRect()).filter(box => box.width && (box.left < 0 || box.top < 0 ||'
                       'box.right > innerWidth || box.bottom > innerHeight)).length')
    same(outside, 0, 'parts outside of the window')


def test_animations(page):
    names, words = page.anims(), page.labels('#anims button')
    same(len(names), page.run('return Module._viewer_anim_count()'), 'buttons for animations')
    check(len(names) >= 20, 'animations', names)
    for name, word in zip(names, words):
        page.anim(name)
        page.wait_title(' - %s - ' % name)
        same(page.pressed('anims'), [word], 'pressed')
        same(page.run('return document.getElementById("state").innerText'), 'tris.md2 · ' + word, 'state')
    same([words[names.index(name)] for name in ('run', 'pain1', 'crstnd', 'crattak', 'death3')],
         ['run', 'pain 1', 'crouch, stand', 'crouch, attack', 'death 3'], 'words')
    page.anim('stand')
    page.wait_title(' - stand - ')


def test_tools(page):
    for tool, sign in (('Pause', ' - paused'), ('Bounds', ' - bounds')):
        for there in True, False:
            page.tool(tool)
            page.wait_title(sign, there)
            same(page.pressed('tools'), [tool] * there, 'pressed')
    same(page.labels('#tools :disabled'), ['Mixed', 'Skeleton'], 'of no use for one MD2')
    for count in (10, 100, 1000):
        page.tool('Crowd')
        page.wait_title(' - %d characters' % count)
        same(page.pressed('tools'), ['Crowd'], 'pressed')
    page.run('window.saved = []; HTMLAnchorElement.prototype.click = function () { saved.push(this.download); };')
    page.tool('Picture')
    check(page.wait('step(1); return saved.length'), 'a picture is downloaded')
    same(page.run('return saved'), ['screenshot-1.png'], 'its name')
    page.tool('Crowd')
    page.tool('Crowd')                            # 10000 would take a software renderer long to draw
    page.wait_title(' - 1 character')
    same(page.pressed('tools'), [], 'pressed')


def test_mixed(page):
    """Each of a crowd plays another animation, until the visitor chooses one."""
    page.tool('Crowd')
    page.wait_title(' - 10 characters')
    page.tool('Mixed')
    page.wait_title(' - stand - loop - 1x - 10 characters - mixed')
    same(page.pressed('tools') + page.pressed('anims'), ['Crowd', 'Mixed'], 'pressed')
    same(page.run('return document.getElementById("state").innerText'), 'tris.md2 · 10 characters', 'state')
    page.anim('run')
    page.wait_title(' - run - loop - 1x - 10 characters')
    page.wait_title('mixed', False)
    same(page.pressed('tools') + page.pressed('anims'), ['Crowd', 'run'], 'pressed')
    page.anim('stand')
    page.open_and_draw('--crowd 40')
    page.tool('Crowd')
    page.wait_title(' - 100 characters')          # the next of those that the button goes through
    page.open_and_draw()


def test_phone(page):
    """On the screen of a phone all tools can be reached, and do what they say."""
    signs = {'Pause': 'paused', 'Crowd': '100 characters', 'Mixed': 'mixed', 'Skeleton': 'skeleton', 'Bounds': 'bounds'}
    for width, height in PHONES:
        page.browser.window(width, height, 1, True)
        page.browser.command('Emulation.setTouchEmulationEnabled', enabled=True)
        page.open_and_draw('--crowd 10')
        page.drop(character('robot.md5mesh', 'run.md5anim', 'skin.png'))
        page.wait_title('robot.md5mesh - run - loop - 1x - 1 character')
        page.tool('Crowd')
        for tool, sign in signs.items():
            page.tool(tool)
            page.wait_title(' - ' + sign)
        same(page.pressed('tools'), list(signs), '%d pixels wide: pressed' % width)
        page.run('window.saved = []; HTMLAnchorElement.prototype.click = function () { saved.push(this.download); };')
        page.tool('Picture')
        check(page.wait('step(1); return saved.length'), '%d pixels wide: a picture is downloaded' % width)
        page.open(None)
        check(page.wait('return ready'), 'the viewer starts', page.error())
        page.step(2)
        page.picture('phone-%d' % width, bare=False)
    page.browser.command('Emulation.setTouchEmulationEnabled', enabled=False)
    page.browser.window(*WINDOW)
    page.open_and_draw()


def test_keyboard(page):
    page.run('document.activeElement.blur()')
    for there in True, False:
        page.browser.keys('s')
        page.wait_title(' - skeleton', there)
    reached = set()
    page.run('canvas.focus()')
    for _ in range(40):
        page.browser.keys(TAB)
        name, outline = page.run('const part = document.activeElement;'
                                 'return [part.innerText, getComputedStyle(part).outlineStyle]')
        if page.run('return document.activeElement.tagName') == 'BUTTON' and name not in reached:
            check(outline != 'none', 'focus can be seen on ' + name)
            reached.add(name)
    check({'Open a model', 'Pause', 'Crowd', 'Bounds', 'Picture', 'run'} <= reached, 'reached with Tab', reached)
    page.run('document.querySelector("#tools button").focus()')
    for key, there in ((' ', True), (' ', False), (ENTER, True), (ENTER, False)):
        page.browser.keys(key)                    # this presses the button, once: the viewer does not see it as well
        page.wait_title(' - paused', there)


def test_drop(page):
    page.tool('Crowd')
    page.wait_title(' - 10 characters')
    page.tool('Mixed')
    page.wait_title(' - 10 characters - mixed')
    seen = page.drop(character('robot.md5mesh', 'run.md5anim', 'skin.png'), '#state')
    same(seen[1], ['dragover', True, True], 'the page takes what is dragged over it and shows it')
    same(seen[2], ['drop', True, False], 'the page takes what is dropped')
    page.wait_title('robot.md5mesh - run - loop - 1x - 1 character')
    page.wait_title('mixed', False)               # what is new is seen alone
    for there in True, False:
        page.tool('Skeleton')
        page.wait_title(' - skeleton', there)
        same(page.pressed('tools'), ['Skeleton'] * there, 'pressed')
    same(page.labels('#anims button'), ['run'], 'buttons for animations')
    page.step(2)
    page.picture('dropped', bare=False)
    page.drop(character('wave.md5anim'))
    page.wait_title('robot.md5mesh - wave - ')
    page.drop([('broken.md2', b'IDP2 and nothing behind it')])
    page.wait_title('broken.md2 - error: ')
    check(page.error().startswith('broken.md2: ') and len(page.error()) > 20, 'the error is shown', page.error())
    page.step(2)
    page.picture('broken', bare=False)
    page.drop([('note.txt', b'hello')])
    page.wait_title('note.txt - error: ')
    page.drop([])
    page.browser.choose('#files', [os.path.abspath(os.path.join(CHARACTER, name)) for name in ('tris.md2', 'skin.png')])
    page.wait_title('tris.md2 - ')
    page.wait_title('error', False)
    same(page.error(), '', 'the error is gone')
    same(len(page.labels('#anims button')), 20, 'buttons for animations')
    title = page.title()                          # the same one again, but of its 198 frames only the first 46
    (name, data), skin = character('tris.md2', 'skin.png')
    page.drop([(name, data[:40] + struct.pack('<i', 46) + data[44:]), skin])
    check(page.wait('step(1); return document.getElementById("anims").innerText === "stand\\nrun"'), 'fewer buttons')
    same(page.title(), title, 'title')


def test_camera(page):
    pointer, wheel = page.browser.pointer, page.browser.wheel

    def finger(x, y, to_x, to_y):
        return [move(x, y), DOWN, move((x + to_x) / 2, (y + to_y) / 2), move(to_x, to_y), UP]

    def check_moves(what, before, moves):
        """Checks whether the camera moved from the picture before, and returns the picture now."""
        page.step(2)
        picture = page.picture('camera-' + what.replace(' ', '-'))
        close, line = checks.compare(picture, before, 1.0 if moves else 0.05)
        check(close is not moves, what, line)
        return picture

    if ' - paused' not in page.title():
        page.tool('Pause')
    page.wait_title(' - paused')
    page.browser.keys('r')
    page.step(2)
    still = page.picture('still')
    page.run('Module._viewer_zoom(1);'             # its first call puts another function in its place
             'const zoom = Module._viewer_zoom; Module._viewer_zoom = factor => { zoomed *= factor; zoom(factor); };')
    for what, factor, there, back in (
            ('mouse', 1, lambda: pointer('mouse', finger(300, 200, 400, 230)),
             lambda: pointer('mouse', finger(400, 230, 300, 200))),
            ('one finger', 1, lambda: pointer('touch', finger(300, 200, 400, 230)),
             lambda: pointer('touch', finger(500, 230, 400, 200))),
            ('wheel', None, lambda: wheel(400, 200, 300), lambda: wheel(400, 200, -300)),
            ('pinch', 0.5, lambda: pointer('touch', finger(350, 200, 300, 200), finger(450, 200, 500, 200)),
             lambda: page.browser.keys('r')),
            ('two fingers', 1, lambda: pointer('touch', finger(300, 150, 350, 200), finger(400, 150, 450, 200)),
             lambda: page.browser.keys('r'))):
        page.run('zoomed = 1')
        there()
        check_moves(what, still, True)
        got = page.run('return zoomed')
        check(not factor or abs(got - factor) < 0.01, what + ' zooms', got, 'not', factor)
        back()
        check_moves(what + ' back', still, False)
    # A drag may leave the canvas: it ends where the button is let go, above the buttons too.
    pointer('mouse', [move(400, 200), DOWN, move(400, 300), move(400, 465), UP])
    left = check_moves('drag out', still, True)
    pointer('mouse', [move(300, 200), move(350, 200)])
    check_moves('after', left, False)
    page.browser.keys('r')
    page.tool('Pause')
    page.wait_title(' - paused', False)


def test_sizes(page):
    page.open_and_draw()
    for width, height, ratio, mobile in ((1280, 800, 1, False), (500, 400, 2, False), (390, 780, 2, True),
                                         (740, 360, 1, True)):
        page.browser.window(width, height, ratio, mobile)
        check_canvas(page, width, height, ratio)
        page.step(2)
        same(page.run('const page = document.documentElement; return [page.scrollWidth, page.scrollHeight]'),
             [width, height], 'nothing to scroll')
        test_controls(page)
        page.picture('page-%dx%d' % (width, height), bare=False)
    page.browser.window(*WINDOW)


# -- Where it cannot run, it says so -----------------------------------------------------------------------------------

def test_trouble(page):
    browser, server = page.browser, page.server
    same(browser.complaints(), [], 'errors in the console')
    server.plain = True
    page.open_and_draw()
    server.plain = False
    for name in ('index.js', 'index.wasm', 'index.data'):
        server.missing = {name}
        page.open()
        check(page.wait('return document.getElementById("error").innerText'), 'without %s there is an error' % name)
    server.missing = set()
    page.open('--no-such-thing')
    page.wait('return document.getElementById("error").innerText')
    check('no-such-thing' in page.error(), 'a bad argument', page.error())
    script = browser.before_each_page(NO_WEBGL)
    page.open()
    check('WebGL 2' in page.error(), 'without WebGL', page.error())
    browser.forget(script)
    browser.complaints()


# -- The same picture as natively --------------------------------------------------------------------------------------

def compare_with_native(page, name, act, arguments, web_arguments='', window=(*WINDOW, 1)):
    """`act` does before the first frame what the arguments tell the native program."""
    page.browser.window(*window)
    page.open('--frames 100000 --fps %d %s' % (FPS, web_arguments))
    if not check(page.wait('return ready'), name + ': ready', page.error()):
        return None
    if act:
        act()
    page.step(FRAMES - page.run('return Module._viewer_frames()'))
    picture, native = page.picture(name), os.path.join(SHOTS, name + '-native.png')
    size = '%dx%d' % tuple(page.run('return [canvas.width, canvas.height]'))
    done = checks.run('xvfb-run', '-a', os.path.join(BUILD, 'viewer'), *arguments, '--frames', str(FRAMES), '--fps',
                      str(FPS), '--size', size, '--shot', native)
    check(done.returncode == 0, 'native ' + name, done.stdout + done.stderr)
    close, line = checks.compare(picture, native, PERCENT)
    print('%-10s %s' % (name, line))
    check(close, name + ' looks as it does natively', line)
    return picture


def test_pictures(page):
    def open_robot():
        page.drop(character('robot.md5mesh', 'run.md5anim', 'skin.png'))
        check(page.wait('return Module._viewer_anim_count() === 1'), 'the robot is there')

    robot = [os.path.join(CHARACTER, name) for name in ('robot.md5mesh', 'run.md5anim', 'skin.png')]
    stand = compare_with_native(page, 'stand', None, [])
    for case in (('run', lambda: page.anim('run'), ['--anim', 'run']),
                 ('time', None, ['--anim', 'flip', '--time', '0.4'], '--anim flip --time 0.4'),
                 ('bounds', lambda: page.tool('Bounds'), ['--keys', 'b']),
                 ('md5', open_robot, robot),
                 ('skeleton', lambda: [open_robot(), page.tool('Skeleton')], [*robot, '--keys', 's'])):
        close, line = checks.compare(stand, compare_with_native(page, *case), PERCENT)
        check(not close, 'pictures of different things differ', case[0], line)
    big = (1280, 800, 1)                          # a crowd is full of edges, on which two renderers differ most
    for case in (('crowd', lambda: page.tool('Crowd'), ['--crowd', '10'], '', big),
                 ('crowd-md5', lambda: [open_robot(), page.tool('Crowd')], [*robot, '--crowd', '10'], '', big),
                 ('hidpi', None, [], '', (400, 250, 2)), ('phone', None, [], '', (300, 600, 2))):
        compare_with_native(page, *case)
    page.browser.window(*WINDOW)


# -- The renderer alone ------------------------------------------------------------------------------------------------

def test_renderer(page):
    """test_gl, whose tests are those of `make test-gl`, on WebGL 2."""
    page.browser.open(Server(os.path.join(BUILD, 'web-gl')).address + 'test_gl.html')
    done = page.wait('return window.done', seconds=300)
    said = page.run('return document.querySelector("pre").innerText').strip()
    print(said)
    same(done, 'status 0', 'how test_gl ends')
    passed = re.search(r'(\d+) passed, 0 failed$', said)
    check(passed and int(passed[1]) > 3000, 'its checks', said[-500:])
    check(said.count('webgl2/md2/') == said.count('webgl2/md5/') > 12, 'its tests')


TESTS = (test_real_time, test_first_frame, test_link, test_controls, test_animations, test_tools, test_mixed,
         test_keyboard, test_drop, test_camera, test_phone, test_sizes, test_trouble, test_pictures,
         test_renderer)


if __name__ == '__main__':
    wanted = sys.argv[2:] and [test.__name__[5:] for test in TESTS[:2]] + sys.argv[2:]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))       # so that Chromium ends with this program
    shutil.rmtree(SHOTS, ignore_errors=True)
    os.makedirs(SHOTS)
    try:
        browser = Browser()
    except RuntimeError as problem:
        print('the browser does not start: %s\n0 passed, 1 failed' % problem)
        sys.exit(1)
    print('Chromium', browser.version)
    browser.window(*WINDOW)
    sys.exit(checks.run_tests(TESTS, wanted, FLOOR, Page(browser, Server(os.path.join(BUILD, 'web')))))
