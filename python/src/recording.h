//===- recording.h - Tracks whether the thread records a function ---------===//
#ifndef TENSORC_PYTHON_SRC_RECORDING_H
#define TENSORC_PYTHON_SRC_RECORDING_H

#include <utility>

namespace tcpy {

/// Exists while a function is recorded. Functions that are called during this
/// time are recorded into it, because they may capture traced values.
struct RecordingScope {
  inline static thread_local bool isRecording = false;
  bool outer = std::exchange(isRecording, true);
  RecordingScope() = default;
  RecordingScope(const RecordingScope &) = delete;
  ~RecordingScope() { isRecording = outer; }
};

} // namespace tcpy

#endif
