#!/usr/bin/env python3
"""The conformance suite of the Model Context Protocol's authors, against both of our sides: check.py TEAMMATE

Every scenario that the suite has is run: its servers against the program as a client (client.py), its client against `teammate mcp
serve`. One that does not apply is left out below, with its reason; it must not pass, or the reason is none.

The suite is installed into target/conformance. Without a network this is skipped, which is said and is no failure.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

from keyed import keyed

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
INSTALLED = ROOT / "target" / "conformance"
# Newer than the Node of some machines: the suite asks for it.
PACKAGES = ["@modelcontextprotocol/conformance@0.1.16", "node@22.23.3"]
HASH = "sha512-GI7qiN0r39/MH2srVUR3AXaEN0YLCro20lIBbnvc1frBhszenxvUifBuTzxeVQVagILfBzCIcnungUOma8OrgA=="

NO_SUCH_TOOL = "it calls a tool of the suite's own; ours are a team's"
NO_RESOURCES = "a team has no resources"
NO_PROMPTS = "a team has no prompts"
NO_USER = "there, a program gets in by itself; here, its user logs in, in a browser"
NO_LOGGING = "it sends no log messages: what happens is read by read_events"
LEFT_OUT = {
    "server": {
        "logging-set-level": NO_LOGGING,
        "tools-call-simple-text": NO_SUCH_TOOL,
        "tools-call-image": NO_SUCH_TOOL,
        "tools-call-audio": NO_SUCH_TOOL,
        "tools-call-embedded-resource": NO_SUCH_TOOL,
        "tools-call-mixed-content": NO_SUCH_TOOL,
        "tools-call-with-logging": NO_LOGGING,
        "tools-call-error": NO_SUCH_TOOL,
        "tools-call-with-progress": NO_SUCH_TOOL,
        "tools-call-sampling": NO_SUCH_TOOL,
        "tools-call-elicitation": NO_SUCH_TOOL,
        "json-schema-2020-12": NO_SUCH_TOOL,
        "elicitation-sep1034-defaults": NO_SUCH_TOOL,
        "elicitation-sep1330-enums": NO_SUCH_TOOL,
        "resources-read-text": NO_RESOURCES,
        "resources-read-binary": NO_RESOURCES,
        "resources-templates-read": NO_RESOURCES,
        "resources-subscribe": NO_RESOURCES,
        "resources-unsubscribe": NO_RESOURCES,
        "prompts-get-simple": NO_PROMPTS,
        "prompts-get-with-args": NO_PROMPTS,
        "prompts-get-embedded-resource": NO_PROMPTS,
        "prompts-get-with-image": NO_PROMPTS,
    },
    "client": {
        "auth/basic-cimd": "the program has no page of its own on the Internet to be known by; it registers instead, as it may",
        "auth/scope-step-up": "nobody is asked in the middle of a call: the member reads that the rights do not suffice",
        "auth/pre-registration": "an entry has no place for an id that somebody registered before",
        "auth/2025-03-26-oauth-metadata-backcompat": "the address with a slash at its end is not taken for the same",
        "auth/client-credentials-jwt": NO_USER,
        "auth/client-credentials-basic": NO_USER,
        "auth/cross-app-access-complete-flow": NO_USER,
    },
}


def main():
    teammate = os.path.abspath(sys.argv[1])
    install()
    wrong = []
    for side, passed in [("client", as_client(teammate)), ("server", as_server(teammate))]:
        left_out = LEFT_OUT[side]
        for scenario, has_passed in passed.items():
            why = left_out.get(scenario)
            if has_passed and why is not None:
                wrong.append(f"{side} {scenario} passes, and is left out: {why}")
            if not has_passed and why is None:
                wrong.append(f"{side} {scenario} fails")
            state = "passes" if has_passed else f"left out: {why}" if why else "FAILS"
            print(f"{side:<6} {scenario:<44} {state}", flush=True)
        wrong += [f"there is no {side} {scenario}" for scenario in left_out if scenario not in passed]
        count = sum(passed.values())
        print(f"{side}: {count} of {len(passed)} scenarios pass, {len(left_out)} are left out")
    for line in wrong:
        print(f"error: {line}")
    sys.exit(1 if wrong else 0)


def install():
    mark = INSTALLED / "installed"
    if mark.exists() and mark.read_text() == "\n".join(PACKAGES):
        return
    INSTALLED.mkdir(parents=True, exist_ok=True)
    (INSTALLED / "package.json").write_text('{"private": true, "type": "module"}')
    words = ["--no-audit", "--no-fund", "--no-save", "--no-package-lock", "--force", "--loglevel=error"]
    if subprocess.run(["npm", "install", *words, *PACKAGES], cwd=INSTALLED).returncode != 0:
        print("skipped: the suite cannot be installed", flush=True)
        sys.exit(0)
    lock = json.loads((INSTALLED / "node_modules" / ".package-lock.json").read_text())
    found = lock["packages"]["node_modules/@modelcontextprotocol/conformance"]["integrity"]
    assert found == HASH, f"the suite has the hash {found}"
    mark.write_text("\n".join(PACKAGES))


def suite(*words):
    """Runs the suite; what it prints, without colours."""
    programs = INSTALLED / "node_modules" / ".bin"
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
    ended = subprocess.run(
        [programs / "conformance", *words],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return re.sub(r"\x1b\[[0-9;]*m", "", ended.stdout), ended.returncode == 0


def scenarios(side):
    listed = suite("list", f"--{side}")[0]
    return re.findall(r"^  - (\S+)", listed, re.MULTILINE)


def as_client(teammate):
    passed = {}
    for scenario in scenarios("client"):
        command = f"{sys.executable} {HERE / 'client.py'} {teammate}"
        said, passed[scenario] = suite("client", "--command", command, "--scenario", scenario, "--timeout", "60000")
        if not passed[scenario] and scenario not in LEFT_OUT["client"]:
            print(said)
    return passed


def as_server(teammate):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        served = subprocess.Popen(
            [teammate, "mcp", "serve", "--http"],
            cwd=directory,
            env={"PATH": os.environ["PATH"], "HOME": directory},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            line = served.stdout.readline()
            url, key = re.search(r"http://[^\s,]+", line).group(), line.split()[-1]
            proxy = keyed(url, pathlib.Path(key).read_text().strip())
            threading.Thread(target=proxy.serve_forever, daemon=True).start()
            said = suite("server", "--url", proxy.url, "--suite", "all")[0]
            proxy.shutdown()
        finally:
            served.terminate()
            served.wait()
    marks = re.findall(r"^([✓✗]) (\S+): ", said, re.MULTILINE)
    passed = {scenario: mark == "✓" for mark, scenario in marks}
    return {scenario: passed.get(scenario, False) for scenario in scenarios("server")}


main()
