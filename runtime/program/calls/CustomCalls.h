//===- CustomCalls.h - functions that the embedder registers ----*- C++ -*-===//
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

/// The arguments of one call, without the function's user pointer.
struct CustomCallArgs {
  std::vector<const void *> inputs;
  std::vector<void *> outputs;
  std::vector<size_t> inputSizes, outputSizes;
  std::vector<uint64_t> scalars;
};

/// Queues a call in the stream's order. `args` contains device addresses. If
/// the host cannot access them, the function receives copies. The target and
/// the texts must live until the work is finished. An error of a call that
/// receives copies names `line`, because it shows later than the call.
Status queueCustomCall(Stream &stream, const CustomCall &target,
                       const std::string &name, const std::string &config,
                       CustomCallArgs args, const tensorc_rt_line &line);

/// A registered function that implements an op, and its name. Never freed.
struct OpFunction {
  std::string name;
  tensorc_rt_op_fn fn;
  void *user;
};
/// Makes a custom call that passes the dtypes and shapes of its values to the
/// function.
CustomCall callOf(const OpFunction &function);

/// Queues a call of the vendor library's function, if there is one. The call's
/// scalars describe its values.
Status queueLibraryCall(Stream &stream, const std::string &name,
                        const std::string &config, const CustomCallArgs &args,
                        bool &taken);

/// Queues a call of "collective" on the ranks of the run's communicator; null
/// stands for a single rank. Messages begin with the line, if it is known.
/// Sets `isRefusedByAll` if every rank finds the error that is returned.
Status queueCollective(Communicator *communicator, Stream &stream,
                       const std::string &config, const CustomCallArgs &args,
                       const tensorc_rt_line &line, bool &isRefusedByAll);

/// Decodes the descriptions of an op's values from the call's scalars. Returns
/// false if they are invalid.
bool describeValues(const CustomCallArgs &args,
                    std::vector<tensorc_rt_array> &inputs,
                    std::vector<tensorc_rt_array> &outputs);

/// Returns the function of this name, or null. The pointer stays valid forever.
const CustomCall *findCustomCall(const std::string &name);

} // namespace tensorc::rt

#endif
