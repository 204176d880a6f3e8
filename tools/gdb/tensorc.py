"""Pretty printers for gdb. Add this line to ~/.gdbinit, or enter it at gdb's prompt:

    source PREFIX/share/tensorc/gdb/tensorc.py

`print x` of a Tensor shows its dtype and shape, and its values if they have been computed:

    f32[2,3] = tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], dtype=f32)
    f32[2,3], not evaluated

Printing never evaluates a tensor. It calls functions of the library in the program. If gdb cannot call functions, only
the address of the handle is printed. This is so in a core file, and for gdb 13 on a processor with AMX.
"""

import gdb


def call(signature, function, *arguments):
    """Calls an exported function. The types are given because a stripped library does not have them."""
    return gdb.parse_and_eval(f"(({signature}){function})({', '.join(str(a) for a in arguments)})")


def values(handle):
    """Returns the text of an evaluated tensor."""
    # The names are internal to glibc, because the program may have other functions called malloc.
    place = int(call("void *(*)(unsigned long)", "__libc_malloc", 8))
    try:
        if int(call("void *(*)(void *, void *)", "tensorc_to_string", handle, place)):
            return "its values cannot be read"
        text = gdb.parse_and_eval(f"*(char **){place}")
        result = text.string()
        call("void (*)(void *)", "tensorc_string_free", int(text))
        return result
    finally:
        call("void (*)(void *)", "__libc_free", place)


class TensorPrinter:
    def __init__(self, value):
        self.handle = int(value["handle"])

    def type_text(self):
        dtype = call("int (*)(void *)", "tensorc_tensor_dtype", self.handle)
        rank = int(call("int (*)(void *)", "tensorc_tensor_rank", self.handle))
        dims = int(call("long *(*)(void *)", "tensorc_tensor_dims", self.handle))
        sizes = [str(int(gdb.parse_and_eval(f"((long *){dims})[{d}]"))) for d in range(rank)]
        name = call("char *(*)(int)", "tensorc_dtype_name", int(dtype)).string()
        return f"{name}[{','.join(sizes)}]"

    def to_string(self):
        if not self.handle:
            return "no tensor"
        try:
            text = self.type_text()
            if int(call("int (*)(void *)", "tensorc_tensor_is_evaluated", self.handle)):
                return f"{text} = {values(self.handle)}"
            return f"{text}, not evaluated"
        except gdb.error:  # there is no running program, or gdb cannot call its functions
            return f"Tensor at {self.handle:#x}"


def register():
    import gdb.printing

    printers = gdb.printing.RegexpCollectionPrettyPrinter("tensorc")
    printers.add_printer("Tensor", "^tensorc::(Tensor|Element)$", TensorPrinter)
    gdb.printing.register_pretty_printer(None, printers, replace=True)


register()
