//===- Api.h - conversions between the C interface and C++ ------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_API_H
#define TENSORC_RUNTIME_CORE_API_H

#include "runtime/core/Driver.h"
#include "runtime/core/Status.h"

#include <exception>
#include <new>
#include <system_error>

namespace tensorc::rt {

/// Runs the body of a C function and returns its status. Exceptions become
/// statuses.
template <typename Body> tensorc_rt_status *guard(Body body) {
  try {
    return body().release();
  } catch (const std::bad_alloc &) {
    return outOfMemory().release();
  } catch (const std::system_error &exception) {
    bool isShort =
        exception.code() == std::errc::resource_unavailable_try_again ||
        exception.code() == std::errc::not_enough_memory;
    return error(isShort ? TENSORC_RT_OUT_OF_MEMORY : TENSORC_RT_DEVICE_ERROR,
                 isShort ? "no thread can be started: %s" : "%s",
                 exception.what())
        .release();
  } catch (const std::exception &exception) {
    return error(TENSORC_RT_DEVICE_ERROR, "%s", exception.what()).release();
  }
}

/// Like `guard`, for a function with a result `out`, which is NULL or 0 unless
/// the body sets it.
template <typename Out, typename Body>
tensorc_rt_status *guardOut(Out *out, Body body) {
  if (!out)
    return error(TENSORC_RT_INVALID_ARGUMENT, "the out parameter is NULL")
        .release();
  *out = {};
  return guard(body);
}

inline Status needs(bool condition, const char *what) {
  return condition ? Status() : error(TENSORC_RT_INVALID_ARGUMENT, "%s", what);
}

/// Returns in `out` the given stream, after checking that it belongs to the
/// device, or the device's default stream if `given` is null.
inline Status chooseStream(tensorc_rt_stream *given, Device &device,
                           Stream *&out) {
  out = given ? unwrap(given) : &device.defaultStream();
  if (&out->device != &device)
    return error(TENSORC_RT_INVALID_ARGUMENT, "a stream of %s for work on %s",
                 out->device.name(), device.name());
  return Status();
}

} // namespace tensorc::rt

#endif
