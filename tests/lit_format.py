"""The test format of the lit suites."""

import re

import lit.formats
import lit.Test


class ToolTest(lit.formats.ShTest):
    """A shell test; unsupported while a tool it names is not part of the build."""

    def __init__(self, missing):
        # The internal shell: quicker, and the same on every machine.
        super().__init__(execute_external=False)
        self.missing = [name for name in missing if name]

    def execute(self, test, lit_config):
        with open(test.getSourcePath(), encoding="utf-8") as file:
            text = file.read()
        for name in self.missing:
            spelled = rf"%{name}(?![\w-])" + ("|%run_op" if name == "tensorc" else "")
            if re.search(spelled, text):
                return lit.Test.Result(lit.Test.UNSUPPORTED, f"{name} is not built")
        return super().execute(test, lit_config)
