//===- CustomCalls.cpp - functions that the embedder registered -----------===//
#include "runtime/program/CustomCalls.h"

#include "runtime/core/Fork.h"

#include <map>

using namespace tensorc::rt;

using Registry = std::map<std::string, CustomCall>; // nodes never move

/// With the process' lock for custom calls held; never destroyed.
static Registry &registry() {
  static constinit Registry *registry = nullptr;
  if (!registry)
    registry = new Registry;
  return *registry;
}

const CustomCall *tensorc::rt::findCustomCall(const std::string &name) {
  ProcessLockGuard lock(ProcessLock::CustomCalls);
  auto found = registry().find(name);
  return found == registry().end() ? nullptr : &found->second;
}

tensorc_rt_status *tensorc_rt_register_custom_call(const char *name,
                                                   tensorc_rt_custom_call_fn fn,
                                                   void *user) try {
  if (!name || !*name || !fn)
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "a custom call needs a name and a function")
        .release();
  ProcessLockGuard lock(ProcessLock::CustomCalls);
  if (!registry().emplace(name, CustomCall{fn, user}).second)
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "a custom call '%s' is already registered", name)
        .release();
  return nullptr;
} catch (const std::bad_alloc &) {
  return outOfMemory().release();
}
