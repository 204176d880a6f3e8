//===- AliasScopes.cpp - Alias scopes of kernel buffers -------------------===//
//
// %x = load ptr, %args            ; word 0, in "txk-noalias"="0,1"
// %v = load <16 x float>, %x      ; !alias.scope {word 0}, !noalias {word 1}
//
//===----------------------------------------------------------------------===//

#include "codegen/native/AliasScopes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tensorc::codegen {

/// Returns the index of the word of the kernel's first argument from which
/// `pointer` was loaded.
static std::optional<uint64_t> getWord(const Value *pointer,
                                       const Function &kernel) {
  auto *load = dyn_cast<LoadInst>(getUnderlyingObject(pointer));
  if (!load)
    return std::nullopt;
  const DataLayout &layout = kernel.getParent()->getDataLayout();
  APInt offset(layout.getIndexTypeSizeInBits(kernel.getArg(0)->getType()), 0);
  const Value *base =
      load->getPointerOperand()->stripAndAccumulateConstantOffsets(
          layout, offset, /*AllowNonInbounds=*/true);
  if (base != kernel.getArg(0))
    return std::nullopt;
  return offset.getZExtValue() / 8;
}

/// Returns the address of a load or store of contiguous memory, or null for
/// other instructions.
static const Value *getAddress(const Instruction &instruction) {
  if (const Value *pointer = getLoadStorePointerOperand(&instruction))
    return pointer;
  auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  if (!intrinsic)
    return nullptr;
  switch (intrinsic->getIntrinsicID()) {
  case Intrinsic::masked_load:
    return intrinsic->getArgOperand(0);
  case Intrinsic::masked_store:
    return intrinsic->getArgOperand(1);
  default:
    return nullptr;
  }
}

void addAliasScopes(Function &kernel) {
  SmallVector<StringRef> words;
  kernel.getFnAttribute(kNoAliasAttribute)
      .getValueAsString()
      .split(words, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  if (words.empty())
    return;
  LLVMContext &context = kernel.getContext();
  MDBuilder builder(context);
  MDNode *domain = builder.createAnonymousAliasScopeDomain(kernel.getName());
  MapVector<uint64_t, Metadata *> scopes;
  for (StringRef text : words) {
    uint64_t word;
    if (!text.getAsInteger(10, word))
      scopes[word] = builder.createAnonymousAliasScope(domain, text);
  }
  for (Instruction &instruction : instructions(kernel)) {
    const Value *address = getAddress(instruction);
    std::optional<uint64_t> word;
    if (address)
      word = getWord(address, kernel);
    if (!word)
      continue;
    SmallVector<Metadata *> others;
    for (auto [scope, node] : scopes)
      if (scope != *word)
        others.push_back(node);
    if (scopes.contains(*word))
      instruction.setMetadata(LLVMContext::MD_alias_scope,
                              MDNode::get(context, scopes[*word]));
    if (!others.empty())
      instruction.setMetadata(LLVMContext::MD_noalias,
                              MDNode::get(context, others));
  }
}

} // namespace tensorc::codegen
