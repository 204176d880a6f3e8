//===- CustomCalls.h - functions that the embedder registered ---*- C++ -*-===//
#ifndef TENSORC_RUNTIME_PROGRAM_CUSTOMCALLS_H
#define TENSORC_RUNTIME_PROGRAM_CUSTOMCALLS_H

#include "runtime/core/Status.h"

namespace tensorc::rt {

struct CustomCall {
  tensorc_rt_custom_call_fn fn;
  void *user;
};

/// The function of this name, or null. What is found stays valid for good.
const CustomCall *findCustomCall(const std::string &name);

} // namespace tensorc::rt

#endif
