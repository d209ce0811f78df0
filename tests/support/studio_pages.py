"""A studio that serves in a process of its own, and pages in a browser that are open at it."""

import re
import subprocess
import sys
from contextlib import contextmanager

from browser import OPENED

#: The sizes of windows: a desktop's and a phone's, with the other options of Playwright.
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


class Served:
    """A studio: the address with its token, and its process, which can be killed."""

    def __init__(self, folder, *arguments):
        command = [sys.executable, "-m", "jigsat", "studio", *arguments, "--folder", str(folder), "--no-browser"]
        self.process = subprocess.Popen([*command, "--port", "0"], stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        self.address = re.search(r"http://\S+", line).group()
        self.site, _, self.token = self.address.partition("?token=")

    def end(self):
        """End it as Ctrl-C does; returns the lines that it has written."""
        self.process.send_signal(2)
        return self.process.communicate(timeout=60)[1]


@contextmanager
def served(folder, *arguments):
    """A studio that works in a folder."""
    studio = Served(folder, *arguments)
    try:
        yield studio
    finally:
        studio.process.kill()
        studio.process.communicate()


@contextmanager
def visited(browser, studio, path="", **window):
    """A page of a studio in a window; it must say nothing to the console and load nothing from elsewhere.

    What the browser has loaded of a studio is used again in the next window of that size.
    """
    key = ("studio", str(window))
    context = OPENED.pop(key, None) or browser.new_context(**(window or DESKTOP))
    page, problems = context.new_page(), []
    page.on("console", lambda message: problems.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on(
        "request",
        lambda request: request.url.startswith((studio.site, "data:", "blob:")) or problems.append(request.url),
    )
    if path:
        # Gives the cookie; a page takes long to load.
        context.request.get(studio.address)
    page.goto(f"{studio.site}{path}" if path else studio.address)
    page.wait_for_selector(".panels")
    yield page
    page.evaluate("localStorage.clear()")
    page.close()
    OPENED[key] = context
    assert problems == [], problems
