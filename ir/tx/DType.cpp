//===- DType.cpp - Conversion of dtypes to MLIR types ---------------------===//

#include "ir/tx/DType.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;

namespace tensorc::tx {

Type elementType(MLIRContext *context, DType dtype) {
  switch (dtype) {
  case DType::I1:
    return IntegerType::get(context, 1);
  case DType::F16:
    return Float16Type::get(context);
  case DType::BF16:
    return BFloat16Type::get(context);
  case DType::F32:
    return Float32Type::get(context);
  case DType::F64:
    return Float64Type::get(context);
  case DType::F8E4M3FN:
    return Float8E4M3FNType::get(context);
  case DType::F8E5M2:
    return Float8E5M2Type::get(context);
  case DType::C64:
  case DType::C128:
    return ComplexType::get(elementType(context, planeOf(dtype)));
  default:
    break;
  }
  return IntegerType::get(context, bitWidth(dtype),
                          isUnsigned(dtype) ? IntegerType::Unsigned
                                            : IntegerType::Signless);
}

const llvm::fltSemantics &semanticsOf(DType dtype) {
  switch (dtype) {
  case DType::F8E4M3FN:
    return llvm::APFloat::Float8E4M3FN();
  case DType::F8E5M2:
    return llvm::APFloat::Float8E5M2();
  case DType::F16:
    return llvm::APFloat::IEEEhalf();
  case DType::BF16:
    return llvm::APFloat::BFloat();
  case DType::F32:
    return llvm::APFloat::IEEEsingle();
  default:
    return llvm::APFloat::IEEEdouble();
  }
}

std::optional<DType> dtypeOf(Type element) {
  for (unsigned i = 1; i < numDTypes; ++i) {
    auto dtype = static_cast<DType>(i);
    if (elementType(element.getContext(), dtype) == element)
      return dtype;
  }
  return std::nullopt;
}

} // namespace tensorc::tx
