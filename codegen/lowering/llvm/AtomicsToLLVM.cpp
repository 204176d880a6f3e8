//===- AtomicsToLLVM.cpp - Lower memref's atomics to LLVM -----------------===//
//
// memref.atomic_rmw addf %v, %m[%i] -> llvm.atomicrmw fadd %p, %v
// memref.generic_atomic_rmw %m[%i] { ^bb0(%old): ... memref.atomic_yield %new }
//   -> %first = llvm.load %p
//   ^loop(%old):
//      ... %new
//      %seen, %done = llvm.cmpxchg %p, %old, %new
//      llvm.cond_br %done, ^end, ^loop(%seen)
//
// After txk-expand-atomics, only kinds that llvm.atomicrmw supports remain as
// atomic_rmw.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/llvm/MemoryToLLVM.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tensorc::codegen {
namespace {

/// Returns the atomic op of LLVM, or nullopt if a compare-and-swap is needed.
std::optional<LLVM::AtomicBinOp> getBinaryOp(arith::AtomicRMWKind kind) {
  switch (kind) {
  case arith::AtomicRMWKind::addf:
    return LLVM::AtomicBinOp::fadd;
  case arith::AtomicRMWKind::addi:
    return LLVM::AtomicBinOp::add;
  case arith::AtomicRMWKind::andi:
    return LLVM::AtomicBinOp::_and;
  case arith::AtomicRMWKind::ori:
    return LLVM::AtomicBinOp::_or;
  case arith::AtomicRMWKind::xori:
    return LLVM::AtomicBinOp::_xor;
  case arith::AtomicRMWKind::assign:
    return LLVM::AtomicBinOp::xchg;
  case arith::AtomicRMWKind::maxs:
    return LLVM::AtomicBinOp::max;
  case arith::AtomicRMWKind::maxu:
    return LLVM::AtomicBinOp::umax;
  case arith::AtomicRMWKind::mins:
    return LLVM::AtomicBinOp::min;
  case arith::AtomicRMWKind::minu:
    return LLVM::AtomicBinOp::umin;
  default:
    return std::nullopt;
  }
}

template <typename Op> struct AtomicLowering : ConvertOpToLLVMPattern<Op> {
  AtomicLowering(const LLVMTypeConverter &converter, StringRef scope)
      : ConvertOpToLLVMPattern<Op>(converter), scope(scope) {}
  std::string scope;
};

struct AtomicRMWLowering : AtomicLowering<memref::AtomicRMWOp> {
  using AtomicLowering::AtomicLowering;
  LogicalResult
  matchAndRewrite(memref::AtomicRMWOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<LLVM::AtomicBinOp> kind = getBinaryOp(op.getKind());
    if (!kind)
      return rewriter.notifyMatchFailure(op, "run txk-expand-atomics first");
    Location loc = op.getLoc();
    MemRefType type = op.getMemRefType();
    Value pointer = getElementPointer(rewriter, loc, type, adaptor.getMemref(),
                                      adaptor.getIndices());
    rewriter.replaceOpWithNewOp<LLVM::AtomicRMWOp>(
        op, *kind, pointer, adaptor.getValue(), LLVM::AtomicOrdering::monotonic,
        scope, getElementAlignment(type));
    return success();
  }
};

struct GenericAtomicRMWLowering : AtomicLowering<memref::GenericAtomicRMWOp> {
  using AtomicLowering::AtomicLowering;

  LogicalResult
  matchAndRewrite(memref::GenericAtomicRMWOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(op.getMemref().getType());
    Type element = type.getElementType();
    Type bits = getBits(element, rewriter);
    Value pointer = getElementPointer(rewriter, loc, type, adaptor.getMemref(),
                                      adaptor.getIndices());
    Value first = LLVM::LoadOp::create(rewriter, loc, bits, pointer,
                                       getElementAlignment(type));
    Block *before = rewriter.getInsertionBlock();
    Block *after = rewriter.splitBlock(before, std::next(Block::iterator(op)));
    Block *loop = rewriter.createBlock(after, bits, loc);
    rewriter.setInsertionPointToEnd(before);
    LLVM::BrOp::create(rewriter, loc, first, loop);

    Value old = loop->getArgument(0);
    rewriter.setInsertionPointToStart(loop);
    Value oldValue = fromBits(rewriter, loc, element, old);
    IRMapping mapping;
    mapping.map(op.getCurrentValue(), oldValue);
    for (Operation &inner : op.getBody()->without_terminator())
      rewriter.clone(inner, mapping);
    Value next =
        mapping.lookupOrDefault(op.getBody()->getTerminator()->getOperand(0));
    Value swapped =
        compareAndSwap(rewriter, loc, pointer, old, toBits(rewriter, loc, next),
                       getElementAlignment(type));
    Value seen = LLVM::ExtractValueOp::create(rewriter, loc, swapped, 0);
    Value done = LLVM::ExtractValueOp::create(rewriter, loc, swapped, 1);
    LLVM::CondBrOp::create(rewriter, loc, done, after, ValueRange(), loop,
                           seen);
    // When the compare-and-swap has succeeded, the value that it read is the
    // old value.
    rewriter.setInsertionPointToStart(after);
    rewriter.replaceOp(op, fromBits(rewriter, loc, element, seen));
    return success();
  }

private:
  Value compareAndSwap(OpBuilder &b, Location loc, Value pointer, Value old,
                       Value next, unsigned alignment) const {
    return LLVM::AtomicCmpXchgOp::create(
        b, loc, pointer, old, next, LLVM::AtomicOrdering::monotonic,
        LLVM::AtomicOrdering::monotonic, scope, alignment);
  }

  /// Returns the integer type for the compare-and-swap, which must compare bits
  /// because a NaN differs from itself.
  static Type getBits(Type element, OpBuilder &b) {
    Type storage = getStorageType(element, b);
    return b.getIntegerType(storage.getIntOrFloatBitWidth());
  }
  static Value toBits(OpBuilder &b, Location loc, Value value) {
    Value stored = toStorage(b, loc, value);
    Type bits = b.getIntegerType(stored.getType().getIntOrFloatBitWidth());
    return bits == stored.getType()
               ? stored
               : LLVM::BitcastOp::create(b, loc, bits, stored).getResult();
  }
  static Value fromBits(OpBuilder &b, Location loc, Type element, Value bits) {
    Type storage = getStorageType(element, b);
    if (storage != bits.getType())
      bits = LLVM::BitcastOp::create(b, loc, storage, bits);
    return fromStorage(b, loc, element, bits);
  }
};

} // namespace

void populateAtomicsToLLVM(const LLVMTypeConverter &converter,
                           RewritePatternSet &patterns, StringRef scope) {
  patterns.add<AtomicRMWLowering, GenericAtomicRMWLowering>(converter, scope);
}

} // namespace tensorc::codegen
