"""test_web.py BUILD [TEST...]: opens the page of BUILD/web in a headless Chromium, does what a visitor does, and
compares what it draws with the pictures of BUILD/viewer. Then it runs test_gl in BUILD/web-gl. TEST is a name like
camera; else all run. What the page looked like lies in BUILD/web-shots. Ends with "N passed, N failed". Public
domain."""
import base64
import gzip
import json
import os
import re
import shutil
import signal
import struct
import sys
import zipfile
from urllib.parse import quote

import checks
from checks import check, same, subject
from browser import DOWN, UP, Browser, Server, move

BUILD = sys.argv[1]
SHOTS = os.path.join(BUILD, 'web-shots')
CHARACTER = os.path.join(BUILD, 'character')
PERCENT = 0.5                   # of the pixels may differ from the native picture
MOST_BYTES = 410000             # of what the page loads at first, as a server sends it
MOST_CONVERTER_BYTES = 300000
FRAMES, FPS = 4, 10             # until a picture is compared: longer than an animation takes to fade in
WINDOW = (800, 500)
DESKTOP, PHONE = (1280, 800, 1, False), (390, 844, 2, True)
SIGNED = {'Pause': 'paused', 'Mixed': 'mixed', 'Skeleton': 'skeleton', 'Night': 'night', 'Bounds': 'bounds',
          'Smooth': 'smooth', 'Y up': 'Y up'}
REPOSITORY, ADDRESS = 'https://example.org/models', 'https://example.org/page/'
TAB, ENTER, ESCAPE, PAGE_DOWN, ARROW_DOWN = '\ue004', '\ue007', '\ue00c', '\ue00f', '\ue015'

# Frames pass when the test says so, by step(n): so the time that a software renderer takes for each does not matter.
HOLD = '''
  const waiting = [];
  window.requestAnimationFrame = callback => waiting.push(callback);
  window.step = count => { while (count-- > 0) for (const callback of waiting.splice(0)) callback(performance.now()); };
'''
# No part comes from the cache of the service worker, except in its own test.
NO_CACHE = "Object.defineProperty(Navigator.prototype, 'serviceWorker', { configurable: true, get() {} });"
# Besides, frames take so many milliseconds, by the page's own clock.
SLOW = '''
  let clock = 1000, took = 16;
  performance.now = () => clock;
  window.take = (milliseconds, count) => { took = milliseconds; while (count-- > 0) { clock += took; step(1); } };
'''
# And nothing is drawn, which takes time.
BLIND = SLOW + '''
  for (const name of ['drawArrays', 'drawElements', 'drawElementsInstanced', 'blitFramebuffer', 'clear']) {
    WebGL2RenderingContext.prototype[name] = () => {};
  }
'''

STATE = 'readString(Module._viewer_state()).replaceAll("\\n", " - ")'


class Page:
    """The page as its visitor knows it."""

    def __init__(self, browser, server):
        self.browser, self.server = browser, server
        self.run, self.wait = browser.run, browser.wait
        self.no_cache, self.held = browser.before_each_page(NO_CACHE), browser.before_each_page(HOLD)

    def open(self, arguments='', query=None):
        """The knight as MD2, unless the arguments, or a query, say more."""
        self.browser.open(self.server.address + '?' + ('args=' + arguments.replace(' ', '+') if query is None else query))

    def open_and_draw(self, arguments='', query=None):
        self.open(arguments, query)
        check(self.wait('return ready', seconds=60), 'the viewer starts', self.error())
        self.step(2)

    def title(self):
        """The viewer's state, or its error."""
        return self.run('return ready ? readString(Module._viewer_error()) || %s : ""' % STATE)

    def error(self):
        return self.run('return document.querySelector("#error span").innerText')

    def state(self):
        return self.run('return document.getElementById("state").innerText')

    def wait_title(self, part, there=True):
        said = [None]

        def is_so():
            self.run('step(1)')
            said[0] = self.title()
            return (part in said[0]) == there
        return check(checks.wait(is_so, 15, 0.05), 'the state says %s: %s' % (part, there), said[0])

    def tool(self, name):
        names = self.labels('#tools button')
        button = '#tools button:nth-child(%d)' % (names.index(name) + 1)
        if not self.run('return document.querySelector(arguments[0]).offsetWidth', button):
            self.browser.click('#more')
        self.browser.click(button)

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

    def drop(self, files):
        """Names and contents, dragged in from a folder of their own in this order."""
        folder = os.path.abspath(os.path.join(SHOTS, 'dropped'))
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for name, data in files:
            with open(os.path.join(folder, name), 'wb') as file:
                file.write(data)
        self.drop_paths([os.path.join(folder, name) for name, _ in files])

    def drop_paths(self, paths):
        self.browser.drop([os.path.abspath(path) for path in paths], 200, 200)

    def open_drop(self, paths, title):
        self.run('window.listBefore = modelList')
        self.drop_paths(paths)
        check(self.wait('step(1); return modelList !== listBefore', seconds=30), 'it is opened', self.error())
        self.wait_open(title)

    def wait_open(self, title):
        """Until that is in view, with all that belongs to it."""
        is_open = self.wait('step(1); return !busy && !job && %s.startsWith(arguments[0])' % STATE, title, seconds=30)
        check(is_open, 'it is open: ' + title, self.title(), self.error())
        self.step(1)

    def note(self):
        return self.run('return document.getElementById("note").textContent')

    def step(self, count):
        """Draws so many frames."""
        before = self.run('return Module._viewer_frames()')
        same(self.run('step(arguments[0]); return Module._viewer_frames()', count) - before, count, 'frames drawn')

    def picture(self, name, bare=True):
        """A picture of the canvas if bare, else of the page."""
        path = os.path.join(SHOTS, name + '.png')
        self.run('document.querySelector("header").style.visibility = arguments[0] ? "hidden" : ""', bare)
        self.browser.picture(path, 'canvas' if bare else None)
        self.run('document.querySelector("header").style.visibility = ""')
        return path

    def alone(self, name):
        """A picture of how its animation begins, whatever buttons and words there are: it has the whole window."""
        self.run('document.body.classList.add("kiosk"); resolution = 0; Module._viewer_seek(0); step(1); pressKey("R")')
        self.step(2)
        picture = self.picture(name)
        self.run('document.body.classList.remove("kiosk")')
        return picture


def character(*names):
    files = []
    for name in names:
        with open(os.path.join(CHARACTER, name), 'rb') as file:
            files.append((name, file.read()))
    return files


# -- What a visitor does -----------------------------------------------------------------------------------------------

def test_opening(page):
    """A visitor who gives no arguments sees a crowd, as MD5, which moves; it weighs little."""
    page.browser.forget(page.held)
    page.browser.window(*DESKTOP)
    page.open(query='')
    check(page.wait('return ready && Module._viewer_frames() > 2', seconds=90), 'frames are drawn', page.error())
    check(page.title().startswith('knight.md5mesh - stand - loop - 1x - '), 'the knight', page.title())
    header = page.run('return document.querySelector("header").innerText')
    check('single-file C libraries' in header, 'what this is', header)
    page.picture('opening', bare=False)
    names = page.run('return performance.getEntriesByType("resource").map(part => part.name.split("/").pop())')
    weights = {name: weigh(name) for name in {*names, 'index.html'}}
    print('at first the page loads', sum(weights.values()), 'bytes:', weights)
    check(sum(weights.values()) <= MOST_BYTES, 'it is light', weights)
    converter = sum(weigh(name) for name in os.listdir(os.path.join(BUILD, 'web')) if name.startswith('mdconvert-'))
    check(0 < converter <= MOST_CONVERTER_BYTES, 'so is the converter', converter)
    page.held = page.browser.before_each_page(HOLD)
    page.browser.window(*WINDOW)
    page.open_and_draw()


def weigh(name):
    """A server compresses text and programs."""
    with open(os.path.join(BUILD, 'web', name), 'rb') as file:
        data = file.read()
    return len(gzip.compress(data, 9)) if name.endswith(('.html', '.js', '.wasm')) else len(data)


def check_canvas(page, width, height, ratio):
    """It is as wide as the window, as sharp as the screen, and has much of the place."""
    check(page.wait('step(1); return canvas.width === arguments[0] && canvas.height === arguments[1] *'
                    'Math.round(canvas.clientHeight)', width * ratio, ratio),
          'one pixel of the canvas is one of the screen', width, height, ratio)
    top, bottom, buttons = page.run('const [view, row] = ["canvas", "footer"].map(part => document.querySelector(part)'
                                    '.getBoundingClientRect()); return [view.top, view.bottom, row.top]')
    check(bottom <= buttons and buttons < height, 'buttons cover nothing', bottom, buttons)
    check(bottom - top >= 0.4 * height, 'the picture has much of the window', top, bottom)


def test_first_frame(page):
    same(page.error(), '', 'error')
    check_canvas(page, *WINDOW, 1)
    check(page.title().startswith('tris.md2 - '), 'the character is shown', page.title())
    same(page.state(), 'Sir Rivet · stand', 'state in the corner')
    same(page.run('return document.title'), 'Sir Rivet · md2.h and md5.h', 'the title of the page')
    nameless = page.run('return [...document.querySelectorAll("button, a[href], input, summary, canvas")].filter('
                        'part => !part.hidden && !(part.ariaLabel || part.textContent || part.labels?.[0]?.textContent).trim()).map('
                        'part => part.outerHTML)')
    same(nameless, [], 'controls that tell a blind visitor nothing')


def check_repository(page, repository, address):
    """The page as it is built for those addresses."""
    done = checks.run('make', '-s', '--no-print-directory', 'BUILD=' + BUILD, 'WEB_REPOSITORY=' + repository,
                      'WEB_PAGE=' + address, os.path.join(BUILD, 'web', 'index.html'))
    check(done.returncode == 0, 'the page is built', done.stdout + done.stderr)
    page.open_and_draw()
    same(page.run('return [...document.querySelectorAll("a[href]")].map(part => [part.textContent, part.href])'),
         [[name, repository + path] for name, path in (('repository', ''), ('md2.h', '/blob/main/md2.h'), (
             'md5.h', '/blob/main/md5.h'), ('license', '/blob/main/LICENSE'))] if repository else [], 'links')
    card = page.run('return document.querySelector("[property=\'og:image\']").content')
    check(card.startswith(address + 'card-') and weigh(card[len(address):]), 'a card for who links to it', card)


def test_repository(page):
    page.browser.window(*DESKTOP)
    check_repository(page, REPOSITORY, ADDRESS)
    page.picture('repository', bare=False)
    page.browser.window(*WINDOW)
    check_repository(page, os.environ.get('WEB_REPOSITORY', ''), os.environ.get('WEB_PAGE', ''))


def test_animations(page):
    names, words = page.anims(), page.labels('#anims button')
    same(len(names), page.run('return Module._viewer_anim_count()'), 'buttons for animations')
    check(len(names) >= 20, 'animations', names)
    for name in 'run', 'crattak', 'death3':
        word = words[names.index(name)]
        page.anim(name)
        page.wait_title(' - %s - ' % name)
        same(page.pressed('anims'), [word], 'pressed')
        same(page.state(), 'Sir Rivet · ' + word, 'state')
    same([words[names.index(name)] for name in ('run', 'pain1', 'crstnd', 'crattak', 'death3')],
         ['run', 'pain 1', 'crouch, stand', 'crouch, attack', 'death 3'], 'words')
    page.anim('stand')
    page.wait_title(' - stand - ')
    left, right = page.run('const style = getComputedStyle(document.getElementById("anims"));'
                           'return ["--left", "--right"].map(name => parseFloat(style.getPropertyValue(name)))')
    check(left + right > 0, 'the row shows that it goes on', left, right)


def check_tools(page):
    """Everything of the keyboard, by buttons."""
    for tool in 'Pause', 'Bounds', 'Night', 'Smooth', 'Y up':
        for there in True, False:
            page.tool(tool)
            page.wait_title(' - ' + SIGNED[tool], there)
            same(tool in page.pressed('tools'), there, tool + ' is pressed')
    for speed in '2x', '4x', '0.5x', '1x':
        page.run('document.getElementById("speed").click()')
        page.wait_title(' - %s - ' % speed)
    for mode in 'once', 'ping-pong', 'loop':
        page.run('document.getElementById("loop").click()')
        page.wait_title(' - %s - ' % mode)
    page.tool('Frame ›')
    page.wait_title(' - paused')
    page.tool('Pause')
    page.wait_title(' - paused', False)
    page.run('window.saved = []; HTMLAnchorElement.prototype.click = function () { saved.push(this.download); };')
    page.browser.click('#save')
    page.browser.click('#choices button')
    check(page.wait('step(1); return saved.length'), 'a picture is downloaded')
    same(page.run('return saved'), ['screenshot-1.png'], 'its name')


def test_tools(page):
    same(page.labels('#tools :disabled'), ['Mixed', 'Skeleton'], 'of no use for one MD2')
    check_tools(page)
    for count in (10, 100, 1000):
        page.tool('Crowd')
        page.wait_title(' - %d characters' % count)
        same(page.pressed('tools'), ['Crowd'], 'pressed')
    page.run('Module._viewer_crowd(10000); Module._viewer_crowd(1)')
    page.wait_title(' - 1 character')
    same(page.pressed('tools'), [], 'pressed')


def test_mixed(page):
    """Each of a crowd plays another animation, until the visitor chooses one."""
    page.tool('Crowd')
    page.wait_title(' - 10 characters')
    page.tool('Mixed')
    page.wait_title(' - stand - loop - 1x - 10 characters - mixed')
    same(page.pressed('tools') + page.pressed('anims'), ['Crowd', 'Mixed'], 'pressed')
    same(page.state(), 'Sir Rivet · every animation · 10 of them', 'state')
    page.anim('run')
    page.wait_title(' - run - loop - 1x - 10 characters')
    page.wait_title('mixed', False)
    same(page.pressed('tools') + page.pressed('anims'), ['Crowd', 'run'], 'pressed')


def test_formats(page):
    """The switch fetches the other format when it is asked for, and what was in view stays."""
    page.open_and_draw(query='anim=run&crowd=10&night')
    page.wait_title('knight.md5mesh - run - loop - 1x - 10 characters - night')
    same(page.run('return [loadKnight.md5, loadKnight.md2]'), [True, None], 'loaded')
    for name, format in ('tris.md2', 'md2'), ('knight.md5mesh', 'md5'):
        page.browser.click('#' + format)
        page.wait_title(name + ' - run - loop - 1x - 10 characters - night')
        page.step(1)
        same(page.run('return [...document.querySelectorAll(".pair [aria-pressed=true]")].map(part => part.id)'),
             [format], 'pressed')
    page.picture('formats', bare=False)


def check_link(page, query, want, link):
    page.open_and_draw(query=query)
    page.wait_title(want)
    same(page.error(), '', 'error')
    same(page.run('return currentLink()').partition('?')[2], link, 'the link to what is in view')


def test_links(page):
    """An address says what to show, from other servers, too; what cannot be loaded says so."""
    check_link(page, 'md2&anim=flip&crowd=3&yaw=-40&smooth&bounds',
               'tris.md2 - flip - loop - 1x - 3 characters - bounds - smooth', 'md2&anim=flip&crowd=3&yaw=-40&bounds&smooth')
    other, closed = Server(CHARACTER, shared=True).address, Server(CHARACTER).address
    models = ''.join('model=%s&' % quote(other + name, safe='') for name in (
        'knight.md5mesh', 'run.md5anim', 'wave.md5anim', 'skin.png'))
    check_link(page, models + 'anim=wave&skeleton', 'knight.md5mesh - wave - loop - 1x - 1 character - skeleton',
               models + 'anim=wave&crowd=1&yaw=28&skeleton')
    page.picture('links', bare=False)
    page.run('window.copied = []; Object.defineProperty(navigator, "clipboard",'
             '{ value: { writeText: text => copied.push(text) } })')
    page.browser.click('#link')
    same(page.run('return copied'), [page.server.address + '?' + page.run('return currentLink()').partition('?')[2]], 'copied')
    impatient = page.browser.before_each_page(
        'const wait = setTimeout; window.setTimeout = (act, delay) => wait(act, delay === 20000 ? 500 : delay)')
    large, slow = os.path.join(SHOTS, 'large'), Server(CHARACTER, shared=True)
    slow.silent = 'tris'
    os.makedirs(large, exist_ok=True)
    with open(large + '/large.md2', 'wb') as out:
        out.truncate(65 << 20)
    for address, part in ((other + 'nothing.md2', '404'), (closed + 'tris.md2', 'CORS'), ('http://127.0.0.1:9/tris.md2', 'nothing'),
                          (slow.address + 'tris.md2', 'does not answer'), (Server(large, shared=True).address + 'large.md2', '64 MB')):
        page.open_and_draw(query='crowd=1&model=' + quote(address, safe=''))
        check(address in page.error() and part in page.error(), 'it says why', page.error())
        page.wait_title('knight.md5mesh - ')
    page.picture('link-fails', bare=False)
    page.browser.forget(impatient)
    page.open_and_draw(query='anim=nonsense')
    check('nonsense' in page.error() and ' salute ' in page.error(), 'it says what there is', page.error())
    page.browser.click('#open')
    page.run('document.getElementById("address").value = arguments[0]', other + 'weapon.md2 ' + other + 'weapon.png')
    page.browser.click('#fetch button')
    page.wait_title('weapon.md2 - ')
    same(page.run('return document.querySelector("dialog[open]")'), None, 'the dialog is closed')
    page.browser.complaints()                     # of the addresses that were wrong


def test_film_scene(page):
    """The film, by a link and by a button, whichever format is in view; who plays something else ends it."""
    page.open_and_draw(query='scene=film')
    page.wait_title('knight.md5mesh - stand - loop - 1x - 111 characters - mixed')
    same(page.run('return currentLink()').partition('?')[2], 'scene=film', 'its link')
    page.picture('film', bare=False)
    page.open_and_draw(query='md2&anim=stand')
    page.tool('Film')
    page.wait_title('knight.md5mesh - ')
    page.step(1)
    same(page.run('return Module._viewer_shows_scene()'), 1, 'the film')
    page.anim('wave')
    page.wait_title('knight.md5mesh - wave - ')
    same(page.run('return Module._viewer_shows_scene()'), 0, 'no film')


def test_code(page):
    """The lines of C compile: they call what is there."""
    for query in 'md2&anim=run&crowd=10', 'anim=run&crowd=10':
        page.open_and_draw(query=query)
        code = page.run('return document.querySelector("pre").textContent')
        check('10);' in code and '"run' in code, 'what is in view', code)
        n = '2' if 'md2' in query else '5'
        path = os.path.join(SHOTS, 'code.c')
        with open(path, 'w') as file:
            file.write(('#define MD%s_GL\n#include "md%s.h"\nvoid show(md%s_player player, md%s_gl *gl, md%s_gl_mesh mesh, '
                        'uint32_t skin, uint32_t texture, md%s_gl_scene scene, md%s_gl_instance *instances, float seconds, '
                        'int i%s)\n{\n%s\n}\n') % (*7 * n, '' if n == '2' else ', md5_xform *pose, md5_xform *scratch, '
                                                   'float **palettes', code))
        done = checks.run('cc', '-Wall', '-Werror', '-fsyntax-only', '-I.', path)
        same(done.returncode, 0, 'the lines compile: ' + done.stderr)
    page.browser.click('summary')
    page.picture('code', bare=False)


def test_pace(page):
    """Where frames take long there are fewer pixels, then fewer characters; where they do not, all stay."""
    script = page.browser.before_each_page(BLIND)
    page.browser.window(720, 240)
    for took, count, crowd, share in (16, 40, 40, 1), (60, 30, 40, 0.5), (400, 20, 3, 0.5):
        page.open(query='')
        check(page.wait('return ready'), 'the viewer starts', page.error())
        for _ in range(count // 10):
            page.run('take(arguments[0], 10)', took)
        same(page.run('return [readState().crowd, canvas.width / canvas.clientWidth]'), [crowd, share], '%d ms a frame' % took)
    told = page.note()
    check('This machine cannot' in told, 'it says why there are three', told)
    page.open(query='crowd=1')
    check(page.wait('return ready'), 'the viewer starts', page.error())
    page.run('take(16, 40); take(40000, 1); take(16, 60)')
    same(page.run('return canvas.width / canvas.clientWidth'), 1, 'a pause of another tab is no slow frame')
    page.run('take(60, 40); take(16, 80)')
    same(page.run('return canvas.width / canvas.clientWidth'), 0.5, 'what was too slow is not tried at once')
    page.run('take(16, 700)')
    same(page.run('return canvas.width / canvas.clientWidth'), 1, 'but after ten good seconds')
    page.open(query='crowd=10')                   # the visitor asked for so many
    check(page.wait('return ready'), 'the viewer starts', page.error())
    page.run('take(400, 15)')
    same(page.run('return readState().crowd'), 10, 'a wish is granted')
    page.browser.window(*WINDOW)
    page.browser.forget(script)


def test_phone(page):
    """On the screen of a phone all tools can be reached by a finger, and do what they say."""
    page.browser.window(390, 844, 1, True)        # of PHONE a quarter of the pixels
    page.open_and_draw('--crowd 10')
    check_tools(page)
    page.drop(character('knight.md5mesh', 'run.md5anim', 'skin.png'))
    page.wait_title('knight.md5mesh - run - loop - 1x - 1 character')
    for tool, sign in ('Crowd', '10 characters'), *((tool, SIGNED[tool]) for tool in ('Mixed', 'Skeleton', 'Night')):
        page.tool(tool)
        page.wait_title(' - ' + sign)
    page.step(2)
    page.picture('tools', bare=False)
    page.run('Module._viewer_crowd(1000)')
    page.tool('Crowd')
    same((page.labels('#crowd'), page.run('return readState().crowd')), (['10,000?'], 1000), 'ten thousand: really?')
    page.browser.window(*WINDOW)


PHONES = (320, 568), (360, 640), (390, 664), (393, 659), (412, 732), (430, 932)


def check_reachable(page, selector):
    """After the row was moved sideways, a finger at the middle of the button touches the button, which is whole."""
    found = page.run('''
        const part = document.querySelector(arguments[0]);
        part.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        const { left, top, right, bottom, width, height } = part.getBoundingClientRect();
        const at = document.elementFromPoint(left + width / 2, top + height / 2);
        const row = part.parentElement.getBoundingClientRect();
        return [at === part, height >= 30, left >= 0, right <= innerWidth, top >= row.top, bottom <= Math.min(row.bottom, innerHeight)];''',
                     selector)
    same(found, [True] * 6, selector + ' can be touched')


def check_phone(page):
    same(page.run('const page = document.documentElement; return [page.scrollWidth, page.scrollHeight]'),
         page.run('return [innerWidth, innerHeight]'), 'nothing to scroll')
    high = page.run('return canvas.clientHeight')
    check(high >= 235, 'the picture is high enough', high)
    for button in '#pause', '#crowd', '#more':
        check_reachable(page, button)


def test_phones(page):
    """On every phone the first visit and a visitor's models leave a picture and tools; Save is a column in the window."""
    folder = os.path.join(make_drops(), 'two')
    os.makedirs(folder)
    for name in 'one', 'two':
        shutil.copy(os.path.join(CHARACTER, 'tris.md2'), os.path.join(folder, 'knight-%s.md2' % name))
    page.browser.window(*PHONES[0], 1, True)
    page.open_and_draw(query='')
    for what in 'first visit', 'a row of models and a note':
        if what != 'first visit':
            page.open_drop([folder], 'knight-one.md2 - ')
            same(page.labels('#models button'), ['knight-one', 'knight-two'], 'a row of models')
            check('no picture' in page.note(), 'a note', page.note())
        for width, height in PHONES:
            subject('%s, %dx%d' % (what, width, height))
            page.browser.window(width, height, 1, True)
            page.step(1)
            check_phone(page)
            page.picture('phone-%dx%d%s' % (width, height, '-models' * (what != 'first visit')), bare=False)
            page.browser.click('#save')
            boxes = page.run('return [...document.querySelectorAll("#choices button")].map(part => {'
                             'const box = part.getBoundingClientRect(); return [box.left, box.left + part.scrollWidth, box.top]; })')
            check(all(left >= 0 and right <= width for left, right, _ in boxes), 'Save is in the window', boxes)
            same(sorted({top for _, _, top in boxes}), [top for _, _, top in boxes], 'its buttons are a column')
            page.run('document.querySelector("dialog[open]").close()')
    page.browser.window(*WINDOW)


def test_keyboard(page):
    page.run('document.activeElement.blur()')
    for there in True, False:
        page.browser.keys('n')
        page.wait_title(' - night', there)
    for key in 'h', '?':
        page.browser.keys(key)
        check('ping-pong' in page.run('return document.querySelector("#keys[open]")?.innerText || ""'), 'all keys by ' + key)
        page.browser.keys('n')                    # none reaches the viewer meanwhile
        page.browser.keys(ESCAPE)
        same(page.run('return document.querySelector("dialog[open]")'), None, 'Escape closes it')
    page.wait_title(' - night', False)
    reached = set()
    page.run('canvas.focus()')
    for _ in range(50):
        page.browser.keys(TAB)
        name, outline = page.run('const part = document.activeElement;'
                                 'return [part.innerText, getComputedStyle(part).outlineStyle]')
        if page.run('return document.activeElement.tagName') == 'BUTTON' and name not in reached:
            check(outline != 'none', 'focus can be seen on ' + name)
            reached.add(name)
    check({'MD2', 'Open', 'Link', '?', 'Pause', 'Crowd', 'Night', 'run'} <= reached, 'reached with Tab', reached)
    page.run('document.querySelector("#tools button").focus()')
    for key, there in ((' ', True), (' ', False), (ENTER, True), (ENTER, False)):
        page.browser.keys(key)                    # this presses the button, once: the viewer does not see it as well
        page.wait_title(' - paused', there)


def test_drop(page):
    page.open_and_draw()
    page.tool('Crowd')
    page.wait_title(' - 10 characters')
    page.tool('Mixed')
    page.wait_title(' - 10 characters - mixed')
    for kind in 'dragEnter', 'dragOver':
        page.browser.drag(kind, [], 200, 200)
    is_dragged = 'return document.body.classList.contains("drag")'
    same(page.run(is_dragged), True, 'the page shows that it takes what is dragged over it')
    page.drop(character('knight.md5mesh', 'run.md5anim', 'skin.png'))
    same(page.run(is_dragged), False, 'and takes it')
    page.wait_title('knight.md5mesh - run - loop - 1x - 1 character')
    page.wait_title('mixed', False)               # what is new is seen alone
    for there in True, False:
        page.tool('Skeleton')
        page.wait_title(' - skeleton', there)
        same(page.pressed('tools'), ['Skeleton'] * there, 'pressed')
    same(page.labels('#anims button'), ['run'], 'buttons for animations')
    same((page.run('return currentLink()'), page.labels('#actions :disabled')), (None, ['Link']), 'it has no link')
    page.step(2)
    page.picture('dropped', bare=False)
    page.drop(character('wave.md5anim'))
    page.wait_title('knight.md5mesh - wave - ')
    before = page.picture('before')
    page.drop([('broken.md2', b'IDP2 and nothing behind it')])
    page.wait_title('broken.md2 - error: ')
    check(page.error().startswith('broken.md2: ') and len(page.error()) > 20, 'the error is shown', page.error())
    same(page.state(), 'knight.md5mesh · wave', 'the model that was there stays')
    check(not checks.compare(before, page.picture('after'), 30)[1].startswith('0 of'), 'and moves')
    page.picture('broken', bare=False)
    page.tool('Pause')
    page.tool('Pause')
    page.wait_title('error', False)               # it has been read
    page.drop([('note.txt', b'hello')])
    check(page.wait('step(1); return document.querySelector("#error span").innerText.includes("note.txt")'), 'an error')
    page.drop(character('knight.md5mesh'))
    page.wait_title('knight.md5mesh - bind pose - ')
    note = page.note()
    check('.md5anim' in note and 'skin' in note, 'what a mesh alone lacks', note)
    page.picture('alone', bare=False)
    page.browser.click('#open')
    check('all at once' in page.run('return document.querySelector("dialog[open]").innerText'), 'it says what it takes')
    page.picture('open', bare=False)
    page.browser.choose('#files', [os.path.abspath(os.path.join(CHARACTER, name)) for name in ('tris.md2', 'skin.png')])
    page.wait_title('tris.md2 - ')
    page.wait_title('error', False)
    same(page.error(), '', 'the error is gone')
    same(len(page.labels('#anims button')), 20, 'buttons for animations')
    title = page.title()                          # the same one again, but of its 198 frames only the first 46
    (name, data), skin = character('tris.md2', 'skin.png')
    page.drop([(name, data[:40] + struct.pack('<i', 46) + data[44:]), skin])
    check(page.wait('step(1); return document.getElementById("anims").innerText.split(/\\s+/).join() === "stand,run"'),
          'fewer buttons')
    same(page.title(), title, 'title')


PLAYER = 'weapon.md2', 'weapon.png', 'tris.md2', 'skin.png'


def pack_zip(path, names):
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as archive:
        for name, source in names.items():
            archive.write(os.path.join(CHARACTER, source), name)
    return path


def pack_pak(path, names):
    """With 100 MB that nobody asks for between the files and the table."""
    table, at = b'', 12
    with open(path, 'wb') as out:
        out.write(bytes(12))
        for name, (_, data) in zip(names, character(*names.values())):
            table += struct.pack('<56sii', name.encode(), at, len(data))
            at += out.write(data)
        out.seek(100 << 20)
        out.write(table)
        out.seek(0)
        out.write(struct.pack('<4sii', b'PACK', 100 << 20, len(table)))
    return path


# Of what was opened and not freed.
HELD = '''
  const weigh = path => {
    const { node } = Module.FS.lookupPath(path);
    if (!Module.FS.isDir(node.mode)) return [...(node.pieces || new Map()).values()].reduce((sum, piece) => sum + piece.length, 0);
    return Module.FS.readdir(path).filter(name => !/^\\.\\.?$/.test(name)).reduce((sum, name) => sum + weigh(path + '/' + name), 0);
  };
  return weigh('/opened');
'''


def make_drops():
    """The knight as a folder of Quake II, files of it, archives of Quake II and Doom 3. Returns the folder that has them."""
    made = os.path.abspath(os.path.join(SHOTS, 'made'))
    shutil.rmtree(made, ignore_errors=True)
    os.makedirs(made + '/hero/players/rivet')
    for name in PLAYER:
        shutil.copy(os.path.join(CHARACTER, name), made + '/hero/players/rivet')
    pack_zip(made + '/rivet.zip', {'a/b/' + name: name for name in PLAYER})
    pack_pak(made + '/pak0.pak', {'players/rivet/' + name: name for name in PLAYER})
    pack_zip(made + '/knight.pk3', {'models/md5/knight/knight.md5mesh': 'knight.md5mesh', 'models/textures/skin.png': 'skin.png',
                                   'models/md5/knight/idle.md5anim': 'stand.md5anim', 'models/md5/knight/run.md5anim': 'run.md5anim'})
    with open(made + '/note.zip', 'wb') as out:
        out.write(b'PK\5\6' + bytes(18))
    return made


def test_files(page):
    """Files in any order, folders and archives are opened as the folder they are: a model, its weapon, skin and
    animations."""
    made = make_drops()
    page.open_and_draw(query='md2&crowd=1')
    page.tool('Pause')

    def look(name):
        return page.alone('files-' + name.replace(' ', '-'))

    pictures = {20: look('knight')}               # by how many animations they have
    for what, paths, title, anims in (
            ('a weapon first', [made + '/hero/players/rivet/' + name for name in PLAYER], 'tris.md2 - stand - ', 20),
            ('a folder', [made + '/hero'], 'tris.md2 - stand - ', 20),
            ('a pk3', [made + '/knight.pk3'], 'knight.md5mesh - idle - ', 2),
            ('a zip', [made + '/rivet.zip'], 'tris.md2 - stand - ', 20),
            ('files of an MD5', [os.path.join(CHARACTER, name) for name in ('run.md5anim', 'skin.png', 'stand.md5anim', 'knight.md5mesh')],
             'knight.md5mesh - stand - ', 2),
            ('a pak', [made + '/pak0.pak'], 'tris.md2 - stand - ', 20)):
        subject(what)
        page.open_drop(paths, title)
        same((page.error(), page.note()), ('', ''), 'nothing is amiss')
        same((len(page.anims()), page.labels('#models button')), (anims, []), 'animations, and no row of models')
        picture = look(what)
        check(*checks.compare(picture, pictures.setdefault(anims, picture), 0.1))
        held = page.run(HELD)
        check(0 < held < 4 << 20, 'few megabytes are in memory, of one drop', held)
        same(page.run('return Module.FS.readdir("/opened").length'), 3, 'one folder is left, and . and ..')
    subject('no model')
    page.drop_paths([made + '/note.zip'])
    page.wait_title('note.zip - error: ')
    check('.md5mesh' in page.error() and '.pak' in page.error(), 'it says which kinds are read', page.error())
    subject('early')
    page.server.silent = 'md5-'                   # so that the page still loads
    page.open(query='crowd=1')
    page.drop_paths([made + '/rivet.zip'])
    same(page.run('return [ready, earlyDrops.length]'), [False, 1], 'it waits')
    page.server.silent = ''
    check(page.wait('return ready', seconds=60), 'the viewer starts', page.error())
    page.wait_title('tris.md2 - ')


def test_models(page):
    """Of several models one is shown, and there are buttons for the others, to which one comes back from the knight."""
    made = make_drops()
    page.open_and_draw(query='crowd=1')
    page.open_drop([os.path.join(CHARACTER, 'knight.md5mesh'), os.path.join(CHARACTER, 'run.md5anim'),
                    made + '/hero/players/rivet/skin.png', made + '/pak0.pak'], 'tris.md2 - ')
    same((page.labels('#models button'), page.pressed('models')), (['rivet', 'knight'], ['rivet']), 'a row of models')
    page.browser.click('#models button:nth-child(2)')
    page.wait_title('knight.md5mesh - run - ')
    same(page.pressed('models'), ['knight'], 'pressed')
    page.picture('row', bare=False)
    subject('many, on a small phone')
    many = made + '/many'
    os.makedirs(many)
    for i in range(30):
        shutil.copy(os.path.join(CHARACTER, 'tris.md2'), many + '/knight%02d.md2' % i)
    page.browser.window(320, 568, 1, True)
    page.open_drop([many], 'knight00.md2 - ')
    check('no picture' in page.note(), 'a note', page.note())
    check_inside(page, 'a drop')
    same(len(page.labels('#models option')), 30, 'a list of them')
    page.run('document.querySelector("#models select").focus()')
    page.browser.keys(ARROW_DOWN)
    page.wait_open('knight01.md2 - ')
    page.browser.keys(PAGE_DOWN)
    page.wait_open('knight02.md2 - ')
    same(page.run('return document.querySelector("#models select").selectedIndex'), 2, 'the list turns once')
    page.picture('many', bare=False)
    page.browser.window(*WINDOW)


CATCH = '''
  window.saved = [];
  HTMLAnchorElement.prototype.click = function () { saved.push([this.download, this.href]); };
'''


def saved(page):
    """The name and the bytes of what was downloaded."""
    check(page.wait('step(1); return saved.length', seconds=60), 'something is saved', page.error())
    name, data = page.run('const [[name, address]] = saved.splice(0); return fetch(address).then(answer => answer.arrayBuffer())'
                          '.then(data => [name, btoa([...new Uint8Array(data)].map(byte => String.fromCharCode(byte)).join(""))])')
    return name, base64.b64decode(data)


def take_home(page, wanted):
    """Saves by the button that begins so, and returns the name and the bytes of the file."""
    page.browser.click('#save')
    labels = page.labels('#choices button')
    found = [label.startswith(wanted) for label in labels]
    check(any(found), 'a button: ' + wanted, labels)
    page.browser.click('#choices button:nth-child(%d)' % (1 + found.index(True)))
    return saved(page)


def unpack(data):
    """The files of a .zip, by name."""
    path = os.path.join(SHOTS, 'home.zip')
    with open(path, 'wb') as out:
        out.write(data)
    with zipfile.ZipFile(path) as archive:
        check(archive.testzip() is None, 'the .zip is whole')
        return {name: archive.read(name) for name in archive.namelist()}


def make_gltf(made):
    """The knight as hero.glb, as hero.vrm, and in pieces, in a .zip; and his files."""
    parts = [os.path.join(CHARACTER, name) for name in ('knight.md5mesh', 'run.md5anim', 'stand.md5anim', 'skin.png')]
    done = checks.run(os.path.join(BUILD, 'mdconvert'), '--force', *parts[:3], '-o', made + '/hero.glb')
    same(done.returncode, 0, 'a .glb is made: ' + done.stderr)
    with open(made + '/hero.glb', 'rb') as file:
        glb = file.read()
    length = struct.unpack_from('<I', glb, 12)[0]
    text, pieces = json.loads(glb[20:20 + length]), glb[28 + length:]
    text['buffers'][0]['uri'] = 'pieces.bin'
    with zipfile.ZipFile(made + '/gltf.zip', 'w', zipfile.ZIP_DEFLATED) as archive:
        archive.writestr('a/hero.gltf', json.dumps(text))
        archive.writestr('a/pieces.bin', pieces)
        archive.writestr('a/read.me', 'of hero.gltf')
    return parts, glb


def test_home(page):
    """A .glb looks as what it was made of, and goes home as a .zip, whose model looks so again."""
    made = make_drops()
    parts, glb = make_gltf(made)
    page.open_and_draw(query='crowd=1')
    page.run(CATCH)
    page.tool('Pause')

    def look(name):
        return page.alone('home-' + name)

    page.open_drop(parts, 'knight.md5mesh - stand - ')
    knight = look('knight')
    page.open_drop([made + '/hero.glb'], 'hero.md5mesh - stand - ')
    same((sorted(page.anims()), page.labels('#models button')), (['run', 'stand'], ['hero as MD5', 'hero as MD2', 'knight dances this']), 'all of it')
    check(*checks.compare(knight, look('glb'), 2))
    page.browser.click('#models button:nth-child(2)')
    page.wait_open('hero.md2 - ')
    md2 = look('md2')
    check(*checks.compare(knight, md2, 4))
    same(take_home(page, 'The file that was opened')[1], glb, 'the same file')
    name, data = take_home(page, 'Quake II: the .md2')
    same((name, sorted(unpack(data))), ('hero.zip', ['hero.md2', 'skin.png']), 'its files')
    shutil.move(os.path.join(SHOTS, 'home.zip'), made + '/home.zip')
    page.open_drop([made + '/home.zip'], 'hero.md2 - stand - ')
    same((page.error(), page.note(), page.labels('#models button')), ('', '', []), 'it is read again')
    check(*checks.compare(md2, look('again'), 0.1))

    subject('a .gltf in a .zip')
    page.open_drop([made + '/gltf.zip'], 'hero.md5mesh - stand - ')
    check(*checks.compare(knight, look('gltf'), 2))
    same(take_home(page, 'The file that was opened')[0], 'hero.gltf', 'the file')
    subject('beside other models')
    os.makedirs(made + '/zoo')
    shutil.copy(parts[0], made + '/zoo')
    page.open_drop([made + '/hero.glb', made + '/hero', made + '/zoo'], 'tris.md2 - ')
    same(page.labels('#models button'), ['rivet', 'knight', 'hero as MD5', 'hero as MD2'], 'a row of all')
    for which, title in (3, 'hero.md5mesh - '), (2, 'knight.md5mesh - '), (1, 'tris.md2 - '):
        page.browser.click('#models button:nth-child(%d)' % which)
        page.wait_open(title)
    subject('what is no glTF')
    page.drop([('broken.glb', b'glTF and nothing behind it')])
    check(page.wait('step(1); return document.querySelector("#error span").innerText', seconds=60), 'it says why')
    same(page.run('return readState().name'), 'tris.md2', 'the model that was there stays')
    same(take_home(page, 'For Blender')[1][:4], b'glTF', 'for Blender')
    page.drop([('broken.md2', b'IDP2 and nothing behind it')])
    page.wait_title('broken.md2 - error: ')
    same(unpack(take_home(page, 'Quake II: the .md2')[1]).keys(), set(PLAYER), 'what is saved is what is in view')
    subject('without animations')
    same(checks.run(os.path.join(BUILD, 'mdconvert'), parts[0], '-o', made + '/still.glb').returncode, 0, 'a .glb is made')
    page.open_drop([made + '/still.glb'], 'still.md5mesh - bind pose - ')
    check('missing' not in page.note(), 'nothing is missing', page.note())


def test_wishes(page):
    """What was asked for last is shown, however late a conversion ends that was asked for before."""
    made = make_drops()
    make_gltf(made)
    shutil.copy(made + '/hero.glb', made + '/twin.glb')
    page.open_and_draw(query='crowd=1')
    page.run(LATE)

    def overtake(what):
        page.drop_paths([os.path.join(CHARACTER, 'weapon.md2')])
        page.wait_title('weapon.md2 - ')
        check(page.wait('convertNow(); step(1); return !busy && !job', seconds=30), 'the conversion ends')
        page.step(2)
        same((page.run('return [readState().name, modelList.entries.indexOf(shownEntry), modelList.entries.length]'), page.error()), (['weapon.md2', 0, 1], ''), what)
        check('weapon.md2' in page.state(), 'it is called so', page.state())

    page.drop_paths([made + '/hero.glb'])
    wait_late(page, 1)
    overtake('a drop after a drop')
    page.drop_paths([made + '/hero.glb', made + '/twin.glb'])
    wait_late(page, 1)
    page.run('convertNow()')
    page.wait_open('hero.md5mesh - ')
    page.browser.click('#models button:nth-child(2)')
    wait_late(page, 1)
    overtake('a drop after a choice')

    subject('keys')
    page.drop_paths([made + '/hero.glb', made + '/twin.glb'])
    wait_late(page, 1)
    page.run('convertNow()')
    page.wait_open('hero.md5mesh - ')
    for count in 1, 2, 3:
        page.browser.keys(PAGE_DOWN)
        wait_late(page, count)
    page.browser.click('#models button:nth-child(4)')
    page.step(2)
    same(page.run('return late.length'), 3, 'what comes already is not begun again')
    page.run('convertNow()')
    page.wait_open('twin.md2 - ')
    same(page.pressed('models'), ['twin as MD2'], 'the third from the first')

# -- What a visitor finds ------------------------------------------------------------------------------------------------

# Workers wait for convertNow(), or answer as the test says. `jobs` has what they were asked.
LATE = """
  window.late = [];
  window.jobs = [];
  window.Worker = class extends Worker {
    postMessage(message) { jobs.push({ words: message.words, worker: this }); late.push(() => super.postMessage(message)); }
  };
  window.convertNow = () => { for (const post of late.splice(0)) post(); };
  window.answer = data => jobs.at(-1).worker.onmessage({ data });
"""


def wait_late(page, count):
    check(page.wait('step(1); return late.length === arguments[0]', count), 'conversions begin', count)


def make_glb(path, *words):
    """By mdconvert, from files of the knight or by their whole paths."""
    names = [os.path.join(CHARACTER, word) if '.md5' in word and '/' not in word else word for word in words]
    done = checks.run(os.path.join(BUILD, 'mdconvert'), '--force', *names, '-o', path)
    same(done.returncode, 0, 'a .glb is made: ' + done.stderr)
    return path


def edit_glb(source, path, edit):
    """A copy of a .glb with other JSON."""
    with open(source, 'rb') as file:
        data = file.read()
    length = struct.unpack_from('<I', data, 12)[0]
    contents = json.loads(data[20:20 + length])
    edit(contents)
    text = json.dumps(contents).encode()
    text += b' ' * (-len(text) % 4)
    rest = data[20 + length:]
    with open(path, 'wb') as file:
        file.write(struct.pack('<4sIIII', b'glTF', 2, 20 + len(text) + len(rest), len(text), 0x4e4f534a) + text + rest)
    return path


def only_anims(contents):
    for key in 'meshes', 'skins', 'materials', 'textures', 'images':
        contents.pop(key, None)
    for node in contents['nodes']:
        node.pop('mesh', None)
        node.pop('skin', None)


def test_notes(page):
    """What mdconvert remarks is two lines at most, and whole in the details; progress is no remark."""
    made = make_drops()
    for i in range(8):
        shutil.copy(os.path.join(CHARACTER, 'run.md5anim'), made + '/animation_with_a_long_name_%d.md5anim' % i)
    make_glb(made + '/long.glb', 'knight.md5mesh', *(made + '/animation_with_a_long_name_%d.md5anim' % i for i in range(8)))
    page.open_and_draw(query='crowd=1')
    page.open_drop([made + '/long.glb'], 'long.md5mesh - ')
    page.browser.click('#models button:nth-child(2)')
    page.wait_open('long.md2 - ')
    check(len(page.note()) > 400, 'much to say', page.note())
    for size, lines in ((DESKTOP, 2), ((390, 664, 1, True), 1)):
        page.browser.window(*size)
        page.step(1)
        high = page.run('return document.getElementById("note").clientHeight')
        check(0 < high <= 20 * lines, 'lines of the note', high)
        page.picture('notes-%d' % lines, bare=False)
    page.browser.window(*WINDOW)
    page.browser.click('#details-button')
    said = page.run('return document.querySelector("#details pre").textContent')
    check('animation_with_a_long_name_7' in said and len(said.split('\n')) > 8, 'the details have all of it, line by line', said)
    page.run('document.querySelector("dialog[open]").close()')


def test_progress(page):
    """While a model is converted, its name, a bar and Stop are shown; Stop leaves what was in view, without an error."""
    made = make_drops()
    make_gltf(made)
    page.open_and_draw(query='crowd=1')
    page.run(LATE)
    page.drop_paths([made + '/hero.glb'])
    wait_late(page, 1)
    page.step(3)
    job = 'const job = document.getElementById("job"); return [job.offsetHeight > 0, job.querySelector("span").textContent, job.firstChild.value]'
    shown, text, _ = page.run(job)
    check(shown and 'Converting hero.glb' in text, 'it says what it does', shown, text)
    page.run('answer({ line: "mdconvert: frames: 48 of 96" })')
    page.step(3)
    _, text, value = page.run(job)
    check('50 %' in text and value == 0.5, 'and how far it is', text, value)
    check('48' not in page.note() + page.state(), 'which is no note', page.note())
    page.picture('progress', bare=False)
    page.browser.click('#job button')
    check(page.wait('step(1); return !job'), 'it stops')
    page.step(2)
    same((page.run(job)[0], page.error(), page.state()), (False, '', 'Sir Rivet · stand'), 'all is as it was')


def test_order(page):
    """Characters come first, whatever the order; animations without a mesh join the character in view; a broken file
    does not keep the next one from being shown."""
    made = make_drops()
    make_glb(made + '/hero.glb', 'knight.md5mesh', 'stand.md5anim')
    make_glb(made + '/moves.glb', 'knight.md5mesh', 'run.md5anim', 'wave.md5anim')
    edit_glb(made + '/moves.glb', made + '/anims.glb', only_anims)
    page.open_and_draw(query='crowd=1')
    page.open_drop([made + '/anims.glb', made + '/hero.glb'], 'hero.md5mesh - stand - ')
    same((sorted(page.anims()), page.error()), (['run', 'stand', 'wave'], ''), 'all animations')
    same(page.labels('#models button'), ['hero as MD5', 'hero as MD2', 'Sir Rivet dances this'], 'animations are no model')
    page.open_drop([made + '/hero.glb'], 'hero.md5mesh - stand - ')
    same(page.anims(), ['stand'], 'its own')
    page.open_drop([made + '/anims.glb'], 'hero.md5mesh - run - ')
    same((sorted(page.anims()), page.labels('#models button')), (['run', 'stand', 'wave'], ['hero as MD5', 'hero as MD2']), 'they join')
    with open(made + '/broken.glb', 'wb') as file:
        file.write(b'glTF and nothing behind it')
    page.open_drop([made + '/broken.glb', made + '/hero.glb'], 'hero.md5mesh - stand - ')
    same(page.pressed('models'), ['hero as MD5'], 'the next one')
    check('broken.glb' in page.error(), 'it says which is broken', page.error())


def md2_frames(data):
    """Of each frame its scale, translation and name, and its points in any order."""
    size, count, (first,) = *struct.unpack_from('<i', data, 16), struct.unpack_from('<i', data, 40)[0], struct.unpack_from('<i', data, 56)
    frames = [data[at:at + size] for at in range(first, first + size * count, size)]
    return [(frame[:40], sorted(frame[at:at + 4] for at in range(40, size, 4))) for frame in frames]


def test_dance(page):
    """Any humanoid animation on any humanoid: without a mesh it joins the character in view; with a mesh, one tap gives it to
    the character that was in view, and one tap brings the other back. Save makes MD5, .glb and MD2 of it."""
    made = make_drops()
    folder = os.path.join(BUILD, 'dancer')
    make_glb(made + '/star.glb', folder + '/dancer.md5mesh', *(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith('anim')))
    edit_glb(made + '/star.glb', made + '/dance.glb', only_anims)
    page.open_and_draw(query='crowd=1')
    page.run(CATCH)

    subject('the knight, an MD5 with a sword')
    page.open_drop([made + '/dance.glb'], 'knight.md5mesh - ')
    names = page.labels('#models button')
    same((names, page.pressed('models')), (['Sir Rivet', 'Sir Rivet with dance'], ['Sir Rivet with dance']), 'the list')
    playing = page.run('return readState().anim')
    check(len(page.anims()) > 22 and playing not in os.listdir(CHARACTER), 'a new animation plays', playing, page.anims())
    same(page.note().count('no picture'), 0, 'he has his skin')
    page.picture('dance-knight', bare=False)
    files = unpack(take_home(page, 'Doom 3')[1])
    check({'knight.md5mesh', 'weapon.md5mesh', 'skin.png', playing + '.md5anim'} <= files.keys(), 'MD5', sorted(files))
    files = unpack(take_home(page, 'Quake II')[1])
    same([name for name in sorted(files) if name.endswith('md2')], ['knight.md2', 'weapon.md2'], 'MD2, with the sword')
    anims = read_glb(take_home(page, 'For Blender')[1])['animations']
    check(playing in [anim['name'] for anim in anims], '.glb', len(anims))
    page.browser.click('#models button')
    page.wait_title('knight.md5mesh - stand - ')
    same((page.state(), len(page.anims())), ('Sir Rivet · stand', 22), 'and back')

    subject('a Quake II player')
    shutil.rmtree(made + '/hero')
    os.makedirs(made + '/players/rivet')
    for name in 'tris.md2', 'skin.png':
        shutil.copy(os.path.join(CHARACTER, name), made + '/players/rivet')
    page.open_drop([made + '/players'], 'tris.md2 - ')
    page.open_drop([made + '/star.glb'], 'star.md5mesh - ')
    same(page.labels('#models button'), ['star as MD5', 'star as MD2', 'rivet dances this'], 'the list')
    page.browser.click('#models button:nth-child(3)')
    page.wait_open('rivet.md5mesh - ')
    check(len(page.anims()) > 20 and 'star' in page.title(), 'he dances', page.title())
    page.step(1)
    page.picture('dance-player', bare=False)
    name, data = take_home(page, 'Quake II')
    new = next(content for path, content in unpack(data).items() if path.endswith('.md2')) if data[:2] == b'PK' else data
    same(md2_frames(new)[:198], md2_frames(character('tris.md2')[0][1]), 'its own frames are as they were')
    check(len(md2_frames(new)) > 198, 'and there are new ones')
    page.browser.click('#models button:nth-child(1)')
    page.wait_open('star.md5mesh - ')
    same(page.error(), '', 'and back')


def read_glb(data):
    return json.loads(data[20:20 + struct.unpack_from('<I', data, 12)[0]])


def test_weapons(page):
    """The sword is saved in each format, and looks as before when what was saved is opened again."""
    made = make_drops()
    page.open_and_draw(query='crowd=1')
    page.run(CATCH)
    page.tool('Pause')

    def look(name):
        return page.alone('weapons-' + name)

    knight = look('md5')
    name, data = take_home(page, 'Quake II: the .md2')
    files = unpack(data)
    same((name, sorted(files)), ('knight-md2.zip', ['knight.md2', 'skin.png', 'weapon.md2', 'weapon.png']), 'hero and sword')
    same([struct.unpack_from('<i', files[path], 40)[0] for path in ('knight.md2', 'weapon.md2')],
         [struct.unpack_from('<i', files['knight.md2'], 40)[0]] * 2, 'they have the same frames')
    shutil.move(os.path.join(SHOTS, 'home.zip'), made + '/md2.zip')
    name, data = take_home(page, 'For Blender')
    same((name, sorted(material['name'] for material in read_glb(data)['materials'])), ('knight.glb', ['skin', 'weapon']), 'a .glb has both')
    with open(made + '/knight.glb', 'wb') as file:
        file.write(data)
    page.open_drop([made + '/md2.zip'], 'knight.md2 - stand - ')
    check(*checks.compare(knight, look('md2'), 4))
    page.open_drop([made + '/knight.glb'], 'knight.md5mesh - stand - ')
    check(*checks.compare(knight, look('glb'), 3))

    subject('of an MD2')
    page.open_drop([made + '/hero'], 'tris.md2 - stand - ')
    md2 = look('player')
    name, data = take_home(page, 'For Blender')
    contents = read_glb(data)
    same((name, len(contents['meshes']), {len(anim['channels']) for anim in contents['animations']}, len(contents['animations'])),
         ('rivet.glb', 2, {2}, 20), 'a .glb has both, and each animation moves both')
    with open(made + '/rivet.glb', 'wb') as file:
        file.write(data)
    page.run(LATE)
    page.browser.click('#save')
    page.browser.click('#choices button:nth-child(4)')
    wait_late(page, 1)
    same([word for word in page.run('return jobs[0].words') if 'md2' in word], ['given/tris.md2', 'given/weapon.md2'],
         'a skeleton is found for both')
    page.run('job.stop()')
    page.browser.open('about:blank')
    page.open_and_draw(query='crowd=1')
    page.tool('Pause')
    page.open_drop([made + '/rivet.glb'], 'rivet.md2 - stand - ')
    same((page.labels('#models button'), len(page.anims())), (['rivet as MD2', 'rivet as MD5'], 20), 'morph targets: as MD2, and it moves')
    check(*checks.compare(md2, look('player-glb'), 3))


def test_help(page):
    """The help begins at its beginning; a finger is told gestures, not keys."""
    page.open_and_draw(query='crowd=1')
    for size, keys, gesture in (((500, 300, 1, False), True, 'Drag'), ((390, 664, 1, True), False, 'One finger')):
        page.browser.window(*size)
        page.browser.click('#help')
        said, focus, scrolled, keys_shown = page.run('const dialog = document.getElementById("keys"); return [dialog.innerText,'
            'document.activeElement.id, dialog.scrollTop, dialog.querySelector("dl").offsetHeight > 0]')
        same((focus, scrolled, keys_shown), ('keys-title', 0, keys), 'focus, position, keys')
        check(gesture in said, 'what to do', said)
        page.picture('help-%d' % size[0], bare=False)
        page.run('document.getElementById("keys").close()')
    page.browser.window(*WINDOW)


def test_quiet(page):
    """A screen reader is told what is in view, once, not each frame."""
    page.open_and_draw(query='crowd=1')
    page.run("""window.told = 0; new MutationObserver(list => { for (const { target } of list) {
        if ((target.parentElement || target).closest('output, [aria-live], [role=status], [role=alert]') || target.nodeName === 'OUTPUT') ++told; }
      }).observe(document.body, { subtree: true, childList: true, characterData: true })""")
    frame = 'return document.querySelector("#clock").textContent'
    before = page.run(frame)
    page.run('step(20)')
    check(page.run(frame) != before, 'the clock runs', before)
    same(page.run('return told'), 0, 'live regions that changed')
    page.anim('run')
    page.wait_title(' - run - ')
    check(page.run('return told') > 0, 'the animation is told')


def height_of_md2(data):
    frame = struct.unpack_from('<i', data, 56)[0]
    scale, low = struct.unpack_from('<f', data, frame + 8)[0], None
    count = struct.unpack_from('<i', data, 24)[0]
    values = [data[frame + 40 + 4 * i + 2] for i in range(count)]
    return scale * (max(values) - min(values))


def test_scale(page):
    """A model of another size is saved as high as a player; one of that size is not changed. What mdconvert refuses can be
    tried anyway, and the page names no option of a command line."""
    made = make_drops()
    parts = ['knight.md5mesh', 'stand.md5anim']
    make_glb(made + '/hero.glb', *parts)
    make_glb(made + '/tiny.glb', *parts, '--scale', '0.0005')
    page.open_and_draw(query='crowd=1')
    page.run(CATCH)
    for name, scaled in ('hero', False), ('tiny', True):
        page.open_drop([made + '/%s.glb' % name], name + '.md5mesh - stand - ')
        check('--' not in page.note() + page.run('return document.querySelector("#details").textContent'), 'no option', page.note())
        page.browser.click('#save')
        same(page.run('const box = document.getElementById("scale"); return [box.offsetHeight > 0, box.checked]'), [True, scaled], name)
        page.picture('scale-' + name, bare=False)
        page.run('document.querySelector("dialog[open]").close()')
        high = height_of_md2(unpack(take_home(page, 'Quake II: the .md2')[1])[name + '.md2'])
        check(abs(high - (56 if scaled else 59)) < 3, 'its height', high)
    page.browser.click('#save')
    page.browser.click('#scale')
    page.run('document.querySelector("dialog[open]").close()')
    high = height_of_md2(unpack(take_home(page, 'Quake II: the .md2')[1])['tiny.md2'])
    check(high < 10, 'as it was, if the visitor wants that', high)

    subject('try anyway')
    page.open_drop([made + '/hero'], 'tris.md2 - ')
    page.run(LATE)
    page.browser.click('#save')
    page.browser.click('#choices button:nth-child(4)')
    wait_late(page, 1)
    page.run('answer({ line: "mdconvert: given/tris.md2: its frames shrink; --anyway goes on" }); answer({ status: 1 })')
    check(page.wait('step(1); return document.querySelector("#error span").innerText'), 'an error')
    same((page.error(), page.labels('#error button')[0]), ('tris.md2: its frames shrink', 'Try anyway'), 'a button')
    page.browser.click('#error button')
    wait_late(page, 2)
    check('--anyway' in page.run('return jobs[1].words'), 'it tries')
    page.run('job.stop()')
    page.browser.open('about:blank')


def test_first_anim(page):
    """The first animation is found by whole words, idle before stand."""
    page.open_and_draw(query='crowd=1')
    (mesh, run) = character('knight.md5mesh', 'run.md5anim')
    for names, first in ((('Lie_StandUp', 'Idle_B', 'Idle'), 'Idle'), (('Robot_Standing', 'Robot_Stand', 'upstanding'), 'Robot_Stand'),
                         (('Standing', 'RunFast', 'trunk'), 'RunFast'), (('stand', 'idle01'), 'idle01')):
        page.drop([mesh, *((name + '.md5anim', run[1]) for name in names)])
        page.wait_title('knight.md5mesh - %s - ' % first)
        same(page.anims()[0], first, 'its button is first')


def test_names(page):
    """Players and monsters of Quake II are called by their folders, also in the re-release, and are saved by these names."""
    made = make_drops()
    for name in 'infantry', 'soldier':
        folder = made + '/monsters/' + name
        os.makedirs(folder + '/md5')
        shutil.copy(os.path.join(CHARACTER, 'tris.md2'), folder)
        shutil.copy(os.path.join(CHARACTER, 'skin.png'), folder)
        shutil.copy(os.path.join(CHARACTER, 'knight.md5mesh'), folder + '/md5/tris.md5mesh')
        shutil.copy(os.path.join(CHARACTER, 'stand.md5anim'), folder + '/md5/idle.md5anim')
    page.open_and_draw(query='crowd=1')
    page.run(CATCH)
    page.open_drop([made + '/monsters'], 'tris.md2 - ')
    same(page.labels('#models button'), ['infantry', 'soldier'] * 2, 'the list')
    check(page.state().startswith('infantry · '), 'the caption', page.state())
    same(take_home(page, 'Quake II: the .md2')[0], 'infantry.zip', 'what is saved')
    page.browser.click('#models button:nth-child(4)')
    page.wait_title('tris.md5mesh - idle - ')
    same(take_home(page, 'For Blender')[0], 'soldier.glb', 'what is saved')


def test_invite(page):
    """The first screen says that files can be dropped, or opened by a finger, until there are some."""
    for size, words in ((DESKTOP, 'Drop your models: .md2'), ((390, 664, 1, True), 'Open yours'), ((320, 568, 1, True), 'Open yours')):
        subject('%dx%d' % size[:2])
        page.browser.window(*size)
        page.open_and_draw(query='')
        text, box = page.run('const part = document.getElementById("invite"), box = part.getBoundingClientRect();'
                             'return [part.innerText, [box.left, box.top, box.right, box.bottom]]')
        check(text.startswith(words) and 0 <= box[0] < box[2] <= size[0] and 0 <= box[1] < box[3] <= size[1], 'the line', text, box)
        page.browser.click('#invite')
        same(page.run('return document.querySelector("dialog[open]")?.id'), 'opening', 'it opens')
        page.run('document.querySelector("dialog[open]").close()')
        same(page.run('return readState().crowd'), 40 if size is DESKTOP else 12, 'so many on such a screen')
    page.browser.window(*WINDOW)
    page.drop(character('tris.md2', 'skin.png'))
    page.wait_title('tris.md2 - ')
    same(page.run('return ["invite", "md2", "md5"].map(id => document.getElementById(id).offsetHeight)'), [0, 0, 0],
         'neither that line nor the knight is offered to who has a model')


def test_drops(page):
    """A drop of something else says what can be read, and costs no memory; a skin belongs to the model that is chosen."""
    made = make_drops()
    page.open_and_draw(query='crowd=1')
    page.open_drop([made + '/pak0.pak', os.path.join(CHARACTER, 'knight.md5mesh')], 'tris.md2 - ')
    page.drop(character('skin.png'))
    check(page.wait('step(1); return !busy'), 'it is dressed')
    page.step(2)
    same(page.pressed('models'), ['rivet'], 'the button stays pressed')
    page.drop([('note.txt', b'hello')])
    check(page.wait('step(1); return document.querySelector("#error span").innerText.includes("note.txt")'), 'an error')
    check(all(kind in page.error() for kind in ('.md2', '.md5mesh', '.glb', '.zip')), 'what can be read', page.error())
    noise = made + '/noise.md2'
    with open(noise, 'wb') as file:
        file.write(b'noise')
        file.truncate(200 << 20)
    heap = page.run('return Module.HEAPU8 ? Module.HEAPU8.length : 0')
    held = page.run(HELD)
    page.drop_paths([noise])
    check(page.wait('step(1); return document.querySelector("#error span").innerText.includes("noise.md2")', seconds=3), 'an error at once')
    same((page.run(HELD), page.run('return Module.HEAPU8 ? Module.HEAPU8.length : 0')), (held, heap), 'no memory')
    subject('under an open dialog')
    page.browser.click('#save')
    page.open_drop([made + '/hero'], 'tris.md2 - ')
    same(page.run('return document.querySelector("dialog[open]")'), None, 'outdated offers are gone')


def test_saving(page):
    """A picture has all pixels of the screen; what is saved as .zip is deflated; addresses of what was saved are given back."""
    page.open_and_draw(query='crowd=1')
    page.run(CATCH + """
      window.revoked = [];
      URL.revokeObjectURL = address => revoked.push(address);
      const wait = setTimeout;
      window.setTimeout = (act, delay) => delay === 60000 ? act() : wait(act, delay);
      resolution = 2;""")
    page.step(1)
    same(page.run('return canvas.width'), WINDOW[0] / 2, 'slow frames have fewer pixels')
    name, data = take_home(page, 'The picture')
    same(struct.unpack_from('>II', data, 16), (WINDOW[0], page.run('return canvas.clientHeight')), 'pixels of the picture')
    page.step(1)
    same(page.run('return canvas.width'), WINDOW[0] / 2, 'and frames have as many as before')
    data = take_home(page, 'Doom 3')[1]
    unpack(data)
    with zipfile.ZipFile(os.path.join(SHOTS, 'home.zip')) as archive:
        packed = [(part.compress_type, part.compress_size < part.file_size) for part in archive.infolist() if part.filename.endswith('mesh')]
    same(packed, [(zipfile.ZIP_DEFLATED, True)] * 2, 'it is deflated')
    check(page.wait('step(1); return revoked.length'), 'its address is given back')


def test_upper_case(page):
    """A link's skin is found whatever its case, as the headers find it."""
    folder = os.path.join(SHOTS, 'upper')
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    (_, data), (_, skin) = character('tris.md2', 'skin.png')
    names = struct.unpack_from('<i', data, 44)[0]
    with open(folder + '/tris.md2', 'wb') as file:
        file.write(data[:names] + b'fonz.pcx'.ljust(64, b'\0') + data[names + 64:])
    with open(folder + '/fonz.PNG', 'wb') as file:
        file.write(skin)
    page.open_and_draw(query='crowd=1&model=' + quote(Server(folder, shared=True).address + 'tris.md2', safe=''))
    page.wait_title('tris.md2 - ')
    same(page.note(), '', 'its skin was fetched')
    page.browser.complaints()


def test_film_again(page):
    """The film's button shows again what was in view before."""
    page.open_and_draw(query='md2&anim=run&crowd=3')
    page.tool('Film')
    page.wait_title('111 characters')
    page.tool('Film')
    page.wait_title('tris.md2 - run - loop - 1x - 3 characters')
    page.drop(character('knight.md5mesh', 'walk.md5anim', 'skin.png'))
    page.wait_open('knight.md5mesh - walk - ')
    page.tool('Film')
    page.wait_title('111 characters')
    page.tool('Film')
    page.wait_title('knight.md5mesh - walk - loop - 1x - 1 character')


def test_compare(page):
    """Two formats of a model side by side: in the same frame, from the same side, at the same time."""
    made = make_drops()
    page.open_and_draw(query='crowd=1&anim=run')

    def other(script):
        return page.run('step(1); const pane = document.getElementById("pane")?.contentWindow;'
                        'if (!pane?.step || !pane.eval("typeof ready === \\"boolean\\" && ready")) return null; pane.step(1); return pane.eval(arguments[0])', script)

    def wait_pane(start):
        state = [None]

        def is_there():
            state[0] = other(STATE)
            return state[0] and state[0].startswith(start)
        check(checks.wait(is_there, 30, 0.05), 'the second pane: ' + start, state[0], page.error())

    page.tool('Compare')
    wait_pane('tris.md2 - run - ')
    same(page.labels('.tag'), ['MD5', 'MD2'], 'labels')
    page.run('Module._viewer_seek(0.2); Module._viewer_drag(0, 0.2, 0.1)')
    page.tool('Pause')
    same(other('[Module._viewer_time().toFixed(3), cameraNow().map(Math.round).join()]'),
         page.run('return [Module._viewer_time().toFixed(3), cameraNow().map(Math.round).join()]'), 'one clock, one camera')
    page.step(2)
    other('1')
    picture = page.picture('compare', bare=False)
    width, height = page.run('return [canvas.clientWidth, canvas.clientHeight]')
    halves = [os.path.join(SHOTS, 'compare-%d.png' % i) for i in range(2)]
    for i, half in enumerate(halves):
        checks.run('convert', picture, '-crop', '%dx%d+%d+%d' % (width, height - 200, i * width, 150), '+repage', half)
    close, line = checks.compare(*halves, 8)
    check(close and not line.startswith('0 of'), 'they look alike, but are not the same', line)
    page.tool('Skeleton')
    same(other('readState().signs.join()'), 'paused,skeleton', 'switches')
    page.anim('wave')
    other('1')
    wait_pane('tris.md2 - wave - ')
    page.tool('Compare')
    same(page.run('return [canvas.clientWidth, frames.length]'), [WINDOW[0], 0], 'the pane is closed')

    subject('of a .glb')
    make_gltf(made)
    page.open_drop([made + '/hero.glb'], 'hero.md5mesh - ')
    page.tool('Compare')
    wait_pane('hero.md2 - ')
    page.open_drop([made + '/hero'], 'tris.md2 - ')
    same(page.run('return frames.length'), 0, 'what is opened next is shown alone')


def test_record(page):
    """A film is a .webm of one turn and whole loops; a phone shares it."""
    page.browser.forget(page.held)                # frames pass by themselves: the browser records what it shows
    page.open(query='crowd=1&anim=stand')
    check(page.wait('return ready', seconds=60), 'the viewer starts', page.error())
    page.run(CATCH)
    page.browser.click('#save')
    page.browser.click('#choices button:nth-child(2)')
    check(page.wait('return job', seconds=5), 'it is recorded')
    page.browser.picture(os.path.join(SHOTS, 'record.png'))
    check(page.wait('return saved.length', seconds=30), 'it is saved', page.error())
    name, length, middle, end = page.run("""
      const [[name, address]] = saved.splice(0), video = document.createElement('video'), canvas = document.createElement('canvas');
      video.muted = true;
      video.src = address;
      return new Promise((done, fail) => { video.onerror = () => fail(new Error('no video')); video.onloadeddata = async () => {
        canvas.width = 160; canvas.height = 90;
        const context = canvas.getContext('2d', { willReadFrequently: true });
        const frameAt = time => new Promise(found => {
          video.onseeked = () => { context.drawImage(video, -220, -60, 600, 247); found(context.getImageData(0, 0, 160, 90).data); };
          video.currentTime = time;
        });
        const differ = (a, b) => a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length;
        video.onended = async () => {
          const length = video.currentTime, first = await frameAt(0.02), middle = await frameAt(length / 2), last = await frameAt(length - 0.02);
          done([name, length, differ(first, middle), differ(first, last)]);
        };
        video.play();
      }; });""")
    same(name, 'knight-stand.webm', 'its name')
    check(3.5 < length < 6, 'seconds', length)
    check(middle > 2 and end < 0.7 * middle, 'it turns, and ends about as it began', middle, end)
    same(page.run('return [readState().signs.includes("paused"), Math.round(cameraNow()[4])]'), [False, 10], 'and it goes on')
    page.browser.window(390, 664, 1, True)
    page.run("""window.shared = []; navigator.canShare = () => true;
                navigator.share = async ({ files }) => shared.push(files[0].name, files[0].size > 1000);""")
    page.run('handOver(new File([new Uint8Array(2000)], "film.webm"))')
    page.browser.click('#choices button')
    same(page.run('return [shared, saved.length]'), [['film.webm', True], 0], 'a phone shares it instead of a download')
    page.browser.window(*WINDOW)
    page.held = page.browser.before_each_page(HOLD)
    page.open_and_draw()


def test_details(page):
    """The details are what `info` prints of the files that are in view, and what is amiss."""
    page.open_and_draw(query='md2&crowd=1')
    report = 'return document.querySelector("#details pre:nth-of-type(2)").textContent'
    page.browser.click('#details-button')
    check(page.wait(report, seconds=30), 'a report')
    native = checks.run('sh', '-c', 'cd "$0" && exec "$1" tris.md2 weapon.md2', CHARACTER, os.path.abspath(os.path.join(BUILD, 'info')))
    same(page.run(report), native.stdout.rstrip(), 'the report')
    page.picture('details', bare=False)
    page.run('document.querySelector("dialog[open]").close()')
    page.drop(character('knight.md5mesh'))
    page.wait_title('knight.md5mesh - bind pose - ')
    page.browser.click('#details-button')
    check(page.wait('return document.querySelector("#details pre:nth-of-type(2)").textContent.includes("38 joints")', seconds=30), 'a report')
    check('no picture' in page.run('return document.querySelector("#details pre").textContent'), 'what is amiss')
    page.run('document.querySelector("dialog[open]").close()')


def test_offline(page):
    """The page is deployed, visited, deployed again, and visited without a server: each time the newest version that can
    be had is shown, and it works."""
    site = os.path.join(SHOTS, 'site')
    shutil.rmtree(site, ignore_errors=True)

    def deploy(version):
        """The same page with another text, so its parts have the same names; but one part has a name of its own."""
        shutil.rmtree(site, ignore_errors=True)
        shutil.copytree(os.path.join(BUILD, 'web'), site)
        old = [name for name in os.listdir(site) if name.startswith('page-')][0]
        new = 'page-%08x.js' % version
        os.rename(os.path.join(site, old), os.path.join(site, new))
        for name in 'index.html', 'sw.js':
            with open(os.path.join(site, name), 'r+', encoding='utf-8') as file:
                text = file.read().replace(old, new).replace('<title>', '<title>%d ' % version)
                file.seek(0)
                file.truncate()
                file.write(text)
        return new

    page.browser.forget(page.no_cache)
    server = Server(site)
    cached = ('return caches.open("parts").then(cache => cache.keys()).then(list => list.map(({ url }) => url.split("/").pop()))')

    def visit(version):
        page.browser.open(server.address + '?crowd=1')
        check(page.wait('return ready', seconds=60), 'the viewer starts', page.error())
        page.step(2)
        same(page.run('return performance.getEntriesByType("resource")'
                      '.map(part => part.name.split("/").pop()).filter(name => name.startsWith("page-"))'), ['page-%08x.js' % version], 'its version')

    deploy(1)
    visit(1)
    check(page.wait('return navigator.serviceWorker.ready.then(({ active }) => active?.state === "activated")', seconds=30), 'it is installed')
    visit(1)                                      # now through the service worker
    deploy(2)
    visit(2)
    check(page.wait('return caches.open("parts").then(cache => cache.keys()).then(list =>'
                    '!list.some(({ url }) => url.includes("page-00000001")) && list.some(({ url }) => url.includes("page-00000002")))', seconds=30),
          'parts of the old version are removed', page.run(cached))
    server.down = True
    visit(2)
    same((page.error(), page.run('return readState().name')), ('', 'knight.md5mesh'), 'it works without a server')
    page.run('Object.defineProperty(navigator, "onLine", { value: false })')
    page.browser.click('#md2')
    check(page.wait('step(1); return document.querySelector("#error span").innerText'), 'what is missing')
    check('no connection' in page.error() and 'Failed' not in page.error(), 'it says why', page.error())
    server.down = False
    page.run('return navigator.serviceWorker.getRegistrations().then(list => Promise.all(list.map(one => one.unregister())))')
    page.no_cache = page.browser.before_each_page(NO_CACHE)
    page.browser.complaints()


OTHER_SKELETON = b'''MD5Version 10
commandline ""
numFrames 2
numJoints 1
frameRate 24
numAnimatedComponents 0
hierarchy { "root" -1 0 0 }
bounds { ( 0 0 0 ) ( 1 1 1 ) ( 0 0 0 ) ( 1 1 1 ) }
baseframe { ( 0 0 0 ) ( 0 0 0 ) }
frame 0 { }
frame 1 { }
'''


def test_strangers(page):
    """An animation of another skeleton, or a broken one, stays behind, and one is told so before one saves."""
    page.open_and_draw(query='crowd=1')
    page.run(CATCH)
    other = [('other.md5anim', OTHER_SKELETON)]
    page.drop(character('knight.md5mesh', 'run.md5anim', 'skin.png') + other)
    page.wait_open('knight.md5mesh - run - ')
    same(sorted(unpack(take_home(page, 'Doom 3')[1])), ['knight.md5mesh', 'run.md5anim', 'skin.png'], 'what belongs together')
    told = page.run('return document.getElementById("left").innerText')
    check(told.endswith('read: other.md5anim'), 'it tells what stays', told)
    page.drop(other)
    page.wait_open('knight.md5mesh - other - ')
    check('another skeleton' in page.note(), 'it moves, as well as it can', page.note())
    page.drop([('broken.md5anim', b'MD5Version 10 and nothing behind it')])
    page.wait_title('broken.md5anim - error: ')
    same(sorted(unpack(take_home(page, 'Doom 3')[1])), ['knight.md5mesh', 'run.md5anim', 'skin.png'], 'they stay')
    told = page.run('return document.getElementById("left").innerText')
    check(told.endswith('read: other.md5anim, broken.md5anim'), 'each is named once', told)


SATURATION, LIGHTNESS = 'G', 'B'                  # the channels of HSL


def share(picture, channel, least, part='100%x100%+0+0'):
    """How many of the pixels have more than that of saturation or lightness, 0 to 1."""
    done = checks.run('convert', picture, '-crop', part, '+repage', '-colorspace', 'HSL', '-channel', channel, '-separate', '+channel',
                      '-threshold', '%g%%' % (100 * least), '-format', '%[fx:mean]', 'info:')
    return float(done.stdout)


def colorful(picture):
    return share(picture, SATURATION, 0.3)


def dark(picture):
    return 1 - share(picture, LIGHTNESS, 0.3)


def gray(picture):
    """As the plain background."""
    return share(picture, LIGHTNESS, 0.43) - share(picture, LIGHTNESS, 0.47)


def test_looks(page):
    """What More has: each changes the picture as it says, and takes that back."""
    page.open_and_draw(query='md2&crowd=1')
    page.tool('Pause')

    def look(name):
        return page.alone('looks-' + name)

    page.tool('Plain')
    plain = look('plain')
    same(share(plain, SATURATION, 0.01, '25%x100%+0+0'), 0, 'sky and floor are grey')
    check(colorful(plain) > 0.01, 'the knight is not')
    page.tool('Bare')
    bare = look('bare')
    same(colorful(bare), 0, 'without a texture he is')
    page.tool('Wires')
    check(dark(look('wires')) > dark(bare) + 0.01, 'dark lines')
    page.tool('Wires')
    check(*checks.compare(bare, look('bare-again'), 0))
    page.tool('Bare')
    check(*checks.compare(plain, look('plain-again'), 0))
    page.tool('Night')
    check(dark(look('night')) > dark(plain) + 0.01, 'it is dark')
    page.tool('Night')
    page.tool('Turn')
    look('turn')
    before = page.run('return cameraNow()[4]')
    page.step(3)
    check(page.run('return cameraNow()[4]') > before, 'it turns')

    subject('see-through')
    holes = os.path.abspath(os.path.join(SHOTS, 'skin.png'))
    checks.run('convert', os.path.join(CHARACTER, 'skin.png'), '-alpha', 'set', '-region', '100%x50%', '-channel', 'A', '-evaluate',
               'set', '0', holes)
    page.open_drop([os.path.join(CHARACTER, 'tris.md2'), holes], 'tris.md2 - stand - ')
    page.tool('Turn')
    seen = gray(look('cut'))
    page.tool('Solid')
    check(seen > gray(look('solid')) + 0.02, 'what is cut out shows the ground, what is solid does not')


def test_time(page):
    """The frame is told, a slider seeks, buttons step; what one looks for comes first."""
    page.open_and_draw(query='crowd=1&anim=run')
    same(page.labels('#anims button')[:4], ['stand', 'run', 'walk', 'attack'], 'the first animations')

    def frame():
        page.step(1)
        return float(re.search(r'frame ([\d.]+) of 6', page.run('return document.querySelector("#clock span").textContent'))[1])

    page.browser.click('#seek')                   # in its middle
    page.wait_title(' - paused')
    middle = frame()
    check(2.7 < middle < 3.3, 'it is there', middle)
    page.tool('Frame ›')
    check(abs(frame() - middle - 1) < 0.11, 'a frame on', frame())
    page.browser.keys(' ')
    page.wait_title(' - paused', False)           # the keys are the viewer's again


def test_address(page):
    """The address bar keeps what is in view: who opens it sees the same."""
    page.open_and_draw(query='crowd=1&anim=run')
    page.browser.keys('l')
    page.browser.keys('g')
    page.run('Module._viewer_zoom(0.5); Module._viewer_orbit(2, 3); Module._viewer_seek(0.2); pressKey(" ")')
    page.step(3)
    before = page.picture('address-before')
    check(page.wait('step(1); return location.href.includes("mode=once") && location.href.includes("zoom=0.5")'), 'it follows')
    page.browser.open(page.run('return location.href'))
    check(page.wait('return ready', seconds=60), 'the viewer starts', page.error())
    page.step(3)
    check(*checks.compare(before, page.picture('address-after'), 2))
    page.open_and_draw(query='crowd=1&kiosk')
    same(page.run('return [...document.querySelectorAll("header, footer")].map(part => part.offsetHeight)'), [0, 0], 'a kiosk')
    page.open(query='crowd=99999')
    check(page.wait('return ready && document.querySelector("#error span").innerText'), 'an error')
    check('1,000' in page.error(), 'too many', page.error())
    for query, words in (('model=', 'no model'), ('model=index.html', 'web page')):
        page.open_and_draw(query=query)
        check(words in page.error(), query, page.error())
        page.wait_title('knight.md5mesh - ')
    folder = os.path.join(SHOTS, 'served')
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name, copy in ('tris.md2', 'tris.md2'), ('skin.png', 'skin.png'), ('knight.md5mesh', 'knight.md5mesh'), ('stand.md5anim', 'idle.md5anim'):
        shutil.copy(os.path.join(CHARACTER, name), os.path.join(folder, copy))
    server = Server(folder, shared=True)
    for name, title in ('tris.md2', 'tris.md2 - stand - '), ('knight.md5mesh', 'knight.md5mesh - idle - '):
        page.open_and_draw(query='model=' + quote(server.address + name, safe=''))
        page.wait_title(title)
        same(page.note(), '', 'its skin was fetched')
    page.browser.complaints()
    page.browser.command('Emulation.setEmulatedMedia', features=[{'name': 'prefers-reduced-motion', 'value': 'reduce'}])
    page.open_and_draw(query='crowd=1')
    page.wait_title(' - paused')
    page.browser.command('Emulation.setEmulatedMedia', features=[])


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

    page.open_and_draw()
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
    subject('zoom ends both ways')
    for factor in 0.001, 1000:
        page.run('zoomed = 1; for (let i = 0; i < 20; ++i) zoom(arguments[0])', factor)
        page.step(2)
        ends = [page.picture('zoom-end')]
        page.run('zoom(arguments[0])', factor)
        page.step(2)
        check(*checks.compare(ends[0], page.picture('zoom-beyond'), 0.05))
    for back in (lambda: pointer('touch', [move(200, 200), DOWN, UP, move(200, 200), DOWN, UP]),
                 lambda: pointer('mouse', [move(200, 200), DOWN, UP, DOWN, UP])):
        page.run('zoom(3)')
        back()
        check_moves('double tap', still, False)
    # A drag may leave the canvas: it ends where the button is let go, above the buttons too.
    pointer('mouse', [move(400, 200), DOWN, move(400, 300), move(400, 465), UP])
    left = check_moves('drag out', still, True)
    pointer('mouse', [move(300, 200), move(350, 200)])
    check_moves('after', left, False)
    page.browser.keys('r')
    page.tool('Pause')
    page.wait_title(' - paused', False)


def check_inside(page, after):
    outside = page.run('''
        return [...document.querySelectorAll("header > *, footer > *, dialog[open]")].filter(part => {
          const { width, left, top, right, bottom } = part.getBoundingClientRect();
          return width && (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight);
        }).map(part => part.id)''')
    same(outside, [], 'parts outside of the window, after %s' % after)
    boxes = page.run('return [...document.querySelectorAll("header > .panel")].map(part => {'
                     'const box = part.getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom]; })')
    (_, _, right, bottom), (left, top, _, _) = boxes
    check(right <= left or bottom <= top, 'panels do not lie over each other, after %s' % after, boxes)


def test_sizes(page):
    """Everywhere all of it can be seen, with dialogs and more tools as well."""
    page.open_and_draw()
    for width, height, ratio, mobile in (DESKTOP, (768, 1024, 1, False), PHONE, (360, 640, 2, True), (500, 400, 2, False),
                                         (740, 360, 1, True), (320, 568, 1, True)):
        size = '%dx%d' % (width, height)
        subject(size)
        page.browser.window(width, height, ratio, mobile)
        check_canvas(page, width, height, ratio)
        page.step(2)
        same(page.run('const page = document.documentElement; return [page.scrollWidth, page.scrollHeight]'),
             [width, height], 'nothing to scroll')
        check(width > 700 or page.run('return document.querySelector("header").getBoundingClientRect().bottom <='
                                      'canvas.getBoundingClientRect().top'), 'the headline covers no head')
        page.picture('page-' + size, bare=False)
        for button in None, 'more', 'more', 'open', 'help', 'summary':
            selector = 'summary' if button == 'summary' else '#%s' % button
            if button and page.run('return document.querySelector(arguments[0]).offsetWidth', selector):
                page.browser.click(selector)
            check_inside(page, button)
            high = page.run('return canvas.clientHeight')
            check(button != 'more' or high >= 0.49 * height, 'More leaves half of the window', high)
            high = page.run('return document.getElementById("tools").clientHeight')
            check(high >= 40, 'a row of buttons can be seen at least', high)
            if page.run('return document.querySelector("dialog[open]")?.id'):
                page.picture('%s-%s' % (button, size), bare=False)
                page.run('document.querySelector("dialog[open]").close()')
        page.run('document.getElementById("code").open = false')
    page.browser.window(*WINDOW)


BOX = '#2fd0a0'                                   # the color of its lines


def count_pixels(picture, color, part='100%x100%+0+0'):
    done = checks.run('convert', picture, '-crop', part, '-fuzz', '2%', '-fill', 'white', '+opaque', color, '-fill', 'black',
                      '-opaque', color, '-format', '%[fx:(1-mean)*w*h]', 'info:')
    return round(float(done.stdout))


def test_panels(page):
    """No panel lies over the model, whose box is drawn; beside an open caption it is as large."""
    page.open_and_draw(query='crowd=1&anim=run&bounds')
    page.run('pressKey(" "); Module._viewer_seek(0)')
    heights = []
    for size, opened in ((320, 568), False), ((768, 1024), False), ((1024, 768), False), ((1920, 1080), True), ((1280, 720), False), (
            (1280, 720), True):
        subject('%dx%d' % size)
        page.browser.window(*size)
        page.run('document.getElementById("code").open = arguments[0]; resolution = 0; step(2); pressKey("R")', opened)
        page.run('resolution = 0')
        page.step(2)
        name = 'panels-%dx%d%s' % (*size, '-open' * opened)
        picture = page.picture(name)
        panels = page.run('const { x, y } = canvas.getBoundingClientRect(); return [...document.querySelectorAll('
                          '"header > *")].map(part => { const box = part.getBoundingClientRect();'
                          'return [box.x - x, box.y - y, box.width, box.height].map(Math.round); })')
        page.picture(name + '-page', bare=False)
        box, covered = count_pixels(picture, BOX), 0
        for left, top, width, height in panels:
            if width > 0 and top + height > 0:
                covered += count_pixels(picture, BOX, '%dx%d+%d+%d' % (width, top + height - max(top, 0), left, max(top, 0)))
        check(box > 20 and not covered, 'the box is in sight', covered, 'of its', box, 'pixels below panels')
        done = checks.run('convert', picture, '-fuzz', '15%', '-fill', 'black', '+opaque', BOX, '-trim', '-format', '%h', 'info:')
        heights.append(int(done.stdout))
    check(heights[-1] > 0.9 * heights[-2], 'it is as large beside an open caption', heights)
    page.browser.window(*WINDOW)


# -- Where it cannot run, it says so -----------------------------------------------------------------------------------

def test_trouble(page):
    browser, server = page.browser, page.server
    same(browser.complaints(), [], 'errors in the console')
    server.plain = True
    page.open_and_draw()
    server.plain = False

    def check_end(word, what):
        """It says why, and no longer that it loads."""
        says = 'return document.querySelector("#error span").innerText.includes(arguments[0]) && !document.querySelector("#state b").innerText'
        check(page.wait(says, word), what, page.error(), page.state())

    for name in 'viewer-', 'md5-', 'md2-':
        server.missing = name
        page.open()
        check_end('could not be loaded', 'without ' + name)
    server.missing = ''
    page.open('--no-such-thing')
    check_end('no-such-thing', 'a bad argument')
    for script, word in (('HTMLCanvasElement.prototype.getContext = () => null;', 'WebGL 2'),
                         ('WebAssembly.validate = () => false;', 'SIMD'), ('delete window.DecompressionStream;', '2023')):
        planted = browser.before_each_page(script)
        page.open()
        check_end(word, 'without what it needs')
        browser.forget(planted)
    browser.open('file://' + os.path.abspath(os.path.join(BUILD, 'web', 'index.html')))
    check_end('python3 -m http.server', 'from a disk')
    page.open_and_draw()
    browser.complaints()


def test_errors(page):
    """What failed is read, and goes: by its cross, by Escape, by itself, and with what comes next; a dialog has its own."""
    page.open_and_draw(query='crowd=1')
    page.run('const wait = setTimeout; window.setTimeout = (act, delay) => delay === 8000 ? (window.later = act) : wait(act, delay)')
    for away in (lambda: page.browser.click('#error button:last-child'), lambda: page.browser.keys(ESCAPE),
                 lambda: page.drop(character('tris.md2')), lambda: page.run('later()')):
        page.drop([('note.txt', b'hello')])
        check(page.wait('step(1); return document.querySelector("#error span").innerText'), 'an error')
        bottom, top = page.run('return [document.getElementById("about"), document.getElementById("error")].map('
                               '(part, i) => part.getBoundingClientRect()[["bottom", "top"][i]])')
        check(bottom <= top, 'it is below the caption', bottom, top)
        page.run('reportError("an error of the page, too")')
        away()
        page.step(2)
        same(page.error(), '', 'no error')
    page.browser.click('#open')
    page.run('document.getElementById("address").value = "nothing.md2"')
    page.browser.click('#fetch button')
    check(page.wait('return document.querySelector("#opening #error span")?.innerText'), 'an error in the dialog')


def test_lost(page):
    """A driver that takes the context away, and gives it back: the visitor's model is there again, as it was."""
    page.open_and_draw()
    page.drop(character('knight.md5mesh', 'run.md5anim', 'weapon.png'))
    page.wait_title('knight.md5mesh - run - ')
    page.tool('Pause')
    page.wait_title(' - paused')
    page.step(3)
    before = page.picture('lost-before')
    page.run('window.driver = canvas.getContext("webgl2").getExtension("WEBGL_lose_context"); driver.loseContext()')
    check(page.wait('return document.querySelector("#error span").innerText'), 'it says so')
    page.run('step(2); driver.restoreContext()')
    check(page.wait('step(1); return ready'), 'it comes back')
    page.step(3)
    same(page.error(), '', 'no error')
    check(*checks.compare(before, page.picture('lost-after'), 0.1))
    page.browser.complaints()


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
    done = checks.run(os.path.join(BUILD, 'viewer'), *arguments, '--frames', str(FRAMES), '--fps',
                      str(FPS), '--size', size, '--shot', native)
    check(done.returncode == 0, 'native ' + name, done.stdout + done.stderr)
    close, line = checks.compare(picture, native, PERCENT)
    print('%-10s %s' % (name, line))
    check(close, name + ' looks as it does natively', line)
    return picture


def test_pictures(page):
    def open_knight():
        page.drop(character('knight.md5mesh', 'run.md5anim', 'skin.png'))
        check(page.wait('return Module._viewer_anim_count() === 1'), 'the knight is there')

    knight = [os.path.join(CHARACTER, name) for name in ('knight.md5mesh', 'run.md5anim', 'skin.png')]
    stand = compare_with_native(page, 'stand', None, [])
    skeleton = compare_with_native(page, 'skeleton', lambda: [open_knight(), page.tool('Skeleton')],
                                   [*knight, '--keys', 's'])
    check(not checks.compare(stand, skeleton, PERCENT)[0], 'pictures of different things differ')
    compare_with_native(page, 'phone', None, [], '', (300, 600, 2))
    # A crowd is full of edges, on which two renderers differ most: it gets more pixels.
    for case in (('crowd', lambda: page.tool('Crowd'), ['--crowd', '10']),
                 ('crowd-md5', lambda: [open_knight(), page.tool('Crowd')], [*knight, '--crowd', '10'])):
        compare_with_native(page, *case, '', DESKTOP[:3])
    page.browser.window(*WINDOW)


# -- The cookbook's page -----------------------------------------------------------------------------------------------

COUNT_FRAMES = '''
  window.drawn = 0;
  const clear = WebGL2RenderingContext.prototype.clear;
  WebGL2RenderingContext.prototype.clear = function (what) { ++drawn; clear.call(this, what); };
'''


def build_recipe(folder):
    """The window of the cookbook as a page, by what stands there."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(CHARACTER, os.path.join(folder, 'knight'))
    shutil.copy('md2.h', folder)
    with open('tests/recipes/README.md') as file:
        cookbook = file.read()
    program = re.search(r'^```c window\n(.*?)^```', cookbook, re.M | re.S)[1]
    section = re.search(r'^### The web\n(.*?)^##', cookbook, re.M | re.S)[1]
    lines, commands = re.findall(r'^```\n(.*?)^```', section, re.M | re.S)
    for there, addition in (('int main(', lines + 'int main('), ('glfwPollEvents();', 'glfwPollEvents();next_frame();')):
        program = program.replace(there, addition)
    with open(os.path.join(folder, 'knight.c'), 'w') as file:
        file.write(program)
    return checks.run('sh', '-ec', 'cd "$0"\n' + commands, folder)


def test_recipe(page):
    """It draws once in each frame of the browser, and shows the knight, upright and large, who runs."""
    folder = os.path.join(BUILD, 'web-recipe')
    done = build_recipe(folder)
    same((done.returncode, done.stdout + done.stderr), (0, ''), 'what emcc says')
    script = page.browser.before_each_page(SLOW + COUNT_FRAMES)
    page.browser.window(*DESKTOP)
    page.browser.open(Server(folder).address + 'knight.html')
    check(page.wait('step(1); return drawn', seconds=60), 'it draws')
    pictures = []
    for i in range(10):
        same(page.run('const before = drawn; take(100, 1); return new Promise(done =>'
                      'setTimeout(() => done(drawn - before), 50))'), 1, 'draws in a frame')
        pictures.append(os.path.join(SHOTS, 'recipe-%d.png' % i))
        page.browser.picture(pictures[i], 'canvas')
    page.browser.forget(script)
    check(not checks.compare(pictures[0], pictures[-1], 1)[0], 'he runs')
    box = checks.run('convert', pictures[-1], '-fuzz', '4%', '-format', '%w %h %@', 'info:').stdout
    width, height, wide, high, left, top = map(int, re.findall(r'\d+', box))
    check(high > 0.75 * height and 0.3 * high < wide < 0.7 * high and abs(2 * left + wide - width) < 0.05 * width and
          abs(2 * top + high - height) < 0.125 * height, 'the knight is large and in the middle', box)
    red = checks.run('convert', pictures[-1], '-fuzz', '4%', '-trim', '+repage', '-crop', '100%x5%+0+0', '+repage',
                     '-fx', 'r>2*g', '-format', '%[fx:mean]', 'info:').stdout
    check(float(red) > 0.02, 'the red plume of his helmet is at the top', red)
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


TESTS = (test_opening, test_first_frame, test_repository, test_animations, test_tools, test_mixed, test_formats, test_time,
         test_links, test_film_scene, test_code, test_pace, test_keyboard, test_drop, test_files, test_models, test_home,
         test_wishes, test_notes, test_progress, test_order, test_weapons, test_dance, test_help, test_quiet, test_scale,
         test_first_anim, test_names, test_invite, test_drops, test_saving, test_upper_case, test_film_again, test_compare,
         test_record, test_details, test_offline, test_strangers, test_looks, test_address, test_camera, test_phone, test_phones, test_sizes, test_panels, test_trouble,
         test_errors, test_lost, test_pictures, test_recipe, test_renderer)


if __name__ == '__main__':
    wanted = sys.argv[2:] and sys.argv[2].split('|')
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
    page = Page(browser, Server(os.path.join(BUILD, 'web')))
    page.open_and_draw()
    sys.exit(checks.run_tests(TESTS, wanted, page))
