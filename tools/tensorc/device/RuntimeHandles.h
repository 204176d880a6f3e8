//===- RuntimeHandles.h - Owning handles of runtime objects ---------------===//
#ifndef TENSORC_TOOLS_TENSORC_DEVICE_RUNTIMEHANDLES_H
#define TENSORC_TOOLS_TENSORC_DEVICE_RUNTIMEHANDLES_H

#include "ir/reference/Array.h"
#include "tensorc/runtime.h"
#include "tools/tensorc/Arguments.h"

#include "llvm/ADT/Twine.h"

#include <memory>

namespace tensorc::tool {

struct ReleaseModule {
  void operator()(tensorc_rt_module *module) const {
    tensorc_rt_module_release(module);
  }
};
struct ReleaseBuffer {
  void operator()(tensorc_rt_buffer *buffer) const {
    tensorc_rt_buffer_release(buffer);
  }
};
using ModuleHandle = std::unique_ptr<tensorc_rt_module, ReleaseModule>;
using BufferHandle = std::unique_ptr<tensorc_rt_buffer, ReleaseBuffer>;

/// Returns the message of an error, with the option of the command instead of
/// that of the C interface.
inline std::string messageOf(const tensorc_rt_status *status) {
  llvm::StringRef message = tensorc_rt_status_message(status);
  if (message.consume_back("(tensorc_rt_run_options)"))
    return (message + "(--devices names a device for each rank)").str();
  return message.str();
}

/// Errors of the runtime on this thread are added to the list if there is one,
/// instead of printed.
inline thread_local std::vector<std::string> *heldErrors = nullptr;

/// Returns true if the call succeeded; prints or holds its error otherwise.
inline bool ok(tensorc_rt_status *status) {
  if (!status)
    return true;
  if (heldErrors)
    heldErrors->push_back(messageOf(status));
  else
    refuse(messageOf(status));
  tensorc_rt_status_free(status);
  return false;
}

// The dtypes have the same numbers in both enumerations.
inline tensorc_rt_dtype toRuntime(reference::DType dtype) {
  return static_cast<tensorc_rt_dtype>(dtype);
}
inline reference::DType fromRuntime(tensorc_rt_dtype dtype) {
  return static_cast<reference::DType>(dtype);
}
static_assert(static_cast<int>(reference::DType::I1) == TENSORC_RT_I1);
static_assert(tx::numDTypes == TENSORC_RT_INDEX);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_TENSORC_DEVICE_RUNTIMEHANDLES_H
