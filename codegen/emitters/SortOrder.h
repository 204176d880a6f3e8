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
  bool hasPlaces() const { return places; }
  /// True if a sort needs the keys.
  bool hasKeys() const { return keys; }

  /// Loads the key (or one per lane) of the operand's element at the loops'
  /// index.
  mlir::FailureOr<mlir::Value> load(ExpressionEmitter &elements);
  /// Stores the fusion's outputs at the loops' index. `place` is the original
  /// position: an index, one per lane, or i64. An argument that is not needed
  /// may be null.
  mlir::LogicalResult store(ExpressionEmitter &elements, mlir::Value key,
                            mlir::Value place);
  /// Returns an i1, or one per lane: true if x must come before y. This is a
  /// strict weak order with NaN last.
  mlir::Value isBefore(mlir::Value x, mlir::Value y);
  /// Returns the key as an unsigned integer of at least 8 bits. Smaller
  /// integers come first, and equal keys give equal integers.
  mlir::Value ordinal(mlir::Value x);
  /// Converts keys, or vectors of them, to signed integers of the same width
  /// and order, and back. +0 and -0 map to different integers, and so do NaNs
  /// of different bits.
  mlir::Value toSigned(mlir::Value x);
  mlir::Value fromSigned(mlir::Value x);
  /// Maps equal keys, or vectors of them, to one key: zeros to 0, NaNs to the
  /// canonical NaN.
  mlir::Value canonical(mlir::Value x);
  /// Returns an i1 per lane: true if another key may be equal to this float
  /// although its bits differ. This holds for -0 and for every NaN but one.
  mlir::Value isAmbiguous(mlir::Value x);
  /// Returns a key that comes last and is not ambiguous.
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

/// Emits a loop over `body` while width < length. `body` doubles the width and
/// moves elements between two buffers, which alternate as `from` and `to`.
/// Returns the one that was written last.
using MergePass = llvm::function_ref<mlir::LogicalResult(
    mlir::Value width, mlir::Value from, mlir::Value to)>;
mlir::FailureOr<mlir::Value> mergePasses(KernelBuilder &kernel,
                                         mlir::Value length, mlir::Value first,
                                         mlir::Value second, MergePass body);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SORTORDER_H
