"""The harness of pypjrt on the plugin: no check fails."""

import os

import pytest

conform = pytest.importorskip("pypjrt.conform", reason="no pypjrt: see scripts/install-deps.sh")

# What the plugin does not offer.
UNSUPPORTED = {
    "compile.optimized_program",
    "topology.client_free_compile",
    "topology.create_by_name",
    "topology.fingerprint",
    "topology.serialize",
    "transfer.async_host_to_device",
}


def test_conform():
    report = conform.run(conform.Plugin(os.environ["TENSORC_PJRT_LIBRARY"]))
    by = {}
    for check in report.checks:
        by.setdefault(check.result.value, []).append(check.id)
    assert not by.get("fail"), [check for check in report.checks if check.result.value == "fail"]
    assert set(by.get("unsupported", [])) <= UNSUPPORTED
    assert len(by["pass"]) >= 50
