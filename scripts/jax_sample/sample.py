"""A pytest plugin that selects one of n cases by a hash of the case's name, which is the same in every run (SAMPLE=n).

OFFSET=k, from 0 to n - 1, selects another sample. DEVICE_UNDER_TEST=cpu is the platform that tests see when they decide
whether to run.
"""

import os
import zlib


def pytest_configure(config):
    if platform := os.environ.get("DEVICE_UNDER_TEST"):
        from jax._src import test_util

        test_util.device_under_test = lambda: platform


def pytest_collection_modifyitems(config, items):
    one_in = int(os.environ.get("SAMPLE", "1"))
    offset = int(os.environ.get("OFFSET", "0"))
    items[:] = [item for item in items if zlib.crc32(item.nodeid.encode()) % one_in == offset]
