"""Prints a gpu.module of kernels as the emitters write them, by hand for every dtype.

usage: kernels.py dtypes|shared|atomics|math-TYPE [SUBGROUP]

dtypes: loads, stores, arithmetic and casts. shared: workgroup memory, barriers in loops,
shuffles. atomics: on buffers and on workgroup memory. math-f32, ...: each function that the
shared lowering takes.
"""

import sys

WIDTH = {"i1": 8, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64}
SHARED = "#gpu.address_space<workgroup>"
UNARY = """math.exp math.exp2 math.expm1 math.log math.log2 math.log10 math.log1p math.tanh math.erf
math.sin math.cos math.tan math.asin math.acos math.atan math.sinh math.cosh math.asinh math.acosh
math.atanh math.cbrt math.rsqrt math.sqrt math.round math.roundeven math.floor math.ceil math.trunc
math.absf arith.negf""".split()
BINARY = """math.powf math.atan2 math.copysign arith.addf arith.subf arith.mulf arith.divf arith.remf
arith.maximumf arith.minimumf arith.maxnumf arith.minnumf""".split()


def kernel(name, arguments, body, memory="", threads=256):
    return f"""  gpu.func @{name}({arguments}) {memory} kernel
      attributes {{known_block_size = array<i32: {threads}, 1, 1>, txk.kernel}} {{
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %size = gpu.block_dim x
    %first = arith.muli %b, %size : index
    %i = arith.addi %first, %t : index
{body}
    gpu.return
  }}"""


def buffers(element, *names):
    return ", ".join(f"%{name}: memref<?x{element}> {{llvm.noalias}}" for name in names)


def operation(element):
    """An addition, or what stands for it."""
    return "arith.ori" if element == "i1" else "arith.addf" if "f" in element else "arith.addi"


def elements(element):
    """16 bytes at a time, and one by one; a scalar that comes by value."""
    lanes = 128 // WIDTH[element]
    vector = f"vector<{lanes}x{element}>"
    op = operation(element)
    return kernel(f"elements_{element}", buffers(element, "x", "y") + f", %s: {element}, %n: i64", f"""
    %lanes = arith.constant {lanes} : index
    %n0 = arith.index_cast %n : i64 to index
    %j = arith.muli %i, %lanes : index
    %end = arith.addi %j, %lanes : index
    %whole = arith.cmpi ule, %end, %n0 : index
    scf.if %whole {{
      %v = vector.load %x[%j] {{alignment = 16}} : memref<?x{element}>, {vector}
      %w = vector.broadcast %s : {element} to {vector}
      %r = {op} %v, %w : {vector}
      vector.store %r, %y[%j] {{alignment = 16}} : memref<?x{element}>, {vector}
    }} else {{
      scf.for %k = %j to %n0 step %c1 {{
        %v = memref.load %x[%k] : memref<?x{element}>
        %r = {op} %v, %s : {element}
        memref.store %r, %y[%k] : memref<?x{element}>
      }}
    }}""".replace("scf.for %k", "%c1 = arith.constant 1 : index\n      scf.for %k"))


def cast(source, target):
    floats = "f" in source, "f" in target
    if floats == (True, True):
        wider = WIDTH[target] > WIDTH[source]
        if WIDTH[target] == WIDTH[source]:
            return None
        op = "arith.extf" if wider else "arith.truncf"
    elif floats == (False, True):
        op = "arith.uitofp" if source == "i1" else "arith.sitofp"
    elif floats == (True, False):
        op = "arith.fptosi"
    else:
        return None
    return kernel(f"cast_{source}_{target}", f"{buffers(source, 'x')}, {buffers(target, 'y')}", f"""
    %v = memref.load %x[%i] : memref<?x{source}>
    %r = {op} %v : {source} to {target}
    memref.store %r, %y[%i] : memref<?x{target}>""")


def integers(element):
    lines = []
    ops = "arith.divsi arith.divui arith.remsi arith.remui arith.shli arith.shrsi arith.shrui arith.muli arith.maxsi arith.minui"
    value = "%x0"
    for number, op in enumerate(ops.split()):
        lines.append(f"    %r{number} = {op} {value}, %y0 : {element}")
        value = f"%r{number}"
    for op in "math.absi math.ctpop math.ctlz math.cttz".split():
        name = "%" + op.replace(".", "_")
        lines.append(f"    {name} = {op} {value} : {element}")
        value = name
    return kernel(f"integers_{element}", buffers(element, "x", "y", "z"), f"""
    %x0 = memref.load %x[%i] : memref<?x{element}>
    %y0 = memref.load %y[%i] : memref<?x{element}>
""" + "\n".join(lines) + f"\n    memref.store {value}, %z[%i] : memref<?x{element}>")


def exchange(element, subgroup):
    """Each pass of a loop reads what another thread wrote, and shuffles it."""
    shared = f"memref<256x{element}, {SHARED}>"
    op = operation(element)
    return kernel(f"exchange_{element}", buffers(element, "x", "y"), f"""
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c255 = arith.constant 255 : index
    %one = arith.constant 1 : i32
    %width = arith.constant {subgroup} : i32
    %v = memref.load %x[%i] : memref<?x{element}>
    %r = scf.for %k = %c0 to %c255 step %c1 iter_args(%a = %v) -> ({element}) {{
      memref.store %a, %w[%t] : {shared}
      gpu.barrier
      %next = arith.addi %t, %k : index
      %other = arith.andi %next, %c255 : index
      %o = memref.load %w[%other] : {shared}
      gpu.barrier
      %p, %pv = gpu.shuffle xor %o, %one, %width : {element}
      %q, %qv = gpu.shuffle idx %p, %one, %width : {element}
      %s = {op} %a, %q : {element}
      scf.yield %s : {element}
    }}
    memref.store %r, %y[%i] : memref<?x{element}>""", f"workgroup(%w: {shared})")


def atomic(element, kind):
    shared = f"memref<64x{element}, {SHARED}>"
    return kernel(f"atomic_{kind}_{element}", buffers(element, "x", "y"), f"""
    %c63 = arith.constant 63 : index
    %v = memref.load %x[%i] : memref<?x{element}>
    %j = arith.andi %t, %c63 : index
    memref.store %v, %w[%j] : {shared}
    gpu.barrier
    %o = memref.atomic_rmw {kind} %v, %w[%j] : ({element}, {shared}) -> {element}
    %p = memref.atomic_rmw {kind} %o, %y[%j] : ({element}, memref<?x{element}>) -> {element}""",
                  f"workgroup(%w: {shared})")


def function(op, element):
    operands = {True: "%a", False: "%a, %b0"}[op in UNARY]
    if op == "math.fma":
        operands = "%a, %b0, %a"
    lanes = f"vector<2x{element}>"
    return kernel(f"{op.replace('.', '_')}_{element}", buffers(element, "x", "y", "z"), f"""
    %c2 = arith.constant 2 : index
    %j = arith.muli %i, %c2 : index
    %a = vector.load %x[%j] : memref<?x{element}>, {lanes}
    %b0 = vector.load %y[%j] : memref<?x{element}>, {lanes}
    %r = {op} {operands} : {lanes}
    vector.store %r, %z[%j] : memref<?x{element}>, {lanes}""", threads=64)


def main():
    what = sys.argv[1]
    subgroup = int(sys.argv[2]) if len(sys.argv) > 2 else 32
    if what == "dtypes":
        kernels = [elements(e) for e in WIDTH]
        kernels += filter(None, (cast(a, b) for a in WIDTH for b in WIDTH if a != b))
        kernels += [integers(e) for e in ("i8", "i16", "i32", "i64")]
    elif what == "shared":
        kernels = [exchange(e, subgroup) for e in WIDTH]
    elif what == "atomics":
        kernels = [atomic(e, k) for e in ("i8", "i16", "i32", "i64") for k in "addi muli maxs maxu mins minu ori andi xori assign".split()]
        kernels += [atomic(e, k) for e in ("f16", "bf16", "f32", "f64") for k in "addf mulf maximumf minimumf maxnumf minnumf assign".split()]
    else:
        element = what.removeprefix("math-")
        kernels = [function(op, element) for op in (*UNARY, *BINARY, "math.fma")]
    print("gpu.module @kernels {\n" + "\n".join(kernels) + "\n}")


main()
