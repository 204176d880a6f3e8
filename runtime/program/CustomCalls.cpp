//===- CustomCalls.cpp - functions that the embedder registered -----------===//
#include "runtime/program/CustomCalls.h"

#include <map>
#include <mutex>

using namespace tensorc::rt;

namespace {
struct Registry {
  std::mutex mutex;
  std::map<std::string, CustomCall> calls; // nodes never move
};
} // namespace

static Registry &registry() {
  static Registry *registry = new Registry;
  return *registry;
}

const CustomCall *tensorc::rt::findCustomCall(const std::string &name) {
  std::lock_guard lock(registry().mutex);
  auto found = registry().calls.find(name);
  return found == registry().calls.end() ? nullptr : &found->second;
}

tensorc_rt_status *tensorc_rt_register_custom_call(const char *name,
                                                   tensorc_rt_custom_call_fn fn,
                                                   void *user) try {
  if (!name || !*name || !fn)
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "a custom call needs a name and a function")
        .release();
  std::lock_guard lock(registry().mutex);
  if (!registry().calls.emplace(name, CustomCall{fn, user}).second)
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "a custom call '%s' is already registered", name)
        .release();
  return nullptr;
} catch (const std::bad_alloc &) {
  return outOfMemory().release();
}
