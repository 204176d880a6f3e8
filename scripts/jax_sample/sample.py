"""A plugin of pytest: of each n cases one, by a hash of its name, which is the same in every run (SAMPLE=n)."""

import os
import zlib


def pytest_collection_modifyitems(config, items):
    one_in = int(os.environ.get("SAMPLE", "1"))
    items[:] = [item for item in items if zlib.crc32(item.nodeid.encode()) % one_in == 0]
