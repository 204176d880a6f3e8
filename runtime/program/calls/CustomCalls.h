//===- CustomCalls.h - functions that the embedder registered ---*- C++ -*-===//
#ifndef TENSORC_RUNTIME_PROGRAM_CALLS_CUSTOMCALLS_H
#define TENSORC_RUNTIME_PROGRAM_CALLS_CUSTOMCALLS_H

#include "runtime/collectives/Communicator.h"
#include "runtime/core/Driver.h"

#include <string>
#include <vector>

namespace tensorc::rt {

struct CustomCall {
  tensorc_rt_custom_call_fn fn;
  void *user;
};

/// Arguments of one call besides the function's own pointer.
struct CustomCallArgs {
  std::vector<const void *> inputs;
  std::vector<void *> outputs;
  std::vector<size_t> inputSizes, outputSizes;
  std::vector<uint64_t> scalars;
};

/// Queues a call in the stream's order. `args` has device addresses. If the
/// host cannot use them, the function gets copies. The target and the texts
/// live until the work is finished.
Status queueCustomCall(Stream &stream, const CustomCall &target,
                       const std::string &name, const std::string &config,
                       CustomCallArgs args);

/// A function that implements an op, with its name. It is never freed.
struct OpFunction {
  std::string name;
  tensorc_rt_op_fn fn;
  void *user;
};
/// Makes a custom call that passes the dtypes and shapes of its values.
CustomCall callOf(const OpFunction &function);

/// Queues a call of the vendor library's function, if there is one. The scalars
/// of the call describe its values.
Status queueLibraryCall(Stream &stream, const std::string &name,
                        const std::string &config, const CustomCallArgs &args,
                        bool &taken);

/// Queues a call of "collective" on the ranks of the run's communicator, which
/// may be null.
Status queueCollective(Communicator *communicator, Stream &stream,
                       const std::string &config, const CustomCallArgs &args);

/// Describes the values of an op's call, whose scalars say what they are.
/// Returns false if they do not.
bool describeValues(const CustomCallArgs &args,
                    std::vector<tensorc_rt_array> &inputs,
                    std::vector<tensorc_rt_array> &outputs);

/// Returns the function of this name, or null. The pointer stays valid forever.
const CustomCall *findCustomCall(const std::string &name);

} // namespace tensorc::rt

#endif
