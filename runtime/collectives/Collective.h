//===- Collective.h - what a collective does on one rank --------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_COLLECTIVES_COLLECTIVE_H
#define TENSORC_RUNTIME_COLLECTIVES_COLLECTIVE_H

#include "runtime/core/Status.h"
#include "tensorc/communicator.h"

#include <span>
#include <string>
#include <vector>

namespace tensorc::rt {

/// The ranks that one exchanges with.
struct Group {
  std::vector<int32_t> all; // ranks, group after group; empty: one group
  std::vector<int32_t> members;
  int32_t own = 0; // this rank's position among the members

  int32_t size() const { return static_cast<int32_t>(members.size()); }
};

/// A checked collective, with the addresses of this rank's bytes in memory that
/// the host can use.
struct Collective {
  tensorc_rt_collective_kind kind;
  tensorc_rt_combiner combiner;
  tensorc_rt_dtype dtype;
  int64_t count;
  int32_t root;               // a position in the group
  std::vector<int32_t> pairs; // source, target, ...
  std::string name;           // prefix of messages
  Group group;
  size_t piece = 0; // bytes of `count` elements
  const char *input = nullptr;
  char *output = nullptr;

  bool isReduction() const {
    return kind == TENSORC_RT_ALL_REDUCE || kind == TENSORC_RT_REDUCE_SCATTER;
  }
  /// Number of pieces of the input and of the output.
  int32_t inputPieces() const;
  int32_t outputPieces() const;
  /// The rank that sends to `rank` in a permutation, or -1.
  int32_t sourceOf(int32_t rank) const;
  /// "all_reduce sum of 1024 f32". The same on two ranks if and only if they
  /// call the same.
  std::string text() const;
  /// The prefix for messages and the kind: "train.py:7: all_reduce".
  std::string title() const;
};

/// Checks all but the buffers, for one of `ranks` ranks.
Status makeCollective(const tensorc_rt_collective &given, int32_t rank,
                      int32_t ranks, Collective &out);

/// Combines elements [begin, end) of the arrays that start `offset` bytes into
/// the inputs, in the order of the inputs. The output may be one of the arrays.
void combine(tensorc_rt_combiner combiner, tensorc_rt_dtype dtype,
             std::span<const char *const> inputs, size_t offset, char *output,
             int64_t begin, int64_t end);

/// True if elements of the dtype can be combined.
bool canCombine(tensorc_rt_combiner combiner, tensorc_rt_dtype dtype);

} // namespace tensorc::rt

#endif
