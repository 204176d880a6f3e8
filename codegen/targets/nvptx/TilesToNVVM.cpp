//===- TilesToNVVM.cpp - Lower ldmatrix, mma.sync and cp.async ------------===//

#include "codegen/targets/nvptx/TilesToNVVM.h"
#include "codegen/kernel/ops/TileInstructions.h"
#include "codegen/kernel/ops/Txk.h"
#include "codegen/lowering/llvm/LowerBy.h"
#include "codegen/lowering/llvm/MemoryToLLVM.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tensorc::codegen {
namespace {

using NVVM::MMALayout;
using NVVM::MMATypes;

Value extract(OpBuilder &b, Location loc, Value vector, int64_t i) {
  Value index = LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(i));
  return LLVM::ExtractElementOp::create(b, loc, vector, index);
}

/// Returns the fields of a struct as a vector.
Value fromStruct(OpBuilder &b, Location loc, Value fields, VectorType type) {
  Value result = LLVM::PoisonOp::create(b, loc, type);
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    Value index = LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(i));
    Value field = LLVM::ExtractValueOp::create(b, loc, fields, i);
    result = LLVM::InsertElementOp::create(b, loc, result, field, index);
  }
  return result;
}

Type structOf(VectorType type) {
  SmallVector<Type> fields(type.getNumElements(), type.getElementType());
  return LLVM::LLVMStructType::getLiteral(type.getContext(), fields);
}

Value lowerLdmatrix(txk::NvLdmatrixOp op, txk::NvLdmatrixOp::Adaptor adaptor,
                    ConversionPatternRewriter &b) {
  Location loc = op.getLoc();
  Value row =
      getElementPointer(b, loc, cast<MemRefType>(op.getMemory().getType()),
                        adaptor.getMemory(), adaptor.getIndex());
  auto type = cast<VectorType>(op.getType());
  Value fields = NVVM::LdMatrixOp::create(
      b, loc, structOf(type), row, 4,
      op.getTrans() ? MMALayout::col : MMALayout::row,
      NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
      NVVM::LdStMatrixEltType::B16);
  return fromStruct(b, loc, fields, type);
}

/// A type of the elements that mma.sync multiplies.
struct MmaElement {
  MMATypes type;
  int64_t steps;
};

MmaElement elementOf(Type type) {
  if (type.isF16())
    return {MMATypes::f16, 16};
  if (type.isBF16())
    return {MMATypes::bf16, 16};
  return {MMATypes::tf32, 8};
}

Value lowerMma(txk::NvMmaOp op, txk::NvMmaOp::Adaptor adaptor,
               ConversionPatternRewriter &b) {
  Location loc = op.getLoc();
  bool half = op.getElement().isF16();
  // The intrinsic for f16 takes vectors of two elements, and those for bf16 and
  // tf32 take 32-bit integers.
  auto registers = [&](Value vector, int64_t count) {
    SmallVector<Value> result;
    for (int64_t i = 0; i < count; ++i) {
      Value value = extract(b, loc, vector, i);
      if (half && !value.getType().isF32())
        value = LLVM::BitcastOp::create(
            b, loc, VectorType::get({2}, b.getF16Type()), value);
      result.push_back(value);
    }
    return result;
  };
  auto type = cast<VectorType>(op.getType());
  auto [element, steps] = elementOf(op.getElement());
  Value fields = NVVM::MmaOp::create(
      b, loc, structOf(type), registers(adaptor.getLeft(), 4),
      registers(adaptor.getRight(), 2), registers(adaptor.getSum(), 4),
      ArrayRef<int64_t>{16, 8, steps}, std::nullopt, std::nullopt,
      std::array<MMATypes, 2>{element, element},
      std::array<MMALayout, 2>{MMALayout::row, MMALayout::col});
  return fromStruct(b, loc, fields, type);
}

Value lowerMmaBytes(txk::NvMmaBytesOp op, txk::NvMmaBytesOp::Adaptor adaptor,
                    ConversionPatternRewriter &b) {
  Location loc = op.getLoc();
  auto registers = [&](Value vector, int64_t count) {
    SmallVector<Value> result;
    for (int64_t i = 0; i < count; ++i)
      result.push_back(extract(b, loc, vector, i));
    return result;
  };
  auto typeOf = [](bool isUnsigned) {
    return isUnsigned ? MMATypes::u8 : MMATypes::s8;
  };
  auto type = cast<VectorType>(op.getType());
  Value fields = NVVM::MmaOp::create(
      b, loc, structOf(type), registers(adaptor.getLeft(), 4),
      registers(adaptor.getRight(), 2), registers(adaptor.getSum(), 4),
      ArrayRef<int64_t>{16, 8, 32}, std::nullopt, NVVM::MMAIntOverflow::wrapped,
      std::array<MMATypes, 2>{typeOf(op.getLeftUnsigned()),
                              typeOf(op.getRightUnsigned())},
      std::array<MMALayout, 2>{MMALayout::row, MMALayout::col});
  return fromStruct(b, loc, fields, type);
}

Value lowerNarrow(txk::NvNarrowOp op, txk::NvNarrowOp::Adaptor adaptor,
                  ConversionPatternRewriter &b) {
  Location loc = op.getLoc();
  Type element = op.getElement();
  Type pair = VectorType::get({2}, element);
  StringAttr name = b.getStringAttr(element.isF16() ? "llvm.nvvm.ff2f16x2.rn"
                                                    : "llvm.nvvm.ff2bf16x2.rn");
  auto type = cast<VectorType>(op.getType());
  Value result = LLVM::PoisonOp::create(b, loc, type);
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    // The first operand becomes the upper half.
    Value low = extract(b, loc, adaptor.getElements(), 2 * i);
    Value high = extract(b, loc, adaptor.getElements(), 2 * i + 1);
    Value both =
        LLVM::CallIntrinsicOp::create(b, loc, pair, name, ValueRange{high, low})
            .getResult(0);
    Value word = LLVM::BitcastOp::create(b, loc, type.getElementType(), both);
    Value index = LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(i));
    result = LLVM::InsertElementOp::create(b, loc, result, word, index);
  }
  return result;
}

/// Lowers to ex2.approx.ftz.f32.
Value lowerExp2(txk::FastExp2Op op, txk::FastExp2Op::Adaptor adaptor,
                ConversionPatternRewriter &b) {
  Location loc = op.getLoc();
  auto compute = [&](Value x) {
    return LLVM::CallIntrinsicOp::create(
               b, loc, x.getType(),
               b.getStringAttr("llvm.nvvm.ex2.approx.ftz.f32"), ValueRange{x})
        .getResult(0);
  };
  Value x = adaptor.getX();
  auto type = dyn_cast<VectorType>(x.getType());
  if (!type)
    return compute(x);
  Value result = LLVM::PoisonOp::create(b, loc, type);
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    Value index = LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(i));
    result = LLVM::InsertElementOp::create(
        b, loc, result, compute(extract(b, loc, x, i)), index);
  }
  return result;
}

/// Lowers to cp.async, which either copies 16 bytes or stores zeros.
void lowerCopy(txk::CopyAsyncOp op, txk::CopyAsyncOp::Adaptor adaptor,
               ConversionPatternRewriter &b) {
  Location loc = op.getLoc();
  auto address = [&](Value memref, Value base, Value index) {
    return getElementPointer(b, loc, cast<MemRefType>(memref.getType()), base,
                             index,
                             /*inbounds=*/false);
  };
  Value from = address(op.getFrom(), adaptor.getFrom(), adaptor.getFromIndex());
  Value to = address(op.getTo(), adaptor.getTo(), adaptor.getToIndex());
  Value bytes;
  if (Value inside = adaptor.getInside()) {
    auto constant = [&](int32_t value) -> Value {
      return LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
    };
    bytes = LLVM::SelectOp::create(b, loc, inside, constant(16), constant(0));
  }
  NVVM::CpAsyncOp::create(b, loc, to, from, 16, NVVM::LoadCacheModifierKind::CG,
                          bytes);
}

void lowerCommit(txk::CopyCommitOp op, txk::CopyCommitOp::Adaptor,
                 ConversionPatternRewriter &b) {
  NVVM::CpAsyncCommitGroupOp::create(b, op.getLoc());
}

void lowerWait(txk::CopyWaitOp op, txk::CopyWaitOp::Adaptor,
               ConversionPatternRewriter &b) {
  NVVM::CpAsyncWaitGroupOp::create(b, op.getLoc(), op.getPending());
}

} // namespace

void populateTilesToNVVM(const LLVMTypeConverter &converter,
                         RewritePatternSet &patterns) {
  patterns.add<LowerBy<lowerLdmatrix>, LowerBy<lowerMma>,
               LowerBy<lowerMmaBytes>, LowerBy<lowerNarrow>, LowerBy<lowerExp2>,
               LowerBy<lowerCopy>, LowerBy<lowerCommit>, LowerBy<lowerWait>>(
      converter);
}

} // namespace tensorc::codegen
