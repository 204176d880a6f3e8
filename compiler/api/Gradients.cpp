//===- Gradients.cpp - tensorc/grad.h -------------------------------------===//

#include "compiler/api/Api.h"
#include "compiler/graph/Dependents.h"
#include "compiler/session/derive/StagedPullback.h"
#include "compiler/session/derive/TapeGradient.h"

#include "tensorc/grad.h"

#include "llvm/ADT/STLExtras.h"

using namespace tensorc;
using namespace tensorc::api;
using graph::NodeRef;
using graph::Recorder;

/// Returns the tensors, none of which may be null.
static llvm::SmallVector<NodeRef>
definedTensors(Recorder &r, const char *what, int32_t count,
               tensorc_tensor *const *tensors) {
  llvm::SmallVector<NodeRef> nodes;
  if (!checkList(r, what, count, tensors))
    return nodes;
  for (int32_t i = 0; i < count; ++i) {
    nodes.push_back(refOf(tensors[i]));
    if (!nodes.back())
      r.fail("grad", llvm::Twine(what) + ": number " + llvm::Twine(i) +
                         " is an undefined tensor");
  }
  return nodes;
}

/// Makes handles for nodes. Returns false, with an error, if one has no device.
static bool give(Recorder &r, llvm::ArrayRef<NodeRef> nodes,
                 tensorc_tensor **out) {
  for (const NodeRef &node : nodes) {
    *out = node ? giveHandle(r, node) : nullptr;
    if (!r.error.empty())
      return false;
    ++out;
  }
  return true;
}

tensorc_status *tensorc_pullback(tensorc_tensor *const *arguments,
                                 tensorc_tensor *const *values,
                                 const int32_t *wanted, int32_t argument_count,
                                 tensorc_tensor *const *results,
                                 tensorc_tensor *const *cotangents,
                                 int32_t result_count, tensorc_location at,
                                 tensorc_tensor **out_results,
                                 tensorc_tensor **gradients) {
  Recorder r(locationOf(at), "grad");
  if (!checkList(r, "results", result_count, out_results) ||
      !checkList(r, "gradients", argument_count, gradients))
    return refusal(r);
  std::fill_n(out_results, result_count, nullptr);
  std::fill_n(gradients, argument_count, nullptr);
  auto of = definedTensors(r, "arguments", argument_count, arguments),
       by = definedTensors(r, "values", argument_count, values),
       from = definedTensors(r, "results", result_count, results);
  if (!r.error.empty() || !checkList(r, "wanted flags", argument_count, wanted))
    return refusal(r);
  llvm::SmallVector<bool> flags;
  for (int32_t flag : llvm::ArrayRef(wanted, argument_count))
    flags.push_back(flag != 0);
  llvm::SmallVector<NodeRef> seeds;
  for (int32_t i = 0; cotangents && i < result_count; ++i)
    seeds.push_back(refOf(cotangents[i]));
  derive::PulledBack made =
      derive::pullBackInStages(r, {of, by, flags, from, seeds});
  if (!r.error.empty())
    return refusal(r);
  // Makes the handles of gradients first. Making a handle evaluates the node if
  // its recorded path is too long; evaluating the results first would not store
  // the values that the gradients read.
  if (give(r, made.gradients, gradients) && give(r, made.results, out_results))
    return nullptr;
  for (int32_t i = 0; i < result_count; ++i)
    tensorc_tensor_release(std::exchange(out_results[i], nullptr));
  return refuseAll(r, gradients, argument_count);
}

//===----------------------------------------------------------------------===//
// Tapes
//===----------------------------------------------------------------------===//

struct tensorc_tape {
  std::shared_ptr<graph::Tape> tape;
};

/// Returns the tape; null, with an error, if this thread has no such tape.
static graph::Tape *tapeOf(Recorder &r, const tensorc_tape *tape) {
  if (!tape)
    r.fail("", "the tape is NULL, or was released");
  else if (!tape->tape->isOfThisThread())
    r.fail("", "the tape is of another thread");
  return r.error.empty() ? tape->tape.get() : nullptr;
}

tensorc_status *tensorc_tape_create(tensorc_location, tensorc_tape **out) {
  if (auto *refused = checkOut("tape", out))
    return refused;
  *out = new tensorc_tape{graph::Tape::create()};
  return nullptr;
}

tensorc_status *tensorc_tape_watch(tensorc_tape *tape,
                                   const tensorc_tensor *tensor,
                                   tensorc_location at) {
  Recorder r(locationOf(at), "watch");
  graph::Tape *of = tapeOf(r, tape);
  NodeRef node = refOf(tensor);
  if (!node)
    r.fail("", "the tensor is undefined");
  else if (!graph::isIn(node->dtype(), graph::floatMask | graph::complexMask))
    r.fail("", "the tensor is " + graph::typeOf(*node.get()) +
                   "; a gradient is by floats");
  if (!r.error.empty())
    return refusal(r);
  of->watch(node);
  return nullptr;
}

tensorc_status *tensorc_tape_gradient(tensorc_tape *tape,
                                      const tensorc_tensor *target,
                                      tensorc_tensor *const *sources,
                                      int32_t count, tensorc_location at,
                                      tensorc_tensor **out) {
  Recorder r(locationOf(at), "gradient");
  if (!checkList(r, "gradients", count, out))
    return refusal(r);
  std::fill_n(out, count, nullptr);
  NodeRef of = refOf(target);
  if (!of)
    r.fail("", "the target is an undefined tensor");
  auto by = definedTensors(r, "sources", count, sources);
  if (!tapeOf(r, tape))
    return refusal(r);
  auto made = derive::tapeGradient(r, *graph::Tapes::current(), of, by);
  if (!r.error.empty())
    return refusal(r);
  return give(r, made, out) ? nullptr : refuseAll(r, out, count);
}

void tensorc_tape_release(tensorc_tape *tape) {
  if (!tape)
    return;
  tape->tape->release();
  delete tape;
}

int32_t tensorc_tape_is_recording(void) {
  return graph::Tapes::current() != nullptr;
}
