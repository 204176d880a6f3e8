//===- WorkgroupMemory.cpp - Layout of a block's shared memory ------------===//

#include "codegen/kernel/WorkgroupMemory.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tensorc::codegen {

static int64_t bytesOf(MemRefType type) {
  Type element = type.getElementType();
  int64_t count = type.getNumElements();
  if (auto vector = dyn_cast<VectorType>(element)) {
    count *= vector.getNumElements();
    element = vector.getElementType();
  }
  int64_t bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  return count * llvm::divideCeil(bits, 8);
}

SmallVector<int64_t> layOutWorkgroupMemory(gpu::GPUFuncOp kernel) {
  SmallVector<int64_t> offsets;
  int64_t end = 0;
  for (BlockArgument array : kernel.getWorkgroupAttributions()) {
    offsets.push_back(llvm::alignTo(end, kSharedAlignment));
    auto type = cast<MemRefType>(array.getType());
    end = offsets.back() + (type.hasStaticShape() ? bytesOf(type) : 0);
  }
  offsets.push_back(end);
  return offsets;
}

int64_t getDynamicShared(gpu::GPUFuncOp kernel) {
  auto bytes = kernel->getAttrOfType<IntegerAttr>(kDynamicSharedAttr);
  return bytes ? bytes.getInt() : 0;
}

LogicalResult placeWorkgroupMemory(gpu::GPUFuncOp kernel,
                                   const TargetInfo &target) {
  int64_t bytes = layOutWorkgroupMemory(kernel).back();
  if (bytes > target.getMaxSharedMemoryBytes())
    return kernel.emitOpError("needs ")
           << bytes << " bytes of workgroup memory; a block on "
           << target.getName() << " has " << target.getMaxSharedMemoryBytes();
  if (bytes > target.getSharedMemoryBytes())
    kernel->setAttr(kDynamicSharedAttr,
                    OpBuilder(kernel).getI64IntegerAttr(bytes));
  return success();
}

} // namespace tensorc::codegen
