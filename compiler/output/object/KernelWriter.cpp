//===- KernelWriter.cpp - a program as a CPU kernel -----------------------===//
//
// txp.func @f(%x: !txp.buffer, %n: i64) { ... txp.launch @kernels::@k ... }
// ->
// llvm.func @f(%args: !llvm.ptr, %begin: i64, %end: i64, %scratch: !llvm.ptr) {
//   %x = llvm.load %args : !llvm.ptr                  // word 0
//   %n = llvm.load %args[1] : i64                     // word 1
//   ... llvm.call @k(...)
//
// The program's allocations become parts of the scratch memory, and its
// launches become calls on the same thread.
//
//===----------------------------------------------------------------------===//
#include "compiler/output/object/ProgramLowering.h"

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;

/// Loads the arguments. Sizes of buffers are not needed: only copies into a
/// buffer use them, and their targets are views.
void KernelWriter::loadWords() {
  Value args = func.getArgument(0);
  for (auto [i, argument] : llvm::enumerate(signature.func.getArguments())) {
    bool isBuffer = isa<txp::BufferType>(argument.getType());
    auto loaded = LLVM::LoadOp::create(b, isBuffer ? pointer() : i64(),
                                       offset(args, word(8 * i)),
                                       /*alignment=*/8);
    loaded.setInvariant(true);
    if (isBuffer)
      buffers[argument] = {loaded, word(0)};
    else
      words[argument] = loaded;
  }
}

WorkspaceLayout KernelWriter::layOutScratch() {
  WorkspaceLayout plan;
  plan.total = word(0);
  signature.func.walk<WalkOrder::PreOrder>([&](txp::AllocOp op) {
    Value bytes = word(op.getBytes());
    unsigned copies = copiesOf(op, calls);
    Value stride = alignUp(bytes, bufferAlignment);
    if (copies > 1) // copies are distinguished by their addresses
      stride = LLVM::SMaxOp::create(b, stride, word(bufferAlignment));
    plan.slots.push_back({plan.total, bytes, stride, copies});
    plan.total =
        add(plan.total, LLVM::MulOp::create(b, stride, word(int64_t(copies))));
  });
  plan.scratchOffset = alignUp(plan.total, scratchAlignment);
  return plan;
}

LogicalResult KernelWriter::write() {
  workspace = func.getArgument(3);
  allocateArea();
  loadWords();
  for (Operation &op : signature.func.getBody().front()) {
    // Laid out after the constants, because sizes are computed from them.
    if (op.getNumRegions() && !layout)
      layout = layOutScratch();
    if (failed(operation(op)))
      return failure();
  }
  LLVM::ReturnOp::create(b, ValueRange());
  sizeArea();
  return success();
}
