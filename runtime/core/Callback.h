//===- Callback.h - calls of the embedder's functions -----------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_CALLBACK_H
#define TENSORC_RUNTIME_CORE_CALLBACK_H

#include "runtime/core/Status.h"

#include <cxxabi.h>
#include <exception>

namespace tensorc::rt {

/// Calls a function of the embedder, which may throw. An exception becomes a
/// status with the prefix "<what>'<name>'" or "<what>".
template <typename Body>
Status callEmbedder(const char *what, const char *name, Body body) {
  const char *quote = *name ? "'" : "";
  try {
    return body();
  } catch (const abi::__forced_unwind &) {
    throw; // Cancellation of the thread (pthread_cancel) must not be stopped.
  } catch (const std::exception &exception) {
    return error(TENSORC_RT_CUSTOM_CALL, "%s%s%s%s threw: %s", what, quote,
                 name, quote, exception.what());
  } catch (...) {
    return error(TENSORC_RT_CUSTOM_CALL, "%s%s%s%s threw", what, quote, name,
                 quote);
  }
}
template <typename Body> Status callEmbedder(const char *what, Body body) {
  return callEmbedder(what, "", body);
}

} // namespace tensorc::rt

#endif
