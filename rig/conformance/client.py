#!/usr/bin/env python3
"""The program as the client of a conformance scenario: client.py TEAMMATE URL

The suite names the scenario in the environment and starts this with the address of its server. What a user would do is done: the
server is added, logged in at where the scenario is about that, tried, and its tool is called by a lead whose model is a play.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

TEAMMATE, URL = sys.argv[1], sys.argv[-1]
SCENARIO = os.environ["MCP_CONFORMANCE_SCENARIO"]
# The scenarios in which a tool is called, with its input.
CALLS = {
    "tools_call": ("add_numbers", {"a": 19, "b": 23}),
    "elicitation-sep1034-client-defaults": ("test_client_elicitation_defaults", {}),
    "sse-retry": ("test_reconnection", {}),
}
# How long anything is waited for.
PATIENCE_SECONDS = 20


def main():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        user = User(directory)
        user.does("mcp", "add", "tried", "--url", URL)
        if SCENARIO.startswith("auth/"):
            user.logs_in()
        user.does("mcp", "test", "tried")
        tool, given = CALLS.get(SCENARIO, ("test-tool", {}))
        if SCENARIO in CALLS or SCENARIO.startswith("auth/"):
            user.has_called(tool, given)


class User:
    """Somebody with a workspace and a home of their own."""

    def __init__(self, directory):
        self.work, self.home = os.path.join(directory, "work"), os.path.join(directory, "home")
        os.mkdir(self.work)
        os.mkdir(self.home)
        self.play = os.path.join(self.home, "play.json")

    def starts(self, *arguments):
        environment = {"PATH": os.environ["PATH"], "HOME": self.home, "TEAMMATE_MODEL": f"scripted:{self.play}"}
        print("$ teammate", *arguments, flush=True)
        return subprocess.Popen(
            [TEAMMATE, *arguments],
            cwd=self.work,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def does(self, *arguments):
        said = self.starts(*arguments).communicate()[0]
        print(said, flush=True)
        return said

    def logs_in(self):
        """Opens the page that the program names: the suite's people say yes at once."""
        login = self.starts("mcp", "login", "tried")
        for line in login.stdout:
            print(line, end="", flush=True)
            page = re.search(r"https?://\S+", line)
            if page:
                urllib.request.urlopen(page.group()).read()
        login.wait()

    def has_called(self, tool, given):
        call = {"tool": f"mcp__tried__{tool}", "input": given}
        scenes = [{"calls": [call]}, {"when": {"otherwise": True}, "say": "Done.", "repeat": True}]
        with open(self.play, "w") as play:
            json.dump({"members": {"lead": scenes}}, play)
        if SCENARIO.startswith("elicitation"):
            self.answers()
        else:
            self.does("run", "--allow", "mcp__tried", "Go")

    def answers(self):
        """The server asks the user, who says yes and leaves the rest as it is."""
        host = self.starts("up", "--allow", "mcp__tried")
        self.until(lambda: "error" not in self.does("send", "lead", "Go"))
        asked = self.until(lambda: re.search(r"req_\d+", self.does("requests")))
        self.does("approve", asked.group())
        self.until(lambda: "Done." in self.does("log"))
        self.does("stop")
        print(host.communicate()[0], flush=True)

    def until(self, holds):
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            if held := holds():
                return held
            time.sleep(0.2)
        sys.exit("what was waited for did not come")


main()
