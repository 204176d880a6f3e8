//===- SortOrder.h - What a sort compares ---------------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SORTORDER_H
#define TENSORC_CODEGEN_EMITTERS_SORTORDER_H

#include "codegen/emitters/AxisNest.h"

namespace tensorc::codegen {

/// The keys of a sorting fusion, and the results of its sorts and argsorts.
class SortOrder {
public:
  SortOrder(KernelBuilder &kernel, const AxisNest &nest);

  /// The type of keys. f16 and bf16 are compared as f32.
  mlir::Type keyType() const { return key; }
  /// True if an argsort needs the elements' places.
  bool hasPlaces() const { return places; }
  /// True if a sort needs the keys.
  bool hasKeys() const { return keys; }

  /// Loads the key of the operand's element at the loops' index, or one per
  /// lane.
  mlir::FailureOr<mlir::Value> load(ExpressionEmitter &elements);
  /// Stores the fusion's outputs at the loops' index. `place` is an index, or
  /// one per lane, or i64. An unneeded argument may be null.
  mlir::LogicalResult store(ExpressionEmitter &elements, mlir::Value key,
                            mlir::Value place);
  /// True, per lane, if x must come before y: a strict weak order with NaN
  /// last.
  mlir::Value isBefore(mlir::Value x, mlir::Value y);
  /// Returns the key as an unsigned integer of at least 8 bits. Smaller
  /// integers come first, and equal keys give equal integers.
  mlir::Value ordinal(mlir::Value x);
  /// Converts keys, or vectors of them, to signed integers of the same width
  /// and order, and back. +0 and -0 differ, and so do NaNs of different bits.
  mlir::Value toSigned(mlir::Value x);
  mlir::Value fromSigned(mlir::Value x);
  /// Maps equal keys, or vectors of them, to one key: 0, or the canonical NaN.
  mlir::Value canonical(mlir::Value x);
  /// An i1 per lane: whether some other key may be equal to this float although
  /// its bits, and so its signed integer, differ: true for -0 and for every NaN
  /// but one.
  mlir::Value isAmbiguous(mlir::Value x);
  /// A key that no other key follows, and that is not ambiguous.
  mlir::TypedAttr lastKey() const;
  unsigned ordinalBits() const {
    return std::max(8u, key.getIntOrFloatBitWidth());
  }

private:
  mlir::ImplicitLocOpBuilder &b;
  const AxisNest &nest;
  mlir::Type element, key;
  bool descending, places = false, keys = false;

  mlir::Value turned(mlir::Value integer);
  mlir::Value constantLike(mlir::Value x, const llvm::APInt &value);
};

/// Emits while (width < length) body, which doubles the width. The two buffers
/// `from` and `to` alternate. Returns the one the last body has written.
using MergePass = llvm::function_ref<mlir::LogicalResult(
    mlir::Value width, mlir::Value from, mlir::Value to)>;
mlir::FailureOr<mlir::Value> mergePasses(KernelBuilder &kernel,
                                         mlir::Value length, mlir::Value first,
                                         mlir::Value second, MergePass body);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SORTORDER_H
