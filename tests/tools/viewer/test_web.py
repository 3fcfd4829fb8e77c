"""test_web.py BUILD [TEST|TEST...]: opens the page of BUILD/web in a headless Chromium, uses it like a visitor, and
compares what it draws with the pictures of BUILD/viewer. Then it runs test_gl in BUILD/web-gl. TEST is a part of a name,
like camera; without it, all tests run. Screenshots are in BUILD/web-shots. The last line is "N passed, N failed".
Public domain."""
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
from checks import check, same, begin_part
from browser import DOWN, UP, Browser, Server, move

BUILD = sys.argv[1]
SHOTS = os.path.join(BUILD, 'web-shots')
CHARACTER = os.path.join(BUILD, 'character')
PERCENT = 0.5                   # of the pixels may differ from the native picture
MAX_BYTES = 410000              # that the first visit loads, compressed by the server
MAX_CONVERTER_BYTES = 300000
FRAMES, FPS = 4, 10             # before a picture is compared: longer than the fade of an animation
WINDOW = (800, 500)
DESKTOP, PHONE = (1280, 800, 1, False), (390, 844, 2, True)
FLAGS = {'Pause': 'paused', 'Mixed': 'mixed', 'Skeleton': 'skeleton', 'Night': 'night', 'Bounds': 'bounds',
          'Smooth': 'smooth', 'Y up': 'Y up'}
REPOSITORY, ADDRESS = 'https://example.org/models', 'https://example.org/page/'
TAB, ENTER, ESCAPE, PAGE_DOWN, ARROW_DOWN = '\ue004', '\ue007', '\ue00c', '\ue00f', '\ue015'

# The page draws frames only when a test calls step(n), so that the speed of the software renderer does not matter.
STEPPED = '''
  const waiting = [];
  window.requestAnimationFrame = callback => waiting.push(callback);
  window.step = count => { while (count-- > 0) for (const callback of waiting.splice(0)) callback(performance.now()); };
'''
# Turns off the service worker, so that no part comes from its cache. Only test_offline needs it.
NO_CACHE = "Object.defineProperty(Navigator.prototype, 'serviceWorker', { configurable: true, get() {} });"
# Replaces the clock of the page: take(milliseconds, count) draws frames that seem to take so long.
SLOW = '''
  let clock = 1000;
  performance.now = () => clock;
  window.take = (milliseconds, count) => { while (count-- > 0) { clock += milliseconds; step(1); } };
'''
# The same, but drawing does nothing, which is faster.
NO_DRAWING = SLOW + '''
  for (const name of ['drawArrays', 'drawElements', 'drawElementsInstanced', 'blitFramebuffer', 'clear']) {
    WebGL2RenderingContext.prototype[name] = () => {};
  }
'''

STATE = 'readString(Module._viewer_state()).replaceAll("\\n", " - ")'


class Page:
    """The page, with functions for what a visitor does and sees."""

    def __init__(self, browser, server):
        self.browser, self.server = browser, server
        self.run, self.wait = browser.run, browser.wait
        self.no_cache, self.stepped = browser.before_each_page(NO_CACHE), browser.before_each_page(STEPPED)

    def open(self, arguments='', query=None):
        """Opens the page with arguments of the viewer (by default, the knight as MD2), or with a query."""
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
        """Waits until the state contains a text, or no longer contains it."""
        title = [None]

        def has_state():
            self.run('step(1)')
            title[0] = self.title()
            return (part in title[0]) == there
        return check(checks.wait(has_state, 15, 0.05), 'the state contains %s: %s' % (part, there), title[0])

    def tool(self, name):
        names = self.labels('#tools button')
        button = '#tools button:nth-child(%d)' % (names.index(name) + 1)
        if not self.run('return document.querySelector(arguments[0]).offsetWidth', button):
            self.browser.click('#more')
        self.browser.click(button)

    def anims(self):
        """The names of the animations in the file. The buttons may show other words."""
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
        """Writes files, as (name, content), to an empty folder, and drops them in this order."""
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
        check(self.wait('step(1); return modelList !== listBefore', seconds=30), 'the drop is opened', self.error())
        self.wait_open(title)

    def wait_open(self, title):
        """Waits until a model is in view and all of its files are loaded."""
        is_open = self.wait('step(1); return !busy && !job && %s.startsWith(arguments[0])' % STATE, title, seconds=30)
        check(is_open, 'the page shows ' + title, self.title(), self.error())
        self.step(1)

    def note(self):
        return self.run('return document.getElementById("note").textContent')

    def step(self, count):
        """Draws frames, and checks that the viewer has drawn them."""
        before = self.run('return Module._viewer_frames()')
        same(self.run('step(arguments[0]); return Module._viewer_frames()', count) - before, count, 'frames drawn')

    def picture(self, name, whole=False):
        """Saves a picture of the whole page, or of the canvas without the panels above it."""
        path = os.path.join(SHOTS, name + '.png')
        self.run('document.querySelector("header").style.visibility = arguments[0] ? "" : "hidden"', whole)
        self.browser.picture(path, None if whole else 'canvas')
        self.run('document.querySelector("header").style.visibility = ""')
        return path

    def picture_without_panels(self, name):
        """Saves a picture of the first frame of the animation in the whole window, without panels."""
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
    """The first visit shows a moving crowd of MD5 knights, and the page loads few bytes."""
    page.browser.forget(page.stepped)
    page.browser.window(*DESKTOP)
    page.open(query='')
    check(page.wait('return ready && Module._viewer_frames() > 2', seconds=90), 'frames are drawn', page.error())
    check(page.title().startswith('knight.md5mesh - stand - loop - 1x - '), 'the knight', page.title())
    header = page.run('return document.querySelector("header").innerText')
    check('single-file C libraries' in header, 'the header says what the page is about', header)
    page.picture('opening', whole=True)
    names = page.run('return performance.getEntriesByType("resource").map(part => part.name.split("/").pop())')
    sizes = {name: transfer_size(name) for name in {*names, 'index.html'}}
    print('the first visit loads', sum(sizes.values()), 'bytes:', sizes)
    check(sum(sizes.values()) <= MAX_BYTES, 'bytes of the first visit', sizes)
    converter = sum(transfer_size(name) for name in os.listdir(os.path.join(BUILD, 'web')) if name.startswith('mdconvert-'))
    check(0 < converter <= MAX_CONVERTER_BYTES, 'bytes of the converter', converter)
    page.stepped = page.browser.before_each_page(STEPPED)
    page.browser.window(*WINDOW)
    page.open_and_draw()


def transfer_size(name):
    """Returns the number of bytes that a server sends for a part. It compresses text and programs."""
    with open(os.path.join(BUILD, 'web', name), 'rb') as file:
        data = file.read()
    return len(gzip.compress(data, 9)) if name.endswith(('.html', '.js', '.wasm')) else len(data)


def check_canvas(page, width, height, ratio):
    """The canvas is as wide as the window, has the pixels of the screen, and takes at least 40 % of the height."""
    check(page.wait('step(1); return canvas.width === arguments[0] && canvas.height === arguments[1] *'
                    'Math.round(canvas.clientHeight)', width * ratio, ratio),
          'one pixel of the canvas is one pixel of the screen', width, height, ratio)
    top, bottom, buttons = page.run('const [view, row] = ["canvas", "footer"].map(part => document.querySelector(part)'
                                    '.getBoundingClientRect()); return [view.top, view.bottom, row.top]')
    check(bottom <= buttons and buttons < height, 'the buttons are below the canvas', bottom, buttons)
    check(bottom - top >= 0.4 * height, 'height of the canvas', top, bottom)


def test_first_frame(page):
    same(page.error(), '', 'error')
    check_canvas(page, *WINDOW, 1)
    check(page.title().startswith('tris.md2 - '), 'the character is shown', page.title())
    same(page.state(), 'Sir Rivet · stand', 'the caption')
    same(page.run('return document.title'), 'Sir Rivet · md2.h and md5.h', 'the title of the page')
    nameless = page.run('return [...document.querySelectorAll("button, a[href], input, summary, canvas")].filter('
                        'part => !part.hidden && !(part.ariaLabel || part.textContent || part.labels?.[0]?.textContent).trim()).map('
                        'part => part.outerHTML)')
    same(nameless, [], 'controls without a name for screen readers')


def check_repository(page, repository, address):
    """Builds the page for a repository and an address, and checks its links and its card."""
    done = checks.run('make', '-s', '--no-print-directory', 'BUILD=' + BUILD, 'WEB_REPOSITORY=' + repository,
                      'WEB_PAGE=' + address, os.path.join(BUILD, 'web', 'index.html'))
    check(done.returncode == 0, 'the page is built', done.stdout + done.stderr)
    page.open_and_draw()
    same(page.run('return [...document.querySelectorAll("a[href]")].map(part => [part.textContent, part.href])'),
         [[name, repository + path] for name, path in (('repository', ''), ('md2.h', '/blob/main/md2.h'), (
             'md5.h', '/blob/main/md5.h'), ('license', '/blob/main/LICENSE'))] if repository else [], 'links')
    card = page.run('return document.querySelector("[property=\'og:image\']").content')
    check(card.startswith(address + 'card-') and transfer_size(card[len(address):]), 'the card for links to the page', card)


def test_repository(page):
    page.browser.window(*DESKTOP)
    check_repository(page, REPOSITORY, ADDRESS)
    page.picture('repository', whole=True)
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
    check(left + right > 0, 'the end of the row fades out', left, right)


def check_tools(page):
    """Each button does the same as its key."""
    for tool in 'Pause', 'Bounds', 'Night', 'Smooth', 'Y up':
        for there in True, False:
            page.tool(tool)
            page.wait_title(' - ' + FLAGS[tool], there)
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
    same(page.labels('#tools :disabled'), ['Mixed', 'Skeleton'], 'buttons that are disabled for a single MD2')
    check_tools(page)
    for count in (10, 100, 1000):
        page.tool('Crowd')
        page.wait_title(' - %d characters' % count)
        same(page.pressed('tools'), ['Crowd'], 'pressed')
    page.run('Module._viewer_crowd(10000); Module._viewer_crowd(1)')
    page.wait_title(' - 1 character')
    same(page.pressed('tools'), [], 'pressed')


def test_mixed(page):
    """Mixed plays different animations in the crowd, until the visitor chooses an animation."""
    page.tool('Crowd')
    page.wait_title(' - 10 characters')
    page.tool('Mixed')
    page.wait_title(' - stand - loop - 1x - 10 characters - mixed')
    same(page.pressed('tools') + page.pressed('anims'), ['Crowd', 'Mixed'], 'pressed')
    same(page.state(), 'Sir Rivet · mixed animations · 10 characters', 'state')
    page.anim('run')
    page.wait_title(' - run - loop - 1x - 10 characters')
    page.wait_title('mixed', False)
    same(page.pressed('tools') + page.pressed('anims'), ['Crowd', 'run'], 'pressed')


def test_formats(page):
    """MD2 and MD5 load their format when it is first needed, and do not change the state of the view."""
    page.open_and_draw(query='anim=run&crowd=10&night')
    page.wait_title('knight.md5mesh - run - loop - 1x - 10 characters - night')
    same(page.run('return [loadKnight.md5, loadKnight.md2]'), [True, None], 'loaded')
    for name, format in ('tris.md2', 'md2'), ('knight.md5mesh', 'md5'):
        page.browser.click('#' + format)
        page.wait_title(name + ' - run - loop - 1x - 10 characters - night')
        page.step(1)
        same(page.run('return [...document.querySelectorAll(".pair [aria-pressed=true]")].map(part => part.id)'),
             [format], 'pressed')
    page.picture('formats', whole=True)


def check_link(page, query, want, link):
    page.open_and_draw(query=query)
    page.wait_title(want)
    same(page.error(), '', 'error')
    same(page.run('return currentLink()').partition('?')[2], link, 'the link to this view')


def test_links(page):
    """A link sets the state of the view, also with models of other servers. An error says why a file cannot be loaded."""
    check_link(page, 'md2&anim=flip&crowd=3&yaw=-40&smooth&bounds',
               'tris.md2 - flip - loop - 1x - 3 characters - bounds - smooth', 'md2&anim=flip&crowd=3&yaw=-40&bounds&smooth')
    other, closed = Server(CHARACTER, shared=True).address, Server(CHARACTER).address
    models = ''.join('model=%s&' % quote(other + name, safe='') for name in (
        'knight.md5mesh', 'run.md5anim', 'wave.md5anim', 'skin.png'))
    check_link(page, models + 'anim=wave&skeleton', 'knight.md5mesh - wave - loop - 1x - 1 character - skeleton',
               models + 'anim=wave&crowd=1&yaw=28&skeleton')
    page.picture('links', whole=True)
    page.run('window.copied = []; Object.defineProperty(navigator, "clipboard",'
             '{ value: { writeText: text => copied.push(text) } })')
    page.browser.click('#link')
    same(page.run('return copied'), [page.server.address + '?' + page.run('return currentLink()').partition('?')[2]], 'copied')
    short_timeout = page.browser.before_each_page(
        'const wait = setTimeout; window.setTimeout = (run, delay) => wait(run, delay === 20000 ? 500 : delay)')
    large, slow = os.path.join(SHOTS, 'large'), Server(CHARACTER, shared=True)
    slow.silent = 'tris'
    os.makedirs(large, exist_ok=True)
    with open(large + '/large.md2', 'wb') as out:
        out.truncate(65 << 20)
    for address, part in ((other + 'nothing.md2', '404'), (closed + 'tris.md2', 'CORS'), ('http://127.0.0.1:9/tris.md2', 'was not found'),
                          (slow.address + 'tris.md2', 'does not answer'), (Server(large, shared=True).address + 'large.md2', '64 MB')):
        page.open_and_draw(query='crowd=1&model=' + quote(address, safe=''))
        check(address in page.error() and part in page.error(), 'the error says why', page.error())
        page.wait_title('knight.md5mesh - ')
    page.picture('link-fails', whole=True)
    page.browser.forget(short_timeout)
    page.open_and_draw(query='anim=nonsense')
    check('nonsense' in page.error() and ' salute ' in page.error(), 'the error lists the animations', page.error())
    page.browser.click('#open')
    page.run('document.getElementById("address").value = arguments[0]', other + 'weapon.md2 ' + other + 'weapon.png')
    page.browser.click('#fetch button')
    page.wait_title('weapon.md2 - ')
    same(page.run('return document.querySelector("dialog[open]")'), None, 'the dialog is closed')
    page.browser.console_errors()                 # the wrong addresses are expected errors


def test_film_scene(page):
    """A link or the button starts the film, for both formats in view. Playing an animation ends the film."""
    page.open_and_draw(query='scene=film')
    page.wait_title('knight.md5mesh - stand - loop - 1x - 111 characters - mixed')
    same(page.run('return currentLink()').partition('?')[2], 'scene=film', 'its link')
    page.picture('film', whole=True)
    page.open_and_draw(query='md2&anim=stand')
    page.tool('Film')
    page.wait_title('knight.md5mesh - ')
    page.step(1)
    same(page.run('return Module._viewer_shows_scene()'), 1, 'the film')
    page.anim('wave')
    page.wait_title('knight.md5mesh - wave - ')
    same(page.run('return Module._viewer_shows_scene()'), 0, 'no film')


def test_code(page):
    """The C code on the page compiles with the headers."""
    for query in 'md2&anim=run&crowd=10', 'anim=run&crowd=10':
        page.open_and_draw(query=query)
        code = page.run('return document.querySelector("pre").textContent')
        check('10);' in code and '"run' in code, 'the code has the animation and the crowd', code)
        n = '2' if 'md2' in query else '5'
        path = os.path.join(SHOTS, 'code.c')
        with open(path, 'w') as file:
            file.write(('#define MD%s_GL\n#include "md%s.h"\nvoid show(md%s_player player, md%s_gl *gl, md%s_gl_mesh mesh, '
                        'uint32_t skin, uint32_t texture, md%s_gl_scene scene, md%s_gl_instance *instances, float seconds, '
                        'int i%s)\n{\n%s\n}\n') % (*7 * n, '' if n == '2' else ', md5_xform *pose, md5_xform *scratch, '
                                                   'float **palettes', code))
        done = checks.run('cc', '-Wall', '-Werror', '-fsyntax-only', '-I.', path)
        same(done.returncode, 0, 'the code compiles: ' + done.stderr)
    page.browser.click('summary')
    page.picture('code', whole=True)


def test_quality(page):
    """If frames take long, the page draws fewer pixels and then fewer characters. A crowd that the visitor chose stays."""
    script = page.browser.before_each_page(NO_DRAWING)
    page.browser.window(720, 240)
    for milliseconds, count, crowd, resolution in (16, 40, 40, 1), (60, 30, 40, 0.5), (400, 20, 3, 0.5):
        page.open(query='')
        check(page.wait('return ready'), 'the viewer starts', page.error())
        for _ in range(count // 10):
            page.run('take(arguments[0], 10)', milliseconds)
        same(page.run('return [readState().crowd, canvas.width / canvas.clientWidth]'), [crowd, resolution],
             'crowd and resolution at %d ms per frame' % milliseconds)
    note = page.note()
    check('This machine cannot' in note, 'the note says why there are three characters', note)
    page.open(query='crowd=1')
    check(page.wait('return ready'), 'the viewer starts', page.error())
    page.run('take(16, 40); take(40000, 1); take(16, 60)')
    same(page.run('return canvas.width / canvas.clientWidth'), 1, 'a single slow frame changes nothing')
    page.run('take(60, 40); take(16, 80)')
    same(page.run('return canvas.width / canvas.clientWidth'), 0.5, 'a resolution that was too slow is not tried again soon')
    page.run('take(16, 700)')
    same(page.run('return canvas.width / canvas.clientWidth'), 1, 'but after ten seconds of fast frames')
    page.open(query='crowd=10')                   # the visitor chose this crowd
    check(page.wait('return ready'), 'the viewer starts', page.error())
    page.run('take(400, 15)')
    same(page.run('return readState().crowd'), 10, 'a crowd that the visitor chose')
    page.browser.window(*WINDOW)
    page.browser.forget(script)


def test_phone(page):
    """On a phone, all buttons work with a finger."""
    page.browser.window(390, 844, 1, True)        # PHONE with a quarter of the pixels
    page.open_and_draw('--crowd 10')
    page.browser.click('#more')
    right, width = page.run('return [document.querySelector("#tools .extra").getBoundingClientRect().right, innerWidth]')
    check(right <= width, 'More scrolls to the next buttons', right, width)
    check_tools(page)
    page.drop(character('knight.md5mesh', 'run.md5anim', 'skin.png'))
    page.wait_title('knight.md5mesh - run - loop - 1x - 1 character')
    for tool, flag in ('Crowd', '10 characters'), *((tool, FLAGS[tool]) for tool in ('Mixed', 'Skeleton', 'Night')):
        page.tool(tool)
        page.wait_title(' - ' + flag)
    page.step(2)
    page.picture('tools', whole=True)
    page.run('Module._viewer_crowd(1000)')
    page.tool('Crowd')
    same((page.labels('#crowd'), page.run('return readState().crowd')), (['10,000?'], 1000), '10,000 characters need a second tap')
    page.browser.window(*WINDOW)


PHONES = (320, 568), (360, 640), (390, 664), (393, 659), (412, 732), (430, 932)


def check_reachable(page, selector):
    """Scrolls to a button, and checks that it is fully visible and that nothing covers its center."""
    found = page.run('''
        const part = document.querySelector(arguments[0]);
        part.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        const { left, top, right, bottom, width, height } = part.getBoundingClientRect();
        const at = document.elementFromPoint(left + width / 2, top + height / 2);
        const row = part.parentElement.getBoundingClientRect();
        return [at === part, height >= 30, left >= 0, right <= innerWidth, top >= row.top, bottom <= Math.min(row.bottom, innerHeight)];''',
                     selector)
    same(found, [True] * 6, selector + ' can be tapped')


def check_phone(page):
    same(page.run('const page = document.documentElement; return [page.scrollWidth, page.scrollHeight]'),
         page.run('return [innerWidth, innerHeight]'), 'nothing to scroll')
    height = page.run('return canvas.clientHeight')
    check(height >= 235, 'height of the canvas', height)
    for button in '#pause', '#crowd', '#more':
        check_reachable(page, button)


def test_phones(page):
    """On each size of phone, the canvas is large enough and all buttons fit, at the first visit and with a row of models.
    The Save dialog fits too."""
    folder = os.path.join(make_drops(), 'two')
    os.makedirs(folder)
    for name in 'one', 'two':
        shutil.copy(os.path.join(CHARACTER, 'tris.md2'), os.path.join(folder, 'knight-%s.md2' % name))
    page.browser.window(*PHONES[0], 1, True)
    page.open_and_draw(query='')
    for view in 'first visit', 'a row of models and a note':
        if view != 'first visit':
            page.open_drop([folder], 'knight-one.md2 - ')
            same(page.labels('#models button'), ['knight-one', 'knight-two'], 'a row of models')
            check('no picture' in page.note(), 'a note', page.note())
        for width, height in PHONES:
            begin_part('%s, %dx%d' % (view, width, height))
            page.browser.window(width, height, 1, True)
            page.step(1)
            check_phone(page)
            page.picture('phone-%dx%d%s' % (width, height, '-models' * (view != 'first visit')), whole=True)
            page.browser.click('#save')
            boxes = page.run('return [...document.querySelectorAll("#choices button")].map(part => {'
                             'const box = part.getBoundingClientRect(); return [box.left, box.left + part.scrollWidth, box.top]; })')
            check(all(left >= 0 and right <= width for left, right, _ in boxes), 'the Save dialog fits into the window', boxes)
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
        check('ping-pong' in page.run('return document.querySelector("#keys[open]")?.innerText || ""'), 'the help opens with ' + key)
        page.browser.keys('n')                    # the viewer gets no keys while a dialog is open
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
            check(outline != 'none', 'the focus is visible on ' + name)
            reached.add(name)
    check({'MD2', 'Open', 'Link', '?', 'Pause', 'Crowd', 'Night', 'run'} <= reached, 'reached with Tab', reached)
    page.run('document.querySelector("#tools button").focus()')
    for key, there in ((' ', True), (' ', False), (ENTER, True), (ENTER, False)):
        page.browser.keys(key)                    # presses the focused button; the viewer does not get the key
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
    same(page.run(is_dragged), True, 'a frame shows that the page takes dragged files')
    page.drop(character('knight.md5mesh', 'run.md5anim', 'skin.png'))
    same(page.run(is_dragged), False, 'the frame is gone after the drop')
    page.wait_title('knight.md5mesh - run - loop - 1x - 1 character')
    page.wait_title('mixed', False)               # a new model starts as a single character
    for there in True, False:
        page.tool('Skeleton')
        page.wait_title(' - skeleton', there)
        same(page.pressed('tools'), ['Skeleton'] * there, 'pressed')
    same(page.labels('#anims button'), ['run'], 'buttons for animations')
    same((page.run('return currentLink()'), page.labels('#actions :disabled')), (None, ['Link']), 'dropped files have no link')
    page.step(2)
    page.picture('dropped', whole=True)
    page.drop(character('wave.md5anim'))
    page.wait_title('knight.md5mesh - wave - ')
    before = page.picture('before')
    page.drop([('broken.md2', b'IDP2 and nothing behind it')])
    page.wait_title('broken.md2 - error: ')
    check(page.error().startswith('broken.md2: ') and len(page.error()) > 20, 'the error is shown', page.error())
    same(page.state(), 'knight.md5mesh · wave', 'the old model stays')
    check(not checks.compare(before, page.picture('after'), 30)[1].startswith('0 of'), 'and still moves')
    page.picture('broken', whole=True)
    page.tool('Pause')
    page.tool('Pause')
    page.wait_title('error', False)               # a click removes the error
    page.drop([('note.txt', b'hello')])
    check(page.wait('step(1); return document.querySelector("#error span").innerText.includes("note.txt")'), 'an error')
    page.drop(character('knight.md5mesh'))
    page.wait_title('knight.md5mesh - bind pose - ')
    note = page.note()
    check('.md5anim' in note and 'skin' in note, 'the note says that animations and the skin are missing', note)
    page.picture('alone', whole=True)
    page.browser.click('#open')
    check('.md5anim' in page.run('return document.querySelector("dialog[open]").innerText'), 'the dialog lists the kinds of files')
    page.picture('open', whole=True)
    page.browser.choose('#files', [os.path.abspath(os.path.join(CHARACTER, name)) for name in ('tris.md2', 'skin.png')])
    page.wait_title('tris.md2 - ')
    page.wait_title('error', False)
    same(page.error(), '', 'the error is gone')
    same(len(page.labels('#anims button')), 20, 'buttons for animations')
    title = page.title()                          # the same model again, but with only 46 of its 198 frames
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
    """Writes a .pak with 100 MB of unused bytes between the files and the table."""
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


# Returns the number of bytes of opened files that are in memory.
LOADED_BYTES = '''
  const loadedBytes = path => {
    const { node } = Module.FS.lookupPath(path);
    if (!Module.FS.isDir(node.mode)) return [...(node.pieces || new Map()).values()].reduce((sum, piece) => sum + piece.length, 0);
    return Module.FS.readdir(path).filter(name => !/^\\.\\.?$/.test(name)).reduce((sum, name) => sum + loadedBytes(path + '/' + name), 0);
  };
  return loadedBytes('/opened');
'''


def make_drops():
    """Returns a folder with files to drop: the knight as a Quake II player in folders, and in archives of Quake II and
    Doom 3."""
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
    """Files in any order, folders and archives show a model with its weapon, its skin and its animations."""
    made = make_drops()
    page.open_and_draw(query='md2&crowd=1')
    page.tool('Pause')

    def take_picture(name):
        return page.picture_without_panels('files-' + name.replace(' ', '-'))

    pictures = {20: take_picture('knight')}               # by the number of animations
    for name, paths, title, anims in (
            ('a weapon first', [made + '/hero/players/rivet/' + name for name in PLAYER], 'tris.md2 - stand - ', 20),
            ('a folder', [made + '/hero'], 'tris.md2 - stand - ', 20),
            ('a pk3', [made + '/knight.pk3'], 'knight.md5mesh - idle - ', 2),
            ('a zip', [made + '/rivet.zip'], 'tris.md2 - stand - ', 20),
            ('files of an MD5', [os.path.join(CHARACTER, name) for name in ('run.md5anim', 'skin.png', 'stand.md5anim', 'knight.md5mesh')],
             'knight.md5mesh - stand - ', 2),
            ('a pak', [made + '/pak0.pak'], 'tris.md2 - stand - ', 20)):
        begin_part(name)
        page.open_drop(paths, title)
        same((page.error(), page.note()), ('', ''), 'error and note')
        same((len(page.anims()), page.labels('#models button')), (anims, []), 'animations, and no row of models')
        picture = take_picture(name)
        check(*checks.compare(picture, pictures.setdefault(anims, picture), 0.1))
        loaded = page.run(LOADED_BYTES)
        check(0 < loaded < 4 << 20, 'only the files of the latest drop are in memory', loaded)
        same(page.run('return Module.FS.readdir("/opened").length'), 3, 'one folder is left (with . and ..)')
    begin_part('no model')
    page.drop_paths([made + '/note.zip'])
    page.wait_title('note.zip - error: ')
    check('.md5mesh' in page.error() and '.pak' in page.error(), 'the error lists the kinds of files', page.error())
    begin_part('a drop before the viewer is ready')
    page.server.silent = 'md5-'                   # delays the page
    page.open(query='crowd=1')
    page.drop_paths([made + '/rivet.zip'])
    same(page.run('return [ready, earlyDrops.length]'), [False, 1], 'the drop waits')
    page.server.silent = ''
    check(page.wait('return ready', seconds=60), 'the viewer starts', page.error())
    page.wait_title('tris.md2 - ')


def test_models(page):
    """If several models are dropped, one is shown, and a row of buttons or a list shows the others."""
    made = make_drops()
    page.open_and_draw(query='crowd=1')
    page.open_drop([os.path.join(CHARACTER, 'knight.md5mesh'), os.path.join(CHARACTER, 'run.md5anim'),
                    made + '/hero/players/rivet/skin.png', made + '/pak0.pak'], 'tris.md2 - ')
    same((page.labels('#models button'), page.pressed('models')), (['rivet', 'knight'], ['rivet']), 'a row of models')
    page.browser.click('#models button:nth-child(2)')
    page.wait_title('knight.md5mesh - run - ')
    same(page.pressed('models'), ['knight'], 'pressed')
    page.picture('row', whole=True)
    begin_part('many models on a small phone')
    many = made + '/many'
    os.makedirs(many)
    for i in range(30):
        shutil.copy(os.path.join(CHARACTER, 'tris.md2'), many + '/knight%02d.md2' % i)
    page.browser.window(320, 568, 1, True)
    page.open_drop([many], 'knight00.md2 - ')
    check('no picture' in page.note(), 'a note', page.note())
    check_inside(page, 'a drop')
    same(len(page.labels('#models option')), 30, 'a list of models')
    page.run('document.querySelector("#models select").focus()')
    page.browser.keys(ARROW_DOWN)
    page.wait_open('knight01.md2 - ')
    page.browser.keys(PAGE_DOWN)
    page.wait_open('knight02.md2 - ')
    same(page.run('return document.querySelector("#models select").selectedIndex'), 2, 'Page Down selects the next model')
    page.picture('many', whole=True)
    page.browser.window(*WINDOW)


CATCH = '''
  window.saved = [];
  HTMLAnchorElement.prototype.click = function () { saved.push([this.download, this.href]); };
'''


def saved(page):
    """Returns the name and the bytes of the next downloaded file."""
    check(page.wait('step(1); return saved.length', seconds=60), 'a file is saved', page.error())
    name, data = page.run('const [[name, address]] = saved.splice(0); return fetch(address).then(answer => answer.arrayBuffer())'
                          '.then(data => [name, btoa([...new Uint8Array(data)].map(byte => String.fromCharCode(byte)).join(""))])')
    return name, base64.b64decode(data)


def save_as(page, wanted):
    """Saves with the button whose label begins with a text. Returns the name and the bytes of the file."""
    page.browser.click('#save')
    labels = page.labels('#choices button')
    found = [label.startswith(wanted) for label in labels]
    check(any(found), 'a button: ' + wanted, labels)
    page.browser.click('#choices button:nth-child(%d)' % (1 + found.index(True)))
    return saved(page)


def unpack(data):
    """Returns the files of a .zip, by name."""
    path = os.path.join(SHOTS, 'saved.zip')
    with open(path, 'wb') as out:
        out.write(data)
    with zipfile.ZipFile(path) as archive:
        check(archive.testzip() is None, 'the checksums of the .zip are right')
        return {name: archive.read(name) for name in archive.namelist()}


def make_gltf(made):
    """Writes the knight as hero.glb, and as a .zip with a .gltf and its buffer. Returns the paths of his files and the
    bytes of the .glb."""
    parts = [os.path.join(CHARACTER, name) for name in ('knight.md5mesh', 'run.md5anim', 'stand.md5anim', 'skin.png')]
    done = checks.run(os.path.join(BUILD, 'mdconvert'), '--force', *parts[:3], '-o', made + '/hero.glb')
    same(done.returncode, 0, 'mdconvert writes a .glb: ' + done.stderr)
    with open(made + '/hero.glb', 'rb') as file:
        glb = file.read()
    length = struct.unpack_from('<I', glb, 12)[0]
    text, pieces = json.loads(glb[20:20 + length]), glb[28 + length:]
    text['buffers'][0]['uri'] = 'pieces.bin'
    with zipfile.ZipFile(made + '/gltf.zip', 'w', zipfile.ZIP_DEFLATED) as archive:
        archive.writestr('a/hero.gltf', json.dumps(text))
        archive.writestr('a/pieces.bin', pieces)
        archive.writestr('a/read.me', 'about hero.gltf')
    return parts, glb


def test_save_gltf(page):
    """A .glb looks like the model that it was converted from. Saved as a .zip and opened again, it still looks the same."""
    made = make_drops()
    parts, glb = make_gltf(made)
    page.open_and_draw(query='crowd=1')
    page.run(CATCH)
    page.tool('Pause')

    def take_picture(name):
        return page.picture_without_panels('home-' + name)

    page.open_drop(parts, 'knight.md5mesh - stand - ')
    knight = take_picture('knight')
    page.open_drop([made + '/hero.glb'], 'hero.md5mesh - stand - ')
    same((sorted(page.anims()), page.labels('#models button')), (['run', 'stand'], ['hero as MD5', 'hero as MD2', 'knight with hero']), 'animations and models')
    check(*checks.compare(knight, take_picture('glb'), 2))
    page.browser.click('#models button:nth-child(2)')
    page.wait_open('hero.md2 - ')
    md2 = take_picture('md2')
    check(*checks.compare(knight, md2, 4))
    same(save_as(page, 'The original file')[1], glb, 'the same bytes')
    name, data = save_as(page, 'Quake II: the .md2')
    same((name, sorted(unpack(data))), ('hero.zip', ['hero.md2', 'skin.png']), 'the saved files')
    shutil.move(os.path.join(SHOTS, 'saved.zip'), made + '/saved.zip')
    page.open_drop([made + '/saved.zip'], 'hero.md2 - stand - ')
    same((page.error(), page.note(), page.labels('#models button')), ('', '', []), 'error, note and models')
    check(*checks.compare(md2, take_picture('again'), 0.1))

    begin_part('a .gltf in a .zip')
    page.open_drop([made + '/gltf.zip'], 'hero.md5mesh - stand - ')
    check(*checks.compare(knight, take_picture('gltf'), 2))
    same(save_as(page, 'The original file')[0], 'hero.gltf', 'name of the file')
    begin_part('together with other models')
    os.makedirs(made + '/zoo')
    shutil.copy(parts[0], made + '/zoo')
    page.open_drop([made + '/hero.glb', made + '/hero', made + '/zoo'], 'tris.md2 - ')
    same(page.labels('#models button'), ['rivet', 'knight', 'hero as MD5', 'hero as MD2'], 'a row of all models')
    for which, title in (3, 'hero.md5mesh - '), (2, 'knight.md5mesh - '), (1, 'tris.md2 - '):
        page.browser.click('#models button:nth-child(%d)' % which)
        page.wait_open(title)
    begin_part('a damaged .glb')
    page.drop([('broken.glb', b'glTF and nothing behind it')])
    check(page.wait('step(1); return document.querySelector("#error span").innerText', seconds=60), 'an error')
    same(page.run('return readState().name'), 'tris.md2', 'the old model stays')
    same(save_as(page, 'For Blender')[1][:4], b'glTF', 'the old model is saved as .glb')
    page.drop([('broken.md2', b'IDP2 and nothing behind it')])
    page.wait_title('broken.md2 - error: ')
    same(unpack(save_as(page, 'Quake II: the .md2')[1]).keys(), set(PLAYER), 'the model in view is saved')
    begin_part('without animations')
    same(checks.run(os.path.join(BUILD, 'mdconvert'), parts[0], '-o', made + '/still.glb').returncode, 0, 'mdconvert writes a .glb')
    page.open_drop([made + '/still.glb'], 'still.md5mesh - bind pose - ')
    check('missing' not in page.note(), 'no animations are missing', page.note())


def test_latest_request(page):
    """The latest request is shown, even if the conversion of an older request ends after it."""
    made = make_drops()
    make_gltf(made)
    shutil.copy(made + '/hero.glb', made + '/twin.glb')
    page.open_and_draw(query='crowd=1')
    page.run(LATE)

    def check_newer_request(name):
        page.drop_paths([os.path.join(CHARACTER, 'weapon.md2')])
        page.wait_title('weapon.md2 - ')
        check(page.wait('convertNow(); step(1); return !busy && !job', seconds=30), 'the conversion ends')
        page.step(2)
        same((page.run('return [readState().name, modelList.entries.indexOf(shownEntry), modelList.entries.length]'), page.error()), (['weapon.md2', 0, 1], ''), name)
        check('weapon.md2' in page.state(), 'the caption', page.state())

    page.drop_paths([made + '/hero.glb'])
    wait_for_jobs(page, 1)
    check_newer_request('a drop after a drop')
    page.drop_paths([made + '/hero.glb', made + '/twin.glb'])
    wait_for_jobs(page, 1)
    page.run('convertNow()')
    page.wait_open('hero.md5mesh - ')
    page.browser.click('#models button:nth-child(2)')
    wait_for_jobs(page, 1)
    check_newer_request('a drop after a choice')

    begin_part('keys')
    page.drop_paths([made + '/hero.glb', made + '/twin.glb'])
    wait_for_jobs(page, 1)
    page.run('convertNow()')
    page.wait_open('hero.md5mesh - ')
    for count in 1, 2, 3:
        page.browser.keys(PAGE_DOWN)
        wait_for_jobs(page, count)
    page.browser.click('#models button:nth-child(4)')
    page.step(2)
    same(page.run('return late.length'), 3, 'selecting the pending model again starts no second conversion')
    page.run('convertNow()')
    page.wait_open('twin.md2 - ')
    same(page.pressed('models'), ['twin as MD2'], 'three models after the first')


# -- Conversions -------------------------------------------------------------------------------------------------------

# Workers wait for convertNow(), or answer() posts their messages. `jobs` has their command lines.
LATE = """
  window.late = [];
  window.jobs = [];
  window.Worker = class extends Worker {
    postMessage(message) { jobs.push({ words: message.words, worker: this }); late.push(() => super.postMessage(message)); }
  };
  window.convertNow = () => { for (const post of late.splice(0)) post(); };
  window.answer = data => jobs.at(-1).worker.onmessage({ data });
"""


def wait_for_jobs(page, count):
    check(page.wait('step(1); return late.length === arguments[0]', count), 'number of started conversions', count)


def make_glb(path, *words):
    """Writes a .glb with mdconvert, from files of the knight or from other paths."""
    names = [os.path.join(CHARACTER, word) if '.md5' in word and '/' not in word else word for word in words]
    done = checks.run(os.path.join(BUILD, 'mdconvert'), '--force', *names, '-o', path)
    same(done.returncode, 0, 'mdconvert writes a .glb: ' + done.stderr)
    return path


def edit_glb(source, path, edit):
    """Copies a .glb with changed JSON."""
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
    """The remarks of mdconvert take at most two lines below the caption. The details show all of them."""
    made = make_drops()
    for i in range(8):
        shutil.copy(os.path.join(CHARACTER, 'run.md5anim'), made + '/animation_with_a_long_name_%d.md5anim' % i)
    make_glb(made + '/long.glb', 'knight.md5mesh', *(made + '/animation_with_a_long_name_%d.md5anim' % i for i in range(8)))
    page.open_and_draw(query='crowd=1')
    page.open_drop([made + '/long.glb'], 'long.md5mesh - ')
    page.browser.click('#models button:nth-child(2)')
    page.wait_open('long.md2 - ')
    check(len(page.note()) > 400, 'a long note', page.note())
    for size, lines in ((DESKTOP, 2), ((390, 664, 1, True), 1)):
        page.browser.window(*size)
        page.step(1)
        height = page.run('return document.getElementById("note").clientHeight')
        check(0 < height <= 20 * lines, 'height of the note', height)
        page.picture('notes-%d' % lines, whole=True)
    page.browser.window(*WINDOW)
    page.browser.click('#details-button')
    details = page.run('return document.querySelector("#details pre").textContent')
    check('animation_with_a_long_name_7' in details and len(details.split('\n')) > 8, 'the details have all remarks, one per line', details)
    page.run('document.querySelector("dialog[open]").close()')


def test_progress(page):
    """During a conversion, the page shows the name of the file, a progress bar and Stop. Stop keeps the old view, without an
    error."""
    made = make_drops()
    make_gltf(made)
    page.open_and_draw(query='crowd=1')
    page.run(LATE)
    page.drop_paths([made + '/hero.glb'])
    wait_for_jobs(page, 1)
    page.step(3)
    job = 'const job = document.getElementById("job"); return [job.offsetHeight > 0, job.querySelector("span").textContent, job.firstChild.value]'
    shown, text, _ = page.run(job)
    check(shown and 'Converting hero.glb' in text, 'name of the file', shown, text)
    page.run('answer({ line: "mdconvert: frames: 48 of 96" })')
    page.step(3)
    _, text, value = page.run(job)
    check('50 %' in text and value == 0.5, 'progress', text, value)
    check('48' not in page.note() + page.state(), 'the progress is not a note', page.note())
    page.picture('progress', whole=True)
    page.browser.click('#job button')
    check(page.wait('step(1); return !job'), 'the conversion stops')
    page.step(2)
    same((page.run(job)[0], page.error(), page.state()), (False, '', 'Sir Rivet · stand'), 'the old view')


def test_gltf_order(page):
    """If several glTF files are opened, the list has the characters, and files without a mesh add their animations to them. If
    a file is damaged, the next one is shown."""
    made = make_drops()
    make_glb(made + '/hero.glb', 'knight.md5mesh', 'stand.md5anim')
    make_glb(made + '/moves.glb', 'knight.md5mesh', 'run.md5anim', 'wave.md5anim')
    edit_glb(made + '/moves.glb', made + '/anims.glb', only_anims)
    page.open_and_draw(query='crowd=1')
    page.open_drop([made + '/anims.glb', made + '/hero.glb'], 'hero.md5mesh - stand - ')
    same((sorted(page.anims()), page.error()), (['run', 'stand', 'wave'], ''), 'all animations')
    same(page.labels('#models button'), ['hero as MD5', 'hero as MD2', 'Sir Rivet with hero'], 'the models')
    page.open_drop([made + '/hero.glb'], 'hero.md5mesh - stand - ')
    same(page.anims(), ['stand'], 'the animations of hero.glb')
    page.open_drop([made + '/anims.glb'], 'hero.md5mesh - run - ')
    same((sorted(page.anims()), page.labels('#models button')), (['run', 'stand', 'wave'], ['hero as MD5', 'hero as MD2']), 'the animations are added')
    with open(made + '/broken.glb', 'wb') as file:
        file.write(b'glTF and nothing behind it')
    page.open_drop([made + '/broken.glb', made + '/hero.glb'], 'hero.md5mesh - stand - ')
    same(page.pressed('models'), ['hero as MD5'], 'the next model is shown')
    check('broken.glb' in page.error(), 'the error names the damaged file', page.error())


def md2_frames(data):
    """Returns for each frame its scale, translation and name, and its points in sorted order."""
    size, count, (first,) = *struct.unpack_from('<i', data, 16), struct.unpack_from('<i', data, 40)[0], struct.unpack_from('<i', data, 56)
    frames = [data[at:at + size] for at in range(first, first + size * count, size)]
    return [(frame[:40], sorted(frame[at:at + 4] for at in range(40, size, 4))) for frame in frames]


def test_retarget(page):
    """Humanoid animations can be played by any humanoid. A glTF file without a mesh adds them to the character in view. For
    a file with a mesh, the list offers the previous character with the new animations. The result can be saved as MD5,
    .glb and MD2."""
    made = make_drops()
    folder = os.path.join(BUILD, 'dancer')
    make_glb(made + '/star.glb', folder + '/dancer.md5mesh', *(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith('anim')))
    edit_glb(made + '/star.glb', made + '/dance.glb', only_anims)
    page.open_and_draw(query='crowd=1')
    page.run(CATCH)

    begin_part('the knight as MD5 with a sword')
    page.open_drop([made + '/dance.glb'], 'knight.md5mesh - ')
    names = page.labels('#models button')
    same((names, page.pressed('models')), (['Sir Rivet', 'Sir Rivet with dance'], ['Sir Rivet with dance']), 'the list')
    playing = page.run('return readState().anim')
    check(len(page.anims()) > 22 and playing not in os.listdir(CHARACTER), 'a new animation plays', playing, page.anims())
    same(page.note().count('no picture'), 0, 'the skin is found')
    page.picture('dance-knight', whole=True)
    files = unpack(save_as(page, 'Doom 3')[1])
    check({'knight.md5mesh', 'weapon.md5mesh', 'skin.png', playing + '.md5anim'} <= files.keys(), 'MD5', sorted(files))
    files = unpack(save_as(page, 'Quake II')[1])
    same([name for name in sorted(files) if name.endswith('md2')], ['knight.md2', 'weapon.md2'], 'MD2 with the sword')
    anims = read_glb(save_as(page, 'For Blender')[1])['animations']
    check(playing in [anim['name'] for anim in anims], '.glb', len(anims))
    page.browser.click('#models button')
    page.wait_title('knight.md5mesh - stand - ')
    same((page.state(), len(page.anims())), ('Sir Rivet · stand', 22), 'the first model again')

    begin_part('a Quake II player')
    shutil.rmtree(made + '/hero')
    os.makedirs(made + '/players/rivet')
    for name in PLAYER:
        shutil.copy(os.path.join(CHARACTER, name), made + '/players/rivet')
    page.open_drop([made + '/players'], 'tris.md2 - ')
    page.open_drop([made + '/star.glb'], 'star.md5mesh - ')
    same(page.labels('#models button'), ['star as MD5', 'star as MD2', 'rivet with star'], 'the list')
    page.browser.click('#models button:nth-child(3)')
    page.wait_open('rivet.md5mesh - ')
    check(len(page.anims()) > 20 and 'star' in page.title(), 'the animation of the other character plays', page.title())
    page.step(1)
    page.picture('dance-player', whole=True)
    files = unpack(save_as(page, 'Quake II')[1])
    for name, old in ('rivet.md2', 'tris.md2'), ('weapon.md2', 'weapon.md2'):
        same(md2_frames(files[name])[:198], md2_frames(character(old)[0][1]), name + ': its old frames are unchanged')
    counts = [len(md2_frames(files[name])) for name in ('rivet.md2', 'weapon.md2')]
    check(counts[0] == counts[1] > 198, 'new frames follow them in both files', counts)
    page.browser.click('#models button:nth-child(1)')
    page.wait_open('star.md5mesh - ')
    same(page.error(), '', 'no error')


def read_glb(data):
    return json.loads(data[20:20 + struct.unpack_from('<I', data, 12)[0]])


def test_weapons(page):
    """The sword is saved in each format, and looks the same when the saved files are opened again."""
    made = make_drops()
    page.open_and_draw(query='crowd=1')
    page.run(CATCH)
    page.tool('Pause')

    def take_picture(name):
        return page.picture_without_panels('weapons-' + name)

    knight = take_picture('md5')
    name, data = save_as(page, 'Quake II: the .md2')
    files = unpack(data)
    same((name, sorted(files)), ('knight-md2.zip', ['knight.md2', 'skin.png', 'weapon.md2', 'weapon.png']), 'character and sword')
    same([struct.unpack_from('<i', files[path], 40)[0] for path in ('knight.md2', 'weapon.md2')],
         [struct.unpack_from('<i', files['knight.md2'], 40)[0]] * 2, 'both have the same number of frames')
    shutil.move(os.path.join(SHOTS, 'saved.zip'), made + '/md2.zip')
    name, data = save_as(page, 'For Blender')
    same((name, sorted(material['name'] for material in read_glb(data)['materials'])), ('knight.glb', ['skin', 'weapon']), 'the .glb has both')
    with open(made + '/knight.glb', 'wb') as file:
        file.write(data)
    page.open_drop([made + '/md2.zip'], 'knight.md2 - stand - ')
    check(*checks.compare(knight, take_picture('md2'), 4))
    page.open_drop([made + '/knight.glb'], 'knight.md5mesh - stand - ')
    check(*checks.compare(knight, take_picture('glb'), 3))

    begin_part('the sword of an MD2')
    page.open_drop([made + '/hero'], 'tris.md2 - stand - ')
    md2 = take_picture('player')
    name, data = save_as(page, 'For Blender')
    contents = read_glb(data)
    same((name, len(contents['meshes']), {len(anim['channels']) for anim in contents['animations']}, len(contents['animations'])),
         ('rivet.glb', 2, {2}, 20), 'the .glb has both, and each animation moves both')
    with open(made + '/rivet.glb', 'wb') as file:
        file.write(data)
    page.run(LATE)
    page.browser.click('#save')
    page.browser.click('#choices button:nth-child(4)')
    wait_for_jobs(page, 1)
    same([word for word in page.run('return jobs[0].words') if 'md2' in word], ['given/tris.md2', 'given/weapon.md2'],
         'the skeleton is found for both together')
    page.run('job.stop()')
    page.browser.open('about:blank')
    page.open_and_draw(query='crowd=1')
    page.tool('Pause')
    page.open_drop([made + '/rivet.glb'], 'rivet.md2 - stand - ')
    same((page.labels('#models button'), len(page.anims())), (['rivet as MD2', 'rivet as MD5'], 20), 'a .glb with morph targets is first shown as MD2')
    check(*checks.compare(md2, take_picture('player-glb'), 3))


def test_help(page):
    """The help opens at its top. On a touch screen it describes gestures instead of keys."""
    page.open_and_draw(query='crowd=1')
    for size, keys, gesture in (((500, 300, 1, False), True, 'Drag'), ((390, 664, 1, True), False, 'One finger')):
        page.browser.window(*size)
        page.browser.click('#help')
        text, focus, scrolled, keys_shown = page.run('const dialog = document.getElementById("keys"); return [dialog.innerText,'
            'document.activeElement.id, dialog.scrollTop, dialog.querySelector("dl").offsetHeight > 0]')
        same((focus, scrolled, keys_shown), ('keys-title', 0, keys), 'focus, position, keys')
        check(gesture in text, 'text of the help', text)
        page.picture('help-%d' % size[0], whole=True)
        page.run('document.getElementById("keys").close()')
    page.browser.window(*WINDOW)


def test_live_regions(page):
    """Screen readers announce the view when it changes, not in each frame."""
    page.open_and_draw(query='crowd=1')
    page.run("""window.announced = 0; new MutationObserver(list => { for (const { target } of list) {
        if ((target.parentElement || target).closest('output, [aria-live], [role=status], [role=alert]') || target.nodeName === 'OUTPUT') ++announced; }
      }).observe(document.body, { subtree: true, childList: true, characterData: true })""")
    frame = 'return document.querySelector("#clock").textContent'
    before = page.run(frame)
    page.run('step(20)')
    check(page.run(frame) != before, 'the clock runs', before)
    same(page.run('return announced'), 0, 'live regions that changed')
    page.anim('run')
    page.wait_title(' - run - ')
    check(page.run('return announced') > 0, 'the new animation is announced')


def height_of_md2(data):
    frame = struct.unpack_from('<i', data, 56)[0]
    scale, low = struct.unpack_from('<f', data, frame + 8)[0], None
    count = struct.unpack_from('<i', data, 24)[0]
    values = [data[frame + 40 + 4 * i + 2] for i in range(count)]
    return scale * (max(values) - min(values))


def test_scale(page):
    """A model that is much smaller than a player is scaled to a player's height when it is saved. If mdconvert refuses a
    model, the page offers to try anyway. Notes and errors contain no options of the command line."""
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
        page.picture('scale-' + name, whole=True)
        page.run('document.querySelector("dialog[open]").close()')
        height = height_of_md2(unpack(save_as(page, 'Quake II: the .md2')[1])[name + '.md2'])
        check(abs(height - (56 if scaled else 59)) < 3, 'height of the MD2', height)
    page.browser.click('#save')
    page.browser.click('#scale')
    page.run('document.querySelector("dialog[open]").close()')
    height = height_of_md2(unpack(save_as(page, 'Quake II: the .md2')[1])['tiny.md2'])
    check(height < 10, 'height of the MD2 without scaling', height)

    begin_part('try anyway')
    page.open_drop([made + '/hero'], 'tris.md2 - ')
    page.run(LATE)
    page.browser.click('#save')
    page.browser.click('#choices button:nth-child(4)')
    wait_for_jobs(page, 1)
    page.run('answer({ line: "mdconvert: given/tris.md2: its frames shrink; --anyway goes on" }); answer({ status: 1 })')
    check(page.wait('step(1); return document.querySelector("#error span").innerText'), 'an error')
    same((page.error(), page.labels('#error button')[0]), ('tris.md2: its frames shrink', 'Try anyway'), 'a button')
    page.browser.click('#error button')
    wait_for_jobs(page, 2)
    check('--anyway' in page.run('return jobs[1].words'), 'the second try uses --anyway')
    page.run('job.stop()')
    page.browser.open('about:blank')


def test_first_animation(page):
    """A model begins with an animation whose name has the word idle, stand, run or walk."""
    page.open_and_draw(query='crowd=1')
    (mesh, run) = character('knight.md5mesh', 'run.md5anim')
    for names, first in ((('Lie_StandUp', 'Idle_B', 'Idle'), 'Idle'), (('Robot_Standing', 'Robot_Stand', 'upstanding'), 'Robot_Stand'),
                         (('Standing', 'RunFast', 'trunk'), 'RunFast'), (('stand', 'idle01'), 'idle01')):
        page.drop([mesh, *((name + '.md5anim', run[1]) for name in names)])
        page.wait_title('knight.md5mesh - %s - ' % first)
        same(page.anims()[0], first, 'its button is first')


def test_names(page):
    """Players and monsters of Quake II, also of the re-release, have the names of their folders, in the list and in saved
    files."""
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
    same(save_as(page, 'Quake II: the .md2')[0], 'infantry.zip', 'name of the saved file')
    page.browser.click('#models button:nth-child(4)')
    page.wait_title('tris.md5mesh - idle - ')
    same(save_as(page, 'For Blender')[0], 'soldier.glb', 'name of the saved file')


def test_invite(page):
    """The first screen invites the visitor to drop or open models, until there is a model."""
    for size, words in ((DESKTOP, 'Drop your models: .md2'), ((390, 664, 1, True), 'Open .md2'),
                        ((320, 568, 1, True), 'Open .md2')):
        begin_part('%dx%d' % size[:2])
        page.browser.window(*size)
        page.open_and_draw(query='')
        text, box = page.run('const part = document.getElementById("invite"), box = part.getBoundingClientRect();'
                             'return [part.innerText, [box.left, box.top, box.right, box.bottom]]')
        check(text.startswith(words) and 0 <= box[0] < box[2] <= size[0] and 0 <= box[1] < box[3] <= size[1], 'the invitation is in the window', text, box)
        page.browser.click('#invite')
        same(page.run('return document.querySelector("dialog[open]")?.id'), 'opening', 'the dialog')
        page.run('document.querySelector("dialog[open]").close()')
        same(page.run('return readState().crowd'), 40 if size is DESKTOP else 12, 'the crowd depends on the screen')
    page.browser.window(*WINDOW)
    page.drop(character('tris.md2', 'skin.png'))
    page.wait_title('tris.md2 - ')
    same(page.run('return ["invite", "md2", "md5"].map(id => document.getElementById(id).offsetHeight)'), [0, 0, 0],
         'the invitation and the formats of the knight are hidden once the visitor has a model')


def test_drops(page):
    """A drop of an unsupported file shows the kinds of files that can be read, and uses no memory. A dropped skin is for the
    model in view."""
    made = make_drops()
    page.open_and_draw(query='crowd=1')
    page.open_drop([made + '/pak0.pak', os.path.join(CHARACTER, 'knight.md5mesh')], 'tris.md2 - ')
    page.drop(character('skin.png'))
    check(page.wait('step(1); return !busy'), 'the skin is loaded')
    page.step(2)
    same(page.pressed('models'), ['rivet'], 'the button of the model stays pressed')
    page.drop([('note.txt', b'hello')])
    check(page.wait('step(1); return document.querySelector("#error span").innerText.includes("note.txt")'), 'an error')
    check(all(kind in page.error() for kind in ('.md2', '.md5mesh', '.glb', '.zip')), 'the error lists the kinds of files', page.error())
    noise = made + '/noise.md2'
    with open(noise, 'wb') as file:
        file.write(b'noise')
        file.truncate(200 << 20)
    heap = page.run('return Module.HEAPU8 ? Module.HEAPU8.length : 0')
    loaded = page.run(LOADED_BYTES)
    page.drop_paths([noise])
    check(page.wait('step(1); return document.querySelector("#error span").innerText.includes("noise.md2")', seconds=3), 'an error within 3 seconds')
    same((page.run(LOADED_BYTES), page.run('return Module.HEAPU8 ? Module.HEAPU8.length : 0')), (loaded, heap), 'memory')
    begin_part('while a dialog is open')
    page.browser.click('#save')
    page.open_drop([made + '/hero'], 'tris.md2 - ')
    same(page.run('return document.querySelector("dialog[open]")'), None, 'the outdated dialog is closed')


def test_saving(page):
    """A saved picture has all pixels of the screen, files in a .zip are deflated, and the memory of downloads is freed."""
    page.open_and_draw(query='crowd=1')
    page.run(CATCH + """
      window.revoked = [];
      URL.revokeObjectURL = address => revoked.push(address);
      const wait = setTimeout;
      window.setTimeout = (run, delay) => delay === 60000 ? run() : wait(run, delay);
      resolution = 2;""")
    page.step(1)
    same(page.run('return canvas.width'), WINDOW[0] / 2, 'slow frames have fewer pixels')
    name, data = save_as(page, 'A picture')
    same(struct.unpack_from('>II', data, 16), (WINDOW[0], page.run('return canvas.clientHeight')), 'pixels of the picture')
    page.step(1)
    same(page.run('return canvas.width'), WINDOW[0] / 2, 'frames after the picture have fewer pixels again')
    data = save_as(page, 'Doom 3')[1]
    unpack(data)
    with zipfile.ZipFile(os.path.join(SHOTS, 'saved.zip')) as archive:
        packed = [(part.compress_type, part.compress_size < part.file_size) for part in archive.infolist() if part.filename.endswith('mesh')]
    same(packed, [(zipfile.ZIP_DEFLATED, True)] * 2, 'the files are deflated')
    check(page.wait('step(1); return revoked.length'), 'the memory is freed')


def test_upper_case(page):
    """The skin of a linked model is found if its name is in upper case, like the headers find it."""
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
    same(page.note(), '', 'the skin is loaded')
    page.browser.console_errors()


def test_film_button(page):
    """While the film plays, its button returns to the view before the film."""
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
    """Compare shows a model in two formats side by side, with the same animation, time, camera and flags."""
    made = make_drops()
    page.open_and_draw(query='crowd=1&anim=run')

    def other(script):
        return page.run('step(1); const pane = document.getElementById("pane")?.contentWindow;'
                        'if (!pane?.step || !pane.eval("typeof ready === \\"boolean\\" && ready")) return null; pane.step(1); return pane.eval(arguments[0])', script)

    def wait_pane(start):
        state = [None]

        def is_shown():
            state[0] = other(STATE)
            return state[0] and state[0].startswith(start)
        check(checks.wait(is_shown, 30, 0.05), 'the second pane: ' + start, state[0], page.error())

    page.tool('Compare')
    wait_pane('tris.md2 - run - ')
    same(page.labels('.tag'), ['MD5', 'MD2'], 'labels')
    page.run('Module._viewer_seek(0.2); Module._viewer_drag(0, 0.2, 0.1)')
    page.tool('Pause')
    same(other('[Module._viewer_time().toFixed(3), cameraNow().map(Math.round).join()]'),
         page.run('return [Module._viewer_time().toFixed(3), cameraNow().map(Math.round).join()]'), 'time and camera are the same')
    page.step(2)
    other('1')
    picture = page.picture('compare', whole=True)
    width, height = page.run('return [canvas.clientWidth, canvas.clientHeight]')
    halves = [os.path.join(SHOTS, 'compare-%d.png' % i) for i in range(2)]
    for i, half in enumerate(halves):
        checks.run('convert', picture, '-crop', '%dx%d+%d+%d' % (width, height - 200, i * width, 150), '+repage', half)
    close, line = checks.compare(*halves, 8)
    check(close and not line.startswith('0 of'), 'the halves look alike, but not equal', line)
    page.tool('Skeleton')
    same(other('readState().flags.join()'), 'paused,skeleton', 'the flags of the second pane')
    page.anim('wave')
    other('1')
    wait_pane('tris.md2 - wave - ')
    page.tool('Compare')
    same(page.run('return [canvas.clientWidth, frames.length]'), [WINDOW[0], 0], 'the pane is closed')

    begin_part('a .glb')
    make_gltf(made)
    page.open_drop([made + '/hero.glb'], 'hero.md5mesh - ')
    page.tool('Compare')
    wait_pane('hero.md2 - ')
    page.open_drop([made + '/hero'], 'tris.md2 - ')
    same(page.run('return frames.length'), 0, 'opening a model closes the pane')


def test_save_film(page):
    """A saved film is a .webm in which the model rotates once and the animation loops. A phone offers to share it."""
    page.browser.forget(page.stepped)                # frames in real time, because the browser records them
    page.open(query='crowd=1&anim=stand')
    check(page.wait('return ready', seconds=60), 'the viewer starts', page.error())
    page.run(CATCH)
    page.browser.click('#save')
    page.browser.click('#choices button:nth-child(2)')
    check(page.wait('return job', seconds=5), 'the recording starts')
    page.browser.picture(os.path.join(SHOTS, 'record.png'))
    check(page.wait('return saved.length', seconds=30), 'the film is saved', page.error())
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
    same(name, 'knight-stand.webm', 'name of the film')
    check(3.5 < length < 6, 'seconds', length)
    check(middle > 2 and end < 0.7 * middle, 'the model rotates, and the last frame is like the first', middle, end)
    same(page.run('return [readState().flags.includes("paused"), Math.round(cameraNow()[4])]'), [False, 10],
         'after the recording, the animation plays and the camera is where it was')
    page.browser.window(390, 664, 1, True)
    page.run("""window.shared = []; navigator.canShare = () => true;
                navigator.share = async ({ files }) => shared.push(files[0].name, files[0].size > 1000);""")
    page.run('shareOrDownload(new File([new Uint8Array(2000)], "film.webm"))')
    page.browser.click('#choices button')
    same(page.run('return [shared, saved.length]'), [['film.webm', True], 0], 'a phone shares it instead of a download')
    page.browser.window(*WINDOW)
    page.stepped = page.browser.before_each_page(STEPPED)
    page.open_and_draw()


def test_details(page):
    """The details show the report of info about the files in view, and the problems."""
    page.open_and_draw(query='md2&crowd=1')
    report = 'return document.querySelector("#details pre:nth-of-type(2)").textContent'
    page.browser.click('#details-button')
    check(page.wait(report, seconds=30), 'a report')
    native = checks.run('sh', '-c', 'cd "$0" && exec "$1" tris.md2 weapon.md2', CHARACTER, os.path.abspath(os.path.join(BUILD, 'info')))
    same(page.run(report), native.stdout.rstrip(), 'the report')
    page.picture('details', whole=True)
    page.run('document.querySelector("dialog[open]").close()')
    page.drop(character('knight.md5mesh'))
    page.wait_title('knight.md5mesh - bind pose - ')
    page.browser.click('#details-button')
    check(page.wait('return document.querySelector("#details pre:nth-of-type(2)").textContent.includes("38 joints")', seconds=30), 'a report')
    check('no picture' in page.run('return document.querySelector("#details pre").textContent'), 'the missing picture')
    page.run('document.querySelector("dialog[open]").close()')


def test_offline(page):
    """After a new version is deployed, the page shows it. Without a server, the page works and shows the version of the last
    visit."""
    site = os.path.join(SHOTS, 'site')
    shutil.rmtree(site, ignore_errors=True)

    def deploy(version):
        """Copies the page with another title. One part has a name that depends on the version."""
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
                      '.map(part => part.name.split("/").pop()).filter(name => name.startsWith("page-"))'), ['page-%08x.js' % version], 'the version')

    deploy(1)
    visit(1)
    check(page.wait('return navigator.serviceWorker.ready.then(({ active }) => active?.state === "activated")', seconds=30), 'the service worker is installed')
    visit(1)                                      # through the service worker
    deploy(2)
    visit(2)
    check(page.wait('return caches.open("parts").then(cache => cache.keys()).then(list =>'
                    '!list.some(({ url }) => url.includes("page-00000001")) && list.some(({ url }) => url.includes("page-00000002")))', seconds=30),
          'parts of the old version are removed', page.run(cached))
    server.down = True
    visit(2)
    same((page.error(), page.run('return readState().name')), ('', 'knight.md5mesh'), 'the page works without a server')
    page.run('Object.defineProperty(navigator, "onLine", { value: false })')
    page.browser.click('#md2')
    check(page.wait('step(1); return document.querySelector("#error span").innerText'), 'an error')
    check('no internet connection' in page.error() and 'Failed' not in page.error(), 'the error says why', page.error())
    server.down = False
    page.run('return navigator.serviceWorker.getRegistrations().then(list => Promise.all(list.map(one => one.unregister())))')
    page.no_cache = page.browser.before_each_page(NO_CACHE)
    page.browser.console_errors()


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


def test_unusable_anims(page):
    """Animations that are damaged or made for another skeleton are not saved, and the Save dialog lists them."""
    page.open_and_draw(query='crowd=1')
    page.run(CATCH)
    other = [('other.md5anim', OTHER_SKELETON)]
    page.drop(character('knight.md5mesh', 'run.md5anim', 'skin.png') + other)
    page.wait_open('knight.md5mesh - run - ')
    same(sorted(unpack(save_as(page, 'Doom 3')[1])), ['knight.md5mesh', 'run.md5anim', 'skin.png'], 'the saved files')
    text = page.run('return document.getElementById("unsaved").innerText')
    check(text.endswith('read: other.md5anim'), 'the list', text)
    page.drop(other)
    page.wait_open('knight.md5mesh - other - ')
    check('another skeleton' in page.note(), 'the retargeted animation plays, with a note', page.note())
    page.drop([('broken.md5anim', b'MD5Version 10 and nothing behind it')])
    page.wait_title('broken.md5anim - error: ')
    same(sorted(unpack(save_as(page, 'Doom 3')[1])), ['knight.md5mesh', 'run.md5anim', 'skin.png'], 'the saved files')
    text = page.run('return document.getElementById("unsaved").innerText')
    check(text.endswith('read: other.md5anim, broken.md5anim'), 'the list has each file once', text)


SATURATION, LIGHTNESS = 'G', 'B'                  # the channels of HSL


def fraction(picture, channel, least, part='100%x100%+0+0'):
    """Returns the fraction of the pixels whose saturation or lightness is above a value, 0 to 1."""
    done = checks.run('convert', picture, '-crop', part, '+repage', '-colorspace', 'HSL', '-channel', channel, '-separate', '+channel',
                      '-threshold', '%g%%' % (100 * least), '-format', '%[fx:mean]', 'info:')
    return float(done.stdout)


def colorful_fraction(picture):
    return fraction(picture, SATURATION, 0.3)


def dark_fraction(picture):
    return 1 - fraction(picture, LIGHTNESS, 0.3)


def gray_fraction(picture):
    """Returns the fraction of the pixels that are as gray as the plain background."""
    return fraction(picture, LIGHTNESS, 0.43) - fraction(picture, LIGHTNESS, 0.47)


def test_rendering_flags(page):
    """The buttons after More change the picture, and a second click changes it back."""
    page.open_and_draw(query='md2&crowd=1')
    page.tool('Pause')

    def take_picture(name):
        return page.picture_without_panels('looks-' + name)

    page.tool('Plain')
    plain = take_picture('plain')
    same(fraction(plain, SATURATION, 0.01, '25%x100%+0+0'), 0, 'sky and floor are gray')
    check(colorful_fraction(plain) > 0.01, 'the knight has colors')
    page.tool('Untextured')
    untextured = take_picture('untextured')
    same(colorful_fraction(untextured), 0, 'without a texture, the knight is gray')
    page.tool('Wireframe')
    check(dark_fraction(take_picture('wireframe')) > dark_fraction(untextured) + 0.01, 'dark lines')
    page.tool('Wireframe')
    check(*checks.compare(untextured, take_picture('untextured-again'), 0))
    page.tool('Untextured')
    check(*checks.compare(plain, take_picture('plain-again'), 0))
    page.tool('Night')
    check(dark_fraction(take_picture('night')) > dark_fraction(plain) + 0.01, 'the night is dark')
    page.tool('Night')
    page.tool('Turntable')
    take_picture('turntable')
    before = page.run('return cameraNow()[4]')
    page.step(3)
    check(page.run('return cameraNow()[4]') > before, 'the camera orbits')

    begin_part('transparent parts')
    holes = os.path.abspath(os.path.join(SHOTS, 'skin.png'))
    checks.run('convert', os.path.join(CHARACTER, 'skin.png'), '-alpha', 'set', '-region', '100%x50%', '-channel', 'A', '-evaluate',
               'set', '0', holes)
    page.open_drop([os.path.join(CHARACTER, 'tris.md2'), holes], 'tris.md2 - stand - ')
    page.tool('Turntable')
    cut_out = gray_fraction(take_picture('cut-out'))
    page.tool('Solid')
    check(cut_out > gray_fraction(take_picture('solid')) + 0.02, 'the background is visible through parts that are cut out, but not if they are solid')


def test_time(page):
    """The page shows the frame, a slider seeks, and buttons step. The most useful animations come first."""
    page.open_and_draw(query='crowd=1&anim=run')
    same(page.labels('#anims button')[:4], ['stand', 'run', 'walk', 'attack'], 'the first animations')

    def frame():
        page.step(1)
        return float(re.search(r'frame ([\d.]+) of 6', page.run('return document.querySelector("#clock span").textContent'))[1])

    page.browser.click('#seek')                   # the middle of the slider
    page.wait_title(' - paused')
    middle = frame()
    check(2.7 < middle < 3.3, 'the middle frame', middle)
    page.tool('Frame ›')
    check(abs(frame() - middle - 1) < 0.11, 'the next frame', frame())
    page.browser.keys(' ')
    page.wait_title(' - paused', False)           # the viewer gets the keys again


def test_address(page):
    """The address bar has a link to the view, which shows the same picture when it is opened."""
    page.open_and_draw(query='crowd=1&anim=run')
    page.browser.keys('l')
    page.browser.keys('g')
    page.run('Module._viewer_zoom(0.5); Module._viewer_orbit(2, 3); Module._viewer_seek(0.2); pressKey(" ")')
    page.step(3)
    before = page.picture('address-before')
    check(page.wait('step(1); return location.href.includes("mode=once") && location.href.includes("zoom=0.5")'), 'the address bar follows')
    page.browser.open(page.run('return location.href'))
    check(page.wait('return ready', seconds=60), 'the viewer starts', page.error())
    page.step(3)
    check(*checks.compare(before, page.picture('address-after'), 2))
    page.open_and_draw(query='crowd=1&kiosk')
    same(page.run('return [...document.querySelectorAll("header, footer")].map(part => part.offsetHeight)'), [0, 0], 'kiosk hides the panels')
    page.open(query='crowd=99999')
    check(page.wait('return ready && document.querySelector("#error span").innerText'), 'an error')
    check('1,000' in page.error(), 'the error names the limit', page.error())
    for query, words in (('model=', 'no address'), ('model=index.html', 'web page')):
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
        same(page.note(), '', 'the skin is loaded')
    page.browser.console_errors()
    page.browser.command('Emulation.setEmulatedMedia', features=[{'name': 'prefers-reduced-motion', 'value': 'reduce'}])
    page.open_and_draw(query='crowd=1')
    page.wait_title(' - paused')
    page.browser.command('Emulation.setEmulatedMedia', features=[])


def test_camera(page):
    pointer, wheel = page.browser.pointer, page.browser.wheel

    def finger(x, y, to_x, to_y):
        return [move(x, y), DOWN, move((x + to_x) / 2, (y + to_y) / 2), move(to_x, to_y), UP]

    def check_moves(what, before, moves):
        """Checks that the picture has changed, or has not changed, since the picture `before`. Returns the new picture."""
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
    page.run('Module._viewer_zoom(1);'             # the first call replaces the function
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
    begin_part('zoom has limits')
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
    # A drag can leave the canvas. It ends when the button is released, even above a panel.
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
    same(outside, [], 'parts outside the window, after %s' % after)
    boxes = page.run('return [...document.querySelectorAll("header > .panel")].map(part => {'
                     'const box = part.getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom]; })')
    (_, _, right, bottom), (left, top, _, _) = boxes
    check(right <= left or bottom <= top, 'panels do not overlap, after %s' % after, boxes)


def test_sizes(page):
    """At all sizes of the window, all panels and dialogs fit, also with more tools."""
    page.open_and_draw()
    for width, height, ratio, mobile in (DESKTOP, (768, 1024, 1, False), PHONE, (360, 640, 2, True), (500, 400, 2, False),
                                         (740, 360, 1, True), (320, 568, 1, True)):
        size = '%dx%d' % (width, height)
        begin_part(size)
        page.browser.window(width, height, ratio, mobile)
        check_canvas(page, width, height, ratio)
        page.step(2)
        same(page.run('const page = document.documentElement; return [page.scrollWidth, page.scrollHeight]'),
             [width, height], 'nothing to scroll')
        check(width > 700 or page.run('return document.querySelector("header").getBoundingClientRect().bottom <='
                                      'canvas.getBoundingClientRect().top'), 'the header is above the canvas of a phone')
        page.picture('page-' + size, whole=True)
        for button in None, 'more', 'more', 'open', 'help', 'summary':
            selector = 'summary' if button == 'summary' else '#%s' % button
            if button and page.run('return document.querySelector(arguments[0]).offsetWidth', selector):
                page.browser.click(selector)
            check_inside(page, button)
            canvas_height = page.run('return canvas.clientHeight')
            check(button != 'more' or canvas_height >= 0.49 * height, 'with More, the canvas has half of the window', canvas_height)
            tools_height = page.run('return document.getElementById("tools").clientHeight')
            check(tools_height >= 40, 'at least a row of buttons is visible', tools_height)
            if page.run('return document.querySelector("dialog[open]")?.id'):
                page.picture('%s-%s' % (button, size), whole=True)
                page.run('document.querySelector("dialog[open]").close()')
        page.run('document.getElementById("code").open = false')
    page.browser.window(*WINDOW)


BOX = '#2fd0a0'                                   # the color of the lines of a bounding box


def count_pixels(picture, color, part='100%x100%+0+0'):
    done = checks.run('convert', picture, '-crop', part, '-fuzz', '2%', '-fill', 'white', '+opaque', color, '-fill', 'black',
                      '-opaque', color, '-format', '%[fx:(1-mean)*w*h]', 'info:')
    return round(float(done.stdout))


def test_panels(page):
    """No panel covers the model's bounding box, and with an open caption the model is about as large as without."""
    page.open_and_draw(query='crowd=1&anim=run&bounds')
    page.run('pressKey(" "); Module._viewer_seek(0)')
    heights = []
    for size, opened in ((320, 568), False), ((768, 1024), False), ((1024, 768), False), ((1920, 1080), True), ((1280, 720), False), (
            (1280, 720), True):
        begin_part('%dx%d' % size)
        page.browser.window(*size)
        page.run('document.getElementById("code").open = arguments[0]; resolution = 0; step(2); pressKey("R")', opened)
        page.run('resolution = 0')
        page.step(2)
        name = 'panels-%dx%d%s' % (*size, '-open' * opened)
        picture = page.picture(name)
        panels = page.run('const { x, y } = canvas.getBoundingClientRect(); return [...document.querySelectorAll('
                          '"header > *")].map(part => { const box = part.getBoundingClientRect();'
                          'return [box.x - x, box.y - y, box.width, box.height].map(Math.round); })')
        page.picture(name + '-page', whole=True)
        box, covered = count_pixels(picture, BOX), 0
        for left, top, width, height in panels:
            if width > 0 and top + height > 0:
                covered += count_pixels(picture, BOX, '%dx%d+%d+%d' % (width, top + height - max(top, 0), left, max(top, 0)))
        check(box > 20 and not covered, 'pixels of the box below panels', covered, 'of', box)
        done = checks.run('convert', picture, '-fuzz', '15%', '-fill', 'black', '+opaque', BOX, '-trim', '-format', '%h', 'info:')
        heights.append(int(done.stdout))
    check(heights[-1] > 0.9 * heights[-2], 'the height of the box next to an open caption', heights)
    page.browser.window(*WINDOW)


# -- Errors ------------------------------------------------------------------------------------------------------------

def test_unsupported(page):
    browser, server = page.browser, page.server
    same(browser.console_errors(), [], 'errors in the console')
    server.plain = True
    page.open_and_draw()
    server.plain = False

    def check_end(word, what):
        """The page shows an error, and no longer "Loading"."""
        shows = 'return document.querySelector("#error span").innerText.includes(arguments[0]) && !document.querySelector("#state b").innerText'
        check(page.wait(shows, word), what, page.error(), page.state())

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
        check_end(word, 'in a browser that lacks a feature')
        browser.forget(planted)
    browser.open('file://' + os.path.abspath(os.path.join(BUILD, 'web', 'index.html')))
    check_end('python3 -m http.server', 'opened as a file')
    page.open_and_draw()
    browser.console_errors()


def test_errors(page):
    """An error disappears after a click on its cross, after Escape, after the next drop, and after eight seconds. An open
    dialog shows its errors itself."""
    page.open_and_draw(query='crowd=1')
    page.run('const wait = setTimeout; window.setTimeout = (run, delay) => delay === 8000 ? (window.later = run) : wait(run, delay)')
    for dismiss in (lambda: page.browser.click('#error button:last-child'), lambda: page.browser.keys(ESCAPE),
                 lambda: page.drop(character('tris.md2')), lambda: page.run('later()')):
        page.drop([('note.txt', b'hello')])
        check(page.wait('step(1); return document.querySelector("#error span").innerText'), 'an error')
        bottom, top = page.run('return [document.getElementById("about"), document.getElementById("error")].map('
                               '(part, i) => part.getBoundingClientRect()[["bottom", "top"][i]])')
        check(bottom <= top, 'the error is below the caption', bottom, top)
        page.run('reportError("an error of the page")')
        dismiss()
        page.step(2)
        same(page.error(), '', 'no error')
    page.browser.click('#open')
    page.run('document.getElementById("address").value = "nothing.md2"')
    page.browser.click('#fetch button')
    check(page.wait('return document.querySelector("#opening #error span")?.innerText'), 'an error in the dialog')


def test_context_loss(page):
    """If the browser takes the WebGL context away and restores it later, the model is shown again."""
    page.open_and_draw()
    page.drop(character('knight.md5mesh', 'run.md5anim', 'weapon.png'))
    page.wait_title('knight.md5mesh - run - ')
    page.tool('Pause')
    page.wait_title(' - paused')
    page.step(3)
    before = page.picture('lost-before')
    page.run('window.driver = canvas.getContext("webgl2").getExtension("WEBGL_lose_context"); driver.loseContext()')
    check(page.wait('return document.querySelector("#error span").innerText'), 'an error')
    page.run('step(2); driver.restoreContext()')
    check(page.wait('step(1); return ready'), 'the context is restored')
    page.step(3)
    same(page.error(), '', 'no error')
    check(*checks.compare(before, page.picture('lost-after'), 0.1))
    page.browser.console_errors()


# -- Comparison with the native viewer ---------------------------------------------------------------------------------

def compare_with_native(page, name, prepare, arguments, web_arguments='', window=(*WINDOW, 1)):
    """Compares a picture of the page with a picture of the native viewer. `prepare` does on the page what the arguments do
    in the viewer."""
    page.browser.window(*window)
    page.open('--frames 100000 --fps %d %s' % (FPS, web_arguments))
    if not check(page.wait('return ready'), name + ': ready', page.error()):
        return None
    if prepare:
        prepare()
    page.step(FRAMES - page.run('return Module._viewer_frames()'))
    picture, native = page.picture(name), os.path.join(SHOTS, name + '-native.png')
    size = '%dx%d' % tuple(page.run('return [canvas.width, canvas.height]'))
    done = checks.run(os.path.join(BUILD, 'viewer'), *arguments, '--frames', str(FRAMES), '--fps',
                      str(FPS), '--size', size, '--shot', native)
    check(done.returncode == 0, 'native ' + name, done.stdout + done.stderr)
    close, line = checks.compare(picture, native, PERCENT)
    print('%-10s %s' % (name, line))
    check(close, name + ' looks like in the native viewer', line)
    return picture


def test_pictures(page):
    def open_knight():
        page.drop(character('knight.md5mesh', 'run.md5anim', 'skin.png'))
        check(page.wait('return Module._viewer_anim_count() === 1'), 'the knight is open')

    knight = [os.path.join(CHARACTER, name) for name in ('knight.md5mesh', 'run.md5anim', 'skin.png')]
    stand = compare_with_native(page, 'stand', None, [])
    skeleton = compare_with_native(page, 'skeleton', lambda: [open_knight(), page.tool('Skeleton')],
                                   [*knight, '--keys', 's'])
    check(not checks.compare(stand, skeleton, PERCENT)[0], 'different pictures differ')
    compare_with_native(page, 'phone', None, [], '', (300, 600, 2))
    # Two renderers differ most at edges. A crowd has many edges, so it is drawn with more pixels.
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
    """Builds the cookbook's window as a page, with the commands of the cookbook."""
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
    """The page of the cookbook draws once per frame of the browser, and shows the running knight upright and large."""
    folder = os.path.join(BUILD, 'web-recipe')
    done = build_recipe(folder)
    same((done.returncode, done.stdout + done.stderr), (0, ''), 'output of emcc')
    script = page.browser.before_each_page(SLOW + COUNT_FRAMES)
    page.browser.window(*DESKTOP)
    page.browser.open(Server(folder).address + 'knight.html')
    check(page.wait('step(1); return drawn', seconds=60), 'the page draws')
    pictures = []
    for i in range(10):
        same(page.run('const before = drawn; take(100, 1); return new Promise(done =>'
                      'setTimeout(() => done(drawn - before), 50))'), 1, 'draws per frame')
        pictures.append(os.path.join(SHOTS, 'recipe-%d.png' % i))
        page.browser.picture(pictures[i], 'canvas')
    page.browser.forget(script)
    check(not checks.compare(pictures[0], pictures[-1], 1)[0], 'the knight moves')
    box = checks.run('convert', pictures[-1], '-fuzz', '4%', '-format', '%w %h %@', 'info:').stdout
    width, height, wide, high, left, top = map(int, re.findall(r'\d+', box))
    check(high > 0.75 * height and 0.3 * high < wide < 0.7 * high and abs(2 * left + wide - width) < 0.05 * width and
          abs(2 * top + high - height) < 0.125 * height, 'the knight is large and centered', box)
    red = checks.run('convert', pictures[-1], '-fuzz', '4%', '-trim', '+repage', '-crop', '100%x5%+0+0', '+repage',
                     '-fx', 'r>2*g', '-format', '%[fx:mean]', 'info:').stdout
    check(float(red) > 0.02, 'the red plume of his helmet is at the top', red)
    page.browser.window(*WINDOW)


# -- The renderers -----------------------------------------------------------------------------------------------------

def test_renderer(page):
    """Runs test_gl, the tests of `make test-gl`, on WebGL 2."""
    page.browser.open(Server(os.path.join(BUILD, 'web-gl')).address + 'test_gl.html')
    done = page.wait('return window.done', seconds=300)
    output = page.run('return document.querySelector("pre").innerText').strip()
    print(output)
    same(done, 'status 0', 'exit status of test_gl')
    passed = re.search(r'(\d+) passed, 0 failed$', output)
    check(passed and int(passed[1]) > 3000, 'number of checks', output[-500:])
    check(output.count('webgl2/md2/') == output.count('webgl2/md5/') > 12, 'number of tests')


TESTS = (test_opening, test_first_frame, test_repository, test_animations, test_tools, test_mixed, test_formats, test_time,
         test_links, test_film_scene, test_code, test_quality, test_keyboard, test_drop, test_files, test_models, test_save_gltf,
         test_latest_request, test_notes, test_progress, test_gltf_order, test_weapons, test_retarget, test_help, test_live_regions, test_scale,
         test_first_animation, test_names, test_invite, test_drops, test_saving, test_upper_case, test_film_button, test_compare,
         test_save_film, test_details, test_offline, test_unusable_anims, test_rendering_flags, test_address, test_camera, test_phone, test_phones, test_sizes, test_panels, test_unsupported,
         test_errors, test_context_loss, test_pictures, test_recipe, test_renderer)


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
