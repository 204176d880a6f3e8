//===- Project.h - Writes a project that tests a compiled program ---------===//
#ifndef TENSORC_TOOLS_TENSORC_PROJECT_H
#define TENSORC_TOOLS_TENSORC_PROJECT_H

#include "compiler/output/artefacts/Artefacts.h"
#include "tools/tensorc/Program.h"

namespace tensorc::tool {

/// Compiles the program's only function to an object file, runs it on inputs
/// from `--input` or random inputs, and writes the folder `out`: object,
/// header, CMakeLists.txt and a test with these inputs and outputs. Returns the
/// exit status. Consumes the module.
int emitProject(Program &program, const compiler::CompileOptions &options,
                compiler::ArtefactRequest request, llvm::StringRef out,
                const Arguments &arguments);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_TENSORC_PROJECT_H
