"""Structures that contain arrays: dicts, lists, tuples, dataclasses, and registered classes.

>>> tc.tree.map(lambda x: x + 1, {"w": tc.zeros(2), "b": [tc.ones(1)]})
{'w': array([1.0, 1.0], dtype=float32), 'b': [array([2.0], dtype=float32)]}
"""

from collections import OrderedDict, defaultdict

from . import _core

__all__ = ["Tree", "flatten", "leaves", "leaves_like", "map", "register", "structure", "unflatten"]


def __dir__():
    return __all__


Tree = _core.Tree


def flatten(value):
    """The leaves of a value as a list, and its structure."""
    return _core.tree_flatten(value)


def unflatten(tree, leaves):
    """The value with this structure and these leaves."""
    return tree.unflatten(list(leaves))


def leaves(value):
    """The leaves of a value."""
    return flatten(value)[0]


def structure(value):
    """The structure of a value."""
    return flatten(value)[1]


def map(function, value, *others):
    """The value with each leaf replaced by function(leaf, corresponding leaves of the others...)."""
    first, tree = flatten(value)
    all_leaves = [first]
    for other in others:
        more, structure = flatten(other)
        if not tree == structure:
            raise ValueError("tree.map: the values are of different structures")
        all_leaves.append(more)
    return tree.unflatten([function(*parts) for parts in zip(*all_leaves)])


def leaves_like(value, like, what, counts=lambda leaf: True):
    """The leaves of a value with the structure of `like`, in the order of the leaves of `like`.

    Dicts are matched by key. None in place of a part gives None for each leaf of the part. Values of a registered
    class may omit leaves for which `counts` is false. A different structure raises a ValueError that begins with
    `what`.
    """

    def refuse():
        raise ValueError(f"{what}: the values are of different structures")

    def collect(value, like):
        if value is None:
            return [None] * len(leaves(like))
        if isinstance(value, dict) and isinstance(like, dict):
            if value.keys() != like.keys():
                missing, more = [k for k in like if k not in value], [k for k in value if k not in like]
                raise ValueError(f"{what}: a dict lacks the keys {missing}, and has {more} besides")
            return [leaf for key in like for leaf in collect(value[key], like[key])]
        if isinstance(like, (list, tuple)):
            if type(value) is not type(like) or len(value) != len(like):
                refuse()
            return [leaf for pair in zip(value, like) for leaf in collect(*pair)]
        flat, expected = leaves(value), leaves(like)
        if structure(value) == structure(like):
            return flat
        places = [i for i, leaf in enumerate(expected) if counts(leaf)]
        if isinstance(value, (dict, list, tuple)) or isinstance(like, dict) or len(expected) == len(places) or len(flat) != len(places):
            refuse()
        found = [None] * len(expected)
        for i, leaf in zip(places, flat):
            found[i] = leaf
        return found

    return collect(value, like)


def register(cls, flatten, unflatten):
    """Registers a class, with its subclasses, as a structure.

    `flatten(value)` returns the children, and a hashable value with everything else; `unflatten(rest, children)`
    makes the value from these.
    """
    _core.tree_register(cls, flatten, unflatten)
    return cls


# OrderedDict and defaultdict are structures as well.
register(OrderedDict, lambda d: (list(d.values()), tuple(d)), lambda keys, values: OrderedDict(zip(keys, values)))
register(defaultdict, lambda d: (list(d.values()), (d.default_factory, *d)), lambda m, values: defaultdict(m[0], zip(m[1:], values)))
