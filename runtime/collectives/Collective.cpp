//===- Collective.cpp - a rank's part in a collective ---------------------===//
#include "runtime/collectives/Collective.h"

#include "runtime/core/Types.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>

using namespace tensorc::rt;

static constexpr const char *kindNames[] = {
    "all_reduce", "all_gather", "reduce_scatter", "all_to_all",
    "broadcast",  "permute",    "barrier"};
static constexpr const char *combinerNames[] = {"sum", "product", "min",
                                                "max", "and",     "or"};

int32_t Collective::inputPieces() const {
  if (kind == TENSORC_RT_BARRIER)
    return 0;
  bool isCut = kind == TENSORC_RT_REDUCE_SCATTER || //
               kind == TENSORC_RT_ALL_TO_ALL;
  return isCut ? group.size() : 1;
}

int32_t Collective::outputPieces() const {
  if (kind == TENSORC_RT_BARRIER)
    return 0;
  bool isJoined = kind == TENSORC_RT_ALL_GATHER || //
                  kind == TENSORC_RT_ALL_TO_ALL;
  return isJoined ? group.size() : 1;
}

uint64_t Collective::bytesSent() const {
  auto n = static_cast<uint64_t>(group.size());
  uint64_t bytes = piece * static_cast<uint64_t>(inputPieces());
  if (kind == TENSORC_RT_ALL_REDUCE)
    return 2 * bytes * (n - 1) / n;
  if (kind == TENSORC_RT_ALL_GATHER)
    return bytes * (n - 1);
  if (kind != TENSORC_RT_PERMUTE)
    return bytes * (n - 1) / n;
  for (size_t i = 0; i + 1 < pairs.size(); i += 2)
    if (pairs[i] != pairs[i + 1])
      return bytes;
  return 0;
}

int32_t Collective::sourceOf(int32_t rank) const {
  for (size_t i = 0; i + 1 < pairs.size(); i += 2)
    if (pairs[i + 1] == rank)
      return pairs[i];
  return -1;
}

std::string Collective::title() const {
  if (subject)
    return subject->title();
  return (name.empty() ? "" : name + ": ") + kindNames[kind];
}

std::string Collective::text() const {
  if (subject)
    return subject->text();
  std::string text = kindNames[kind];
  for (size_t i = 0; i < group.all.size(); ++i)
    text += (i == 0                          ? " in groups "
             : i % group.members.size() == 0 ? " | "
                                             : ", ") +
            std::to_string(group.all[i]);
  if (kind == TENSORC_RT_BARRIER)
    return text;
  if (isReduction())
    text += std::string(" ") + combinerNames[combiner];
  text += " of " + std::to_string(count) + " " + tensorc_rt_dtype_name(dtype);
  for (int32_t number : calls.parts)
    text += " " + std::to_string(number);
  if (kind == TENSORC_RT_BROADCAST)
    text += " from rank " + std::to_string(root);
  for (size_t i = 0; i + 1 < pairs.size(); i += 2)
    text += (i ? ", " : " by ") + std::to_string(pairs[i]) + "->" +
            std::to_string(pairs[i + 1]);
  return text;
}

std::string Collective::call() const {
  return subject ? subject->call() : text() + "\n" + name;
}

static std::string_view textOf(std::string_view call) {
  return call.substr(0, call.find('\n'));
}

/// Returns the text of a call, followed by the prefix of its messages, which
/// is usually a line of the program.
static std::string describe(std::string_view call) {
  std::string_view text = textOf(call);
  std::string_view where = call.substr(std::min(text.size() + 1, call.size()));
  return std::string(text) +
         (where.empty() ? "" : " (" + std::string(where) + ")");
}

bool tensorc::rt::isSameCall(std::string_view call, std::string_view other) {
  return textOf(call) == textOf(other);
}

uint64_t tensorc::rt::hashText(std::string_view text) {
  uint64_t value = 0xcbf29ce484222325;
  for (unsigned char letter : text)
    value = (value ^ letter) * 0x100000001b3;
  return value;
}

Status tensorc::rt::differentCalls(int32_t rank, std::string_view call,
                                   int32_t other, std::string_view otherCall) {
  std::string_view text = textOf(call);
  std::string title(text.substr(0, text.find(' ')));
  return error(TENSORC_RT_FAILED_PRECONDITION,
               "%s: rank %d calls %s, rank %d calls %s", title.c_str(), rank,
               describe(call).c_str(), other, describe(otherCall).c_str());
}

Status tensorc::rt::lateRanks(const Collective &own, const std::string &missing,
                              int64_t milliseconds, int32_t rank) {
  return error(TENSORC_RT_DEADLINE_EXCEEDED,
               "%s: rank %s did not call it within %lld ms, for which rank %d "
               "waited",
               own.title().c_str(), missing.c_str(),
               static_cast<long long>(milliseconds), rank);
}

static Status checkPairs(const tensorc_rt_collective &given, int32_t ranks,
                         Collective &out) {
  if (given.pair_count < 0 || (given.pair_count && !given.pairs))
    return error(TENSORC_RT_INVALID_ARGUMENT, "%s: no pairs",
                 out.title().c_str());
  out.pairs.assign(given.pairs, given.pairs + 2 * given.pair_count);
  std::vector<bool> isSource(ranks), isTarget(ranks);
  for (size_t i = 0; i < out.pairs.size(); ++i) {
    int32_t rank = out.pairs[i];
    if (rank < 0 || rank >= ranks)
      return error(TENSORC_RT_INVALID_ARGUMENT,
                   "%s: rank %d of a pair is not one of the %d ranks",
                   out.title().c_str(), rank, ranks);
    std::vector<bool> &seen = i % 2 ? isTarget : isSource;
    if (seen[rank])
      return error(TENSORC_RT_INVALID_ARGUMENT, "%s: rank %d is a %s twice",
                   out.title().c_str(), rank, i % 2 ? "target" : "source");
    seen[rank] = true;
  }
  return Status();
}

/// Finds the group of ranks that this rank exchanges data with.
static Status findGroup(const tensorc_rt_collective &given, int32_t rank,
                        int32_t ranks, Collective &out) {
  out.group.members.resize(ranks);
  std::iota(out.group.members.begin(), out.group.members.end(), 0);
  out.group.own = rank;
  if (given.struct_size < sizeof(tensorc_rt_collective) || !given.groups.ranks)
    return Status();
  if (out.kind == TENSORC_RT_PERMUTE)
    return error(TENSORC_RT_INVALID_ARGUMENT, "%s: it has pairs, not groups",
                 out.title().c_str());
  out.group.all.assign(given.groups.ranks, given.groups.ranks + ranks);
  std::vector<int32_t> sorted = out.group.all;
  std::sort(sorted.begin(), sorted.end());
  int32_t size = given.groups.size;
  if (size < 1 || ranks % size || sorted != out.group.members)
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "%s: groups of %d do not divide the %d ranks",
                 out.title().c_str(), size, ranks);
  auto found = std::find(out.group.all.begin(), out.group.all.end(), rank);
  auto position = static_cast<int32_t>(found - out.group.all.begin());
  out.group.own = position % size;
  auto first = found - out.group.own;
  out.group.members.assign(first, first + size);
  return Status();
}

static Status checkElements(Collective &out) {
  int64_t piece = 0, whole = 0;
  if (!bitsOf(out.dtype) || !byteSize(out.dtype, 1, &out.count, piece) ||
      __builtin_mul_overflow(piece, static_cast<int64_t>(out.group.size()),
                             &whole))
    return error(TENSORC_RT_INVALID_ARGUMENT, "%s: %lld elements of dtype %s",
                 out.title().c_str(), static_cast<long long>(out.count),
                 tensorc_rt_dtype_name(out.dtype));
  out.piece = static_cast<size_t>(piece);
  if (bitsOf(out.dtype) == 4 && out.count % 2)
    return error(TENSORC_RT_UNSUPPORTED,
                 "%s: an odd number (%lld) of %s elements, two of which are "
                 "one byte",
                 out.title().c_str(), static_cast<long long>(out.count),
                 tensorc_rt_dtype_name(out.dtype));
  if (out.isReduction() && !canCombine(out.combiner, out.dtype))
    return error(TENSORC_RT_UNSUPPORTED, "%s: no %s of %s", out.title().c_str(),
                 combinerNames[out.combiner], tensorc_rt_dtype_name(out.dtype));
  return Status();
}

Status tensorc::rt::performCalls(
    Collective &collective,
    const std::function<Status(size_t, const Collective &, bool &)> &perform) {
  if (collective.calls.parts.empty()) {
    bool isFirstOnly = false; // There are no others.
    return perform(0, collective, isFirstOnly);
  }
  Collective one = collective;
  one.calls.parts.clear();
  collective.calls.first = &one;
  size_t width = collective.piece / static_cast<size_t>(collective.count);
  for (size_t done = 0; done < collective.numCalls(); ++done) {
    auto begin = static_cast<size_t>(collective.calls.parts[2 * done]) * width;
    one.count = collective.calls.parts[2 * done + 1];
    one.piece = static_cast<size_t>(one.count) * width;
    one.input = collective.input + begin;
    one.output = collective.output + begin;
    bool isFirstOnly = false;
    TENSORC_RT_TRY(perform(done, done ? one : collective, isFirstOnly));
    if (done == 0 && !isFirstOnly)
      break;
  }
  return Status();
}

Status tensorc::rt::makeCollective(const tensorc_rt_collective &given,
                                   int32_t rank, int32_t ranks,
                                   Collective &out) {
  // Callers that were built with version 0.3 pass no groups.
  if (given.struct_size < offsetof(tensorc_rt_collective, groups))
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "tensorc_rt_collective: struct_size is not set");
  if (static_cast<unsigned>(given.kind) >= std::size(kindNames) ||
      static_cast<unsigned>(given.combiner) >= std::size(combinerNames))
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "unknown kind %d or combiner %d of a collective", given.kind,
                 given.combiner);
  out.kind = given.kind;
  out.combiner = given.combiner;
  out.dtype = given.dtype;
  out.count = given.count;
  out.root = given.root;
  out.name = given.name ? given.name : "";
  TENSORC_RT_TRY(findGroup(given, rank, ranks, out));
  if (out.kind == TENSORC_RT_BARRIER)
    return Status();
  if (out.kind == TENSORC_RT_BROADCAST &&
      (out.root < 0 || out.root >= out.group.size()))
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "%s: root %d is not one of the %d ranks", out.title().c_str(),
                 out.root, out.group.size());
  if (out.kind == TENSORC_RT_PERMUTE)
    TENSORC_RT_TRY(checkPairs(given, ranks, out));
  return checkElements(out);
}
