//===- Artefacts.h - Compiling a module to packages, objects and text -----===//
//
// All files of compiled programs are made here: those of `tensorc compile`, and
// those of programs that save recorded functions.
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
/// True if the kind is made of an object: a library of C functions, which comes
/// with a header, or a WebAssembly module.
bool isObjectKind(llvm::StringRef kind);
/// True if the target, which must be known, has artefacts of the kind.
bool canEmit(llvm::StringRef target, llvm::StringRef kind);
/// Returns the default target of a kind.
llvm::StringRef defaultTarget(llvm::StringRef kind);
/// Returns the suffixes of the files that are written beside a file of this
/// kind.
llvm::ArrayRef<llvm::StringRef> listSuffixesBeside(llvm::StringRef kind);
/// Returns the path of the file with such a suffix.
std::string pathBeside(llvm::StringRef path, llvm::StringRef suffix);

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
  /// Name of the file, which is the soname of a shared library; empty for none.
  std::string fileName = {};
  /// The page of kind `page`; if empty, a form.
  std::string page = {};
  /// If not null, receives the constants of a package.
  ConstantsFile *constants = nullptr;
  /// The test case of an object. The object must then have a single function.
  const TestCase *test = nullptr;
};

struct Artefact {
  std::string bytes;
  /// The prefix of an object's C functions, and the header that declares them.
  std::string name, header;
  /// The contents of the files beside it, in the order of listSuffixesBeside.
  std::vector<std::string> beside;
  /// A program that runs the request's test.
  std::string test;
};

/// Makes the artefact and consumes the module. On failure `refusal` is the
/// reason, or empty if diagnostics were reported.
mlir::FailureOr<Artefact> makeArtefact(mlir::ModuleOp module,
                                       const CompileOptions &options,
                                       const ArtefactRequest &request,
                                       std::string &refusal);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_OUTPUT_ARTEFACTS_ARTEFACTS_H
