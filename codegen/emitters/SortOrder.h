//===- SortOrder.h - Keys and comparison of a sort ------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SORTORDER_H
#define TENSORC_CODEGEN_EMITTERS_SORTORDER_H

#include "codegen/emitters/AxisNest.h"

namespace tensorc::codegen {

/// Loads and compares the keys of a sorting fusion, and stores the results of
/// its sorts and argsorts.
class SortOrder {
public:
  SortOrder(KernelBuilder &kernel, const AxisNest &nest);

  /// The type of keys. f16 and bf16 are compared as f32.
  mlir::Type keyType() const { return key; }
  /// True if an argsort needs the elements' original positions.
  bool hasPositions() const { return positions; }
  /// True if a sort needs the keys.
  bool hasKeys() const { return keys; }

  /// Loads the operand's key, or one per lane, at the index of the loops.
  mlir::FailureOr<mlir::Value> load(ExpressionEmitter &elements);
  /// Stores the fusion's outputs at the index of the loops. `position` is the
  /// original position of the key: a scalar or vector of index or i64. It may
  /// be null if no argsort needs it, and `key` if no sort does.
  mlir::LogicalResult store(ExpressionEmitter &elements, mlir::Value key,
                            mlir::Value position);
  /// Returns an i1, or one per lane: true if x must come before y. This is a
  /// strict weak order with NaN last.
  mlir::Value isBefore(mlir::Value x, mlir::Value y);
  /// Maps the key to an unsigned integer of at least 8 bits, such that keys
  /// that come first map to smaller integers and equal keys to equal ones.
  mlir::Value ordinal(mlir::Value x);
  /// Convert keys, scalar or vector, to signed integers of the same width and
  /// sort order, and back. They keep all bits: +0 and -0 map to different
  /// integers, and so do different NaNs.
  mlir::Value toSigned(mlir::Value x);
  mlir::Value fromSigned(mlir::Value x);
  /// Maps keys that compare equal to one representative: zeros to +0, NaNs to
  /// the canonical NaN.
  mlir::Value canonical(mlir::Value x);
  /// Returns an i1 per lane that is true for -0 and for every NaN except the
  /// canonical one. Such a key compares equal to a key with other bits, which
  /// represents both.
  mlir::Value isAmbiguous(mlir::Value x);
  /// Returns the representative of the keys that come last.
  mlir::TypedAttr lastKey() const;
  unsigned ordinalBits() const {
    return std::max(8u, key.getIntOrFloatBitWidth());
  }

private:
  mlir::ImplicitLocOpBuilder &b;
  const AxisNest &nest;
  mlir::Type element, key;
  bool descending, positions = false, keys = false;

  mlir::Value flipOrderBits(mlir::Value integer);
  mlir::Value constantLike(mlir::Value x, const llvm::APInt &value);
};

/// Emits a loop over `body` for width = 1, 2, 4, ... while width < length. Each
/// pass moves the elements between two buffers, which alternate as `from` and
/// `to`. Returns the buffer that was written last.
using MergePass = llvm::function_ref<mlir::LogicalResult(
    mlir::Value width, mlir::Value from, mlir::Value to)>;
mlir::FailureOr<mlir::Value> mergePasses(KernelBuilder &kernel,
                                         mlir::Value length, mlir::Value first,
                                         mlir::Value second, MergePass body);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SORTORDER_H
