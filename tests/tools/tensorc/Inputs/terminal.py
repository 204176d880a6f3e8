#!/usr/bin/env python3
"""Runs a command in a terminal, and prints what the terminal gets, with escapes as text.

usage: terminal.py COMMAND...
"""

import os
import pty
import sys

output = b""
process, terminal = pty.fork()
if process == 0:
    os.environ["TERM"] = "xterm"
    os.execvp(sys.argv[1], sys.argv[1:])
while True:
    try:
        piece = os.read(terminal, 4096)
    except OSError:  # Linux reports the end so
        break
    if not piece:
        break
    output += piece
print(output.decode().replace("\r\n", "\n").replace("\x1b", "<ESC>"), end="")
sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
