"""Counts single tests from what CTest (ctest.xml) and lit (*.json) left in a folder.

Prints `N passed, N failed` and exits 1 if one failed or none ran.
"""

import json
import pathlib
import sys
import xml.etree.ElementTree as xml

results = pathlib.Path(sys.argv[1])
passed = skipped = 0
failed = []

for path in sorted(results.glob("*.json")):
    for test in json.loads(path.read_text())["tests"]:
        if test["code"] in ("PASS", "XFAIL", "FLAKYPASS"):
            passed += 1
        elif test["code"] in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
            skipped += 1
        else:
            failed.append(test["name"])

for case in xml.parse(results / "ctest.xml").getroot().iter("testcase"):
    name = case.get("name")
    if name.startswith("lit."):
        # A lit run that broke before it wrote results is a failure of its own.
        if not (results / f"{name[4:]}.json").exists():
            failed.append(name)
    elif case.get("status") == "run":
        passed += 1
    elif case.get("status") == "fail":
        failed.append(name)
    else:
        skipped += 1

for name in failed:
    print(f"FAILED: {name}")
print(f"{passed} passed, {len(failed)} failed" + (f", {skipped} skipped" if skipped else ""))
sys.exit(1 if failed or passed == 0 else 0)
