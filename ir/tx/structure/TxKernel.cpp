//===- TxKernel.cpp - Calls of kernels written by the user ----------------===//

#include "ir/tx/Kernel.h"
#include "ir/tx/Tx.h"

using namespace mlir;

namespace tensorc::tx {

void registerKernelOps(TxDialect &dialect) {
  RegisteredOperationName::insert<KernelCallOp>(dialect);
}

LogicalResult KernelCallOp::verify() {
  if (getOutputs().empty())
    return emitOpError("has no output");
  unsigned dims = getGrid().getDims().size();
  if (dims < 1 || dims > 3)
    return emitOpError() << "has a grid of " << dims << " dims, not of 1 to 3";
  if (getShared() && getShared()->getDims().size() != 1)
    return emitOpError("has no single number of bytes of shared memory");
  std::optional<ArrayRef<int32_t>> block = getBlock();
  if (!block)
    return success();
  if (block->empty() || block->size() > 3)
    return emitOpError() << "has a block of " << block->size()
                         << " dims, not of 1 to 3";
  int64_t threads = 1;
  for (int32_t size : *block) {
    if (size < 1)
      return emitOpError() << "has a block with a dim of " << size;
    threads *= std::min(size, 1025);
  }
  if (threads > 1024)
    return emitOpError("has a block of more than 1024 threads");
  return success();
}

} // namespace tensorc::tx

#define GET_OP_CLASSES
#include "ir/tx/TxKernel.cpp.inc"
