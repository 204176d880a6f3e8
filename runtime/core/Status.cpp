//===- Status.cpp - an error or success, inside the runtime ---------------===//
#include "runtime/core/Status.h"

#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <new>
#include <set>

using namespace tensorc::rt;

/// The status that is returned if there is no memory for a status. It is never
/// freed.
static tensorc_rt_status *outOfMemoryStatus() {
  static tensorc_rt_status status{TENSORC_RT_OUT_OF_MEMORY, "out of memory"};
  return &status;
}

Status tensorc::rt::outOfMemory() { return Status(outOfMemoryStatus()); }

Status tensorc::rt::error(tensorc_rt_code code, const char *format, ...) {
  char text[1024];
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int size = std::vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  std::string longer;
  if (size >= static_cast<int>(sizeof(text))) {
    try {
      longer.resize(static_cast<size_t>(size));
      std::vsnprintf(longer.data(), longer.size() + 1, format, again);
    } catch (const std::bad_alloc &) {
      // Without memory for the rest, the first part of the text is used.
    }
  }
  va_end(again);
  return Status(
      tensorc_rt_status_create(code, longer.empty() ? text : longer.c_str()));
}

const char *tensorc::rt::internText(std::string_view text) {
  static std::mutex mutex;
  static auto &texts = *new std::set<std::string, std::less<>>;
  std::lock_guard lock(mutex);
  auto found = texts.find(text);
  return (found == texts.end() ? texts.emplace(text).first : found)->c_str();
}

tensorc_rt_status *tensorc_rt_status_create(tensorc_rt_code code,
                                            const char *message) {
  if (code == TENSORC_RT_OK)
    return nullptr;
  try {
    return new tensorc_rt_status{code, message ? message : ""};
  } catch (const std::bad_alloc &) {
    return outOfMemoryStatus();
  }
}

tensorc_rt_code tensorc_rt_status_code(const tensorc_rt_status *status) {
  return status ? status->code : TENSORC_RT_OK;
}

const char *tensorc_rt_status_message(const tensorc_rt_status *status) {
  return status ? status->message.c_str() : "";
}

void tensorc_rt_status_free(tensorc_rt_status *status) {
  if (status != outOfMemoryStatus())
    delete status;
}
