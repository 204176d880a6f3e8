//===- OutputDims.h - sizes of an entry from its named dims -----*- C++ -*-===//
#ifndef TENSORC_COMPILER_PACKAGE_OUTPUTDIMS_H
#define TENSORC_COMPILER_PACKAGE_OUTPUTDIMS_H

#include "ir/program/Txp.h"
#include "ir/tx/Dims.h"
#include "runtime/abi/Bytecode.h"

namespace tensorc::compiler {

/// The dims of an entry's inputs and outputs over one set of names, and how the
/// arguments bind the names.
class EntryDims {
public:
  explicit EntryDims(txp::FuncOp func);

  llvm::SmallVector<mlir::AffineExpr> dims(mlir::RankedTensorType type) {
    return space.dims(type);
  }
  /// "64", "n" or "n * 2 + 1".
  std::string name(mlir::AffineExpr expr) const {
    return tx::toString(expr, space.names());
  }

  /// Writes an instruction whose first operand, the result, is a new register.
  using Emit = llvm::function_ref<uint32_t(rt::Op, llvm::ArrayRef<uint32_t>)>;
  using Use = llvm::function_ref<uint32_t(mlir::BlockArgument)>;
  /// The register with the expression's value.
  mlir::FailureOr<uint32_t> evaluate(mlir::AffineExpr expr, mlir::Location loc,
                                     Emit emit, Use use) const;
  bool isBound(llvm::StringRef name) const { return bindings.contains(name); }
  mlir::AffineExpr symbol(llvm::StringRef name) { return space.symbol(name); }

  /// The same over symbols whose registers are known. Equal parts are computed
  /// once: `known` has the registers of expressions.
  static mlir::FailureOr<uint32_t>
  evaluate(mlir::AffineExpr expr, mlir::Location loc, Emit emit,
           llvm::DenseMap<mlir::AffineExpr, uint32_t> &known);

private:
  struct Binding {
    mlir::BlockArgument value;
    std::optional<uint32_t> dim; // none: the value itself
  };
  tx::DimSpace space;
  llvm::StringMap<Binding> bindings;
};

} // namespace tensorc::compiler

#endif
