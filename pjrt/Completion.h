//===- Completion.h - The end of asynchronous work ------------------------===//
#ifndef TENSORC_PJRT_COMPLETION_H
#define TENSORC_PJRT_COMPLETION_H

#include "pjrt/Abi.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tensorc::pjrt {

struct Failure {
  Code code;
  std::string message;
};

/// The end of asynchronous work. Thread-safe. Callbacks run on the thread that
/// finishes the completion, or immediately on the caller's thread if the
/// completion is already finished.
class Completion {
public:
  using Callback = void (*)(Error *error, void *userArg);

  /// Finishes the completion. Only the first call has an effect.
  void finish(std::optional<Failure> failure = std::nullopt);
  bool isFinished();
  /// Waits until the completion is finished. Returns null, or a new error.
  Error *wait();
  void onFinish(Callback callback, void *userArg);

private:
  Error *errorOf() const;

  std::mutex mutex;
  std::condition_variable finished;
  bool done = false;
  std::optional<Failure> failure;
  std::vector<std::pair<Callback, void *>> callbacks;
};

} // namespace tensorc::pjrt

#endif // TENSORC_PJRT_COMPLETION_H
