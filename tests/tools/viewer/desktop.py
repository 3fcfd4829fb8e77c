"""Controls programs in windows of an X display: presses keys, moves the mouse, drops files and reads the picture. No other
program may use the display. Calls libX11 and libXtst through ctypes. Public domain."""
import ctypes
import operator
import os
import subprocess
import time
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_long, c_uint, c_ulong, c_void_p

from checks import check, same, wait

x11, xtst = ctypes.CDLL('libX11.so.6'), ctypes.CDLL('libXtst.so.6')
SELECTION_REQUEST, SELECTION_NOTIFY, CLIENT_MESSAGE = 30, 31, 33
LEFT, RIGHT, WHEEL_UP, WHEEL_DOWN = 1, 3, 4, 5
MIDDLE = (320, 200)


class Image(Structure):
    _fields_ = [(name, c_int) for name in ('width', 'height', 'offset', 'format')] + [('data', c_void_p)]


class Attributes(Structure):
    _fields_ = ([(name, c_int) for name in ('x', 'y', 'width', 'height', 'border', 'depth')] +
                [('visual', c_void_p), ('root', c_ulong)] +
                [(name, c_int) for name in ('kind', 'bit_gravity', 'window_gravity', 'backing')] +
                [('planes', c_ulong), ('pixel', c_ulong), ('under', c_int), ('colormap', c_ulong)] +
                [('installed', c_int), ('map_state', c_int), ('rest', c_long * 8)])


x11.XOpenDisplay.restype, x11.XGetImage.restype = c_void_p, POINTER(Image)
for function in (x11.XStringToKeysym, x11.XInternAtom, x11.XDefaultRootWindow, x11.XCreateSimpleWindow):
    function.restype = c_ulong
display = c_void_p(x11.XOpenDisplay(None))
ignore_error = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)(lambda *_: 0)   # a window may have been closed
x11.XSetErrorHandler(ignore_error)
root = x11.XDefaultRootWindow(display) if display else 0   # drawing the film needs no display


def sync():
    x11.XSync(display, 0)


def atom(name):
    return x11.XInternAtom(display, name.encode(), 0)


def attributes(window):
    found = Attributes()
    return found if x11.XGetWindowAttributes(display, window, byref(found)) else None


def find_window():
    """Returns the visible window, or 0."""
    unused, children, count = c_ulong(), POINTER(c_ulong)(), c_uint()
    x11.XQueryTree(display, root, byref(unused), byref(unused), byref(children), byref(count))
    shown = [children[i] for i in range(count.value) if getattr(attributes(children[i]), 'map_state', 0) == 2]
    x11.XFree(children)
    return shown[0] if shown else 0


def send_key(key, down):
    code = x11.XKeysymToKeycode(display, c_ulong(x11.XStringToKeysym(key.encode())))
    check(code, 'the key exists: ' + key)
    xtst.XTestFakeKeyEvent(display, code, down, c_ulong(0))
    sync()


def press(*keys):
    """Presses keys, with pauses, because GLFW would treat two presses within a millisecond as one."""
    for key in keys:
        send_key(key, True)
        send_key(key, False)
        time.sleep(0.02)


def move_pointer(x, y):
    xtst.XTestFakeMotionEvent(display, -1, int(x), int(y), c_ulong(0))
    sync()
    time.sleep(0.01)


def drag(button, x=0, y=0):
    """Drags from the middle of the window. Without a distance, clicks."""
    move_pointer(*MIDDLE)
    xtst.XTestFakeButtonEvent(display, button, True, c_ulong(0))
    for i in range(1, 11 if x or y else 1):
        move_pointer(MIDDLE[0] + x * i / 10, MIDDLE[1] + y * i / 10)
    xtst.XTestFakeButtonEvent(display, button, False, c_ulong(0))
    sync()


class Program:
    """A running program with a window. Its output goes to the file `output`. `environment` has additional variables."""

    def __init__(self, *command, output, **environment):
        with open(output, 'w') as file:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                                            env=dict(os.environ, LIBGL_ALWAYS_SOFTWARE='1', **environment))
        self.window, self.remembered = wait(find_window), None
        check(self.window, 'a window opens')
        x11.XSetInputFocus(display, c_ulong(self.window), 2, c_ulong(0))
        sync()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        press('Escape')
        try:
            same(self.process.wait(60), 0, 'exit status')
        except subprocess.TimeoutExpired:
            self.process.kill()
            check(False, 'Escape ends the program')
        check(wait(lambda: not find_window()), 'the window is closed')

    # -- Title and picture ---------------------------------------------------------------------------------------------

    def title(self):
        name = c_char_p()
        x11.XFetchName(display, c_ulong(self.window), byref(name))
        text = (name.value or b'').decode(errors='replace')
        x11.XFree(name)
        return text

    def check_title(self, part):
        """Waits until the title begins or ends with a text."""
        check(wait(lambda: self.title().startswith(part) or self.title().endswith(part)), 'title ' + part, self.title())

    def grab(self):
        """Returns width, height, and four bytes for each pixel: blue, green, red and an unused byte."""
        at = attributes(self.window)
        image = x11.XGetImage(display, c_ulong(self.window), 0, 0, at.width, at.height, c_ulong(0xffffff), 2)
        data = ctypes.string_at(image.contents.data, at.width * at.height * 4)
        x11.XDestroyImage(image)
        return at.width, at.height, data

    def save(self, path):
        """Writes the picture as a PPM, and returns its path."""
        width, height, data = self.grab()
        rgb = bytearray(width * height * 3)
        rgb[0::3], rgb[1::3], rgb[2::3] = data[2::4], data[1::4], data[0::4]
        with open(path, 'wb') as file:
            file.write(b'P6 %d %d 255\n' % (width, height) + rgb)
        return path

    def remember(self):
        """Waits until the picture is drawn and no longer changes, and remembers it."""
        def is_still():
            before, self.remembered = self.remembered, self.grab()
            return before == self.remembered and len(set(self.remembered[2][::101])) > 8
        check(wait(is_still, step=0.15), 'the picture no longer changes')

    def shows_remembered(self):
        """Returns True if at most a thousandth of the bytes differ from the remembered picture."""
        (width, height, old), now = self.remembered, self.grab()
        return now[:2] == (width, height) and 1000 * sum(map(operator.ne, old, now[2])) <= width * height

    def check_changes(self):
        check(wait(lambda: not self.shows_remembered()), 'the picture changes')

    def check_returns(self):
        check(wait(self.shows_remembered), 'the remembered picture is shown again')

    def resize(self, width, height):
        x11.XResizeWindow(display, c_ulong(self.window), width, height)
        sync()

    # -- Dropped files: the source of a drag with XDND 5 ---------------------------------------------------------------

    def drop(self, *paths):
        files = ''.join('file://%s\r\n' % os.path.abspath(path) for path in paths).encode()
        source = x11.XCreateSimpleWindow(display, c_ulong(root), 0, 0, 1, 1, 0, c_ulong(0), c_ulong(0))

        def send(to, *values):
            event = (c_long * 24)(*values)
            x11.XSendEvent(display, c_ulong(to), 0, c_long(0), byref(event))
            sync()

        def send_message(message, *data):
            send(self.window, CLIENT_MESSAGE, 0, 0, 0, self.window, atom(message), 32, source, *data)

        def receive(message):
            """Sends the files if the window requests them. Returns the second number of a message if it has arrived."""
            event = (c_long * 24)()
            while x11.XPending(display):
                x11.XNextEvent(display, byref(event))
                kind = event[0] & 0x7f
                if kind == SELECTION_REQUEST:
                    requestor, selection, target, property_name, timestamp = event[5:10]
                    x11.XChangeProperty(display, c_ulong(requestor), c_ulong(property_name), c_ulong(target), 8, 0, files,
                                        len(files))
                    send(requestor, SELECTION_NOTIFY, 0, 0, 0, requestor, selection, target, property_name, timestamp)
                elif kind == CLIENT_MESSAGE and event[5] == atom(message):
                    return event[8]

        x11.XSetSelectionOwner(display, c_ulong(atom('XdndSelection')), c_ulong(source), c_ulong(0))
        send_message('XdndEnter', 5 << 24, atom('text/uri-list'))
        send_message('XdndPosition', 0, MIDDLE[0] << 16 | MIDDLE[1], 0, atom('XdndActionCopy'))
        check(wait(lambda: receive('XdndStatus')), 'the window accepts files')
        send_message('XdndDrop', 0, 0)
        check(wait(lambda: receive('XdndFinished')), 'the window has received the files')
        x11.XDestroyWindow(display, c_ulong(source))
        sync()
