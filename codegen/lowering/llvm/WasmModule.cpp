//===- WasmModule.cpp - Workarounds for LLVM's Wasm backend ---------------===//

#include "codegen/lowering/llvm/WasmModule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tensorc::codegen {
namespace {

/// Splits one access into parts, each with its part of every operand.
class AccessSplitter {
public:
  static constexpr unsigned maxLanes = 16;

  AccessSplitter(IntrinsicInst &access, unsigned lanes)
      : access(access), lanes(lanes), b(&access) {}

  void run() {
    Intrinsic::ID id = access.getIntrinsicID();
    bool stores =
        id == Intrinsic::masked_store || id == Intrinsic::masked_scatter;
    SmallVector<Value *> parts;
    for (unsigned first = 0; first < lanes; first += maxLanes) {
      SmallVector<Value *> operands;
      for (Value *operand : access.args())
        operands.push_back(part(operand, first));
      Type *result = stores ? b.getVoidTy() : narrow(access.getType(), first);
      parts.push_back(createPart(id, result, operands, first));
    }
    if (!stores)
      access.replaceAllUsesWith(concatenate(parts));
    access.eraseFromParent();
  }

private:
  unsigned lanesFrom(unsigned first) const {
    return std::min(maxLanes, lanes - first);
  }
  Type *narrow(Type *type, unsigned first) const {
    return FixedVectorType::get(type->getScalarType(), lanesFrom(first));
  }

  /// Returns the lanes of a vector from `first`, or the address of the lane.
  Value *part(Value *operand, unsigned first) {
    if (operand->getType()->isVectorTy())
      return b.CreateShuffleVector(
          operand, to_vector(seq<int>(first, first + lanesFrom(first))));
    Type *element = access.getType()->isVoidTy()
                        ? access.getArgOperand(0)->getType()->getScalarType()
                        : access.getType()->getScalarType();
    return b.CreateConstGEP1_32(element, operand, first);
  }

  Value *createPart(Intrinsic::ID id, Type *result, ArrayRef<Value *> operands,
                    unsigned first) {
    SmallVector<Type *> types;
    for (Value *operand : operands)
      types.push_back(operand->getType());
    // The intrinsics are overloaded on the data and the address.
    bool stores = result->isVoidTy();
    SmallVector<Type *> overloads = {stores ? types[0] : result,
                                     types[stores ? 1 : 0]};
    CallInst *call = b.CreateIntrinsic(id, overloads, operands);
    unsigned pointer = stores ? 1 : 0;
    Align align = access.getParamAlign(pointer).valueOrOne();
    if (!types[pointer]->isVectorTy()) {
      uint64_t bytes = access.getModule()->getDataLayout().getTypeAllocSize(
          overloads[0]->getScalarType());
      align = commonAlignment(align, first * bytes);
    }
    call->addParamAttr(pointer,
                       Attribute::getWithAlignment(b.getContext(), align));
    call->setAAMetadata(access.getAAMetadata());
    return call;
  }

  Value *concatenate(ArrayRef<Value *> parts) {
    Value *all = PoisonValue::get(access.getType());
    for (auto [i, value] : enumerate(parts))
      all = b.CreateInsertVector(access.getType(), all, value,
                                 uint64_t(i * maxLanes));
    return all;
  }

  IntrinsicInst &access;
  unsigned lanes;
  IRBuilder<> b;
};

/// Returns the position of the mask among the operands, or nullopt for other
/// instructions.
std::optional<unsigned> findMask(const Instruction &instruction) {
  auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  if (!intrinsic)
    return std::nullopt;
  switch (intrinsic->getIntrinsicID()) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_gather:
    return 1;
  case Intrinsic::masked_store:
  case Intrinsic::masked_scatter:
    return 2;
  default:
    return std::nullopt;
  }
}

} // namespace

void splitMaskedAccesses(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      std::optional<unsigned> mask = findMask(instruction);
      if (!mask)
        continue;
      auto &access = cast<IntrinsicInst>(instruction);
      unsigned lanes =
          cast<FixedVectorType>(access.getArgOperand(*mask)->getType())
              ->getNumElements();
      if (lanes > AccessSplitter::maxLanes)
        AccessSplitter(access, lanes).run();
    }
}

void widenShifts(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      auto *type = dyn_cast<FixedVectorType>(instruction.getType());
      if (instruction.getOpcode() != Instruction::LShr || !type ||
          type->getScalarSizeInBits() >= 32)
        continue;
      auto *distance = dyn_cast<Constant>(instruction.getOperand(1));
      if (distance && distance->getSplatValue())
        continue;
      IRBuilder<> b(&instruction);
      Type *wide = type->getWithNewType(b.getInt32Ty());
      Value *shifted =
          b.CreateLShr(b.CreateZExt(instruction.getOperand(0), wide),
                       b.CreateZExt(instruction.getOperand(1), wide));
      instruction.replaceAllUsesWith(b.CreateTrunc(shifted, type));
      instruction.eraseFromParent();
    }
}

void defineWideProduct(Module &module) {
  LLVMContext &context = module.getContext();
  Type *i64 = Type::getInt64Ty(context);
  auto *type =
      FunctionType::get(Type::getVoidTy(context),
                        {PointerType::get(context, 0), i64, i64, i64, i64},
                        /*isVarArg=*/false);
  // The function is weak, because compiler-rt defines it as well.
  Function *function =
      Function::Create(type, GlobalValue::WeakODRLinkage, "__multi3", module);
  function->setVisibility(GlobalValue::HiddenVisibility);
  function->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> b(BasicBlock::Create(context, "", function));
  Value *result = function->getArg(0), *x = function->getArg(1),
        *xHigh = function->getArg(2), *y = function->getArg(3),
        *yHigh = function->getArg(4);
  auto low = [&](Value *word) { return b.CreateAnd(word, 0xffffffff); };
  auto high = [&](Value *word) { return b.CreateLShr(word, 32); };
  Value *lowLow = b.CreateMul(low(x), low(y));
  Value *lowHigh = b.CreateMul(low(x), high(y));
  Value *highLow = b.CreateMul(high(x), low(y));
  Value *middle =
      b.CreateAdd(high(lowLow), b.CreateAdd(low(lowHigh), low(highLow)));
  Value *upper = b.CreateAdd(b.CreateMul(high(x), high(y)), high(middle));
  for (Value *term : {high(lowHigh), high(highLow), b.CreateMul(x, yHigh),
                      b.CreateMul(xHigh, y)})
    upper = b.CreateAdd(upper, term);
  b.CreateStore(b.CreateOr(low(lowLow), b.CreateShl(middle, 32)), result);
  b.CreateStore(upper, b.CreateConstGEP1_32(i64, result, 1));
  b.CreateRetVoid();
}

} // namespace tensorc::codegen
