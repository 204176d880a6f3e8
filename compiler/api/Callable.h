//===- Callable.h - The object behind a tensorc_function ------------------===//
#ifndef TENSORC_COMPILER_API_CALLABLE_H
#define TENSORC_COMPILER_API_CALLABLE_H

#include "compiler/session/jit/Function.h"
#include "tensorc/tensorc.h"

struct tensorc_function {
  std::shared_ptr<tensorc::jit::Function> own; // trace groups refer to it

  tensorc::jit::Function *operator->() const { return own.get(); }
};

#endif // TENSORC_COMPILER_API_CALLABLE_H
