//===- RegisterValues.h - Small tensors in registers ------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERVALUES_H
#define TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERVALUES_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tensorc::codegen {

/// Returns the number of elements of a tensor type; 0 if its shape is dynamic.
int64_t elementsOf(mlir::Type type);

/// Returns the shape of a tensor.
inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value v) {
  return llvm::cast<mlir::RankedTensorType>(v.getType()).getShape();
}

/// A tensor of static shape whose elements are SSA values, in row-major order.
/// A single element is a scalar. Several elements are split into vectors of
/// `RegisterBuilder::lanes` elements, the last of which may be shorter.
struct RegisterValue {
  int64_t count = 0;
  llvm::SmallVector<mlir::Value, 4> parts;

  mlir::Type element() const { return mlir::getElementTypeOrSelf(parts[0]); }
};

/// Builds register values, and moves elements between them.
class RegisterBuilder {
public:
  RegisterBuilder(mlir::ImplicitLocOpBuilder &b, int64_t lanes)
      : b(b), lanes(lanes) {}

  mlir::ImplicitLocOpBuilder &b;
  /// Maximum number of elements of a part. Tensors of all dtypes are split at
  /// the same elements.
  const int64_t lanes;

  int64_t countParts(int64_t count) const {
    return llvm::divideCeil(count, lanes);
  }
  /// Returns the types of the parts of `count` elements.
  llvm::SmallVector<mlir::Type> typesOf(int64_t count,
                                        mlir::Type element) const;

  /// Returns constants: element i is valueOf(i).
  RegisterValue constant(int64_t count, mlir::Type element,
                         llvm::function_ref<mlir::Attribute(int64_t)> valueOf);
  RegisterValue splat(int64_t count, mlir::Value scalar);

  /// Loads the elements from position `first` of a buffer on, and stores them.
  RegisterValue load(mlir::Value buffer, mlir::Value first, int64_t count);
  void store(const RegisterValue &value, mlir::Value buffer, mlir::Value first);

  /// An element of a value.
  struct Source {
    const RegisterValue *value = nullptr;
    int64_t at = 0;
  };
  /// Returns a value whose element i is a copy of the element `of(i)`.
  RegisterValue move(int64_t count, llvm::function_ref<Source(int64_t)> of);

  /// Applies `make` to corresponding parts of the operands, which all have the
  /// same number of parts.
  mlir::FailureOr<RegisterValue>
  map(llvm::ArrayRef<const RegisterValue *> operands,
      llvm::function_ref<mlir::FailureOr<mlir::Value>(mlir::ValueRange)> make);

private:
  mlir::Value constantIndex(int64_t value);
  mlir::Value movePart(llvm::ArrayRef<Source> sources);
  mlir::Value combine(llvm::ArrayRef<mlir::Value> registers,
                      llvm::ArrayRef<std::pair<unsigned, int64_t>> lanesOf);
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERVALUES_H
