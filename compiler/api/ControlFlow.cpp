//===- ControlFlow.cpp - Ops with recorded bodies: the C interface --------===//

#include "compiler/api/Api.h"
#include "compiler/session/derive/Vmap.h"

#include "tensorc/grad.h"

#include "llvm/ADT/STLExtras.h"

using namespace tensorc;
using namespace tensorc::api;
using graph::NodeRef;
using graph::Recorder;

using NodeRefs = llvm::SmallVector<NodeRef>;

static NodeRefs tensorsOf(Recorder &r, const char *what, int32_t count,
                          tensorc_tensor *const *tensors) {
  NodeRefs nodes;
  if (!checkList(r, what, count, tensors))
    return nodes;
  for (tensorc_tensor *tensor : llvm::ArrayRef(tensors, count)) {
    nodes.push_back(refOf(tensor));
    if (!tensor)
      r.fail("", llvm::Twine(what) + ": an undefined tensor");
  }
  return nodes;
}

namespace {
/// A recorded body, which owns its nodes.
struct Recorded {
  NodeRefs arguments, results;

  Recorded(Recorder &r, const tensorc_body *body) {
    if (!body) {
      r.fail("", "a body is NULL");
      return;
    }
    arguments =
        tensorsOf(r, "arguments", body->argument_count, body->arguments);
    results = tensorsOf(r, "results", body->result_count, body->results);
    for (const NodeRef &argument : arguments)
      if (argument && argument->op() != graph::OpKind::Placeholder)
        r.fail("", "an argument of a body is none of a trace");
  }
  derive::Body get() const { return {arguments, results}; }
};
} // namespace

/// Records with `make` and stores the resulting tensors in `out`.
template <typename Make>
static tensorc_status *record(Recorder &r, size_t count, tensorc_tensor **out,
                              Make make) {
  if (!out && count > 0)
    r.fail("", "the out parameter is NULL");
  if (!r.error.empty())
    return refusal(r);
  std::fill_n(out, count, nullptr);
  NodeRefs nodes = make();
  for (size_t i = 0; i < nodes.size() && r.error.empty(); ++i)
    out[i] = giveHandle(r, std::move(nodes[i]));
  return r.error.empty() ? nullptr
                         : refuseAll(r, out, static_cast<int32_t>(count));
}

tensorc_status *tensorc_trace_part_like(const tensorc_tensor *x,
                                        tensorc_location at,
                                        tensorc_tensor **out) {
  return api::record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (!x)
          return r.fail("", "the operand is an undefined tensor");
        const graph::Node &like = *nodeOf(x);
        if (like.rank() == 0)
          return r.fail("", "a tensor of rank 0 has no parts");
        NodeRef made =
            graph::placeholder(r, like.dtype(), like.shape().drop_front());
        if (made && like.isAuto())
          made->makeAuto();
        else if (made)
          made->bind(like.device());
        return made;
      },
      "scan");
}

tensorc_status *tensorc_cond(const tensorc_tensor *predicate,
                             tensorc_tensor *const *inputs, int32_t input_count,
                             const tensorc_body *then,
                             const tensorc_body *otherwise, tensorc_location at,
                             tensorc_tensor **out) {
  Recorder r(locationOf(at), "cond");
  NodeRef chooses = refOf(predicate);
  if (!chooses)
    r.fail("", "the predicate is an undefined tensor");
  NodeRefs given = tensorsOf(r, "inputs", input_count, inputs);
  Recorded first(r, then), second(r, otherwise);
  return record(r, first.results.size(), out, [&] {
    return derive::branch(r, chooses, given, first.get(), second.get());
  });
}

tensorc_status *tensorc_switch(const tensorc_tensor *index,
                               tensorc_tensor *const *inputs,
                               int32_t input_count,
                               const tensorc_body *branches,
                               int32_t branch_count, tensorc_location at,
                               tensorc_tensor **out) {
  Recorder r(locationOf(at), "switch");
  NodeRef chooses = refOf(index);
  if (!chooses)
    r.fail("", "the index is an undefined tensor");
  NodeRefs given = tensorsOf(r, "inputs", input_count, inputs);
  std::vector<Recorded> recorded;
  llvm::SmallVector<derive::Body> bodies;
  if (checkList(r, "branches", branch_count, branches))
    for (const tensorc_body &body : llvm::ArrayRef(branches, branch_count))
      recorded.emplace_back(r, &body);
  for (const Recorded &body : recorded)
    bodies.push_back(body.get());
  return record(r, bodies.empty() ? 0 : bodies[0].results.size(), out,
                [&] { return derive::choose(r, chooses, given, bodies); });
}

tensorc_status *tensorc_while_loop(tensorc_tensor *const *carried,
                                   int32_t count, const tensorc_body *condition,
                                   const tensorc_body *body, int64_t most,
                                   tensorc_location at, tensorc_tensor **out) {
  Recorder r(locationOf(at), "while_loop");
  NodeRefs given = tensorsOf(r, "carried tensors", count, carried);
  Recorded goesOn(r, condition), next(r, body);
  return record(r, given.size(), out, [&] {
    return derive::repeatWhile(r, given, goesOn.get(), next.get(), most);
  });
}

tensorc_status *tensorc_scan_loop(tensorc_tensor *const *carried,
                                  int32_t carried_count,
                                  tensorc_tensor *const *scanned,
                                  int32_t scanned_count, int64_t length,
                                  int32_t reverse, const tensorc_body *body,
                                  tensorc_location at, tensorc_tensor **out) {
  Recorder r(locationOf(at), "scan");
  NodeRefs first = tensorsOf(r, "carried tensors", carried_count, carried);
  NodeRefs parts = tensorsOf(r, "scanned tensors", scanned_count, scanned);
  Recorded each(r, body);
  return record(r, each.results.size(), out, [&] {
    return derive::scan(r, first, parts, length, reverse != 0, each.get());
  });
}

tensorc_status *tensorc_stop_gradient(const tensorc_tensor *x,
                                      tensorc_location at,
                                      tensorc_tensor **out) {
  return api::record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (!x)
          return r.fail("", "the operand is an undefined tensor");
        return derive::stopGradient(r, refOf(x));
      },
      "stop_gradient");
}

tensorc_status *tensorc_custom_vjp(tensorc_tensor *const *arguments,
                                   int32_t argument_count, int32_t result_count,
                                   const tensorc_body *forward,
                                   const tensorc_body *backward,
                                   tensorc_location at, tensorc_tensor **out) {
  Recorder r(locationOf(at), "custom_vjp");
  NodeRefs given = tensorsOf(r, "arguments", argument_count, arguments);
  Recorded value(r, forward), gradient(r, backward);
  if (result_count < 0 ||
      static_cast<size_t>(result_count) > value.results.size())
    r.fail("", "the function has " + llvm::Twine(value.results.size()) +
                   " results, not " + llvm::Twine(result_count));
  return record(r, r.error.empty() ? result_count : 0, out, [&] {
    return derive::customVjp(r, given, result_count, value.get(),
                             gradient.get());
  });
}

tensorc_status *tensorc_checkpoint(tensorc_tensor *const *arguments,
                                   int32_t argument_count,
                                   const tensorc_body *body,
                                   tensorc_location at, tensorc_tensor **out) {
  Recorder r(locationOf(at), "checkpoint");
  NodeRefs given = tensorsOf(r, "arguments", argument_count, arguments);
  Recorded value(r, body);
  return record(r, value.results.size(), out,
                [&] { return derive::checkpoint(r, given, value.get()); });
}

static llvm::SmallVector<derive::BatchAxis>
axesOf(Recorder &r, const char *what, size_t count, const int64_t *axes) {
  llvm::SmallVector<derive::BatchAxis> all;
  if (!checkList(r, what, static_cast<int32_t>(count), axes))
    return all;
  for (int64_t axis : llvm::ArrayRef(axes, count))
    all.push_back(axis == TENSORC_NO_AXIS ? derive::BatchAxis() : axis);
  return all;
}

tensorc_status *tensorc_vmap(tensorc_tensor *const *values, const int64_t *axes,
                             int32_t count, const tensorc_body *body,
                             const int64_t *result_axes, tensorc_location at,
                             tensorc_tensor **out) {
  Recorder r(locationOf(at), "vmap");
  NodeRefs given = tensorsOf(r, "values", count, values);
  Recorded each(r, body);
  if (r.error.empty() && each.arguments.size() != given.size())
    r.fail("", "the body has " + llvm::Twine(each.arguments.size()) +
                   " arguments, but there are " + llvm::Twine(given.size()) +
                   " values");
  auto from = axesOf(r, "axes", given.size(), axes),
       to = axesOf(r, "result axes", each.results.size(), result_axes);
  return record(r, each.results.size(), out,
                [&] { return derive::vmap(r, {each.get(), given, from, to}); });
}
