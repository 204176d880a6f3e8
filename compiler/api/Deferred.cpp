//===- Deferred.cpp - Tensors whose shape depends on a mask's values ------===//

#include "compiler/api/Deferred.h"

#include "compiler/api/Api.h"
#include "compiler/graph/CustomCalls.h"
#include "compiler/graph/ops/Builders.h"
#include "compiler/session/jit/CustomOps.h"
#include "compiler/session/jit/ThreadObjects.h"

using namespace tensorc;
using namespace tensorc::api;
using graph::DType;
using graph::Node;
using graph::NodeRef;
using graph::Recorder;

/// Returns the node, bound to the current device if it had none; null after an
/// error.
static NodeRef bound(Recorder &r, NodeRef node) {
  if (!node || !graph::checkPlacement(r, *node.get()))
    return {};
  if (!node->device() && !node->isAuto())
    jit::Session::get().bindCurrent(*node.get());
  return node;
}

bool api::checkCountable(Recorder &r, const NodeRef &mask) {
  if (mask->isTraced())
    r.fail("",
           llvm::Twine("how many elements a mask selects is not known while ") +
               jit::tracer +
               " traces a function; give masked_select or nonzero a size, "
               "or choose with where");
  return r.error.empty();
}

static jit::Status statusOf(const Recorder &r) {
  return jit::Status(
      tensorc_rt_status_create(TENSORC_RT_INVALID_ARGUMENT, r.error.c_str()));
}

/// A single program computes the positions and their number. There are at most
/// as many positions as the mask has elements, so their memory is known in
/// advance.
NodeRef Selection::places(Recorder &r, jit::Status &status) {
  NodeRef all;
  int64_t number = count.load(std::memory_order_acquire);
  if (number < 0) {
    auto [places, total] = graph::maskPlaces(r, mask);
    all = bound(r, places);
    NodeRef sum = bound(r, total);
    if (!all || !sum) {
      status = statusOf(r);
      return {};
    }
    if ((status = jit::Session::get().evaluate({all.get(), sum.get()})))
      return {};
    double unused;
    if ((status =
             jit::Status(tensorc_item(handleOf(sum.get()), &unused, &number))))
      return {};
    std::scoped_lock lock(mutex);
    if (!found) {
      found = all;
      count.store(number, std::memory_order_release);
    }
  }
  {
    std::scoped_lock lock(mutex);
    all = found;
  }
  NodeRef places = graph::slice(r, all, int64_t(0), number, int64_t(1));
  if (!places)
    status = statusOf(r);
  return places;
}

Deferred::~Deferred() {
  if (Node *node = made.load(std::memory_order_acquire)) {
    node->releaseHandle();
    node->release();
  }
}

jit::Status Deferred::settle() {
  if (known())
    return nullptr;
  Recorder r(location, called);
  jit::Status status;
  NodeRef places = selection->places(r, status);
  if (!places)
    return status;
  NodeRef node = bound(r, make(r, places));
  if (!node || !r.error.empty())
    return statusOf(r);
  // Keeps a reference in addition to the handle, so that no call can reuse the
  // memory: several handles may refer to this object.
  NodeRef kept = node;
  node->becomeHandle();
  Node *none = nullptr;
  if (made.compare_exchange_strong(none, node.get(),
                                   std::memory_order_acq_rel)) {
    (void)kept.leak();
    (void)node.leak();
  } else {
    node.leak()->releaseHandle();
  }
  return nullptr;
}

/// Makes a custom call that always fails with the message in its config. It has
/// one element, because reading a value without elements would not wait for the
/// device.
static NodeRef failing(const Deferred &deferred, const char *message) {
  static const char *name = "x[mask]";
  static bool isRegistered = [] {
    jit::CustomOp op{name, "",
                     [](const tensorc_rt_op_call *call) {
                       return tensorc_rt_status_create(
                           TENSORC_RT_FAILED_PRECONDITION, call->config);
                     },
                     nullptr, nullptr};
    return !jit::registerCustomOp(std::move(op));
  }();
  (void)isRegistered;
  graph::Shape shape(deferred.rank, 1);
  graph::CustomCall call;
  call.name = name;
  call.config = message;
  call.derivative = "";
  call.outputs.push_back({deferred.dtype, shape});
  Recorder r(deferred.location);
  return bound(r, graph::customCall(r, call, {}).front());
}

Node *Deferred::node() {
  if (Node *node = known())
    return node;
  jit::Status status = settle();
  if (!status)
    return known();
  std::scoped_lock lock(mutex);
  if (!failed)
    failed = failing(*this, tensorc_rt_status_message(status.get()));
  return failed.get();
}

tensorc_status *tensorc_tensor_settle(tensorc_tensor *tensor) {
  if (!tensor)
    return refusal("settle: the tensor is undefined");
  Deferred *deferred = Deferred::from(tensor);
  return deferred ? deferred->settle().release() : nullptr;
}
