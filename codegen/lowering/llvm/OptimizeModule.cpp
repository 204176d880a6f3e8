//===- OptimizeModule.cpp - LLVM passes between translation and codegen ---===//

#include "codegen/lowering/llvm/OptimizeModule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace tensorc::codegen {

/// Returns the passes of an optimization level. Level 3 adds the removal of
/// redundant loads (docs/design/0007). LLVM's own -O3 made one of nine kernels,
/// a sort, 14 % faster than level 2. But it takes twice the compile time, and
/// would add 3 MB to a wheel.
static FunctionPassManager getPasses(unsigned optLevel) {
  FunctionPassManager passes;
  if (optLevel >= 3) {
    passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    passes.addPass(InstCombinePass());
    passes.addPass(GVNPass());
  }
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/false));
  passes.addPass(InstCombinePass(InstCombineOptions().setMaxIterations(1)));
  if (optLevel >= 2) {
    passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                                   /*UseMemorySSA=*/true));
    passes.addPass(SimplifyCFGPass());
    // LLVM needs the alignment of 16 bytes to use wide accesses on GPUs.
    passes.addPass(InferAlignmentPass());
  }
  return passes;
}

void optimizeModule(Module &module, TargetMachine &machine, unsigned optLevel) {
  if (optLevel == 0)
    return;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PipelineTuningOptions tuning;
  PassBuilder builder(&machine, tuning);
  // All library functions are disabled, because an image has no imports.
  TargetLibraryInfoImpl library(machine.getTargetTriple());
  library.disableAllFunctions();
  functions.registerPass([&] { return TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  FunctionPassManager passes = getPasses(optLevel);
  for (Function &function : module)
    if (!function.isDeclaration())
      passes.run(function, functions);
}

/// Returns the lane that a constant mask selects, or nullopt if it does not
/// select exactly one.
static std::optional<unsigned> singleLane(Value *mask) {
  auto *constant = dyn_cast<Constant>(mask);
  auto *type = dyn_cast<FixedVectorType>(mask->getType());
  std::optional<unsigned> lane;
  for (unsigned i = 0; constant && type && i < type->getNumElements(); ++i) {
    auto *bit = dyn_cast_or_null<ConstantInt>(constant->getAggregateElement(i));
    if (!bit || (bit->isOne() && lane))
      return std::nullopt;
    if (bit->isOne())
      lane = i;
  }
  return lane;
}

void unmaskSingleLanes(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      auto *store = dyn_cast<IntrinsicInst>(&instruction);
      if (!store || store->getIntrinsicID() != Intrinsic::masked_store)
        continue;
      std::optional<unsigned> lane = singleLane(store->getArgOperand(2));
      if (!lane)
        continue;
      IRBuilder<> builder(store);
      Value *value = store->getArgOperand(0),
            *pointer = store->getArgOperand(1);
      Type *element = value->getType()->getScalarType();
      uint64_t offset =
          *lane * module.getDataLayout().getTypeAllocSize(element);
      Align align =
          commonAlignment(store->getParamAlign(1).valueOrOne(), offset);
      StoreInst *single = builder.CreateAlignedStore(
          builder.CreateExtractElement(value, *lane),
          builder.CreateConstGEP1_64(builder.getInt8Ty(), pointer, offset),
          align);
      single->setAAMetadata(store->getAAMetadata());
      store->eraseFromParent();
    }
}

void widenBeforeFloats(Module &module) {
  for (Function &function : module) {
    if (!function.hasFnAttribute(Attribute::VScaleRange))
      continue;
    for (Instruction &instruction : instructions(function)) {
      auto *convert = dyn_cast<UIToFPInst>(&instruction);
      auto *type =
          convert ? dyn_cast<FixedVectorType>(convert->getSrcTy()) : nullptr;
      if (!type || type->getScalarSizeInBits() >= 32)
        continue;
      IRBuilder<> b(convert);
      convert->setOperand(0,
                          b.CreateZExt(convert->getOperand(0),
                                       type->getWithNewType(b.getInt32Ty())));
    }
  }
}

/// True if the type is a vector of floats that fills whole registers, as
/// emitters shuffle them.
static bool isWideFloats(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getPrimitiveSizeInBits() >= 256 &&
         (vector->getElementType()->isFloatTy() ||
          vector->getElementType()->isDoubleTy());
}

static void fenceShuffles(BasicBlock &block) {
  constexpr unsigned longest = 2;
  DenseMap<Value *, unsigned>
      lengths; // length of the chain of shuffles that ends here
  DenseMap<Value *, Value *> fences;
  for (Instruction &instruction : make_early_inc_range(block)) {
    auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction);
    if (!shuffle || !isWideFloats(shuffle->getType()))
      continue;
    unsigned length = 0;
    for (Use &operand : shuffle->operands()) {
      unsigned before = lengths.lookup(operand);
      Value *&fence = fences[operand];
      if (before == longest && !fence && operand->hasNUsesOrMore(2))
        fence = IRBuilder<>(shuffle).CreateArithmeticFence(operand,
                                                           operand->getType());
      if (fence)
        operand.set(fence);
      else
        length = std::max(length, before);
    }
    lengths[shuffle] = length + 1;
  }
}

void fenceShuffles(Module &module) {
  for (Function &function : module)
    for (BasicBlock &block : function)
      fenceShuffles(block);
}

} // namespace tensorc::codegen
