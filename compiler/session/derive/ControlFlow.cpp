//===- ControlFlow.cpp - Branches and loops of recorded functions ---------===//

#include "compiler/session/derive/ControlFlow.h"

#include "compiler/graph/Dependents.h"
#include "compiler/graph/ops/Builders.h"
#include "compiler/session/jit/Session.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::derive {

using graph::DType;
using graph::lineOf;
using graph::Node;
using graph::NodeRef;
using graph::Recorder;
using graph::typeOf;

using Nodes = llvm::SmallVector<NodeRef>;

static Nodes record(Recorder &r, const graph::RegionOp &op,
                    llvm::ArrayRef<NodeRef> inputs,
                    llvm::ArrayRef<Body> bodies) {
  Nodes made;
  jit::Session::get().withContext([&](mlir::MLIRContext &context) {
    made = graph::regionCall(r, context, op, inputs, bodies);
  });
  return made;
}

static bool checkCount(Recorder &r, const char *op, const llvm::Twine &what,
                       size_t expected, size_t given) {
  if (expected == given)
    return true;
  r.fail(op, what + " has " + llvm::Twine(given) + " tensors, not " +
                 llvm::Twine(expected));
  return false;
}

/// Checks that types match. The error shows both types, the lines of the
/// values, and a remedy.
static bool checkSame(Recorder &r, const char *op, const llvm::Twine &before,
                      const Node &a, const llvm::Twine &after, const Node &b) {
  bool sameDType = a.dtype() == b.dtype();
  if (sameDType && a.shape() == b.shape())
    return true;
  r.fail(op, before + " is " + typeOf(a) + ", " + after + " " + typeOf(b) +
                 "; they are made at " + lineOf(a) + " and " + lineOf(b) +
                 ": " + (sameDType ? "broadcast_to" : "astype") +
                 " makes them alike");
  return false;
}

static bool checkOneBool(Recorder &r, const char *op, const char *what,
                         const Node &x) {
  if (x.dtype() == DType::I1 && x.numElements() == 1)
    return true;
  r.fail(op, llvm::Twine(what) + " is " + typeOf(x) +
                 ", not one element of i1; it is made at " + lineOf(x) + ": " +
                 (x.dtype() == DType::I1 ? "any or all makes one of several"
                                         : "a comparison gives i1"));
  return false;
}

/// Checks that carried values keep their types.
static bool checkCarried(Recorder &r, const char *op,
                         llvm::ArrayRef<NodeRef> carried,
                         llvm::ArrayRef<NodeRef> next) {
  for (auto [i, before] : llvm::enumerate(carried))
    if (!checkSame(r, op, "carried tensor " + llvm::Twine(i), *before.get(),
                   "after an iteration", *next[i].get()))
      return false;
  return true;
}

/// Chooses among bodies that take the same inputs and return the same types.
static Nodes chooseBody(Recorder &r, const char *op, graph::RegionOp::Kind kind,
                        const NodeRef &selector, llvm::ArrayRef<NodeRef> inputs,
                        llvm::ArrayRef<Body> bodies) {
  for (const Body &body : bodies)
    if (!checkCount(r, op, "a branch's arguments", inputs.size(),
                    body.arguments.size()))
      return {};
  const Body &first = bodies.front();
  for (auto [i, body] : llvm::enumerate(bodies.drop_front())) {
    std::string name = kind == graph::RegionOp::If
                           ? "the second branch"
                           : ("branch " + llvm::Twine(i + 1)).str();
    if (!checkCount(r, op, name + "'s result", first.results.size(),
                    body.results.size()))
      return {};
    for (auto [k, result] : llvm::enumerate(first.results))
      if (!checkSame(r, op, "result " + llvm::Twine(k), *result.get(),
                     "of " + name, *body.results[k].get()))
        return {};
  }
  Nodes all{selector};
  llvm::append_range(all, inputs);
  return record(r, {kind}, all, bodies);
}

Nodes branch(Recorder &r, const NodeRef &predicate,
             llvm::ArrayRef<NodeRef> inputs, const Body &then,
             const Body &otherwise) {
  const char *op = "cond";
  if (!checkOneBool(r, op, "the predicate", *predicate.get()))
    return {};
  return chooseBody(r, op, graph::RegionOp::If, predicate, inputs,
                    {then, otherwise});
}

/// Converts an index of one element to i32 or i64.
static NodeRef indexOf(Recorder &r, const NodeRef &x, size_t count) {
  NodeRef index = graph::reshape(r, x, {});
  if (index->dtype() == DType::I32 || index->dtype() == DType::I64)
    return index;
  if (index->dtype() == DType::UI64) // its upper half is negative as i64
    index = graph::elementwise(
        r, graph::OpKind::Min,
        {index, graph::Scalar::of(static_cast<uint64_t>(count))});
  return graph::astype(r, index, DType::I64);
}

Nodes choose(Recorder &r, const NodeRef &index, llvm::ArrayRef<NodeRef> inputs,
             llvm::ArrayRef<Body> bodies) {
  const char *op = "switch";
  if (bodies.empty()) {
    r.fail(op, "there is no branch");
    return {};
  }
  if (graph::isFloat(index->dtype()) || graph::isComplex(index->dtype()) ||
      index->numElements() != 1) {
    r.fail(op,
           "the index is " + typeOf(*index.get()) +
               ", not one integer; it is made at " + lineOf(*index.get()) +
               (index->numElements() == 1 ? ": astype makes an integer"
                                          : ": an index takes one of several"));
    return {};
  }
  return chooseBody(r, op, graph::RegionOp::Switch,
                    indexOf(r, index, bodies.size()), inputs, bodies);
}

Nodes repeatWhile(Recorder &r, llvm::ArrayRef<NodeRef> carried,
                  const Body &condition, const Body &body, int64_t most) {
  const char *op = "while_loop";
  if (most < 0) {
    r.fail(op, "at most " + llvm::Twine(most) + " iterations are none");
    return {};
  }
  if (!checkCount(r, op, "the body's result", carried.size(),
                  body.results.size()) ||
      !checkCount(r, op, "the condition", 1, condition.results.size()) ||
      !checkCount(r, op, "the body's arguments", carried.size(),
                  body.arguments.size()) ||
      !checkCount(r, op, "the condition's arguments", carried.size(),
                  condition.arguments.size()) ||
      !checkOneBool(r, op, "the condition", *condition.results[0].get()) ||
      !checkCarried(r, op, carried, body.results))
    return {};
  graph::RegionOp loop{graph::RegionOp::While};
  loop.most = most;
  return record(r, loop, carried, {condition, body});
}

Nodes scan(Recorder &r, llvm::ArrayRef<NodeRef> carried,
           llvm::ArrayRef<NodeRef> scanned, int64_t length, bool reverse,
           const Body &body) {
  const char *op = "scan";
  if (length < 0) {
    r.fail(op, "the length is " + llvm::Twine(length));
    return {};
  }
  for (auto [i, x] : llvm::enumerate(scanned))
    if (x->rank() == 0 || x->shape()[0] != length) {
      r.fail(op, "scanned tensor " + llvm::Twine(i) + " is " +
                     typeOf(*x.get()) + ", the length is " +
                     llvm::Twine(length));
      return {};
    }
  if (!checkCount(r, op, "the body's arguments",
                  1 + carried.size() + scanned.size(), body.arguments.size()))
    return {};
  if (body.results.size() < carried.size()) {
    checkCount(r, op, "the body's result", carried.size(), body.results.size());
    return {};
  }
  if (!checkCarried(r, op, carried, body.results))
    return {};
  for (const NodeRef &result : body.results.drop_front(carried.size())) {
    graph::Shape shape(result->shape());
    shape.insert(shape.begin(), length);
    if (!graph::checkShape(r, op, result->dtype(), shape))
      return {};
  }
  Nodes all(carried);
  llvm::append_range(all, scanned);
  graph::RegionOp loop{graph::RegionOp::Scan};
  loop.carried = carried.size();
  loop.scanned = scanned.size();
  loop.length = length;
  loop.reverse = reverse;
  return record(r, loop, all, body);
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

Nodes customVjp(Recorder &r, llvm::ArrayRef<NodeRef> arguments, size_t returned,
                const Body &forward, const Body &backward) {
  const char *op = "custom_vjp";
  if (!checkCount(r, op, "the function's arguments", arguments.size(),
                  forward.arguments.size()) ||
      !checkCount(r, op, "the gradient's arguments", forward.results.size(),
                  backward.arguments.size()) ||
      !checkCount(r, op, "the gradient", arguments.size(),
                  backward.results.size()))
    return {};
  for (auto [i, argument] : llvm::enumerate(arguments))
    if (!checkSame(r, op, "argument " + llvm::Twine(i), *argument.get(),
                   "its gradient", *backward.results[i].get()))
      return {};
  graph::RegionOp custom{graph::RegionOp::CustomVjp};
  custom.arguments = arguments.size();
  custom.returned = returned;
  Nodes made = record(r, custom, arguments, {forward, backward});
  if (!made.empty())
    made.truncate(returned);
  return made;
}

NodeRef stopGradient(Recorder &r, const NodeRef &x) {
  Nodes made = record(r, {graph::RegionOp::StopGradient}, x, {});
  return made.empty() ? NodeRef() : made.front();
}

} // namespace tensorc::derive
