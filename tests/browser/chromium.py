"""A headless Chromium driven by the DevTools protocol over a pipe: no network and no port.

https://chromedevtools.github.io/devtools-protocol/; messages are JSON and end with a zero byte.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from pipeline.reporting import TEMPLATES
from pipeline.reporting.pdf import NAMES, OPTIONS

PRINTING = "--no-pdf-header-footer"
"""Makes a headless Chromium carry out one command and end, so it is left out."""

SECONDS = 60.0
"""Longest wait for a response or for a page: a lost message must not stop the tests."""

KEYS = {
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
    "Home": 36,
    "End": 35,
    "Escape": 27,
    "Tab": 9,
    "Enter": 13,
    " ": 32,
}
"""Key codes of the keys that are no letters."""


TRAMPOLINE = """
import fcntl, os, sys
to_child, from_child = (fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3])
os.dup2(to_child, 3)
os.dup2(from_child, 4)
os.closerange(5, 100)
os.execvp(sys.argv[3], sys.argv[3:])
"""
"""Starts the browser with the pipes where it looks for them: it reads from file descriptor 3 and writes to 4."""


def installed() -> str | None:
    """The program, or None where there is no Chromium."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def copy_scripts(folder: Path) -> None:
    """Put the scripts that all pages share into a folder, as the workflow does."""
    for script in TEMPLATES.glob("*.js"):
        shutil.copy(script, folder)


class Chromium:
    """One running browser; close it after use."""

    def __init__(self) -> None:
        program = installed()
        assert program, "no Chromium is installed"
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_child, self._write = os.pipe()
        self._read, from_child = os.pipe()
        kept = [option for option in OPTIONS if option != PRINTING]
        options = [*kept, "--no-sandbox", "--hide-scrollbars", f"--user-data-dir={self._profile.name}"]
        options += ["--remote-debugging-pipe", "about:blank"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", TRAMPOLINE, str(to_child), str(from_child), program, *options],
            pass_fds=(to_child, from_child),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_child)
        os.close(from_child)
        self._pending = b""
        self._count = 0
        self.events: list[dict[str, Any]] = []

    def close(self) -> None:
        os.write(self._write, b'{"id":0,"method":"Browser.close"}\0')
        try:
            self._process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
        os.close(self._read)
        os.close(self._write)
        self._profile.cleanup()

    def call(self, method: str, session: str = "", **parameters: Any) -> dict[str, Any]:
        """Send a command and return its result; events that come in the meantime are kept."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next(SECONDS)
            if answer.get("id") == self._count:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, session: str, event: str) -> None:
        until = time.monotonic() + SECONDS
        while not any(e.get("method") == event and e.get("sessionId") == session for e in self.events):
            self.events.append(self._next(until - time.monotonic()))

    def _next(self, seconds: float) -> dict[str, Any]:
        while b"\0" not in self._pending:
            ready, _, _ = select.select([self._read], [], [], max(0.0, seconds))
            assert ready, "the browser does not respond"
            more = os.read(self._read, 1 << 20)
            assert more, "the browser has ended"
            self._pending += more
        message, _, self._pending = self._pending.partition(b"\0")
        return json.loads(message)

    def open(self, page: Path, width: int = 1200, height: int = 900, features: dict[str, str] | None = None) -> Tab:
        """Open a page from its folder in a tab of its own, and wait until it has loaded."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = Tab(self, session, target)
        for domain in ("Page", "Runtime", "Log", "Network"):
            tab.call(f"{domain}.enable")
        tab.call("Performance.enable", timeDomain="threadTicks")
        tab.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        if features:
            tab.call("Emulation.setEmulatedMedia", features=[{"name": k, "value": v} for k, v in features.items()])
        tab.call("Page.navigate", url=page.resolve().as_uri())
        self.wait_for(session, "Page.loadEventFired")
        tab.settle()
        return tab


class Tab:
    def __init__(self, browser: Chromium, session: str, target: str) -> None:
        self._browser, self._session, self._target = browser, session, target

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self._browser.call(method, self._session, **parameters)

    def close(self) -> None:
        self._browser.call("Target.closeTarget", targetId=self._target)

    def run(self, expression: str) -> Any:
        """Value of an expression of the page's JavaScript, as JSON has it; promises are awaited."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def settle(self) -> None:
        """Wait until the page has been laid out and drawn."""
        self.run(
            "new Promise(function (done) { requestAnimationFrame(function () { requestAnimationFrame(done); }); })"
        )

    def of_kind(self, *methods: str) -> list[dict[str, Any]]:
        """Parameters of the page's events of some kinds."""
        return [
            event["params"]
            for event in self._browser.events
            if event.get("sessionId") == self._session and event["method"] in methods
        ]

    @property
    def console_errors(self) -> list[str]:
        """Errors and warnings: uncaught exceptions, the console, refusals of the page's policy, files not found."""
        told = [event["exceptionDetails"]["text"] for event in self.of_kind("Runtime.exceptionThrown")]
        told += [str(event["args"]) for event in self.of_kind("Runtime.consoleAPICalled")]
        return told + [event["entry"]["text"] for event in self.of_kind("Log.entryAdded")]

    @property
    def requests(self) -> list[str]:
        return [event["request"]["url"] for event in self.of_kind("Network.requestWillBeSent")]

    def processor_seconds(self) -> float:
        """Processor time that the page's main thread has spent on its tasks."""
        metrics = {item["name"]: item["value"] for item in self.call("Performance.getMetrics")["metrics"]}
        return metrics["TaskDuration"]

    def press(self, key: str, times: int = 1) -> None:
        code = KEYS.get(key, ord(key.upper()) if len(key) == 1 else 0)
        text = {"Enter": "\r", " ": " "}.get(key, key if len(key) == 1 else "")
        for _ in range(times):
            shared = {"key": key, "windowsVirtualKeyCode": code}
            self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **shared)
            self.call("Input.dispatchKeyEvent", type="keyUp", **shared)
        self.settle()

    def middle(self, selector: str) -> tuple[float, float]:
        """Middle of an element on the screen, after it was scrolled into sight."""
        node = f"document.querySelector({json.dumps(selector)})"
        self.run(f'{node}.scrollIntoView({{ block: "center", behavior: "instant" }})')
        self.settle()
        x, y = self.run(
            f"(function (b) {{ return [b.left + b.width / 2, b.top + b.height / 2]; }})({node}.getBoundingClientRect())"
        )
        return x, y

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, selector: str) -> None:
        self.drag(selector, 0.0, 0.0)

    def drag(self, selector: str, across: float, down: float) -> None:
        """Press in the middle of an element, move by so many pixels and let go."""
        x, y = self.middle(selector)
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        if across or down:
            self.mouse("mouseMoved", x + across, y + down, button="left", buttons=1)
        self.mouse("mouseReleased", x + across, y + down, button="left", clickCount=1)
        self.settle()

    def wheel(self, selector: str, down: float) -> None:
        self.mouse("mouseWheel", *self.middle(selector), deltaX=0, deltaY=down)
        self.settle()
