//===- Symbols.h - Sizes of named dims while a function runs --------------===//
#ifndef TENSORC_IR_REFERENCE_SYMBOLS_H
#define TENSORC_IR_REFERENCE_SYMBOLS_H

#include "ir/reference/Array.h"
#include "ir/tx/TxDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

namespace tensorc::reference {

/// The values that the names in `#tx.dims` have in one call of a function.
class Symbols {
public:
  /// Binds all names in the types of the function's arguments, and checks the
  /// arguments.
  mlir::LogicalResult bind(mlir::func::FuncOp function,
                           llvm::ArrayRef<Array> arguments);

  /// Returns the sizes of a tensor type. Reports an error at `loc` if a name is
  /// unbound, or if a size is negative or overflows.
  mlir::FailureOr<llvm::SmallVector<int64_t>>
  shapeOf(mlir::RankedTensorType type, mlir::Location loc) const;

  /// Evaluates one size. Reports an error at `loc` if a name is unbound or the
  /// size overflows.
  mlir::FailureOr<int64_t> evaluate(shape::Dim dim, mlir::Location loc) const;

  /// Checks the dtype and rank of one argument, and binds each name that is a
  /// dim by itself.
  mlir::LogicalResult bindArgument(mlir::func::FuncOp function, unsigned index,
                                   const Array &argument);

  bool has(llvm::StringRef name) const { return sizes.contains(name); }
  int64_t get(llvm::StringRef name) const { return sizes.at(name).size; }
  /// Sets the size of a name that no argument binds.
  void define(llvm::StringRef name, int64_t size) {
    sizes.try_emplace(name, Binding{size, "given"});
  }

private:
  struct Binding {
    int64_t size;
    /// The dim that bound the name, for messages: `dimension 0 of x`.
    std::string source;
  };
  llvm::StringMap<Binding> sizes;

  mlir::LogicalResult bindName(llvm::StringRef name, int64_t size,
                               std::string source, mlir::Location loc);
  mlir::LogicalResult checkShape(mlir::func::FuncOp function, unsigned index,
                                 const Array &argument) const;
  mlir::LogicalResult checkFacts(mlir::func::FuncOp function) const;
};

} // namespace tensorc::reference

#endif // TENSORC_IR_REFERENCE_SYMBOLS_H
