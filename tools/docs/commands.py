"""Finds commands in Markdown files and in help texts, and runs them in a folder."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[2]


class Place:
    """A temporary folder that holds a copy of examples/. The tools of a build are in its PATH."""

    def __init__(self, tools):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        shutil.copytree(ROOT / "examples", self.folder / "examples", ignore=shutil.ignore_patterns("train*"))
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TENSORC_")}
        self.env = kept | {"PATH": os.path.abspath(tools) + os.pathsep + kept["PATH"], "HOME": str(self.folder)}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder)

    def run(self, lines):
        """Returns the output of a shell that runs these lines. A line that fails ends the program."""
        done = subprocess.run(["/bin/sh", "-ec", lines], cwd=self.folder, env=self.env, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{lines}\nstatus {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout
