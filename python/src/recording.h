//===- recording.h - whether the thread records a function ----------------===//
#ifndef TENSORC_PYTHON_SRC_RECORDING_H
#define TENSORC_PYTHON_SRC_RECORDING_H

#include <utility>

namespace tcpy {

/// While a function is recorded, others record themselves into it: they may
/// capture what is traced.
struct RecordingScope {
  inline static thread_local bool isRecording = false;
  bool outer = std::exchange(isRecording, true);
  RecordingScope() = default;
  RecordingScope(const RecordingScope &) = delete;
  ~RecordingScope() { isRecording = outer; }
};

} // namespace tcpy

#endif
