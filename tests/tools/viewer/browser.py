"""Controls a headless Chromium through ChromeDriver, and serves files to it, with Python's standard library only. Public
domain."""
import atexit
import base64
import http.server
import json
import re
import shutil
import subprocess
import threading
import time
import urllib.error
import urllib.request

import checks

FLAGS = ['--headless=new', '--no-sandbox', '--hide-scrollbars', '--disable-background-networking',
         '--disable-component-update', '--disable-sync', '--no-first-run', '--disable-dev-shm-usage',
         '--use-angle=swiftshader', '--enable-unsafe-swiftshader']
ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'     # the key of an element's reference in WebDriver
DOWN, UP = {'type': 'pointerDown', 'button': 0}, {'type': 'pointerUp', 'button': 0}


def move(x, y):
    return {'type': 'pointerMove', 'duration': 0, 'x': int(x), 'y': int(y)}


class Server:
    """Serves a folder on its own port. Tests can set
    plain: the type of all files except .html is application/octet-stream
    missing: files whose names begin with this text do not exist
    silent: requests for files whose names begin with this text are answered after 3 seconds
    shared: pages of other servers may read the files (CORS)
    down: no request is answered"""

    def __init__(self, folder, shared=False):
        self.plain, self.missing, self.silent, self.shared, self.down = False, '', '', shared, False
        owner = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *arguments):
                super().__init__(*arguments, directory=folder)

            def do_GET(self):
                if not owner.down:
                    super().do_GET()

            def translate_path(self, path):
                if owner.silent and path.startswith('/' + owner.silent):
                    time.sleep(3)
                is_missing = owner.missing and path.startswith('/' + owner.missing)
                return '' if is_missing else super().translate_path(path)

            def guess_type(self, path):
                plain = owner.plain and not path.endswith('.html')
                return 'application/octet-stream' if plain else super().guess_type(path)

            def end_headers(self):
                self.send_header('Cache-Control', 'no-store')
                if owner.shared:
                    self.send_header('Access-Control-Allow-Origin', '*')
                super().end_headers()

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        server.handle_error = lambda *_: None     # the browser closes connections when it leaves a page
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.address = 'http://127.0.0.1:%d/' % server.server_port


class Browser:
    def __init__(self):
        self.session, self.kind = None, 'mouse'
        self.driver = subprocess.Popen(['chromedriver', '--port=0'], text=True, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        atexit.register(self.close)
        self.base = 'http://127.0.0.1:' + self.find_port()
        options = {'binary': shutil.which('chromium'), 'args': FLAGS}
        try:
            started = self.call('POST', '/session', {'capabilities': {'alwaysMatch': {
                'goog:chromeOptions': options, 'timeouts': {'script': 100000},
                'goog:loggingPrefs': {'browser': 'ALL'}}}})
        except RuntimeError as problem:
            # ChromeDriver does not report the output of the browser, so start the browser without it.
            direct = checks.run(options['binary'], *FLAGS, '--dump-dom', 'about:blank', seconds=30)
            raise RuntimeError('%s\nStarted directly, Chromium exits with status %d and prints:\n%s' % (
                problem, direct.returncode, (direct.stdout + direct.stderr).strip())) from None
        self.version = started['capabilities']['browserVersion']
        self.session = '/session/' + started['sessionId']

    def find_port(self):
        """Returns the port of ChromeDriver, which prints it as soon as it listens."""
        output = ''
        for line in self.driver.stdout:
            output += line
            found = re.search(r'successfully on port (\d+)', line)
            if found:
                return found[1]
        raise RuntimeError('ChromeDriver does not start:\n' + output)

    def close(self):
        try:
            if self.session:
                self.call('DELETE', self.session)
        except (OSError, RuntimeError) as problem:
            print('ChromeDriver:', problem)
        self.driver.terminate()

    def call(self, method, path, body=None):
        request = urllib.request.Request(self.base + path, method=method,
                                         data=None if body is None else json.dumps(body).encode(),
                                         headers={'Content-Type': 'application/json'})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)['value']
        except urllib.error.HTTPError as problem:
            # Keep all lines of the message: the reason why a browser does not start is not in the first one.
            raise RuntimeError(json.load(problem)['value']['message'].strip()) from None

    def command(self, name, **parameters):
        """Runs a command of the DevTools protocol."""
        return self.call('POST', self.session + '/goog/cdp/execute', {'cmd': name, 'params': parameters})

    def run(self, script, *arguments):
        """Runs a script in the page: the body of a function. Returns what the script returns."""
        return self.call('POST', self.session + '/execute/sync', {'script': script, 'args': arguments})

    def open(self, address):
        self.call('POST', self.session + '/url', {'url': address})

    def wait(self, script, *arguments, seconds=15):
        """Runs a script until it returns a true value, or until the time is over. Returns the last value."""
        return checks.wait(lambda: self.run(script, *arguments), seconds, 0.05)

    def before_each_page(self, script):
        return self.command('Page.addScriptToEvaluateOnNewDocument', source=script)['identifier']

    def forget(self, identifier):
        self.command('Page.removeScriptToEvaluateOnNewDocument', identifier=identifier)

    def window(self, width, height, ratio=1, mobile=False):
        """Sets the size of the window. In a mobile window, click() taps."""
        self.kind = 'touch' if mobile else 'mouse'
        self.command('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=ratio,
                     mobile=mobile)
        self.command('Emulation.setTouchEmulationEnabled', enabled=mobile)

    def pointer(self, kind, *fingers):
        """Runs lists of steps, one list for each finger. Steps with the same index happen at the same time."""
        self.call('POST', self.session + '/actions', {'actions': [
            {'type': 'pointer', 'id': '%s%d' % (kind, i), 'parameters': {'pointerType': kind}, 'actions': steps}
            for i, steps in enumerate(fingers)]})

    def click(self, selector):
        x, y = self.run('''const part = document.querySelector(arguments[0]);
                           part.scrollIntoView({ block: 'nearest', inline: 'nearest' });
                           const box = part.getBoundingClientRect();
                           return [box.x + box.width / 2, box.y + box.height / 2];''', selector)
        self.pointer(self.kind, [move(x, y), DOWN, UP])

    def wheel(self, x, y, amount):
        self.call('POST', self.session + '/actions', {'actions': [{'type': 'wheel', 'id': 'wheel', 'actions': [
            {'type': 'scroll', 'x': x, 'y': y, 'deltaX': 0, 'deltaY': amount, 'duration': 0}]}]})

    def drag(self, kind, paths, x, y):
        """Drags files and folders; the kind is dragEnter, dragOver or drop."""
        self.command('Input.dispatchDragEvent', type=kind, x=x, y=y,
                     data={'items': [], 'files': paths, 'dragOperationsMask': 1})

    def drop(self, paths, x, y):
        for kind in 'dragEnter', 'dragOver', 'drop':
            self.drag(kind, paths, x, y)

    def keys(self, text):
        self.call('POST', self.session + '/actions', {'actions': [{'type': 'key', 'id': 'keys', 'actions': [
            {'type': kind, 'value': key} for key in text for kind in ('keyDown', 'keyUp')]}]})

    def choose(self, selector, paths):
        """Chooses files for an <input type=file>."""
        self.call('POST', self.find(selector) + '/value', {'text': '\n'.join(paths)})

    def find(self, selector):
        found = self.call('POST', self.session + '/element', {'using': 'css selector', 'value': selector})
        return '%s/element/%s' % (self.session, found[ELEMENT])

    def picture(self, path, selector=None):
        """Saves a screenshot of the page, or of an element."""
        with open(path, 'wb') as out:
            out.write(base64.b64decode(self.call('GET', (self.find(selector) if selector else self.session) +
                                                 '/screenshot')))

    def console_errors(self):
        """Returns the errors in the console since the last call."""
        lines = self.call('POST', self.session + '/se/log', {'type': 'browser'})
        return [line['message'] for line in lines if line['level'] == 'SEVERE']
