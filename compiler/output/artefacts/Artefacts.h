//===- Artefacts.h - What a module becomes: packages, objects, text -------===//
//
// The one way from a module to the bytes of a file, for `tensorc compile` and
// for programs that save what they recorded.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_OUTPUT_ARTEFACTS_ARTEFACTS_H
#define TENSORC_COMPILER_OUTPUT_ARTEFACTS_ARTEFACTS_H

#include "compiler/output/object/TestProgram.h"
#include "compiler/output/pipelines/Pipelines.h"

namespace tensorc::compiler {

/// The kinds, as `--emit` names them: those of programs, and the artefacts of
/// targets.
llvm::ArrayRef<llvm::StringRef> listArtefactKinds();

/// Of a file of this kind, with the dot.
llvm::StringRef suffixOfKind(llvm::StringRef kind);
/// What the suffix of a file's name says; empty: nothing.
llvm::StringRef kindOfFile(llvm::StringRef path);
/// Those that say something, with commas between.
std::string knownSuffixes();
/// Not for a terminal. Of a kind that is listed.
bool isBinaryKind(llvm::StringRef kind);
/// C functions, or what declares them.
bool isObjectKind(llvm::StringRef kind);
bool canEmit(const codegen::Target &target, llvm::StringRef kind);

/// The module as the next stage reads it.
std::string textOf(mlir::ModuleOp module);

struct ArtefactRequest {
  llvm::StringRef kind = "package";
  /// Several: for a package.
  llvm::ArrayRef<std::string> targets;
  /// The stage whose output the module is.
  std::optional<Stage> from = std::nullopt;
  /// What C functions begin with where the module has no name.
  std::string stem = "model";
  /// What messages call the program.
  std::string input = {};
  /// A shared library's name for itself; empty: none.
  std::string soname = {};
  /// Takes a package's constants if not null.
  ConstantsFile *constants = nullptr;
  /// What a test of an object's function compares, which then is the only one.
  const TestCase *test = nullptr;
};

struct Artefact {
  std::string bytes;
  /// What C functions begin with, and their declarations: of objects.
  std::string name, header;
  /// A program that runs the request's test.
  std::string test;
};

/// On failure `refusal` says why, or is empty: then there were diagnostics.
/// Uses up the module.
mlir::FailureOr<Artefact> makeArtefact(mlir::ModuleOp module,
                                       const CompileOptions &options,
                                       const ArtefactRequest &request,
                                       std::string &refusal);

/// The path of the header that comes with a library of kind `static`.
std::string headerBeside(llvm::StringRef library);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_OUTPUT_ARTEFACTS_ARTEFACTS_H
