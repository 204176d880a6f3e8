"""Reads the API functions from the output of llvm-tblgen --dump-json for compiler/api/Api.td."""

import dataclasses
import json

import records

# Maps each kind of parameter to its type in C. Lists and texts are derived from it.
KINDS = {
    "tensor": "const tensorc_tensor *",
    "handle": "const tensorc_tensor *",
    "optional_tensor": "const tensorc_tensor *",
    "key": "const tensorc_tensor *",
    "number": "const tensorc_arg *",
    "bound": "const tensorc_arg *",
    "int": "int64_t ",
    "axis_or_none": "int64_t ",
    "real": "double ",
    "optional_real": "const double *",
    "flag": "int32_t ",
    "text": "const char *",
    "dtype": "tensorc_dtype ",
    "choice": "",  # the enumeration's
    "selector": "",
    "ints": "const int64_t *",
    "axes": "const int64_t *",
    "numbers": "const tensorc_arg *",
    "per_axis": "const int64_t *",
    "optional_per_axis": "const int64_t *",
    "tensors": "const tensorc_tensor *const *",
}
LISTS = ("ints", "axes", "numbers")


@dataclasses.dataclass(frozen=True)
class Case:
    constant: str  # "TENSORC_SUM"
    value: int
    comment: str
    function: str
    op: str


@dataclasses.dataclass(frozen=True)
class Enum:
    name: str  # "tensorc_reduction"
    header: str
    cases: tuple
    graph: str

    @property
    def selects_ops(self):
        return all(case.op for case in self.cases)


@dataclasses.dataclass(frozen=True)
class Parameter:
    name: str
    kind: str
    fallback: str
    count: str  # the C parameter that holds the length of a list
    enum: Enum | None

    @property
    def c_type(self):
        return self.enum.name + " " if self.enum else KINDS[self.kind]


@dataclasses.dataclass(frozen=True)
class Wrapper:
    name: str
    parameters: tuple
    arguments: tuple
    comment: str


@dataclasses.dataclass(frozen=True)
class Function:
    name: str
    parameters: tuple
    header: str
    comment: str
    builder: str
    builder_arguments: str
    called: str
    wrappers: tuple
    adapter_by_hand: bool
    outs: tuple
    out_length: str
    result: str
    section: str
    composites: tuple
    methods: bool
    examples: tuple
    where: str

    @property
    def c_name(self):
        return "tensorc_" + self.name

    @property
    def selector(self):
        """Returns the first parameter if it selects the function (Case in Classes.td), else None."""
        return next((p for p in self.parameters[:1] if p.kind == "selector"), None)

    def c_parameters(self):
        """Returns (C type, name, parameter or None) in order. A length comes before its first list, and after
        tensors."""
        result, counts = [], set()
        for p in self.parameters:
            if p.kind in LISTS and p.count not in counts:
                counts.add(p.count)
                result.append(("int32_t ", p.count, None))
            result.append((p.c_type, p.name, p))
            if p.kind == "tensors":
                result.append(("int32_t ", "count", None))
        return result


@dataclasses.dataclass(frozen=True)
class Method:
    name: str
    parameters: tuple
    function: str
    result: str


@dataclasses.dataclass(frozen=True)
class Api:
    enums: list
    functions: list
    methods: list  # methods that call C++ functions written by hand


def words(text):
    return " ".join(text.split())


def in_cpp(comment):
    """Returns the comment of a C function, adapted to the C++ function."""
    return words(comment).replace("may be NULL", "may be empty")


def read_enum(record, data):
    cases = [data[case["def"]] for case in record["Cases"]]
    return Enum(
        name="tensorc_" + record["Name"],
        header=record["Header"],
        cases=tuple(Case("TENSORC_" + c["Constant"], c["Value"], c["Comment"], c["Function"], c["Op"]) for c in cases),
        graph=record["Graph"],
    )


def read_parameters(dag, data, where):
    result = []
    for value, name in dag["args"]:
        record = data[value["def"]]
        if record["Kind"] not in KINDS:
            raise records.Refused(f"{where}: parameter '{name}' is of the unknown kind '{record['Kind']}'")
        enum = read_enum(data[record["Type"]["def"]], data) if "Type" in record else None
        result.append(Parameter(name, record["Kind"], record["Fallback"], record.get("Count", ""), enum))
    return tuple(result)


def read_wrapper(record, function, data, where):
    parameters = read_parameters(record["Parameters"], data, where)
    arguments = tuple(record["Arguments"]) or tuple(p.name for p in parameters)
    if len(arguments) != len(function["Parameters"]["args"]):
        raise records.Refused(
            f"{where}: {record['Name']} passes {len(arguments)} arguments to tensorc_{function['Name']}, "
            f"which has {len(function['Parameters']['args'])}"
        )
    return Wrapper(record["Name"], parameters, arguments, in_cpp(record["Comment"] or function["comment"]))


def read_function(record, data):
    where = record["!locs"][0]
    parameters = read_parameters(record["Parameters"], data, where)
    wrappers = tuple(read_wrapper(data[w["def"]], record, data, where) for w in record["wrappers"])
    if not wrappers and not record["wrapperByHand"]:
        wrappers = (Wrapper(record["Name"], parameters, tuple(p.name for p in parameters), in_cpp(record["comment"])),)
    return Function(
        name=record["Name"],
        parameters=parameters,
        header=record["header"],
        comment=words(record["comment"]),
        builder=record["builder"],
        builder_arguments=record["builderArguments"],
        called=record["called"],
        wrappers=wrappers,
        adapter_by_hand=bool(record["adapterByHand"]),
        outs=tuple(record["outs"]),
        out_length=record["outLength"],
        result=record["result"],
        section=record["section"],
        composites=tuple(record["composites"]),
        methods=bool(record["methods"]),
        examples=tuple(words(text) for text in record["examples"]),
        where=where,
    )


def read(path):
    with open(path, encoding="utf-8") as f:
        data = json.load(f)

    # The order of definitions in several files is not that of their lines. Definitions outside of Api.td come last.
    declared = {each["def"]: place for place, each in enumerate(data["DeclarationOrder"]["all"])}

    def place(record):
        return declared.get(record["!name"], len(declared)), int(record["!locs"][0].rpartition(":")[2])

    def in_order(kind):
        return sorted((data[name] for name in data["!instanceof"].get(kind, [])), key=place)

    return Api(
        enums=[read_enum(record, data) for record in in_order("Enum")],
        functions=[read_function(record, data) for record in in_order("Function")],
        methods=[
            Method(r["Name"], read_parameters(r["Parameters"], data, r["!locs"][0]), r["Function"], r["Result"])
            for r in in_order("Method")
        ],
    )
