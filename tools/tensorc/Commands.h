//===- Commands.h - The subcommands of tensorc ----------------------------===//
#ifndef TENSORC_TOOLS_TENSORC_COMMANDS_H
#define TENSORC_TOOLS_TENSORC_COMMANDS_H

#include "compiler/session/report/Report.h"
#include "tools/tensorc/Arguments.h"

namespace tensorc::tool {

extern const Command compileCommand, runCommand, benchCommand, explainCommand,
    differentiateCommand, devicesCommand, doctorCommand, inspectCommand,
    tuneCommand;

/// Runs tensorc explain for a package; returns the exit status.
int explainPackageFile(const Arguments &arguments);

/// Runs tensorc explain --measure; returns the exit status.
int explainMeasured(const Arguments &arguments);

/// Runs tensorc explain --profile; returns the exit status.
int explainProfile(const Arguments &arguments);

/// Checks that the page of --html is not the input; returns the exit status.
int checkPage(const Arguments &arguments);

/// Writes the page of --html and returns the exit status. Consumes the module.
int writeReport(mlir::ModuleOp module, const compiler::CompileOptions &options,
                report::ReportRequest request, const Arguments &arguments);

/// Runs the whole tool; returns the exit status.
int toolMain(llvm::ArrayRef<llvm::StringRef> words);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_TENSORC_COMMANDS_H
