//===- Collective.h - a rank's part in a collective -------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_COLLECTIVES_COLLECTIVE_H
#define TENSORC_RUNTIME_COLLECTIVES_COLLECTIVE_H

#include "runtime/core/Status.h"
#include "tensorc/communicator.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tensorc::rt {

/// The ranks among which a collective exchanges data.
struct Group {
  // Ranks of all groups in sequence; empty if all ranks are one group.
  std::vector<int32_t> all;
  std::vector<int32_t> members;
  int32_t own = 0; // this rank's position among the members

  int32_t size() const { return static_cast<int32_t>(members.size()); }
};

struct Collective;

/// The calls that a collective combines, such as those of a bucket of gradients.
struct CombinedCalls {
  // Their operands: first element, number of elements, ... Gaps are padding.
  std::vector<int32_t> parts;
  const Collective *first = nullptr;
};

/// A collective whose arguments were checked. The addresses are in memory that
/// the host can use.
struct Collective {
  tensorc_rt_collective_kind kind;
  tensorc_rt_combiner combiner;
  tensorc_rt_dtype dtype;
  int64_t count;
  int32_t root;               // root of a broadcast, as a position in the group
  std::vector<int32_t> pairs; // source, target, ...
  std::string name;           // prefix of messages
  CombinedCalls calls;        // empty if it is one call
  Group group;
  size_t piece = 0; // bytes of `count` elements
  const char *input = nullptr;
  char *output = nullptr;
  // The collective that a barrier stands for in messages; null if it stands for
  // itself.
  const Collective *subject = nullptr;

  bool isReduction() const {
    return kind == TENSORC_RT_ALL_REDUCE || kind == TENSORC_RT_REDUCE_SCATTER;
  }
  /// Number of pieces of `count` elements in the input and in the output.
  int32_t inputPieces() const;
  int32_t outputPieces() const;
  /// Returns the number of bytes that a rank has to send, whatever the
  /// algorithm is (tensorc_rt_communicator_counters).
  uint64_t bytesSent() const;
  /// Returns the rank that sends to `rank` in a permutation, or -1. Ranks are
  /// positions in the group.
  int32_t sourceOf(int32_t rank) const;
  /// Returns a description such as "all_reduce sum of 1024 f32". Two ranks call
  /// the same collective if and only if their texts are equal.
  std::string text() const;
  /// Returns the call as ranks exchange it for errors: the text and, after a
  /// newline, the prefix of messages.
  std::string call() const;
  /// The first of the calls that it combines, or the collective itself.
  const Collective &first() const { return calls.first ? *calls.first : *this; }
  /// Number of calls that it combines.
  uint64_t numCalls() const {
    return calls.parts.empty() ? 1 : calls.parts.size() / 2;
  }
  /// Returns the prefix of messages followed by the kind: "train.py:7:
  /// all_reduce".
  std::string title() const;
};

/// Checks all arguments except the buffers, for one of `ranks` ranks.
Status makeCollective(const tensorc_rt_collective &given, int32_t rank,
                      int32_t ranks, Collective &out);

/// Performs the calls that a collective combines: together if all ranks combine
/// the same calls, otherwise one by one. `perform` gets the number of calls that
/// are done, and what to perform. It sets the flag if it performed only the
/// first of several calls.
Status performCalls(
    Collective &collective,
    const std::function<Status(size_t, const Collective &, bool &)> &perform);

/// Combines elements [begin, end) of arrays, in the order of the inputs. Each
/// array begins `offset` bytes after the start of its input. The output may be
/// one of the arrays.
void combine(tensorc_rt_combiner combiner, tensorc_rt_dtype dtype,
             std::span<const char *const> inputs, size_t offset, char *output,
             int64_t begin, int64_t end);

/// True if the calls of two ranks have the same text.
bool isSameCall(std::string_view call, std::string_view other);
/// Returns a hash (FNV-1a) that is the same on all ranks.
uint64_t hashText(std::string_view text);
/// Returns the error of two ranks that call different collectives.
Status differentCalls(int32_t rank, std::string_view call, int32_t other,
                      std::string_view otherCall);
/// Returns the error of a rank that has waited for the ranks in a list.
Status lateRanks(const Collective &own, const std::string &missing,
                 int64_t milliseconds, int32_t rank);

/// True if elements of the dtype can be combined.
bool canCombine(tensorc_rt_combiner combiner, tensorc_rt_dtype dtype);

} // namespace tensorc::rt

#endif
