//===- Mark.h - a point in a stream's work ----------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_STREAMS_MARK_H
#define TENSORC_RUNTIME_CORE_STREAMS_MARK_H

#include "runtime/core/Status.h"

#include <cstdint>

namespace tensorc::rt {

/// A point in a stream's work.
class Mark {
public:
  virtual ~Mark() = default;
  virtual bool reached() = 0;
  virtual Status wait() = 0;
  /// Returns the time at which the mark was reached, in nanoseconds of
  /// CLOCK_MONOTONIC.
  virtual int64_t time() = 0;
  /// Once the mark is reached, returns the error of the work before it, if the
  /// stream knows one. Until then it returns success. Every call returns the
  /// same error.
  virtual Status failure() { return Status(); }
  /// Returns the nanoseconds since an earlier mark; both must have been
  /// reached. Uses the GPU's own clock if both marks belong to one GPU.
  virtual int64_t since(Mark &start) { return time() - start.time(); }
};

} // namespace tensorc::rt

#endif
