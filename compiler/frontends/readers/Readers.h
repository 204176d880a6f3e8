//===- Readers.h - The file formats of programs ---------------------------===//
//
// One row for each kind of file. A reader creates a module of tx ops.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_READERS_READERS_H
#define TENSORC_COMPILER_FRONTENDS_READERS_READERS_H

#include "compiler/frontends/files/Source.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tensorc::frontends {

struct Reader {
  /// The kind in messages, such as `an ONNX model (.onnx)`.
  llvm::StringRef kind;
  /// True if a file is of this kind, according to its suffix or its first
  /// bytes.
  bool (*accepts)(llvm::StringRef path, llvm::StringRef bytes);
  /// Reads the file; returns null after reporting errors. Names are not checked
  /// yet.
  mlir::OwningOpRef<mlir::ModuleOp> (*read)(Source source,
                                            mlir::MLIRContext *context);
};

/// Returns the readers. The first one that accepts a file reads it; the last
/// one, for MLIR text, accepts all files.
llvm::ArrayRef<Reader> readers();
const Reader &readerFor(llvm::StringRef path, llvm::StringRef bytes);

/// Returns the reader of portable artifacts of StableHLO. Their bytes must come
/// from a framework in this process, never from a file.
const Reader &artifactReader();

} // namespace tensorc::frontends

#endif // TENSORC_COMPILER_FRONTENDS_READERS_READERS_H
