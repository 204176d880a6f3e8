//===- InlineStream.h - a stream that works on the calling thread -*- C++ -*-=//
#ifndef TENSORC_RUNTIME_CORE_STREAMS_INLINESTREAM_H
#define TENSORC_RUNTIME_CORE_STREAMS_INLINESTREAM_H

#include "runtime/core/Driver.h"

namespace tensorc::rt {

/// Base class of the streams of host drivers, whose calls return only when the
/// work is finished. It has no state, so calls of different threads are
/// independent. WorkerStream wraps it as an asynchronous stream.
class InlineStream : public Stream {
public:
  using Stream::Stream;

  Status call(std::function<Status()> function) override { return function(); }
  Status record(std::shared_ptr<Mark> &mark) override;
  Status wait(std::shared_ptr<Mark> mark) override { return mark->wait(); }
  Status synchronize() override { return Status(); }
  bool idle() override { return true; }
  bool isInline() const override { return true; }
  void retire(std::vector<Buffer *> buffers,
              std::shared_ptr<const void> keep) override;

protected:
  /// Prepares a launch of a kernel over a range: allocates scratch for
  /// `threads` threads, `stride` bytes apart, from `memory`. Refuses launches with blocks and
  /// sizes that overflow.
  Status prepareRange(const Launch &launch, int32_t threads, Allocator &memory,
                      BufferOwner &scratch, int64_t &stride);
};

} // namespace tensorc::rt

#endif
