//===- OpCalls.cpp - custom calls with dtypes and shapes ------------------===//
//
// The scalars of such a call describe its values, inputs first: a word with the
// dtype in bits 0-7 and the rank above, then the sizes.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/Api.h"
#include "runtime/core/Types.h"
#include "runtime/program/calls/CustomCalls.h"

#include <exception>
#include <vector>

using namespace tensorc::rt;

/// Returns the function's error, prefixed with the name of the op.
static tensorc_rt_status *named(const OpFunction &function,
                                tensorc_rt_code code, const char *message) {
  return error(code, "%s: %s", function.name.c_str(), message).release();
}

/// Describes the values at `data`. Returns false if the words are invalid.
static bool describe(const uint64_t *&word, const uint64_t *end,
                     const void *const *data, const size_t *sizes,
                     int32_t count, std::vector<tensorc_rt_array> &out) {
  for (int32_t i = 0; i < count; ++i) {
    if (word == end)
      return false;
    uint64_t dtype = *word & 0xff, rank = *word >> 8;
    ++word;
    if (rank > TENSORC_RT_MAX_RANK || rank > static_cast<size_t>(end - word))
      return false;
    tensorc_rt_array array = {
        const_cast<void *>(data[i]), static_cast<tensorc_rt_dtype>(dtype),
        static_cast<int32_t>(rank), reinterpret_cast<const int64_t *>(word)};
    word += rank;
    size_t size = 0;
    if (Status status(
            tensorc_rt_byte_size(array.dtype, array.rank, array.dims, &size));
        !status.ok() || size > sizes[i])
      return false;
    out.push_back(array);
  }
  return true;
}

static tensorc_rt_status *runOp(const OpFunction &function,
                                const tensorc_rt_custom_call *call) try {
  std::vector<tensorc_rt_array> inputs, outputs;
  const uint64_t *word = call->scalars, *end = word + call->scalar_count;
  if (!describe(word, end, call->inputs, call->input_sizes, call->input_count,
                inputs) ||
      !describe(word, end, call->outputs, call->output_sizes,
                call->output_count, outputs) ||
      word != end)
    return named(function, TENSORC_RT_INVALID_PACKAGE,
                 "the program's call does not describe its values");
  tensorc_rt_op_call op = {sizeof op,         function.user,      call->device,
                           call->input_count, call->output_count, inputs.data(),
                           outputs.data(),    call->config};
  Status status(function.fn(&op));
  return status.ok() ? nullptr
                     : named(function, status.get()->code,
                             status.get()->message.c_str());
} catch (const std::bad_alloc &) {
  return outOfMemory().release();
} catch (const std::exception &exception) {
  return named(function, TENSORC_RT_CUSTOM_CALL, exception.what());
} catch (...) {
  return named(function, TENSORC_RT_CUSTOM_CALL, "an unknown exception");
}

static int32_t count(const auto &list) {
  return static_cast<int32_t>(list.size());
}

bool tensorc::rt::describeValues(const CustomCallArgs &args,
                                 std::vector<tensorc_rt_array> &inputs,
                                 std::vector<tensorc_rt_array> &outputs) {
  const uint64_t *word = args.scalars.data(), *end = word + args.scalars.size();
  return describe(word, end, args.inputs.data(), args.inputSizes.data(),
                  count(args.inputs), inputs) &&
         describe(word, end, args.outputs.data(), args.outputSizes.data(),
                  count(args.outputs), outputs) &&
         word == end;
}

Status tensorc::rt::queueLibraryCall(Stream &stream, const std::string &name,
                                     const std::string &config,
                                     const CustomCallArgs &args, bool &taken) {
  taken = false;
  if (stream.device.hostVisible())
    return Status();
  std::vector<tensorc_rt_array> inputs, outputs;
  if (!describeValues(args, inputs, outputs))
    return Status(); // The call is not the call of an op.
  tensorc_rt_op_call op = {sizeof op,      nullptr,        &stream.device,
                           count(inputs),  count(outputs), inputs.data(),
                           outputs.data(), config.c_str()};
  return stream.callLibrary(name, op, taken);
}

static tensorc_rt_status *callOp(const tensorc_rt_custom_call *call) {
  return runOp(*static_cast<const OpFunction *>(call->user), call);
}

CustomCall tensorc::rt::callOf(const OpFunction &function) {
  return {callOp, const_cast<OpFunction *>(&function)};
}

tensorc_rt_status *tensorc_rt_register_op(const char *name, tensorc_rt_op_fn fn,
                                          void *user) try {
  if (!fn)
    return error(TENSORC_RT_INVALID_ARGUMENT, "an op needs a function")
        .release();
  auto function =
      std::make_unique<OpFunction>(OpFunction{name ? name : "", fn, user});
  tensorc_rt_status *status =
      tensorc_rt_register_custom_call(name, callOp, function.get());
  if (!status)
    function.release(); // never freed, like the registration
  return status;
} catch (const std::bad_alloc &) {
  return outOfMemory().release();
}
