"""Checkpoints of arrays that are split over ranks, in a folder of safetensors files.

A folder has a file `checkpoint.json` with a generation and a number of ranks, and one file of each rank, such as
`3.0-of-4.safetensors`. Names of its tensors are those of the arrays, with the shape of the whole and the offset of the
part: `layers.0.weight|64,32|0,16`. The former generation is removed after `checkpoint.json` was replaced, so a program
that is killed at any time leaves the one or the other.
"""

import json
import math
import os
import pathlib
import re

from .. import _core
from .._creation import zeros
from .._files import _named
from .._files import load as _load_file
from .._files import save as _save_file

_INDEX = "checkpoint.json"


def _place(x, rank):
    """Returns the offset and the shape of a rank's part of x, and whether the rank is the first
    one that has this part."""
    split = _core.sharding(x)
    if split is None:
        return [0] * x.ndim, list(x.shape), rank == 0
    offset, shape, is_first = [0] * x.ndim, list(x.shape), True
    for axis, (size, dim) in enumerate(zip(*split)):
        position = rank // math.prod(split[0][axis + 1 :]) % size
        if dim < 0:
            is_first = is_first and position == 0
            continue
        shape[dim] //= size
        offset[dim] += position * shape[dim]
    return offset, shape, is_first


def _read_index(folder):
    try:
        index = json.loads((folder / _INDEX).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {"generation": 0, "ranks": 0}
    if not all(isinstance(index.get(key), int) for key in ("generation", "ranks")):
        raise ValueError(f"{folder / _INDEX} is not the index of a checkpoint")
    return index


def _file(folder, generation, rank, ranks):
    return folder / f"{generation}.{rank}-of-{ranks}.safetensors"


def _numbers(values):
    return ",".join(map(str, values))


def save(folder, value):
    """Writes nested arrays to a folder, each rank its parts. All ranks call this; when it returns, all are written.

    The folder always has a whole checkpoint: the former one, or this one.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tc.distributed.save(folder, {"w": tc.ones(2)})
    ...     tc.distributed.load(folder, {"w": tc.zeros(2)})
    {'w': array([1.0, 1.0], dtype=float32)}
    """
    from . import barrier, get_rank, get_world_size

    folder, rank, ranks = pathlib.Path(folder), get_rank(), get_world_size()
    folder.mkdir(parents=True, exist_ok=True)
    generation = _read_index(folder)["generation"] + 1
    parts = {}
    for name, x in _named(value, ""):
        offset, _, is_first = _place(x, rank)
        if is_first:
            split = _core.sharding(x)
            part = x if split is None else _core.local_part(x, *split)
            parts[f"{name}|{_numbers(x.shape)}|{_numbers(offset)}"] = part
    _save_file(_file(folder, generation, rank, ranks), parts)
    barrier()  # waits until all ranks have read the index and written their files
    if rank == 0:
        new = folder / f"{_INDEX}.new"
        new.write_text(json.dumps({"generation": generation, "ranks": ranks}), encoding="utf-8")
        os.replace(new, folder / _INDEX)
        kept = {_file(folder, generation, r, ranks).name for r in range(ranks)}
        for old in folder.glob("*.safetensors"):
            if re.fullmatch(r"\d+\.\d+-of-\d+\.safetensors", old.name) and old.name not in kept:
                old.unlink()
    barrier()


def load(folder, like):
    """Reads what `save` wrote, also on another number of ranks. `like` are nested arrays of the same names, dtypes and
    shapes; the results are split as these are. A rank reads one file at a time, and keeps its parts."""
    from . import get_rank

    folder, rank = pathlib.Path(folder), get_rank()
    index = _read_index(folder)
    if not index["ranks"]:
        raise FileNotFoundError(f"{folder} has no {_INDEX}")
    wanted = dict(_named(like, ""))
    places = {name: _place(x, rank)[:2] for name, x in wanted.items()}
    parts = {name: zeros(tuple(places[name][1]), x.dtype) for name, x in wanted.items()}
    filled = dict.fromkeys(wanted, 0)
    for r in range(index["ranks"]):
        for key, piece in _load_file(_file(folder, index["generation"], r, index["ranks"])).items():
            name, shape, offset = key.rsplit("|", 2)
            shape, offset = ([int(n) for n in text.split(",") if n] for text in (shape, offset))
            if name not in wanted:
                continue
            x = wanted[name]
            if tuple(shape) != x.shape or piece.dtype != x.dtype:
                raise ValueError(f"load: {name} is {piece.dtype.name}{shape} in {folder}, {x.dtype.name}{list(x.shape)} here")
            begin = [max(a, b) for a, b in zip(offset, places[name][0])]
            end = [min(a + n, b + m) for a, n, b, m in zip(offset, piece.shape, *places[name])]
            if all(b < e for b, e in zip(begin, end)):
                of_piece = tuple(slice(b - o, e - o) for b, e, o in zip(begin, end, offset))
                of_part = tuple(slice(b - o, e - o) for b, e, o in zip(begin, end, places[name][0]))
                parts[name] = parts[name].at[of_part].set(piece[of_piece])
                filled[name] += math.prod(e - b for b, e in zip(begin, end))
        _core.eval(*parts.values())
    for name, count in filled.items():
        if count != math.prod(places[name][1]):
            raise ValueError(f"load: {folder} has no {name}, or not all of it")
    splits = {name: _core.sharding(x) for name, x in wanted.items()}
    wholes = {name: part if splits[name] is None else _core.join_parts(part, *splits[name]) for name, part in parts.items()}
    return _nested(like, "", wholes)


def _nested(value, prefix, arrays):
    """Returns the structure of `value` with each leaf replaced by the array of its name."""
    if isinstance(value, (dict, list, tuple)):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        made = {key: _nested(part, f"{prefix}.{key}" if prefix else str(key), arrays) for key, part in parts}
        if isinstance(value, dict):
            return made
        return type(value)._make(made.values()) if hasattr(value, "_fields") else type(value)(made.values())
    return arrays[prefix]
