#!/usr/bin/env python3
"""As a GoogleTest program whose cases do what their names say."""

import os
import sys

CASES = ["Works", "Is/skipped", "Fails", "Crashes", "Works/after", "Fails/after/others", "Needs/its/own/process"]
options = dict(word.removeprefix("--gtest_").partition("=")[::2] for word in sys.argv[1:])
wanted = options.get("filter", "*").split(":")
names = [name for name in CASES if "*" in wanted or f"Suite.{name}" in wanted]
if "list_tests" in options:
    print("Suite.", *(f"  {name}  # GetParam() = 1" for name in names), "  DISABLED_Case", sep="\n")
    sys.exit()
failed = False
for name in names:
    print(f"[ RUN      ] Suite.{name}", flush=True)
    if name == "Crashes":
        os.abort()
    wrong = name == "Fails" or (name in ("Fails/after/others", "Needs/its/own/process") and len(names) > 1)
    failed |= wrong
    print(f"[  {'SKIPPED' if 'skipped' in name else ' FAILED' if wrong else '     OK'} ] Suite.{name} (0 ms)")
sys.exit(failed or (os.environ.get("LEAKS") == "1" and "Works" in names))
