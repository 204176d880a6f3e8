//===- Status.h - an error or success, inside the runtime -------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_STATUS_H
#define TENSORC_RUNTIME_CORE_STATUS_H

#include "tensorc/runtime.h"

#include <string>
#include <string_view>
#include <utility>

struct tensorc_rt_status {
  tensorc_rt_code code;
  std::string message;
};

namespace tensorc::rt {

/// Owns a status of the C interface; empty means success.
class [[nodiscard]] Status {
public:
  Status() = default;
  explicit Status(tensorc_rt_status *owned) : status(owned) {}
  Status(Status &&other) noexcept : status(other.release()) {}
  Status &operator=(Status &&other) noexcept {
    std::swap(status, other.status);
    return *this;
  }
  ~Status() {
    if (status) // The test keeps the common case, success, free of a call.
      tensorc_rt_status_free(status);
  }

  bool ok() const { return !status; }
  const tensorc_rt_status *get() const { return status; }
  /// Returns a copy of the status.
  Status clone() const {
    return ok() ? Status()
                : Status(tensorc_rt_status_create(
                      tensorc_rt_status_code(status),
                      tensorc_rt_status_message(status)));
  }
  /// Releases the status to a caller of the C interface.
  tensorc_rt_status *release() { return std::exchange(status, nullptr); }

private:
  tensorc_rt_status *status = nullptr;
};

/// Makes a status with a printf-formatted message.
[[gnu::format(printf, 2, 3)]] Status error(tensorc_rt_code code,
                                           const char *format, ...);
/// Returns a copy of the text that lives as long as the process. Equal texts
/// share one copy. Takes a lock.
const char *internText(std::string_view text);
/// Returns the out-of-memory status, which needs no allocation.
Status outOfMemory();

#define TENSORC_RT_TRY(expression)                                             \
  do {                                                                         \
    if (::tensorc::rt::Status tryStatus = (expression); !tryStatus.ok())       \
      return tryStatus;                                                        \
  } while (false)

} // namespace tensorc::rt

#endif
