"""firefox.py - what Firefox makes of a page: its elements, as HTML, after its scripts ran.

usage: firefox.py BROWSER PAGE PROFILE      PROFILE: a directory to be made

Speaks Marionette, Firefox's own protocol, by hand: "LENGTH:JSON" over a local connection. An error of the
page is a line on stderr that begins with "page error". Exit status 1: Firefox did not answer.
"""
import json
import os
import pathlib
import socket
import subprocess
import sys
import time


class Marionette:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.number = 0
        self.receive()  # it says what it is

    def receive(self):
        text = b""
        while not text.endswith(b":"):
            text += self.byte()
        left, answer = int(text[:-1]), b""
        while left > len(answer):
            answer += self.socket.recv(left - len(answer)) or sys.exit("firefox.py: no answer")
        return json.loads(answer)

    def byte(self):
        return self.socket.recv(1) or sys.exit("firefox.py: no answer")

    def call(self, name, **parameters):
        self.number += 1
        text = json.dumps([0, self.number, name, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(text), text))
        _, _, error, result = self.receive()
        if error:
            sys.exit(f"firefox.py: {name}: {error}")
        return result


def wait_for_port(profile, process):
    """Firefox writes the port that it chose into its profile."""
    file = pathlib.Path(profile, "MarionetteActivePort")
    for _ in range(600):
        if file.exists() and file.read_text().strip():
            return int(file.read_text())
        if process.poll() is not None:
            sys.exit("firefox.py: Firefox ended")
        time.sleep(0.1)
    sys.exit("firefox.py: Firefox did not start")


def main():
    browser, page, profile = sys.argv[1:]
    os.makedirs(profile)
    pathlib.Path(profile, "user.js").write_text('user_pref("marionette.port", 0);\n')
    process = subprocess.Popen([browser, "--headless", "--no-remote", "--marionette",
                                "-remote-allow-system-access", "--profile", profile],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env={**os.environ, "HOME": profile})
    try:
        firefox = Marionette(wait_for_port(profile, process))
        firefox.call("WebDriver:NewSession")
        firefox.call("WebDriver:Navigate", url=pathlib.Path(page).as_uri())
        script = "return document.documentElement.outerHTML;"
        print(firefox.call("WebDriver:ExecuteScript", script=script, args=[])["value"])
        # Errors are in the console's storage, which only Firefox's own code sees.
        firefox.call("Marionette:SetContext", value="chrome")
        script = """return Services.console.getMessageArray()
            .filter((m) => m instanceof Ci.nsIScriptError && (m.sourceName || '').startsWith('file:'))
            .filter((m) => !(m.flags & Ci.nsIScriptError.warningFlag)).map((m) => m.errorMessage);"""
        for error in firefox.call("WebDriver:ExecuteScript", script=script, args=[])["value"]:
            print("page error:", error, file=sys.stderr)
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


if __name__ == "__main__":
    main()
