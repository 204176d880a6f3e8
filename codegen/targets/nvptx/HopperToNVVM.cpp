//===- HopperToNVVM.cpp - Lower mbarriers, bulk copies and wgmma ----------===//
//
// Lowers each op to inline assembly with one instruction, or with several
// between which LLVM must not insert others. In particular, LLVM would move the
// zeroing of accumulators between wgmma.fence and the first multiplication, so
// fence, multiplications and commit are a single assembly block.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernel/ops/Txk.h"
#include "codegen/lowering/llvm/LowerBy.h"
#include "codegen/lowering/llvm/MemoryToLLVM.h"
#include "codegen/targets/nvptx/TilesToNVVM.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tensorc::codegen {
namespace {

/// Builds the inline assembly of one op.
class Assembly {
public:
  Assembly(Operation *op, ConversionPatternRewriter &b)
      : b(b), loc(op->getLoc()) {}

  /// Returns a shared-memory address of 32 bits, which the instructions expect.
  Value address(Value memref, Value base, Value index) {
    Value pointer = getElementPointer(
        b, loc, cast<MemRefType>(memref.getType()), base, index,
        /*inbounds=*/false);
    return LLVM::PtrToIntOp::create(b, loc, b.getI32Type(), pointer);
  }
  Value truncated(Value index) {
    return LLVM::TruncOp::create(b, loc, b.getI32Type(), index);
  }
  Value emit(const Twine &text, const Twine &constraints, ValueRange operands,
             Type result = {}) {
    std::string clobbers = constraints.str();
    clobbers += clobbers.empty() ? "~{memory}" : ",~{memory}";
    auto op = LLVM::InlineAsmOp::create(
        b, loc, result ? result : LLVM::LLVMVoidType::get(b.getContext()),
        operands, text.str(), clobbers, /*has_side_effects=*/true,
        /*is_align_stack=*/false, LLVM::TailCallKind::None,
        /*asm_dialect=*/LLVM::AsmDialectAttr(), /*operand_attrs=*/ArrayAttr());
    return result ? op.getRes() : Value();
  }

  /// Emits inline assembly that updates the n elements of `sums` in place, in
  /// registers. The text refers to them as $0 to $(n-1), and to the values in
  /// `more` from $(2n) on, because the tied inputs are numbered in between.
  /// `others` has the constraints of `more`, with a leading comma.
  Value emitInPlace(const Twine &text, Value sums, StringRef others,
                    ArrayRef<Value> more) {
    auto type = cast<VectorType>(sums.getType());
    int64_t count = type.getNumElements();
    SmallVector<Type> fields(count, type.getElementType());
    std::string constraints;
    SmallVector<Value> operands;
    for (int64_t i = 0; i < count; ++i)
      constraints += i ? ",=f" : "=f";
    for (int64_t i = 0; i < count; ++i) {
      constraints += "," + std::to_string(i);
      operands.push_back(
          LLVM::ExtractElementOp::create(b, loc, sums, constant(i)));
    }
    constraints += others;
    operands.append(more.begin(), more.end());
    Value all = emit(text, constraints, operands,
                     LLVM::LLVMStructType::getLiteral(b.getContext(), fields));
    Value result = LLVM::PoisonOp::create(b, loc, type);
    for (int64_t i = 0; i < count; ++i)
      result = LLVM::InsertElementOp::create(
          b, loc, result, LLVM::ExtractValueOp::create(b, loc, all, i),
          constant(i));
    return result;
  }

private:
  Value constant(int64_t value) {
    return LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  }

  ConversionPatternRewriter &b;
  Location loc;
};

void lowerInit(txk::NvMbarrierInitOp op, txk::NvMbarrierInitOp::Adaptor adaptor,
               ConversionPatternRewriter &b) {
  Assembly text(op, b);
  text.emit("mbarrier.init.shared::cta.b64 [$0], " + Twine(op.getArrivals()) +
                ";",
            "r",
            text.address(op.getBarriers(), adaptor.getBarriers(),
                         adaptor.getIndex()));
}

void lowerFence(txk::NvMbarrierFenceOp op, txk::NvMbarrierFenceOp::Adaptor,
                ConversionPatternRewriter &b) {
  Assembly(op, b).emit("fence.mbarrier_init.release.cluster;", "",
                       ValueRange());
}

void lowerArrive(txk::NvMbarrierArriveOp op,
                 txk::NvMbarrierArriveOp::Adaptor adaptor,
                 ConversionPatternRewriter &b) {
  Assembly text(op, b);
  Value at =
      text.address(op.getBarriers(), adaptor.getBarriers(), adaptor.getIndex());
  if (op.getBytes())
    text.emit("mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], " +
                  Twine(op.getBytes()) + ";",
              "r", at);
  else
    text.emit("mbarrier.arrive.shared::cta.b64 _, [$0];", "r", at);
}

/// Waits for a phase of an mbarrier. The braces make the label local to this
/// block of assembly.
void lowerBarrierWait(txk::NvMbarrierWaitOp op,
                      txk::NvMbarrierWaitOp::Adaptor adaptor,
                      ConversionPatternRewriter &b) {
  Assembly text(op, b);
  Value at =
      text.address(op.getBarriers(), adaptor.getBarriers(), adaptor.getIndex());
  text.emit("{\n.reg .pred p;\nWAIT:\n"
            "mbarrier.try_wait.parity.shared::cta.b64 p, [$0], $1;\n"
            "@p bra DONE;\nbra WAIT;\nDONE:\n}",
            "r,r", {at, adaptor.getParity()});
}

void lowerTensorCopy(txk::NvTensorCopyOp op,
                     txk::NvTensorCopyOp::Adaptor adaptor,
                     ConversionPatternRewriter &b) {
  Assembly text(op, b);
  SmallVector<Value> operands = {
      text.address(op.getTo(), adaptor.getTo(), adaptor.getToIndex()),
      adaptor.getMap(),
      text.address(op.getBarriers(), adaptor.getBarriers(),
                   adaptor.getBarrier())};
  std::string coordinates, constraints = "r,l,r";
  for (Value coordinate : adaptor.getCoordinates()) {
    coordinates +=
        (coordinates.empty() ? "$" : ", $") + std::to_string(operands.size());
    constraints += ",r";
    operands.push_back(text.truncated(coordinate));
  }
  text.emit("cp.async.bulk.tensor." + Twine(op.getCoordinates().size()) +
                "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                "[$0], [$1, {" +
                coordinates + "}], [$2];",
            constraints, operands);
}

void lowerBarrierSync(txk::NvBarrierSyncOp op, txk::NvBarrierSyncOp::Adaptor,
                      ConversionPatternRewriter &b) {
  Assembly(op, b).emit("bar.sync " + Twine(op.getNumber()) + ", " +
                           Twine(op.getThreads()) + ";",
                       "", ValueRange());
}

void lowerSetRegisters(txk::NvSetRegistersOp op, txk::NvSetRegistersOp::Adaptor,
                       ConversionPatternRewriter &b) {
  Assembly(op, b).emit(Twine("setmaxnreg.") +
                           (op.getIncrease() ? "inc" : "dec") +
                           ".sync.aligned.u32 " + Twine(op.getCount()) + ";",
                       "", ValueRange());
}

Value lowerSharedAddress(txk::NvSharedAddressOp op,
                         txk::NvSharedAddressOp::Adaptor adaptor,
                         ConversionPatternRewriter &b) {
  return Assembly(op, b).address(op.getMemory(), adaptor.getMemory(),
                                 adaptor.getIndex());
}

Value lowerWgmma(txk::NvWgmmaOp op, txk::NvWgmmaOp::Adaptor adaptor,
                 ConversionPatternRewriter &b) {
  int64_t count = cast<VectorType>(op.getSums().getType()).getNumElements();
  std::string registers;
  for (int64_t i = 0; i < count; ++i)
    registers += (i ? ", $" : "$") + std::to_string(i);
  // The tied inputs take the numbers from `count` on.
  std::string left = "$" + std::to_string(2 * count);
  std::string right = "$" + std::to_string(2 * count + 1);
  std::string type = op.getElement().isF16() ? "f16" : "bf16";
  std::string text = "{\n.reg .b64 a, b;\n";
  text += "mov.b64 a, " + left + ";\nmov.b64 b, " + right + ";\n";
  if (op.getFence())
    text += "wgmma.fence.sync.aligned;\n";
  for (uint32_t step = 0; step < op.getSteps(); ++step) {
    if (step)
      text += "add.s64 a, a, " + std::to_string(op.getLeftAdvance()) +
              ";\nadd.s64 b, b, " + std::to_string(op.getRightAdvance()) +
              ";\n";
    text += "wgmma.mma_async.sync.aligned.m64n" + std::to_string(2 * count) +
            "k16.f32." + type + "." + type + " {" + registers +
            "}, a, b, 1, 1, 1, " + (op.getLeftMnMajor() ? "1" : "0") + ", " +
            (op.getRightMnMajor() ? "1" : "0") + ";\n";
  }
  if (op.getCommit())
    text += "wgmma.commit_group.sync.aligned;\n";
  text += "}";
  return Assembly(op, b).emitInPlace(text, adaptor.getSums(), ",l,l",
                                     {adaptor.getLeft(), adaptor.getRight()});
}

/// Waits for multiplications. The accumulators are tied operands, so that
/// nothing reads them earlier.
Value lowerWgmmaWait(txk::NvWgmmaWaitOp op, txk::NvWgmmaWaitOp::Adaptor adaptor,
                     ConversionPatternRewriter &b) {
  return Assembly(op, b).emitInPlace("wgmma.wait_group.sync.aligned " +
                                         Twine(op.getPending()) + ";",
                                     adaptor.getSums(), "", {});
}

} // namespace

void populateHopperToNVVM(const LLVMTypeConverter &converter,
                          RewritePatternSet &patterns) {
  patterns.add<LowerBy<lowerInit>, LowerBy<lowerFence>, LowerBy<lowerArrive>,
               LowerBy<lowerBarrierWait>, LowerBy<lowerTensorCopy>,
               LowerBy<lowerBarrierSync>, LowerBy<lowerSetRegisters>,
               LowerBy<lowerSharedAddress>, LowerBy<lowerWgmma>,
               LowerBy<lowerWgmmaWait>>(converter);
}

} // namespace tensorc::codegen
