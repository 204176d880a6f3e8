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

bool TargetInfo::multipliesTiles(Type type) const {
  bool isHalf = type.isF16() || type.isBF16();
  switch (facts.simt ? facts.matrixUnit : MatrixUnit::None) {
  case MatrixUnit::None:
  case MatrixUnit::TileRegisters:
    return false;
  case MatrixUnit::Mma16x8x16:
    return isHalf || type.isTF32() || type.isInteger(8);
  case MatrixUnit::Mfma16x16x16:
    return isHalf || type.isSignlessInteger(8);
  case MatrixUnit::WmmaRows:
  case MatrixUnit::WmmaHalfRows:
    return isHalf || type.isInteger(8);
  }
  llvm_unreachable("all units are listed");
}

} // namespace tensorc::codegen
