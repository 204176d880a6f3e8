//===- TraceGroups.cpp - Replacement of captured tensors ------------------===//

#include "compiler/api/Api.h"
#include "compiler/api/Callable.h"

#include "tensorc/devices.h"

#include "llvm/ADT/STLExtras.h"

using namespace tensorc;
using namespace tensorc::api;
using graph::Node;
using graph::NodeRef;

/// The traces of one function. Every trace identifies a captured value by the
/// tensor that was captured originally, even after it was replaced.
struct tensorc_trace_group {
  std::mutex mutex;
  std::vector<std::weak_ptr<jit::Function>> functions;
  struct Binding {
    NodeRef captured, now;
  };
  std::vector<Binding> bound;

  std::vector<std::shared_ptr<jit::Function>> living() {
    std::vector<std::shared_ptr<jit::Function>> all;
    llvm::erase_if(functions, [&](const std::weak_ptr<jit::Function> &one) {
      if (auto function = one.lock())
        all.push_back(std::move(function));
      return one.expired();
    });
    return all;
  }
};

/// Replaces a captured value in one trace. Returns true if the trace has
/// captured the tensor.
static bool exchange(jit::Function &function, const Node *captured, Node *value,
                     jit::Status &status) {
  bool isCaptured = false;
  for (auto [i, capture] : llvm::enumerate(function.captures()))
    if (capture.tensor.get() == captured && captured) {
      isCaptured = true;
      if (!status)
        status = function.rebind(i, value);
    }
  return isCaptured;
}

/// Replaces a captured value in all traces. Returns true if one of them has
/// captured the tensor. Traces that no longer exist count, too.
static bool bindAll(tensorc_trace_group &group,
                    llvm::ArrayRef<std::shared_ptr<jit::Function>> functions,
                    const NodeRef &captured, const NodeRef &value,
                    jit::Status &status) {
  bool isCaptured = false;
  for (const std::shared_ptr<jit::Function> &function : functions)
    isCaptured |= exchange(*function, captured.get(), value.get(), status);
  if (status)
    return true;
  for (tensorc_trace_group::Binding &binding : group.bound)
    if (binding.captured.get() == captured.get()) {
      binding.now = value;
      return true;
    }
  if (isCaptured)
    group.bound.push_back({captured, value});
  return isCaptured;
}

tensorc_status *tensorc_trace_group_create(tensorc_trace_group **out) {
  if (auto *refused = checkOut("jit", out))
    return refused;
  *out = new tensorc_trace_group;
  return nullptr;
}

void tensorc_trace_group_release(tensorc_trace_group *group) { delete group; }

tensorc_status *tensorc_trace_group_add(tensorc_trace_group *group,
                                        const tensorc_function *function) {
  if (!group)
    return refusal("jit: the group of traces is NULL");
  if (!function)
    return refusal("jit: the function is NULL");
  std::scoped_lock lock(group->mutex);
  jit::Status status;
  for (const tensorc_trace_group::Binding &binding : group->bound)
    exchange(*function->own, binding.captured.get(), binding.now.get(), status);
  if (!status) {
    group->living(); // removes functions that were released
    group->functions.push_back(function->own);
  }
  return status.release();
}

tensorc_status *tensorc_trace_group_rebind(tensorc_trace_group *group,
                                           const tensorc_tensor *captured,
                                           tensorc_tensor *value) {
  if (!group)
    return refusal("rebind: the group of traces is NULL");
  if (!captured || !value)
    return refusal("rebind: the tensor is undefined");
  NodeRef given = refOf(captured), now = refOf(value);
  // Evaluates before it takes the lock, because other operations of the program
  // may run meanwhile.
  if (jit::Status status = jit::Session::get().evaluate(now.get()))
    return status.release();
  std::scoped_lock lock(group->mutex);
  auto functions = group->living();
  jit::Status status;
  if (bindAll(*group, functions, given, now, status))
    return status.release();
  llvm::SmallVector<NodeRef> originals;
  for (const tensorc_trace_group::Binding &binding : group->bound)
    if (binding.now.get() == given.get())
      originals.push_back(binding.captured);
  if (originals.size() == 1) {
    bindAll(*group, functions, originals[0], now, status);
    return status.release();
  }
  if (!originals.empty())
    return refusal("rebind: what was given stands for " +
                   llvm::Twine(originals.size()) +
                   " captured values; name the one that the function captured");
  if (functions.empty())
    return refusal("rebind: nothing has been traced yet");
  graph::SourceLocation made = given->location();
  return refusal("rebind: no trace has captured what was made at " +
                 llvm::Twine(made.file ? made.file : "?") + ":" +
                 llvm::Twine(made.line) +
                 " with its value; evaluate it before the first call, and do "
                 "not declare it constant");
}
