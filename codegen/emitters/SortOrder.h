//===- SortOrder.h - What a sort compares ---------------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SORTORDER_H
#define TENSORC_CODEGEN_EMITTERS_SORTORDER_H

#include "codegen/emitters/AxisNest.h"

namespace tensorc::codegen {

/// Keys of the elements that a fusion sorts, and the values of the results of
/// sorts and argsorts.
class SortOrder {
public:
  SortOrder(KernelBuilder &kernel, const AxisNest &nest);

  /// f16 and bf16 are compared as f32.
  mlir::Type keyType() const { return key; }
  /// Whether an argsort wants the elements' places.
  bool hasPlaces() const { return places; }
  /// Whether a sort wants the keys.
  bool hasKeys() const { return keys; }

  /// The key of the operand's element at the loops' index, or one per lane.
  mlir::FailureOr<mlir::Value> load(ExpressionEmitter &elements);
  /// Stores the fusion's outputs at the loops' index; `place` is an index, or
  /// one per lane, or i64. What nothing wants may be null.
  mlir::LogicalResult store(ExpressionEmitter &elements, mlir::Value key,
                            mlir::Value place);
  /// Whether x must come before y, or per lane: a strict weak order, NaN above
  /// all.
  mlir::Value isBefore(mlir::Value x, mlir::Value y);
  /// The key as an unsigned integer of at least 8 bits: of two keys the one
  /// that comes before has the smaller one, and equal ones have the same.
  mlir::Value ordinal(mlir::Value x);
  /// Keys, or vectors of them, as signed integers of the same width and order,
  /// and back. Both zeros have one each, and so have NaN of different bits.
  mlir::Value toSigned(mlir::Value x);
  mlir::Value fromSigned(mlir::Value x);
  /// Of equal keys, or vectors of them, the same one: 0, or the usual NaN.
  mlir::Value canonical(mlir::Value x);
  /// An i1 per lane: whether another key may be equal to this float and have
  /// other bits, or these integers have it elsewhere: a negative zero, and each
  /// NaN but one.
  mlir::Value isAmbiguous(mlir::Value x);
  /// One that no other key comes behind, and that is not ambiguous.
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

/// while (width < length) body: doubles the width; the places `from` and `to`
/// of two buffers take turns. Returns where the last body has written.
using MergePass = llvm::function_ref<mlir::LogicalResult(
    mlir::Value width, mlir::Value from, mlir::Value to)>;
mlir::FailureOr<mlir::Value> mergePasses(KernelBuilder &kernel,
                                         mlir::Value length, mlir::Value first,
                                         mlir::Value second, MergePass body);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SORTORDER_H
