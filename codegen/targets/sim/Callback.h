//===- Callback.h - Emits callbacks of the simulator ------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_TARGETS_SIM_CALLBACK_H
#define TENSORC_CODEGEN_TARGETS_SIM_CALLBACK_H

#include "codegen/lowering/llvm/MemoryToLLVM.h"
#include "codegen/targets/sim/SimKernelAttrs.h"
#include "runtime/abi/Sim.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tensorc::codegen::sim {

using namespace mlir;

/// Emits the callbacks to the simulator that replace an op.
class Callback {
public:
  Callback(Operation *op, ConversionPatternRewriter &b)
      : op(op), b(b), loc(op->getLoc()),
        pointer(LLVM::LLVMPointerType::get(b.getContext())),
        entry(&op->getParentOfType<FunctionOpInterface>()
                   .getFunctionBody()
                   .front()) {}

  Value constant(uint32_t value) {
    return LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  }

  Value address(Value memref, Value base, ValueRange index) {
    return getElementPointer(b, loc, cast<MemRefType>(memref.getType()), base,
                             index, /*inbounds=*/false);
  }

  /// Allocates stack memory for `count` 32-bit registers.
  Value registers(unsigned count) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(entry);
    return LLVM::AllocaOp::create(b, loc, pointer, b.getI32Type(),
                                  constant(count), /*alignment=*/16);
  }
  Value at(Value registers, unsigned i) {
    return LLVM::GEPOp::create(b, loc, pointer, b.getI32Type(), registers,
                               ArrayRef<LLVM::GEPArg>{int32_t(i)},
                               LLVM::GEPNoWrapFlags::inbounds);
  }
  void store(Value value, Value registers, unsigned first) {
    LLVM::StoreOp::create(b, loc, value, at(registers, first), 4);
  }
  Value load(Type type, Value registers, unsigned first) {
    return LLVM::LoadOp::create(b, loc, type, at(registers, first), 4);
  }

  /// Stores 64-bit values to stack memory and returns their address.
  Value words(ValueRange values) {
    Value memory = registers(2 * values.size());
    for (auto [i, value] : llvm::enumerate(values))
      LLVM::StoreOp::create(b, loc, value, at(memory, 2 * i), 8);
    return memory;
  }

  /// Emits a call of the callback at `offset` in the table. sim-lower-accesses
  /// sets its last operand, the site, later.
  Value call(size_t offset, ArrayRef<Value> operands, int32_t bytes,
             Type result = {}) {
    Value slot = LLVM::GEPOp::create(b, loc, pointer, b.getI8Type(),
                                     entry->getArgument(CallsArg),
                                     ArrayRef<LLVM::GEPArg>{int32_t(offset)},
                                     LLVM::GEPNoWrapFlags::inbounds);
    auto function = LLVM::LoadOp::create(b, loc, pointer, slot, 8);
    function.setInvariant(true);
    SmallVector<Value> all{entry->getArgument(ThreadArg)};
    all.append(operands.begin(), operands.end());
    all.push_back(constant(0));
    auto type = LLVM::LLVMFunctionType::get(
        result ? result : LLVM::LLVMVoidType::get(b.getContext()),
        llvm::to_vector(TypeRange(ValueRange(all))));
    all.insert(all.begin(), function);
    auto call = LLVM::CallOp::create(b, loc, type, all);
    call->setAttr(kCallAttr, b.getStringAttr(op->getName().getStringRef()));
    call->setAttr(kAccessAttr, b.getDenseI32ArrayAttr({bytes, bytes}));
    return result ? call.getResult() : Value();
  }

private:
  Operation *op;
  ConversionPatternRewriter &b;
  Location loc;
  Type pointer;
  Block *entry;
};

} // namespace tensorc::codegen::sim

#endif // TENSORC_CODEGEN_TARGETS_SIM_CALLBACK_H
