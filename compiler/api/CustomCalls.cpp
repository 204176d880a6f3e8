//===- CustomCalls.cpp - Custom functions: the C interface ----------------===//

#include "compiler/api/Api.h"

#include "compiler/session/jit/CustomOps.h"

#include "llvm/ADT/STLExtras.h"

using namespace tensorc;
using namespace tensorc::api;
using graph::NodeRef;
using graph::Recorder;

tensorc_status *tensorc_register_custom_op(const tensorc_custom_op *given) {
  if (!given)
    return refusal("custom_op: the description is NULL");
  tensorc_custom_op op = readVersioned(given);
  auto text = [](const char *text) { return std::string(text ? text : ""); };
  return jit::registerCustomOp({text(op.name), text(op.derivative), op.function,
                                op.shape_rule, op.user})
      .release();
}

static tensorc_type typeOf(const graph::Node &node) {
  tensorc_type type = {};
  type.dtype = static_cast<tensorc_dtype>(node.dtype());
  type.rank = node.rank();
  llvm::copy(node.shape(), type.dims);
  return type;
}

/// Returns the output types, from the op's rule if the caller gave none.
static bool typesOf(Recorder &r, const jit::CustomOp &op,
                    llvm::ArrayRef<NodeRef> inputs, const char *config,
                    llvm::MutableArrayRef<tensorc_type> types) {
  llvm::SmallVector<tensorc_type> in;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    if (!input) {
      r.fail(op.name, "input " + llvm::Twine(i) + " is an undefined tensor");
      return false;
    }
    in.push_back(typeOf(*input.get()));
  }
  if (!op.shapeRule) {
    r.fail(op.name, "has no shape rule: the call must give the output types");
    return false;
  }
  try {
    jit::Status status(op.shapeRule(op.user, in.data(), in.size(), config,
                                    types.data(), types.size()));
    if (status)
      r.fail(op.name, tensorc_rt_status_message(status.get()));
  } catch (const std::exception &exception) {
    r.fail(op.name, exception.what());
  } catch (...) {
    r.fail(op.name, "an unknown exception");
  }
  return r.error.empty();
}

static bool checkTypes(Recorder &r, const jit::CustomOp &op,
                       llvm::ArrayRef<tensorc_type> types) {
  for (auto [i, type] : llvm::enumerate(types))
    if (dtypeOf(type.dtype) == graph::DType::None || type.rank < 0 ||
        type.rank > TENSORC_RT_MAX_RANK)
      r.fail(op.name,
             "output " + llvm::Twine(i) + " has no valid dtype or rank");
  return r.error.empty();
}

tensorc_status *
tensorc_custom_call(const char *name, const tensorc_tensor *const *inputs,
                    int32_t input_count, const tensorc_type *output_types,
                    int32_t output_count, const char *config,
                    tensorc_location at, tensorc_tensor **results) {
  Recorder r(locationOf(at), "custom_call");
  if (!checkList(r, "results", output_count, results))
    return refusal(r);
  std::fill_n(results, output_count, nullptr);
  llvm::SmallVector<NodeRef> nodes = refsOf(r, input_count, inputs);
  if (!r.error.empty())
    return refusal(r);
  r.called = nullptr; // Errors from here on name the op.
  config = config ? config : "";
  auto refuse = [&](tensorc_rt_code code) {
    return tensorc_rt_status_create(code, r.error.c_str());
  };
  const jit::CustomOp *op = jit::findCustomOp(name ? name : "");
  if (!op) {
    r.fail("custom_call", llvm::Twine("no function is registered as '") +
                              (name ? name : "") + "'");
    return refuse(TENSORC_RT_NOT_FOUND);
  }
  if (output_count < 1) {
    r.fail(op->name, "needs an output");
    return refuse(TENSORC_RT_INVALID_ARGUMENT);
  }
  llvm::SmallVector<tensorc_type> types(output_count);
  if (output_types)
    types.assign(output_types, output_types + types.size());
  else if (!typesOf(r, *op, nodes, config, types))
    return refuse(TENSORC_RT_INVALID_ARGUMENT);
  if (!checkTypes(r, *op, types))
    return refuse(TENSORC_RT_INVALID_ARGUMENT);
  graph::CustomCall call;
  call.name = op->name.c_str();
  call.config = config;
  call.derivative = op->derivative.c_str();
  for (const tensorc_type &type : types)
    call.outputs.push_back(
        {dtypeOf(type.dtype), graph::Ints(type.dims, type.rank)});
  llvm::SmallVector<NodeRef> made = graph::customCall(r, call, nodes);
  if (!r.error.empty())
    return refuse(TENSORC_RT_INVALID_ARGUMENT);
  for (auto [i, node] : llvm::enumerate(made))
    results[i] = giveHandle(r, std::move(node));
  return r.error.empty() ? nullptr : refuseAll(r, results, output_count);
}

static tensorc_status *recordThrough(const char *function,
                                     const tensorc_tensor *x, const char *text,
                                     tensorc_location at,
                                     tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::throughFunction(r, function, refOf(x), text ? text : "");
      },
      function);
}

tensorc_status *tensorc_check_numerics(const tensorc_tensor *x,
                                       const char *text, tensorc_location at,
                                       tensorc_tensor **out) {
  return recordThrough("check_numerics", x, text, at, out);
}

tensorc_status *tensorc_debug_print(const tensorc_tensor *x, const char *text,
                                    tensorc_location at, tensorc_tensor **out) {
  return recordThrough("debug_print", x, text, at, out);
}
