"""refuse_amx.py COMMAND...: runs the command as on a system that refuses permission to use the registers of AMX.

A filter of seccomp lets arch_prctl(ARCH_REQ_XCOMP_PERM) fail with EPERM."""

import ctypes
import os
import struct
import sys

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
ARCH_PRCTL, ARCH_REQ_XCOMP_PERM, EPERM = 158, 0x1023, 1
LOAD, JUMP_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, ERRNO = 0x7FFF0000, 0x00050000

# (code, jump if true, jump if false, operand). Offset 0 of seccomp_data is the number of the call, offset 16 its first argument.
FILTER = [
    (LOAD, 0, 0, 0),
    (JUMP_EQUAL, 0, 3, ARCH_PRCTL),
    (LOAD, 0, 0, 16),
    (JUMP_EQUAL, 0, 1, ARCH_REQ_XCOMP_PERM),
    (RETURN, 0, 0, ERRNO | EPERM),
    (RETURN, 0, 0, ALLOW),
]


def main():
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in FILTER))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(FILTER), ctypes.addressof(code)))
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    for arguments in ((PR_SET_NO_NEW_PRIVS, 1, 0), (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(program))):
        if prctl(*(ctypes.c_ulong(a) for a in arguments), ctypes.c_ulong(0), ctypes.c_ulong(0)):
            sys.exit(f"prctl: {os.strerror(ctypes.get_errno())}")
    os.execvp(sys.argv[1], sys.argv[1:])


main()
