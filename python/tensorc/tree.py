"""Values that hold arrays: dicts, lists, tuples, dataclasses, and classes that are registered.

>>> tc.tree.map(lambda x: x + 1, {"w": tc.zeros(2), "b": [tc.ones(1)]})
{'w': array([1.0, 1.0], dtype=float32), 'b': [array([2.0], dtype=float32)]}
"""

from collections import OrderedDict, defaultdict

from . import _core

Tree = _core.Tree


def flatten(value):
    """The leaves of a value, a list, and its structure."""
    return _core.tree_flatten(value)


def unflatten(tree, leaves):
    """The value of this structure with these leaves."""
    return tree.unflatten(list(leaves))


def leaves(value):
    """The leaves of a value."""
    return flatten(value)[0]


def structure(value):
    """The structure of a value."""
    return flatten(value)[1]


def map(function, value, *others):
    """The value with function(leaf, leaves of the others...) in the place of each leaf."""
    first, tree = flatten(value)
    all_leaves = [first]
    for other in others:
        more, structure = flatten(other)
        if not tree == structure:
            raise ValueError("tree.map: the values are of different structures")
        all_leaves.append(more)
    return tree.unflatten([function(*parts) for parts in zip(*all_leaves)])


def register(cls, flatten, unflatten):
    """Makes values of a class, and of its subclasses, parts of trees.

    `flatten(value)` returns the children and what else there is, a hashable value; `unflatten(rest, children)` makes
    the value again.
    """
    _core.tree_register(cls, flatten, unflatten)
    return cls


# A dict of the standard library is one, too.
register(OrderedDict, lambda d: (list(d.values()), tuple(d)), lambda keys, values: OrderedDict(zip(keys, values)))
register(defaultdict, lambda d: (list(d.values()), (d.default_factory, *d)), lambda m, values: defaultdict(m[0], zip(m[1:], values)))
