//===- Queues.h - the streams that execute a program's queues ---*- C++ -*-===//
#ifndef TENSORC_RUNTIME_PROGRAM_QUEUES_QUEUES_H
#define TENSORC_RUNTIME_PROGRAM_QUEUES_QUEUES_H

#include "runtime/core/streams/Batch.h"
#include "runtime/program/Frame.h"

namespace tensorc::rt {

/// Queue 0 of a program is the caller's stream. Other queues are one second
/// stream, which is created at its first use and destroyed after the run's work,
/// or the caller's stream if that is inline. One stream's order satisfies the
/// dependences of any set of queues.
class Queues {
public:
  Queues(Stream &stream, std::shared_ptr<const void> module)
      : stream(stream), retired(*this, stream, std::move(module)) {}
  /// Makes the caller's stream wait for the second one, because references that
  /// it retires must outlive the second stream's work.
  ~Queues();

  /// Submits the collected calls to the caller's stream. Must be called before
  /// any other work.
  Status flush();
  /// Flushes, and returns the stream of a queue.
  Status streamOf(uint32_t queue, Stream *&out);
  /// Flushes, and makes the caller's stream wait for the second one.
  Status join();
  /// Orders work of the caller's stream that belongs to another queue between
  /// the second stream's work so far and its later work.
  Status order();
  /// Must be called when the run allocates memory. Work of the caller's stream
  /// that was queued so far may still use it.
  void noteAllocation() { isSecondBehind = true; }
  /// Flushes, and waits on the host for the work of both streams. Returns the
  /// first error.
  Status finish();
  bool hasSecond() const { return second != nullptr; }

private:
  Stream &stream;
  std::shared_ptr<Stream> second;
  /// True if the second stream must wait for the caller's before its next work.
  bool isSecondBehind = false;

public:
  Batch batch; // calls for the caller's stream
  Retired retired;
};

} // namespace tensorc::rt

#endif
