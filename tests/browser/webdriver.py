"""A browser without a window, driven over the WebDriver protocol (W3C Recommendation) of chromedriver.

    with Browser() as browser:
        browser.open(path)
        browser.click(browser.find("#reset"))

Starting one takes seconds: the tests of a file share it, and change it for a while where they need another.
"""

import base64
import contextlib
import functools
import json
import re
import shutil
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request
import zlib

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
TAB, ENTER, ESCAPE = "\ue004", "\ue007", "\ue00c"
LEFT, UP, RIGHT, DOWN = "\ue012", "\ue013", "\ue014", "\ue015"

FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic",
         "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--allow-file-access-from-files", "--hide-scrollbars", "--force-device-scale-factor=1"]


class WebDriverError(Exception):
    pass


def programs():
    """The paths of chromedriver and of the browser, or None where one is missing."""
    driver = shutil.which("chromedriver")
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    return (driver, browser) if driver and browser else None


def take_screenshot(page, path, size):
    """As people do on a command line: nothing drives the browser."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        subprocess.run([programs()[1], *FLAGS, f"--user-data-dir={profile}", "--window-size=%d,%d" % size, f"--screenshot={path}", f"file://{page}"],
                       check=True, capture_output=True, timeout=120)


def pixels_of(path):
    """The bytes of a PNG file's rows before they are packed, each behind the number of its filter (PNG specification, 9)."""
    with open(path, "rb") as file:
        data = file.read()
    packed, at = b"", 8
    while at < len(data):
        length = int.from_bytes(data[at:at + 4], "big")
        packed += data[at + 8:at + 8 + length] if data[at + 4:at + 8] == b"IDAT" else b""
        at += length + 12
    return zlib.decompress(packed)


class Browser:
    SIZE = (1200, 800)

    def __enter__(self):
        """On a busy machine a browser may not come up in the time that chromedriver gives it."""
        try:
            return self._start()
        except WebDriverError:
            self.__exit__()
            return self._start()

    def _start(self):
        driver, browser = programs()
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.driver = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, text=True)
        self.session = None
        self.port = self._read_port()
        flags = FLAGS + [f"--user-data-dir={self.profile.name}", "--window-size=%d,%d" % self.SIZE]
        options = {"binary": browser, "args": flags}
        answer = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.session = answer["sessionId"]
        self._resize(*self.SIZE)
        return self

    def __exit__(self, *_):
        try:
            if self.session:
                self._ask("DELETE", self._path(""))
        except (WebDriverError, OSError):
            pass
        self.driver.terminate()
        self.driver.wait()
        self.driver.stdout.close()
        self.profile.cleanup()

    def _read_port(self):
        for line in self.driver.stdout:
            match = re.search(r"started successfully on port (\d+)", line)
            if match:
                return int(match.group(1))
        raise WebDriverError("chromedriver did not start")

    def _path(self, rest):
        return f"/session/{self.session}{rest}"

    def _ask(self, method, path, body=None):
        data = None if body is None and method != "POST" else json.dumps(body or {}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, method=method,
                                         headers={"Content-Type": "application/json"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as failure:
            raise WebDriverError(json.load(failure)["value"]["message"]) from None

    def _resize(self, width, height):
        self._ask("POST", self._path("/window/rect"), {"width": width, "height": height})

    def _emulate(self, what, **parameters):
        """Of the DevTools protocol, https://chromedevtools.github.io/devtools-protocol/tot/Emulation."""
        self._ask("POST", self._path("/goog/cdp/execute"), {"cmd": f"Emulation.{what}", "params": parameters})

    @contextlib.contextmanager
    def sized(self, width, height):
        self._resize(width, height)
        try:
            yield
        finally:
            self._resize(*self.SIZE)

    @contextlib.contextmanager
    def dark(self):
        """As on a desktop that is dark."""
        self._emulate("setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        try:
            yield
        finally:
            self._emulate("setEmulatedMedia", features=[])

    @contextlib.contextmanager
    def without_scripts(self):
        """What is opened has no scripts that run; ours do."""
        self._emulate("setScriptExecutionDisabled", value=True)
        try:
            yield
        finally:
            self._emulate("setScriptExecutionDisabled", value=False)

    def open(self, url):
        self._ask("POST", self._path("/url"), {"url": url if ":" in url else "file://" + url})

    def reload(self):
        self._ask("POST", self._path("/refresh"))

    def run(self, script, *arguments):
        """The value of a JavaScript function's body."""
        return self._ask("POST", self._path("/execute/sync"), {"script": script, "args": list(arguments)})

    def find(self, selector):
        return self._ask("POST", self._path("/element"), {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, element):
        self._ask("POST", self._path(f"/element/{element}/click"))

    def move_to(self, element):
        self._ask("POST", self._path("/actions"), {"actions": [{
            "type": "pointer", "id": "mouse", "actions": [
                {"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": {ELEMENT: element}}]}]})

    def type(self, element, text):
        """Clicks and types as a person does: "send keys" finds no focus in a document that is no HTML."""
        self.click(element)
        for key in text:
            self.press(key)

    def press(self, key):
        """A key for whatever has the focus."""
        self._ask("POST", self._path("/actions"), {"actions": [{"type": "key", "id": "keyboard", "actions": [
            {"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]}]})

    def text(self, selector):
        return self.run("const e = document.querySelector(arguments[0]); return e && e.textContent;", selector)

    def messages(self):
        """What the browser complained of since the last call."""
        return [entry["message"] for entry in self._ask("POST", self._path("/se/log"), {"type": "browser"})
                if entry["level"] in ("SEVERE", "WARNING")]

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._ask("GET", self._path("/screenshot"))))


@functools.cache
def _browser_of_this_file():
    browser = Browser()
    unittest.addModuleCleanup(browser.__exit__)
    return browser.__enter__()


class BrowserTest(unittest.TestCase):
    """A test in the browser that all of its file share."""

    def setUp(self):
        self.browser = _browser_of_this_file()


def wait_for(condition, seconds=60):
    """The first true value of `condition`, asked again and again; a failure when time is up."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() >= end:
            raise AssertionError(f"still {value!r} after {seconds} seconds")
        time.sleep(0.05)
    return value
