"""Functions shared by the checks: the tracked files of the project as relative paths."""

import argparse
import pathlib
import subprocess


def root(description):
    """Returns the folder to check, from --root (default: the project)."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parents[2])
    return parser.parse_args().root


def files(root, *suffixes):
    """Returns the sorted tracked and new files that git does not ignore."""
    command = ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    return sorted({n for n in names if n.endswith(suffixes or "") and n and (root / n).exists()})
