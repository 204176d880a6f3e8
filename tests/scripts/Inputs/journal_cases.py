import pathlib
import sys
from types import SimpleNamespace

from check import Journal

path = pathlib.Path(sys.argv[1])


def journal():
    return Journal(str(path), SimpleNamespace(kind="small", seed=1))


def tell(known):
    print(f"next {known.next}, failures {known.failures}")


first = journal()
first.add([], 41)
first.add([(50, "why")], 81)
path.write_text(path.read_text()[:-5])
second = journal()
tell(second)
second.add([(50, "why")], 81)
second.add([], 121)
tell(journal())
