//===- Readers.h - Files that programs are read from ----------------------===//
//
// One row for each kind of file. A reader makes a module of tx ops and knows
// nothing of what comes after it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_IMPORT_READERS_H
#define TENSORC_COMPILER_IMPORT_READERS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <string>
#include <vector>

namespace tensorc::importer {

/// What is said of an argument's dims before the file is read: sizes or names.
struct NamedShape {
  std::string argument;
  std::vector<std::string> dims;
};

struct Source {
  /// As the user named it; `-` is stdin.
  std::string path;
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  /// Of readers of text, whose diagnostics show lines.
  llvm::SourceMgr *sources;
  llvm::ArrayRef<NamedShape> shapes;
};

struct Reader {
  /// For messages: `an ONNX model (.onnx)`.
  llvm::StringRef kind;
  /// Whether a file is of this kind, by its suffix or its first bytes.
  bool (*accepts)(llvm::StringRef path, llvm::StringRef bytes);
  /// Null after diagnostics. Names are not checked yet.
  mlir::OwningOpRef<mlir::ModuleOp> (*read)(Source source,
                                            mlir::MLIRContext *context);
};

/// The first that accepts a file reads it. The last one, MLIR text, takes all.
llvm::ArrayRef<Reader> readers();
const Reader &readerFor(llvm::StringRef path, llvm::StringRef bytes);

} // namespace tensorc::importer

#endif // TENSORC_COMPILER_IMPORT_READERS_H
