"""pjrt/Abi.h against what pypjrt knows of the interface: places in the table, sizes and offsets."""

import ctypes
import pathlib
import re

import pytest

abi = pytest.importorskip("pypjrt._abi.pjrt_0_114", reason="no pypjrt: see scripts/install-deps.sh")

HEADER = (pathlib.Path(__file__).parents[2] / "pjrt" / "Abi.h").read_text()
SIZES = {"size_t": 8, "uintptr_t": 8, "intptr_t": 8, "int64_t": 8, "int32_t": 4, "bool": 1, "float": 4, "Code": 4, "ElementType": 4,
         "ValueType": 4, "LayoutType": 4, "HostSemantics": 4, "Deleter": 8}  # fmt: skip
FUNCTIONS = re.findall(r"^struct (\w+) : Args<(\d+)> \{(.*)\};$", HEADER, re.M)
STRUCTS = {"NamedValue": "PJRT_NamedValue", "Program": "PJRT_Program", "TiledLayout": "PJRT_Buffer_MemoryLayout_Tiled",
           "StridedLayout": "PJRT_Buffer_MemoryLayout_Strides", "HostLayout": "PJRT_Buffer_MemoryLayout",
           "ExecuteOptions": "PJRT_ExecuteOptions", "Extension": "PJRT_Extension_Base", "LogicalDevice": "PJRT_LogicalDeviceIds",
           "Version": "PJRT_Api_Version"}  # fmt: skip


def plain(name):
    return name.replace("_", "").lower()


def fields(text):
    """The names of members with their offsets, as C lays them out."""
    offset, found = 0, {}
    for member in filter(None, (m.strip() for m in re.sub(r"//.*", "", text).split(";"))):
        pointer = re.match(r".*\(\*(\w+)\)\(.*\)$", member)
        kind, name = (None, pointer[1]) if pointer else re.match(r"(.*?)(\w+)$", member).groups()
        width = 8 if pointer or "*" in kind else width_of(kind.strip())
        aligned = 8 if width > 8 else width
        offset = -(-offset // aligned) * aligned
        found[plain(name)] = offset
        offset += width
    return found


def width_of(kind):
    return SIZES.get(kind) or ctypes.sizeof(getattr(abi, STRUCTS[kind]))


def known(struct):
    return {plain(name): getattr(struct, name).offset for name, *_ in struct._fields_}


@pytest.mark.parametrize("name, slot, members", FUNCTIONS, ids=[f[0] for f in FUNCTIONS])
def test_function(name, slot, members):
    names = {plain(known.removeprefix("PJRT_")): known for known in abi.SLOT}
    struct = getattr(abi, f"PJRT_{name}_Args", None)
    extension = re.match("Layouts|Shardings", name)
    if extension:
        structs = {plain(s): s for s in dir(abi) if s.startswith(f"PJRT_{extension[0]}_")}
        struct = getattr(abi, structs[plain(f"PJRT{name}Args")])
        table = [plain(f) for f, *_ in getattr(abi, f"PJRT_{extension[0]}_Extension")._fields_[1:]]
        assert table[int(slot)] == plain("PJRT" + name)
    else:
        assert abi.SLOT[names[plain(name)]] == int(slot)
        struct = getattr(abi, names[plain(name)] + "_Args")
    ours = fields("size_t structSize; void *extensionStart;" + members)
    theirs = list(known(struct).items())
    assert list(ours.items()) == theirs[: len(ours)]


@pytest.mark.parametrize("name", STRUCTS)
def test_struct(name):
    text = re.search(rf"^struct {name} \{{\n(.*?)^\}};", HEADER, re.M | re.S)[1]
    text = re.sub(r"union \{.*?\};", lambda m: "", text, flags=re.S)  # its members have no names of their own
    theirs = {key: offset for key, offset in known(getattr(abi, STRUCTS[name])).items() if not key.startswith("anon")}
    ours = re.findall(r"(\w+);", text)
    assert [plain(member) for member in ours] == list(theirs)[: len(ours)]


@pytest.mark.parametrize("enum, prefix", [("Code", "PJRT_Error_Code_"), ("ElementType", "PJRT_Buffer_Type_")])
def test_enum(enum, prefix):
    text = re.search(rf"^enum class {enum} : int32_t \{{\n(.*?)^\}};", HEADER, re.M | re.S)[1]
    theirs = {plain(name.removeprefix(prefix)): getattr(abi, name) for name in dir(abi) if name.startswith(prefix)}
    if not theirs:
        pytest.skip(f"this pypjrt does not name the values of {prefix}")
    for name, value in re.findall(r"(\w+) = (\d+)", text):
        assert theirs[plain(name)] == int(value)


def test_table():
    assert len(abi.SLOT) == int(re.search(r"functionCount = (\d+)", HEADER)[1])
    assert abi.PJRT_API_MAJOR == int(re.search(r"majorVersion = (\d+)", HEADER)[1])
