"""Counts individual tests from the result files of CTest (ctest.xml), lit and GoogleTest (*.json) and pytest
(pytest.*.xml) in a folder.

Prints the slowest parts and the slowest single tests of lit and pytest, the files of tests/ops that passed on each
device and the random programs of each entry, then `N passed, N failed`. Exits with status 1 if a test failed or none ran.
"""

import collections
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

results = pathlib.Path(sys.argv[1])
passed = skipped = 0
failed = []
suites_with_failures = set()
seconds, tests, single = collections.Counter(), collections.Counter(), collections.Counter()
suites_passed, programs = collections.Counter(), []


def took(part, time, count=1):
    seconds[part] += time
    tests[part] += count


for path in sorted(results.glob("*.json")):
    for test in json.loads(path.read_text())["tests"]:
        tests[path.stem] += 1
        single[test["name"]] += test.get("elapsed") or 0
        if test["code"] in ("PASS", "XFAIL", "FLAKYPASS"):
            passed += 1
            suites_passed[path.stem] += 1
        elif test["code"] in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
            skipped += 1
        else:
            failed.append(test["name"])
            suites_with_failures.add(path.stem)

for path in sorted(results.glob("pytest.*.xml")):
    for case in xml.parse(path).getroot().iter("testcase"):
        tests[path.stem] += 1
        single[f"{path.stem}: {case.get('name')}"] += float(case.get("time", 0))
        if case.find("failure") is not None or case.find("error") is not None:
            failed.append(f"{case.get('classname')}::{case.get('name')}")
            suites_with_failures.add(path.stem)
        elif case.find("skipped") is not None:
            skipped += 1
        else:
            passed += 1

# These write their results to separate files.
MANY = {"lit.": ".json", "gtest.": ".json", "pytest.": ".xml"}
for case in xml.parse(results / "ctest.xml").getroot().iter("testcase"):
    name = case.get("name")
    suffix = next((MANY[prefix] for prefix in MANY if name.startswith(prefix)), None)
    took(name, float(case.get("time", 0)), 0 if suffix else 1)
    if found := re.search(r"^(\d+) programs, (\d+) failed$", case.findtext("system-out") or "", re.M):
        programs.append(f"{name} {int(found[1]) - int(found[2])} of {found[1]}")
    if suffix:
        # A suite counts as one failure if it crashed before it wrote results, or failed although its tests passed.
        failed_alone = case.get("status") == "fail" and name not in suites_with_failures
        if failed_alone or not (results / (name + suffix)).exists():
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

for name, time in single.most_common(SHOWN):
    print(f"{time:8.1f} {name}")

ops = [f"{suite.removeprefix('lit.ops-')} {suites_passed[suite]} of {tests[suite]}" for suite in tests if suite.startswith("lit.ops-")]
for title, counts in (("tests/ops that passed", ops), ("random programs that agreed", programs)):
    if counts:
        print(f"{title}: {', '.join(counts)}")

for name in failed:
    print(f"FAILED: {name}")
print(f"{passed} passed, {len(failed)} failed" + (f", {skipped} skipped" if skipped else ""))
sys.exit(1 if failed or passed == 0 else 0)
