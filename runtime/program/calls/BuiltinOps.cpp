//===- BuiltinOps.cpp - built-in custom calls -----------------------------===//
//
// They return their input unchanged as their output, so that programs that use
// the output keep the call.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/Api.h"
#include "runtime/core/Elements.h"
#include "runtime/core/Types.h"

#include <charconv>
#include <cstdio>
#include <cstring>

using namespace tensorc::rt;

/// Copies the only input to the only output.
static Status pass(const tensorc_rt_op_call &call) {
  if (call.input_count != 1 || call.output_count != 1)
    return error(TENSORC_RT_INVALID_ARGUMENT, "takes one input and one output");
  const tensorc_rt_array &in = call.inputs[0], &out = call.outputs[0];
  int64_t bytes = 0, room = 0;
  if (in.dtype != out.dtype || !byteSize(in.dtype, in.rank, in.dims, bytes) ||
      !byteSize(out.dtype, out.rank, out.dims, room) || bytes != room)
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "the output is not of the input's type");
  if (bytes > 0)
    std::memcpy(out.data, in.data, static_cast<size_t>(bytes));
  return Status();
}

tensorc_rt_status *tensorc_rt_check_numerics(const tensorc_rt_op_call *call) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(needs(call, "the call is NULL"));
    TENSORC_RT_TRY(pass(*call));
    Status found(tensorc_rt_array_check_finite(&call->inputs[0]));
    if (found.ok())
      return Status();
    return error(TENSORC_RT_CUSTOM_CALL, "%s%s%s", call->config,
                 *call->config ? ": " : "", found.get()->message.c_str());
  });
}

tensorc_rt_status *tensorc_rt_debug_print(const tensorc_rt_op_call *call) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(needs(call, "the call is NULL"));
    TENSORC_RT_TRY(pass(*call));
    // Written by a single call, so that lines of several threads do not
    // interleave.
    std::string line = call->config;
    line += (line.empty() ? "" : ": ") + arrayText(call->inputs[0]) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
    return Status();
  });
}

tensorc_rt_status *tensorc_rt_check_mask(const tensorc_rt_op_call *call) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(needs(call, "the call is NULL"));
    TENSORC_RT_TRY(pass(*call));
    const tensorc_rt_array &in = call->inputs[0];
    if (in.dtype != TENSORC_RT_I64 || in.rank != 0)
      return error(TENSORC_RT_INVALID_ARGUMENT, "takes one i64 number");
    int64_t places = 0, values = 0;
    std::memcpy(&places, in.data, sizeof places);
    const char *end = call->config + std::strlen(call->config);
    auto [rest, failure] = std::from_chars(call->config, end, values);
    if (failure != std::errc() || rest != end)
      return error(TENSORC_RT_INVALID_ARGUMENT, "the config is not a number");
    if (places == values)
      return Status();
    return error(TENSORC_RT_CUSTOM_CALL,
                 "%lld values for the %lld true elements of the mask",
                 static_cast<long long>(values),
                 static_cast<long long>(places));
  });
}
