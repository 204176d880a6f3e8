//===- Artefacts.h - Files made of a module: packages, objects, text ------===//
//
// The only way from a module to the bytes of a file, for `tensorc compile` and
// for programs that save functions that they recorded.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_OUTPUT_ARTEFACTS_ARTEFACTS_H
#define TENSORC_COMPILER_OUTPUT_ARTEFACTS_ARTEFACTS_H

#include "compiler/output/object/TestProgram.h"
#include "compiler/output/pipelines/Pipelines.h"

namespace tensorc::compiler {

/// Returns the kinds, as `--emit` names them: those of programs, then those
/// that targets make from kernels.
llvm::ArrayRef<llvm::StringRef> listArtefactKinds();

/// Returns the file suffix of the kind, with the dot.
llvm::StringRef suffixOfKind(llvm::StringRef kind);
/// Returns the kind that the suffix of a file implies, or an empty string.
llvm::StringRef kindOfFile(llvm::StringRef path);
/// Returns the suffixes that imply a kind, separated by commas.
std::string knownSuffixes();
/// True if the kind, which must be a listed one, is binary and not printed to a
/// terminal.
bool isBinaryKind(llvm::StringRef kind);
/// True if the kind is an object or library of C functions, which comes with a
/// header.
bool isObjectKind(llvm::StringRef kind);
bool canEmit(const codegen::Target &target, llvm::StringRef kind);

/// Returns the text of the module as the next stage reads it.
std::string textOf(mlir::ModuleOp module);

struct ArtefactRequest {
  llvm::StringRef kind = "package";
  /// The targets; only a package may have several.
  llvm::ArrayRef<std::string> targets;
  /// The stage whose output the module is.
  std::optional<Stage> from = std::nullopt;
  /// Prefix of C functions. Used if the module has no name.
  std::string stem = "model";
  /// The name of the program in messages.
  std::string input = {};
  /// The soname of a shared library; empty for none.
  std::string soname = {};
  /// Receives a package's constants if not null.
  ConstantsFile *constants = nullptr;
  /// The test case of an object, which must then have a single function.
  const TestCase *test = nullptr;
};

struct Artefact {
  std::string bytes;
  /// The prefix of an object's C functions, and the header that declares them.
  std::string name, header;
  /// A program that runs the request's test.
  std::string test;
};

/// Makes the artefact and consumes the module. On failure `refusal` is the
/// reason, or empty if diagnostics were reported.
mlir::FailureOr<Artefact> makeArtefact(mlir::ModuleOp module,
                                       const CompileOptions &options,
                                       const ArtefactRequest &request,
                                       std::string &refusal);

/// The path of the header that comes with a library of kind `static`.
std::string headerBeside(llvm::StringRef library);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_OUTPUT_ARTEFACTS_ARTEFACTS_H
