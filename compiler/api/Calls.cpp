//===- Calls.cpp - Tensors and the runtime: the C interface ---------------===//

#include "compiler/api/Api.h"

#include "llvm/ADT/STLExtras.h"

using namespace tensorc;
using namespace tensorc::api;
using graph::Node;
using graph::NodeRef;
using graph::Recorder;

tensorc_status *tensorc_runtime_device(tensorc_rt_device **out) {
  if (auto *refused = checkOut("runtime_device", out))
    return refused;
  jit::Status status;
  *out = jit::Session::get().bufferDevice(status);
  return status.release();
}

tensorc_status *tensorc_tensor_buffer(tensorc_tensor *tensor,
                                      tensorc_rt_buffer **out) {
  if (auto *refused = checkOut("tensor_buffer", out))
    return refused;
  *out = nullptr;
  NodeRef node;
  if (auto *status = computeWhole(tensor, node))
    return status;
  tensorc_rt_buffer *buffer = node->buffer();
  if (auto *failed = tensorc_rt_buffer_synchronize(buffer))
    return failed;
  *out = buffer;
  tensorc_rt_buffer_retain(*out);
  return nullptr;
}

tensorc_status *tensorc_from_buffer(tensorc_dtype dtype, int32_t rank,
                                    const int64_t *dims,
                                    tensorc_rt_buffer *buffer,
                                    tensorc_location at, tensorc_tensor **out) {
  auto wrap = [&](Recorder &r) -> NodeRef {
    graph::Ints shape = intsOf(r, "dims", rank, dims);
    if (!r.error.empty())
      return {};
    if (dtypeOf(dtype) == graph::DType::None)
      return r.fail("from_buffer", "unknown dtype");
    if (!graph::checkShape(r, "from_buffer", dtypeOf(dtype), shape))
      return {};
    if (!buffer)
      return r.fail("from_buffer", "no buffer");
    int64_t size = tensorc_rt_buffer_size(buffer), count = 1;
    for (int64_t dim : shape)
      count *= dim;
    int64_t needed = tx::bytesOf(dtypeOf(dtype), count);
    if (size < needed)
      return r.fail("from_buffer", "the buffer has " + llvm::Twine(size) +
                                       " bytes, needs " + llvm::Twine(needed));
    tensorc_rt_buffer_retain(buffer);
    return NodeRef::take(
        Node::createData(dtypeOf(dtype), shape, buffer, r.location));
  };
  return record(at, out, wrap, "from_buffer");
}

//===----------------------------------------------------------------------===//
// Calls of packages
//===----------------------------------------------------------------------===//

namespace {
/// The arguments of a call for the runtime, and the objects they refer to.
struct Call {
  Recorder &r;
  const tensorc_rt_entry *entry;
  llvm::SmallVector<tensorc_rt_arg, 8> arguments;
  llvm::SmallVector<NodeRef, 8> held;

  bool add(int32_t index, const tensorc_arg &argument);
  void fail(int32_t index, const llvm::Twine &message) {
    r.fail(tensorc_rt_entry_name(entry),
           "argument " + llvm::Twine(index) + message);
  }
};
} // namespace

/// Adds an argument. A scalar input takes its bits from a number or a tensor of
/// one element. Other inputs take a tensor, or a number if they have rank 0.
bool Call::add(int32_t index, const tensorc_arg &argument) {
  tensorc_rt_value_info info;
  if (jit::Status status{tensorc_rt_entry_input(entry, index, &info)}) {
    fail(index, llvm::Twine(": ") + tensorc_rt_status_message(status.get()));
    return false;
  }
  auto dtype = info.dtype == TENSORC_RT_INDEX
                   ? graph::DType::I64
                   : dtypeOf(static_cast<tensorc_dtype>(info.dtype));
  NodeRef value;
  if (!checkArg(r, &argument))
    return false;
  if (argument.kind == TENSORC_ARG_TENSOR) {
    value = refOf(argument.tensor);
    if (!value) {
      fail(index, " is an undefined tensor");
      return false;
    }
    if (isRecorded(value.get())) {
      fail(index, recordedMessage);
      return false;
    }
  } else if (dtype != graph::DType::None && (info.is_scalar || !info.rank)) {
    value = graph::full(r, dtype, {}, scalarOf(argument));
  } else {
    fail(index, " must be a tensor, not a number");
  }
  if (!value)
    return false;
  jit::Status status = jit::reshard(value, nullptr);
  Node *node = value.get();
  if (status) {
    r.fail(tensorc_rt_entry_name(entry),
           tensorc_rt_status_message(status.get()));
    return false;
  }
  arguments.push_back(jit::argumentOf(*node));
  if (info.is_scalar) {
    if (node->rank() != 0 || node->dtype() != dtype) {
      fail(index, llvm::Twine(" must be one ") + graph::dtypeName(dtype));
      return false;
    }
    tensorc_rt_arg &word = arguments.back();
    if (auto *status = tensorc_rt_buffer_read(node->buffer(), 0, &word.word,
                                              node->byteSize(), nullptr)) {
      fail(index, llvm::Twine(": ") + tensorc_rt_status_message(status));
      tensorc_rt_status_free(status);
      return false;
    }
    word = {nullptr, word.word, nullptr, 0, TENSORC_RT_NONE};
  }
  held.push_back(std::move(value));
  return true;
}

tensorc_status *tensorc_call(const tensorc_rt_entry *entry,
                             const tensorc_arg *arguments, int32_t count,
                             tensorc_location at, tensorc_tensor **results,
                             int32_t result_count) {
  Recorder r(locationOf(at), entry ? tensorc_rt_entry_name(entry) : "call");
  if (!checkList(r, "results", result_count, results))
    return refusal(r);
  std::fill_n(results, result_count, nullptr);
  if (!checkList(r, "arguments", count, arguments))
    return refusal(r);
  Call call{r, entry, {}, {}};
  auto refuse = [&](tensorc_rt_code code) {
    return tensorc_rt_status_create(code, r.error.c_str());
  };
  if (!entry) {
    r.fail("call", "no entry");
    return refuse(TENSORC_RT_INVALID_ARGUMENT);
  }
  const char *name = tensorc_rt_entry_name(entry);
  if (count != tensorc_rt_entry_input_count(entry))
    r.fail(name, "takes " + llvm::Twine(tensorc_rt_entry_input_count(entry)) +
                     " arguments, got " + llvm::Twine(count));
  else if (result_count != tensorc_rt_entry_output_count(entry))
    r.fail(name, "has " + llvm::Twine(tensorc_rt_entry_output_count(entry)) +
                     " results, asked for " + llvm::Twine(result_count));
  for (int32_t i = 0; i < count && r.error.empty(); ++i)
    call.add(i, arguments[i]);
  if (!r.error.empty())
    return refuse(TENSORC_RT_INVALID_ARGUMENT);
  llvm::SmallVector<tensorc_rt_output, 2> outputs;
  outputs.resize_for_overwrite(result_count);
  if (jit::Status status{tensorc_rt_run(entry, call.arguments.data(), count,
                                        outputs.data(), result_count,
                                        nullptr)}) {
    r.fail(name, tensorc_rt_status_message(status.get()));
    return refuse(tensorc_rt_status_code(status.get()));
  }
  for (auto [i, output] : llvm::enumerate(outputs)) {
    Node *node =
        Node::createData(static_cast<graph::DType>(output.dtype),
                         {output.dims, static_cast<size_t>(output.rank)},
                         output.buffer, r.location);
    node->becomeHandle();
    results[i] = handleOf(node);
  }
  return nullptr;
}
