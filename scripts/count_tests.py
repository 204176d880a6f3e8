"""Counts single tests from what CTest (ctest.xml) and lit (*.json) left in a folder.

Prints which parts took the time, then `N passed, N failed`, and exits 1 if one
failed or none ran.
"""

import collections
import json
import pathlib
import sys
import xml.etree.ElementTree as xml

results = pathlib.Path(sys.argv[1])
passed = skipped = 0
failed = []
seconds, tests = collections.Counter(), collections.Counter()


def took(part, time, count=1):
    seconds[part] += time
    tests[part] += count


for path in sorted(results.glob("*.json")):
    for test in json.loads(path.read_text())["tests"]:
        tests["lit." + path.stem] += 1
        if test["code"] in ("PASS", "XFAIL", "FLAKYPASS"):
            passed += 1
        elif test["code"] in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
            skipped += 1
        else:
            failed.append(test["name"])

for case in xml.parse(results / "ctest.xml").getroot().iter("testcase"):
    name = case.get("name")
    # Parts with names of their own have small letters; the others are GoogleTests.
    part = name if "." in name and name[0].islower() else "GoogleTest"
    took(part, float(case.get("time", 0)), 0 if name.startswith("lit.") else 1)
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

SHOWN = 20
print(f"{'part':28} {'tests':>6} {'seconds':>8}   (of as many at once as there are processors; lit has all)")
for part, time in seconds.most_common(SHOWN):
    print(f"{part:28} {tests[part]:6} {time:8.1f}")
rest = seconds.most_common()[SHOWN:]
if rest:
    print(f"{'others':28} {sum(tests[part] for part, _ in rest):6} {sum(time for _, time in rest):8.1f}")

for name in failed:
    print(f"FAILED: {name}")
print(f"{passed} passed, {len(failed)} failed" + (f", {skipped} skipped" if skipped else ""))
sys.exit(1 if failed or passed == 0 else 0)
