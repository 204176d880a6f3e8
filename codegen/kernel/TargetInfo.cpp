//===- TargetInfo.cpp - Properties of a target for emitters ---------------===//

#include "codegen/kernel/TargetInfo.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace tensorc::codegen {

bool TargetInfo::hasArithmetic(Type type) const {
  if (type.isF16())
    return facts.f16Arithmetic;
  if (type.isBF16())
    return facts.bf16Arithmetic;
  // 8-bit floats are only a storage format. They are widened when they are
  // loaded.
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() <= 8)
    return false;
  return type.isIntOrIndexOrFloat();
}

unsigned TargetInfo::getComputeBytes(Type type) const {
  if (type.isIndex())
    return 8;
  if (!hasArithmetic(type))
    return 4;
  return std::max(1u, type.getIntOrFloatBitWidth() / 8);
}

} // namespace tensorc::codegen
