//===- Batch.h - calls that are passed to a stream together -----*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_STREAMS_BATCH_H
#define TENSORC_RUNTIME_CORE_STREAMS_BATCH_H

#include "runtime/core/Driver.h"

namespace tensorc::rt {

/// Launches, fills, and copies within a device, in order. They are stored as
/// one sequence of words, so that two batches can be compared bytewise.
class Batch {
public:
  /// Receives the calls that a batch contains.
  class Sink {
  public:
    virtual ~Sink() = default;
    /// All pointers in the launch are valid as long as the batch.
    virtual Status launch(const Launch &launch) = 0;
    virtual Status copy(void *target, const void *source, size_t size) = 0;
    virtual Status fill(void *target, uint64_t pattern, uint32_t width,
                        size_t size) = 0;
  };

  void launch(const Launch &launch);
  void copy(void *target, const void *source, size_t size);
  void fill(void *target, uint64_t pattern, uint32_t width, size_t size);

  bool empty() const { return list.empty(); }
  uint32_t size() const { return calls; }
  void clear();
  const std::vector<Word> &words() const { return list; }

  /// Makes the calls in order, up to the first one that fails.
  Status replay(Sink &sink) const { return replay(list, launched, sink); }
  /// The same for the words of a batch, without the launches' lines.
  static Status replay(const std::vector<Word> &words, Sink &sink) {
    return replay(words, {}, sink);
  }
  /// The launches, in order.
  std::span<const LaunchSite> sites() const { return launched; }

private:
  static Status replay(const std::vector<Word> &words,
                       std::span<const LaunchSite> sites, Sink &sink);
  std::vector<Word> list;
  /// Lines of the launches. They are not among the words, so that callers from
  /// different lines share one batch.
  std::vector<LaunchSite> launched;
  uint32_t calls = 0;
};

} // namespace tensorc::rt

#endif
