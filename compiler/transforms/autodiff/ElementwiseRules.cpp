//===- ElementwiseRules.cpp - Gradients of element-wise ops ---------------===//

#include "compiler/transforms/autodiff/Rules.h"
#include "compiler/transforms/autodiff/Slopes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::compiler::autodiff {

bool pullBackElementwise(Pullback &p) {
  TensorBuilder &e = p.e;
  Value g = p.cotangents[0];
#include "compiler/transforms/autodiff/ElementwiseRules.inc"
}

} // namespace tensorc::compiler::autodiff
