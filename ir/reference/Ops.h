//===- Ops.h - The interpreter's ops that are not element-wise ------------===//
//
// A file of ops adds one row per op to the table: a function that takes the op
// and its operands and fills the result, whose dtype and shape are already set.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_REFERENCE_OPS_H
#define TENSORC_IR_REFERENCE_OPS_H

#include "ir/reference/Array.h"
#include "ir/tx/TxDialect.h"

#include "llvm/ADT/StringMap.h"

#include <functional>

namespace tensorc::reference {

using Operands = llvm::ArrayRef<const Array *>;

class OpTable {
public:
  using Evaluate =
      std::function<mlir::LogicalResult(mlir::Operation *, Operands, Array &)>;

  /// Adds a function for an op. `fn(Op, operands, result)` returns void, or
  /// bool: true on success.
  template <typename Op, typename Fn> void add(Fn fn) {
    rows[Op::getOperationName()] = [fn](mlir::Operation *op, Operands operands,
                                        Array &result) {
      return call(fn, mlir::cast<Op>(op), operands, result);
    };
  }
  /// Returns the function for an op, or null if there is none.
  const Evaluate *find(llvm::StringRef op) const {
    auto row = rows.find(op);
    return row == rows.end() ? nullptr : &row->second;
  }

private:
  llvm::StringMap<Evaluate> rows;

  template <typename Op, typename Fn>
  static mlir::LogicalResult call(const Fn &fn, Op op, Operands operands,
                                  Array &result) {
    if constexpr (std::is_void_v<decltype(fn(op, operands, result))>)
      return fn(op, operands, result), mlir::success();
    else
      return fn(op, operands, result);
  }
};

void addShapeOps(OpTable &table);
void addIndexingOps(OpTable &table);
void addReductionOps(OpTable &table);
void addScanOps(OpTable &table);
void addFourierOps(OpTable &table);
void addRandomOps(OpTable &table);

/// Compute a reduction or a scan that combines elements (ir/tx/Combining.h).
void reduce(mlir::Operation *op, const Array &x, Array &result);
void scan(mlir::Operation *op, const Array &x, Array &result);

/// The function with which a reduction or scan combines two elements, and its
/// neutral element. `Wide` is double, int64_t or uint64_t.
template <typename Wide> struct Combine {
  Wide neutral;
  std::function<Wide(Wide, Wide)> fn;
};
template <typename Wide>
Combine<Wide> combineOf(mlir::Operation *op, DType dtype);

} // namespace tensorc::reference

#endif // TENSORC_IR_REFERENCE_OPS_H
