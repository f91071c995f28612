"""Runs a program to which the system refuses perf events, as containers and hardened kernels do.

usage: refuse_perf.py [CALL=]ERRNO PROGRAM [ARGS]...

A seccomp filter answers perf_event_open, or CALL, with that errno (seccomp(2), classic BPF over struct seccomp_data).
"""

import ctypes
import errno
import os
import platform
import struct
import sys

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD_WORD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
RETURN_ERRNO, RETURN_ALLOW = 0x00050000, 0x7FFF0000
NUMBERS = {"x86_64": {"perf_event_open": 298, "fchmod": 91}, "aarch64": {"perf_event_open": 241, "fchmod": 52}}


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def refuse(number, call="perf_event_open"):
    code = b"".join(
        struct.pack("HBBI", *instruction)
        for instruction in (
            (LOAD_WORD, 0, 0, 0),  # the number of the system call
            (JUMP_IF_EQUAL, 0, 1, NUMBERS[platform.machine()][call]),
            (RETURN, 0, 0, RETURN_ERRNO | number),
            (RETURN, 0, 0, RETURN_ALLOW),
        )
    )
    memory = ctypes.create_string_buffer(code, len(code))
    program = Program(len(code) // 8, ctypes.addressof(memory))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program)) != 0:
        raise OSError(ctypes.get_errno(), "seccomp")


if __name__ == "__main__":
    *call, name = sys.argv[1].split("=")
    refuse(getattr(errno, name), *call)
    os.execvp(sys.argv[2], sys.argv[2:])
