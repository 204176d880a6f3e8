//===- Known.h - What is known of values before a program runs ------------===//
//
// Files compute shapes: the size of a dim is taken, divided, put into a vector
// and reshaped to. A type needs the result, so importers ask here what a value
// of the program that they build is. Constants are computed by the interpreter,
// one op at a time and each once; integers that depend on named sizes are
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

  /// At most `mostElements` elements that depend on nothing but constants and
  /// sizes that are numbers. Null: not known.
  const reference::Array *array(mlir::Value value);
  /// The elements of an integer or i1 tensor, if they depend on nothing but
  /// constants and sizes. Null: not known.
  const Sizes *sizes(mlir::Value value);

  /// Reals of a constant; none where it is not known.
  std::optional<std::vector<double>> reals(mlir::Value value);
  std::optional<std::vector<int64_t>> numbers(mlir::Value value);

  /// Makes what is known again, where the builder is; null if it is not.
  mlir::Value copy(mlir::Value value, mlir::OpBuilder &b);

  static constexpr int64_t mostElements = 1 << 16;

private:
  llvm::DenseMap<mlir::Value, std::unique_ptr<reference::Array>> arrays;
  llvm::DenseMap<mlir::Value, std::unique_ptr<Sizes>> lists;

  std::unique_ptr<reference::Array> compute(mlir::Value value);
  std::unique_ptr<Sizes> computeSizes(mlir::Value value);
  /// Of a choice that rounds a quotient down; null of any other.
  std::unique_ptr<Sizes> floorOfQuotient(tx::SelectOp select);
  bool isWithinReach(mlir::Value value) const;
};

} // namespace tensorc::frontends

#endif // TENSORC_COMPILER_FRONTENDS_CONSTANTS_KNOWN_H
