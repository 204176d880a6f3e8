//===- Completion.cpp - The end of asynchronous work ----------------------===//

#include "pjrt/Completion.h"
#include "pjrt/Objects.h"

namespace tensorc::pjrt {

Error *Completion::errorOf() const {
  return failure ? fail(failure->code, failure->message) : nullptr;
}

void Completion::finish(std::optional<Failure> why) {
  std::vector<std::pair<Callback, void *>> waiting;
  {
    std::lock_guard lock(mutex);
    if (done)
      return;
    done = true;
    failure = std::move(why);
    waiting.swap(callbacks);
  }
  finished.notify_all();
  for (auto [callback, userArg] : waiting)
    callback(errorOf(), userArg);
}

bool Completion::isFinished() {
  std::lock_guard lock(mutex);
  return done;
}

Error *Completion::wait() {
  std::unique_lock lock(mutex);
  finished.wait(lock, [&] { return done; });
  return errorOf();
}

void Completion::onFinish(Callback callback, void *userArg) {
  {
    std::lock_guard lock(mutex);
    if (!done) {
      callbacks.push_back({callback, userArg});
      return;
    }
  }
  callback(errorOf(), userArg);
}

} // namespace tensorc::pjrt
