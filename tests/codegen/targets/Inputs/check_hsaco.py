"""Checks what the driver reads of an AMD code object, and its instructions.

check(chip, path) returns what is wrong: of the metadata, arguments that do not fill the
segment that their sizes say, more shared memory than a workgroup has, a subgroup or block
that is not the chip's or the kernel's, spills and stacks; of the code, functions without
an end, calls, scratch memory, and bytes that are not an instruction of the chip.
"""

import re
import subprocess

WAVEFRONT = {"gfx90a": 64, "gfx942": 64, "gfx950": 64, "gfx1100": 32, "gfx1200": 32}
SHARED = 64 << 10
BAD = re.compile(r"\t(scratch_\w+|buffer_(?:load|store)\w+|s_swappc\w*|s_setpc\w*|\.long.*|<unknown>.*)")


def kernels_of(notes):
    """The fields of each kernel; `args` are (offset, size), `block` the dims of the workgroup."""
    for text in re.split(r"\n  - (?=\.)", notes.split("amdhsa.kernels:")[-1].split("amdhsa.target")[0])[1:]:
        fields = dict(re.findall(r"(?:^|\n    )(\.\w+):[ \t]+(\S+)", text))
        arguments = re.search(r"\.args:\n(.*?)\n    \.", text, re.S)
        offsets = re.findall(r"\.offset: +(\d+)\n +\.size: +(\d+)", arguments[1] if arguments else "")
        block = re.search(r"\.reqd_workgroup_size:((?:\n +- \d+)+)", text)
        fields["args"] = [(int(offset), int(size)) for offset, size in offsets]
        fields["block"] = [int(word) for word in re.findall(r"\d+", block[1])] if block else []
        yield fields


def check_kernel(chip, fields):
    number = lambda name: int(fields.get(name, -1))
    end = max([offset + size for offset, size in fields["args"]] + [0])
    threads = 1
    for size in fields["block"]:
        threads *= size
    facts = [
        ("arguments", number(".kernarg_segment_size") == -(-end // 4) * 4 and all(offset % size == 0 for offset, size in fields["args"])),
        ("shared memory", 0 <= number(".group_segment_fixed_size") <= SHARED),
        ("wavefront", number(".wavefront_size") == WAVEFRONT[chip]),
        ("workgroup", bool(fields["block"]) and number(".max_flat_workgroup_size") == threads <= 1024),
        ("stack", number(".private_segment_fixed_size") == 0 and fields.get(".uses_dynamic_stack") == "false"),
        # Scalars may move to lanes of vector registers; without a stack they cannot go further.
        ("spills", number(".vgpr_spill_count") == 0),
    ]
    return [f"{fields.get('.name')}: {what} in the metadata" for what, holds in facts if not holds]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def check(chip, path):
    kernels = list(kernels_of(run("llvm-readobj", "--notes", path)))
    wrong = [line for fields in kernels for line in check_kernel(chip, fields)]
    code = run("llvm-objdump", "-d", "--no-show-raw-insn", "--no-leading-addr", path)
    # Kernels that are equal may share their code, and its label.
    for name, body in re.findall(r"^<(\w+)>:\n(.*?)(?=^<|\Z)", code, re.S | re.M):
        if "s_endpgm" not in body:
            wrong.append(f"{name}: its code has no end")
        wrong += [f"{name}: {bad.strip()}" for bad in BAD.findall(body)]
    return wrong
