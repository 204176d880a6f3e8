//===- CustomCalls.h - functions that the embedder registered ---*- C++ -*-===//
#ifndef TENSORC_RUNTIME_PROGRAM_CALLS_CUSTOMCALLS_H
#define TENSORC_RUNTIME_PROGRAM_CALLS_CUSTOMCALLS_H

#include "runtime/core/Driver.h"

#include <string>
#include <vector>

namespace tensorc::rt {

struct CustomCall {
  tensorc_rt_custom_call_fn fn;
  void *user;
};

/// What one call gets besides the function's own pointer.
struct CustomCallArgs {
  std::vector<const void *> inputs;
  std::vector<void *> outputs;
  std::vector<size_t> inputSizes, outputSizes;
  std::vector<uint64_t> scalars;
};

/// Calls in the stream's order. `args` has addresses of the device; where the
/// host cannot use them, the function gets copies. The target and the texts
/// live until the work is done.
Status queueCustomCall(Stream &stream, const CustomCall &target,
                       const std::string &name, const std::string &config,
                       CustomCallArgs args);

/// A function that stands for an op, under its name. Lives for good.
struct OpFunction {
  std::string name;
  tensorc_rt_op_fn fn;
  void *user;
};
/// Calls the function with the dtypes and shapes of its values.
CustomCall callOf(const OpFunction &function);

/// What the call's scalars say of its values: a call of the library of a
/// device's vendor, if that has the function.
Status queueLibraryCall(Stream &stream, const std::string &name,
                        const std::string &config, const CustomCallArgs &args,
                        bool &taken);

/// The function of this name, or null. What is found stays valid for good.
const CustomCall *findCustomCall(const std::string &name);

} // namespace tensorc::rt

#endif
