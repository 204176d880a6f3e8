//===- ExpandAtomics.cpp - Expand atomics that hardware lacks -------------===//
//
// %old = memref.atomic_rmw mulf %v, %m[%i] : (f32, memref<?xf32>) -> f32
// ->
// %old = memref.generic_atomic_rmw %m[%i] : memref<?xf32> {
// ^bb0(%now: f32):
//   %new = arith.mulf %now, %v : f32
//   memref.atomic_yield %new : f32
// }
//
// Atomics on elements of less than 32 bits are expanded too. Their arithmetic
// on f16, bf16 and i1 is expanded by later passes.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen {
#define GEN_PASS_DEF_EXPANDATOMICSPASS
#include "codegen/lowering/Passes.h.inc"

namespace {

/// True if every target supports the atomic: additions, and integer ops of 32
/// and 64 bits.
bool isNative(memref::AtomicRMWOp op) {
  if (op.getType().getIntOrFloatBitWidth() < 32)
    return false;
  switch (op.getKind()) {
  case arith::AtomicRMWKind::addf:
  case arith::AtomicRMWKind::addi:
  case arith::AtomicRMWKind::andi:
  case arith::AtomicRMWKind::ori:
  case arith::AtomicRMWKind::xori:
  case arith::AtomicRMWKind::maxs:
  case arith::AtomicRMWKind::maxu:
  case arith::AtomicRMWKind::mins:
  case arith::AtomicRMWKind::minu:
  case arith::AtomicRMWKind::assign:
    return true;
  default:
    return false;
  }
}

void expand(memref::AtomicRMWOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto generic = memref::GenericAtomicRMWOp::create(b, loc, op.getMemref(),
                                                    op.getIndices());
  b.setInsertionPointToStart(generic.getBody());
  Value next =
      op.getKind() == arith::AtomicRMWKind::assign
          ? op.getValue()
          : arith::getReductionOp(op.getKind(), b, loc,
                                  generic.getCurrentValue(), op.getValue());
  memref::AtomicYieldOp::create(b, loc, next);
  op.replaceAllUsesWith(generic.getResult());
  op.erase();
}

struct ExpandAtomics : impl::ExpandAtomicsPassBase<ExpandAtomics> {
  void runOnOperation() override {
    getOperation()->walk([](memref::AtomicRMWOp op) {
      if (!isNative(op))
        expand(op);
    });
  }
};

} // namespace
} // namespace tensorc::codegen
