//===- Known.h - Values that are known before a program runs --------------===//
//
// Models compute shapes with ops: they read the size of a dim, divide it, put
// it into a vector and use it in a reshape. Types need the result, so importers
// query this class for values of the program that they build. The interpreter
// computes constants, each op once. Integers that depend on symbolic sizes are
// computed in the algebra of sizes (ir/shape/Dim.h).
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_CONSTANTS_KNOWN_H
#define TENSORC_COMPILER_FRONTENDS_CONSTANTS_KNOWN_H

#include "ir/reference/Array.h"
#include "ir/shape/Dim.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>

namespace tensorc::tx {
class SelectOp;
}

namespace tensorc::frontends {

class Known {
public:
  using Sizes = llvm::SmallVector<shape::Dim>;

  /// Returns the elements of a value that depends only on constants and
  /// constant sizes, if there are at most `maxElements`; else null.
  const reference::Array *array(mlir::Value value);
  /// Returns the elements of an integer or i1 tensor that depends only on
  /// constants and sizes; else null.
  const Sizes *sizes(mlir::Value value);

  /// Returns the elements of a constant as reals; nullopt if it is unknown.
  std::optional<std::vector<double>> reals(mlir::Value value);
  std::optional<std::vector<int64_t>> numbers(mlir::Value value);

  /// Recreates a known value at the insertion point; returns null if it is
  /// unknown.
  mlir::Value copy(mlir::Value value, mlir::OpBuilder &b);

  static constexpr int64_t maxElements = 1 << 16;

private:
  llvm::DenseMap<mlir::Value, std::unique_ptr<reference::Array>> arrays;
  llvm::DenseMap<mlir::Value, std::unique_ptr<Sizes>> lists;

  std::unique_ptr<reference::Array> compute(mlir::Value value);
  std::unique_ptr<Sizes> computeSizes(mlir::Value value);
  /// Returns the sizes that the select computes if it rounds a quotient down
  /// (`a // b`); else null.
  std::unique_ptr<Sizes> floorOfQuotient(tx::SelectOp select);
  bool isWithinReach(mlir::Value value) const;
};

} // namespace tensorc::frontends

#endif // TENSORC_COMPILER_FRONTENDS_CONSTANTS_KNOWN_H
