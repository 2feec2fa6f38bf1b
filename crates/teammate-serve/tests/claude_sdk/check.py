#!/usr/bin/env python3
"""Has the agent SDKs, as their users install them, start `teammate` in place of their own program.

Both tell the same story: a question, a callback that decides, a session that goes on, a tool of their own process, a hook, an
interrupt, a flag that is refused. They are installed into target/claude-sdk. Without a network this is skipped, which is said and is no failure.
Usage: TEAMMATE=target/debug/teammate check.py [--require]   (--require: what would be skipped fails)
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import venv

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[3]
TARGET = ROOT / "target" / "claude-sdk"
PYTHON = TARGET / "python" / "bin" / "python"
# From its source: what is built has the vendor's whole program in it, which nobody starts here.
PACKAGE = ["--no-binary", "claude-agent-sdk", "claude-agent-sdk==0.2.189"]


def main():
    check("Python", python, [PYTHON, HERE / "drive.py"])
    check("TypeScript", typescript, ["node", TARGET / "typescript" / "drive.mjs"])
    print("both agent SDKs work with a team")


def check(name, install, command):
    """Tells the story with one SDK, in a directory of its own."""
    if not install():
        print(f"skipped: the agent SDK for {name} cannot be installed", flush=True)
        if "--require" in sys.argv:
            sys.exit(1)
        return
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        work, home = root / "work", root / "home"
        work.mkdir()
        home.mkdir()
        (root / "claude").symlink_to(pathlib.Path(os.environ["TEAMMATE"]).resolve())
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "TEAMMATE_MODEL": f"scripted:{HERE / 'play.json'}",
        }
        if subprocess.run([*command, root / "claude"], cwd=work, env=environment, timeout=600).returncode != 0:
            sys.exit(f"the agent SDK for {name} does not work with a team")


def python():
    """Installs the SDK for Python, once."""
    ready = TARGET / "python" / "ready"
    if not ready.exists() or ready.read_text() != PACKAGE[-1]:
        shutil.rmtree(TARGET / "python", ignore_errors=True)
        venv.create(TARGET / "python", with_pip=True)
        if subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", *PACKAGE]).returncode != 0:
            return False
        ready.write_text(PACKAGE[-1])
    return True


def typescript():
    """Installs the SDK for TypeScript, once; without the vendor's program."""
    target = TARGET / "typescript"
    pinned = (HERE / "package.json").read_text()
    ready = target / "ready"
    if not ready.exists() or ready.read_text() != pinned:
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy(HERE / "package.json", target)
        words = ["npm", "install", "--omit=optional", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"]
        try:
            done = subprocess.run([*words, "--loglevel=error"], cwd=target).returncode
        except FileNotFoundError:
            return False
        if done != 0:
            return False
        ready.write_text(pinned)
    shutil.copy(HERE / "drive.mjs", target)
    return True


main()
