"""The test formats of the lit suites."""

import os
import re

import lit.formats
import lit.Test
import lit.TestRunner
import served


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


class ServedTest(ToolTest):
    """A test whose commands run in a process that many share (served.py), or in
    the shell where they are not simple. What fails there runs in the shell too,
    whose report names commands to paste."""

    def __init__(self, missing, server, tool, npy, skipped=None):
        super().__init__(missing)
        self.server, self.tool, self.npy = server, tool, npy
        self.skipped = skipped or {}  # names of tests, or "" for all, and why
        served.Server.report_leaks()

    def script(self, test):
        """The lines to run, or a result."""
        return lit.TestRunner.parseIntegratedTestScript(test)

    def alone(self, test, lit_config):
        """The result of what failed, run by itself."""
        return super().execute(test, lit_config)

    def execute(self, test, lit_config):
        name = os.path.splitext(test.path_in_suite[-1])[0]
        reason = self.skipped.get("") or self.skipped.get(name)
        if reason:
            return lit.Test.Result(lit.Test.UNSUPPORTED, reason)
        if not os.path.exists(self.server) or lit_config.noExecute or test.config.unsupported:
            return super().execute(test, lit_config)
        script = self.script(test)
        if isinstance(script, lit.Test.Result):
            return script
        folder, base = lit.TestRunner.getTempPaths(test)
        script = lit.TestRunner.applySubstitutions(
            script, lit.TestRunner.getDefaultSubstitutions(test, folder, base),
            {feature: True for feature in test.config.available_features})
        lines = [re.fullmatch(lit.TestRunner.kPdbgRegex, line).group(2).strip() for line in script]
        steps = [served.step(line, self.tool, self.npy) for line in lines]
        if None in steps:
            return super().execute(test, lit_config)
        os.makedirs(folder, exist_ok=True)
        session = served.Session(self.server, test.getFullName(), test.config.environment,
                                 os.path.dirname(test.getExecPath()), base, lit_config.maxIndividualTestTime)
        try:
            wrong = session.run(lines, steps)
        except served.TimedOut:
            return lit.Test.Result(lit.Test.TIMEOUT, "Timeout in tensorc-test-server:\n" + "\n".join(lines))
        if wrong is None:
            return lit.Test.Result(lit.Test.PASS, "\n".join(lines))
        alone = self.alone(test, lit_config)
        if alone.code == lit.Test.PASS:
            return lit.Test.Result(lit.Test.FAIL, f"Passes on its own, but not in tensorc-test-server:\n{wrong}")
        return alone


class CompiledTest(ServedTest):
    """The same, but of files that are not `driven`, only whether each compiles for a target, or up to a stage of it."""

    def __init__(self, missing, server, tool, npy, target, driven, stage=None):
        super().__init__(missing, server, tool, npy)
        self.driven = driven
        self.compile = f"{tool} compile %s --target={target}" + (f" --stop-after={stage}" if stage else "")
        self.suffix = "mlir" if stage else "tcpkg"

    def isDriven(self, test):
        return os.path.splitext(test.path_in_suite[-1])[0] in self.driven

    def script(self, test):
        script = super().script(test)
        if isinstance(script, lit.Test.Result) or self.isDriven(test):
            return script
        return [f"%dbg(RUN: at line 1) {self.compile} -o %t.{self.suffix}"]

    def alone(self, test, lit_config):
        if self.isDriven(test):
            return super().alone(test, lit_config)
        line = self.compile.replace("%s", test.getSourcePath())
        return lit.Test.Result(lit.Test.FAIL, f"Does not compile:\n{line}")
