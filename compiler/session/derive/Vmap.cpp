//===- Vmap.cpp - Applying recorded functions to a batch ------------------===//

#include "compiler/session/derive/Vmap.h"

#include "compiler/session/derive/Derived.h"
#include "compiler/transforms/batching/Batching.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::derive {

using graph::Node;
using graph::NodeRef;
using graph::OpKind;
using graph::Recorder;
using graph::typeOf;

using Nodes = llvm::SmallVector<NodeRef>;

namespace {
class VmapProgram {
public:
  VmapProgram(Recorder &r, const VmapRequest &request)
      : r(r), request(request) {}

  Nodes run();

private:
  bool check();
  bool checkArgument(unsigned number);
  BatchAxis axisOf(BatchAxis axis, int64_t rank, const llvm::Twine &what);

  Recorder &r;
  const VmapRequest &request;
  compiler::BatchOptions options;
  std::optional<int64_t> size;
};
} // namespace

/// Returns the axis counted from the front. Reports an error if a tensor of
/// this rank, which includes the batch, does not have the axis.
BatchAxis VmapProgram::axisOf(BatchAxis axis, int64_t rank,
                              const llvm::Twine &what) {
  if (!axis || (*axis >= -rank && *axis < rank))
    return axis && *axis < 0 ? *axis + rank : axis;
  r.fail("vmap", what + " has no axis " + llvm::Twine(*axis));
  return axis;
}

bool VmapProgram::checkArgument(unsigned number) {
  const Node &argument = *request.body.arguments[number].get(),
             &value = *request.values[number].get();
  if (argument.op() != OpKind::Placeholder) {
    r.fail("vmap", "argument " + llvm::Twine(number) + " is none of a trace");
    return false;
  }
  BatchAxis axis =
      axisOf(request.axes[number], value.rank(),
             "argument " + llvm::Twine(number) + ", " + typeOf(value) + ",");
  if (!r.error.empty())
    return false;
  options.in.push_back(axis);
  graph::Shape one(value.shape());
  if (axis) {
    int64_t count = one[*axis];
    if (size && *size != count) {
      r.fail("vmap", "argument " + llvm::Twine(number) + ", " + typeOf(value) +
                         ", has " + llvm::Twine(count) + " examples, others " +
                         llvm::Twine(*size));
      return false;
    }
    size = count;
    one.erase(one.begin() + *axis);
  }
  if (argument.dtype() == value.dtype() && argument.shape() == graph::Ints(one))
    return true;
  r.fail("vmap", "argument " + llvm::Twine(number) + " is " + typeOf(value) +
                     ", which was recorded as " + typeOf(argument));
  return false;
}

bool VmapProgram::check() {
  for (unsigned i = 0; i < request.values.size(); ++i)
    if (!checkArgument(i))
      return false;
  if (!size) {
    r.fail("vmap", "no argument has an axis of examples");
    return false;
  }
  options.size = *size;
  options.name = "batched";
  for (auto [i, result] : llvm::enumerate(request.body.results)) {
    options.out.push_back(axisOf(request.resultAxes[i], result->rank() + 1,
                                 "result " + llvm::Twine(i) +
                                     ", of one example " +
                                     typeOf(*result.get()) + ","));
    if (!r.error.empty())
      return false;
  }
  return true;
}

Nodes VmapProgram::run() {
  if (!check())
    return {};
  auto isInside = [](const Node &, unsigned) { return false; };
  auto change = [&](mlir::func::FuncOp one,
                    size_t inputs) -> mlir::FailureOr<mlir::func::FuncOp> {
    // All examples share captured values.
    options.in.resize(inputs);
    auto all = compiler::batch(one, options);
    if (mlir::succeeded(all))
      one.erase();
    return all;
  };
  return derive(r, {"vmap",
                    "batched",
                    request.body.arguments,
                    request.body.results,
                    isInside,
                    request.values,
                    {},
                    change});
}

Nodes vmap(Recorder &r, const VmapRequest &request) {
  return VmapProgram(r, request).run();
}

} // namespace tensorc::derive
