//===- Links.cpp - Predicts the step of one of many ranks -----------------===//

#include "compiler/session/report/Links.h"

#include "compiler/session/placement/FusionWork.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Structure.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <numeric>

using namespace mlir;

namespace tensorc::report {

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

llvm::Expected<LinkModel> parseLinks(StringRef text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return value.takeError();
  LinkModel model;
  const llvm::json::Object *root = value->getAsObject();
  const llvm::json::Object *device = root ? root->getObject("device") : nullptr;
  const llvm::json::Array *links = root ? root->getArray("links") : nullptr;
  if (!device || !links)
    return llvm::createStringError("it has no 'device' or no 'links'");
  auto positive = [](const llvm::json::Object &of, StringRef key,
                     double &out) -> llvm::Error {
    std::optional<double> number = of.getNumber(key);
    if (!number || !(*number > 0))
      return llvm::createStringError("'" + key + "' is not a positive number");
    out = *number;
    return llvm::Error::success();
  };
  if (auto error = positive(*device, "flops_per_s", model.flopsPerSecond))
    return std::move(error);
  if (auto error = positive(*device, "bytes_per_s", model.bytesPerSecond))
    return std::move(error);
  for (const llvm::json::Value &each : *links) {
    const llvm::json::Object *link = each.getAsObject();
    if (!link)
      return llvm::createStringError("a link is not an object");
    LinkModel::Level level;
    level.name = link->getString("name").value_or("").str();
    level.ranks = link->getInteger("ranks").value_or(0);
    if (auto error = positive(*link, "bytes_per_s", level.bytesPerSecond))
      return std::move(error);
    if (auto error = positive(*link, "latency_s", level.latency))
      return std::move(error);
    int64_t inner = model.levels.empty() ? 1 : model.levels.back().ranks;
    if (level.name.empty() || level.ranks <= inner || level.ranks % inner)
      return llvm::createStringError(
          "link '" + level.name +
          "': 'ranks' is not a larger multiple of the link before it");
    model.levels.push_back(std::move(level));
  }
  return model;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

namespace {
/// The config of a collective.
struct Call {
  StringRef kind;
  int64_t size = 1;            // number of ranks of a group
  std::vector<int64_t> groups; // the ranks of all groups
  std::vector<std::pair<int64_t, int64_t>> pairs;
};
} // namespace

/// Returns nullopt if the ranks are not those of a program for `ranks` ranks.
static std::optional<Call> parseCall(StringRef config, int64_t ranks) {
  Call call;
  auto parseRank = [&](StringRef text, int64_t &rank) {
    return !text.getAsInteger(10, rank) && rank >= 0 && rank < ranks;
  };
  SmallVector<StringRef> words;
  config.split(words, ' ');
  call.kind = words.front();
  for (StringRef word : llvm::drop_begin(words)) {
    if (word.consume_front("ranks=")) {
      if (word.getAsInteger(10, call.size) || call.size < 1)
        return std::nullopt;
    } else if (word.consume_front("groups=")) {
      SmallVector<StringRef> numbers;
      word.split(numbers, ',');
      for (StringRef number : numbers)
        if (!parseRank(number, call.groups.emplace_back()))
          return std::nullopt;
    } else if (word.contains('>')) {
      auto [source, target] = word.split('>');
      auto &pair = call.pairs.emplace_back();
      if (!parseRank(source, pair.first) || !parseRank(target, pair.second))
        return std::nullopt;
    }
  }
  if (call.groups.empty()) {
    call.groups.resize(static_cast<size_t>(ranks));
    std::iota(call.groups.begin(), call.groups.end(), 0);
  }
  if (call.groups.size() % static_cast<size_t>(call.size))
    return std::nullopt;
  return call;
}

/// Returns the number of bytes that a rank sends to all others, as the runtime
/// counts them: the minimum for any algorithm. `bytes` is the size of the
/// operand.
static int64_t bytesSent(const Call &call, int64_t bytes) {
  int64_t n = call.size;
  if (call.kind == "all_reduce")
    return 2 * bytes * (n - 1) / n;
  if (call.kind == "all_gather")
    return bytes * (n - 1);
  if (call.kind == "permute")
    return llvm::any_of(call.pairs,
                        [](auto pair) { return pair.first != pair.second; })
               ? bytes
               : 0;
  return call.kind == "partition_id" ? 0 : bytes * (n - 1) / n;
}

/// Returns the level of the link between two ranks.
static size_t levelOf(const LinkModel &model, int64_t a, int64_t b) {
  for (auto [i, level] : llvm::enumerate(model.levels))
    if (a / level.ranks == b / level.ranks)
      return i;
  return model.levels.size() - 1;
}

/// Adds the bytes that each level transfers for a rank, for the rank that sends
/// most there. Returns the time of the collective.
static double addCollective(const Call &call, int64_t bytes,
                            const LinkModel &model, LinkFacts &facts) {
  int64_t sent = bytesSent(call, bytes);
  if (!sent)
    return 0;
  std::vector<int64_t> maxBytes(model.levels.size(), 0);
  auto addRank = [&](int64_t rank, ArrayRef<int64_t> peers) {
    std::vector<int64_t> counts(model.levels.size(), 0);
    for (int64_t peer : peers)
      if (peer != rank)
        ++counts[levelOf(model, rank, peer)];
    int64_t all = std::accumulate(counts.begin(), counts.end(), int64_t(0));
    for (auto [level, count] : llvm::enumerate(counts))
      if (count)
        maxBytes[level] = std::max(maxBytes[level], sent * count / all);
  };
  if (call.kind == "permute") {
    for (auto [source, target] : call.pairs)
      addRank(source, {target});
  } else {
    ArrayRef<int64_t> groups = call.groups;
    for (size_t at = 0; at < groups.size();
         at += static_cast<size_t>(call.size)) {
      ArrayRef<int64_t> group =
          groups.slice(at, static_cast<size_t>(call.size));
      for (int64_t rank : group)
        addRank(rank, group);
    }
  }
  double latency = 0, transfer = 0;
  for (auto [level, transferred] : llvm::enumerate(maxBytes)) {
    if (!transferred)
      continue;
    double seconds = static_cast<double>(transferred) / //
                     model.levels[level].bytesPerSecond;
    facts.levels[level].bytes += transferred;
    facts.levels[level].seconds += seconds;
    latency = std::max(latency, model.levels[level].latency);
    transfer = std::max(transfer, seconds);
  }
  facts.bytesSent += sent;
  // All ranks exchange slices, and then their sums.
  return transfer + latency * (call.kind == "all_reduce" ? 2 : 1);
}

//===----------------------------------------------------------------------===//
// The step
//===----------------------------------------------------------------------===//

namespace {
/// Executes ops in order, kernels and collectives on a queue each.
class Timeline {
public:
  Timeline(const LinkModel &model, LinkFacts &facts)
      : model(model), facts(facts) {}

  void run(Block &block) {
    for (Operation &op : block.without_terminator())
      run(op);
  }
  double end() const { return std::max(kernels, collectives); }
  /// The config of the first collective that is not for the program's ranks.
  std::optional<std::string> invalid;

private:
  void run(Operation &op) {
    double start = 0;
    for (Value operand : op.getOperands())
      start = std::max(start, ready.lookup(operand));
    double end = start;
    if (auto fusion = dyn_cast<tx::FusionOp>(op)) {
      placement::KernelWork work =
          placement::workOf(fusion).at([](StringRef) { return std::nullopt; });
      double flops =
          std::accumulate(work.operations.begin(), work.operations.end(), 0.0);
      double seconds = std::max(flops / model.flopsPerSecond,
                                work.bytes / model.bytesPerSecond);
      facts.compute += seconds;
      end = kernels = std::max(start, kernels) + seconds;
    } else if (auto call = dyn_cast<tx::CustomCallOp>(op);
               call && call.getName() == "collective") {
      StringRef config = call.getConfig().value_or("");
      std::optional<Call> parsed = parseCall(config, facts.ranks);
      if (!parsed) {
        invalid = config.str();
        return;
      }
      int64_t bytes = 0;
      if (call->getNumOperands())
        bytes = tx::staticBytes(
                    cast<RankedTensorType>(call->getOperand(0).getType()))
                    .value_or(0);
      double seconds = addCollective(*parsed, bytes, model, facts);
      facts.collectives += parsed->kind != "partition_id";
      facts.communication += seconds;
      end = collectives = std::max(start, collectives) + seconds;
    } else if (op.getNumRegions()) {
      // Nothing overlaps with a loop or a branch as a whole.
      kernels = collectives = std::max(this->end(), start);
      for (Region &region : op.getRegions())
        for (Block &block : region)
          run(block);
      end = kernels = collectives = this->end();
    }
    for (Value result : op.getResults())
      ready[result] = end;
  }

  const LinkModel &model;
  LinkFacts &facts;
  llvm::DenseMap<Value, double> ready;
  double kernels = 0, collectives = 0; // when the queues are free
};
} // namespace

llvm::Expected<LinkFacts> predictLinks(func::FuncOp function, int64_t ranks,
                                       const LinkModel &model) {
  if (ranks > 1 && (model.levels.empty() || model.levels.back().ranks < ranks))
    return llvm::createStringError(
        "the links connect " +
        Twine(model.levels.empty() ? 1 : model.levels.back().ranks) +
        " ranks, the mesh has " + Twine(ranks));
  LinkFacts facts;
  facts.ranks = ranks;
  for (const LinkModel::Level &level : model.levels)
    facts.levels.push_back({level.name, level.ranks});
  Timeline timeline(model, facts);
  timeline.run(function.getBody().front());
  if (timeline.invalid)
    return llvm::createStringError("the collective '" + *timeline.invalid +
                                   "' is not for " + Twine(ranks) + " ranks");
  facts.overlapped = timeline.end();
  facts.exposed = std::max(0.0, facts.overlapped - facts.compute);
  return facts;
}

llvm::json::Object toJson(const LinkFacts &facts) {
  llvm::json::Array levels;
  for (const LinkFacts::Level &level : facts.levels)
    levels.push_back(llvm::json::Object{{"name", level.name},
                                        {"ranks", level.ranks},
                                        {"bytes", level.bytes},
                                        {"seconds", level.seconds}});
  return llvm::json::Object{{"ranks", facts.ranks},
                            {"collectives", facts.collectives},
                            {"bytes_sent", facts.bytesSent},
                            {"compute_s", facts.compute},
                            {"communication_s", facts.communication},
                            {"time_s", facts.compute + facts.communication},
                            {"overlapped_s", facts.overlapped},
                            {"exposed_s", facts.exposed},
                            {"links", std::move(levels)}};
}

void print(llvm::raw_ostream &os, const LinkFacts &facts, StringRef memory) {
  auto us = [](double seconds) {
    return llvm::formatv("{0:f3} us", seconds * 1e6).str();
  };
  os << "a step of one of " << facts.ranks << " ranks, estimated\n"
     << "  kernels      " << us(facts.compute) << "\n"
     << "  collectives  " << us(facts.communication) << ": "
     << facts.collectives << ", " << facts.bytesSent << " bytes sent\n"
     << "  time         " << us(facts.compute + facts.communication)
     << " in order, " << us(facts.overlapped)
     << " if collectives overlap with kernels\n"
     << "  exposed      " << us(facts.exposed)
     << " of the collectives even then\n"
     << "  memory       " << memory << " bytes (outputs and arena)\n";
  for (const LinkFacts::Level &level : facts.levels)
    os << "  " << llvm::left_justify(level.name, 12) << " " << level.bytes
       << " bytes, " << us(level.seconds) << " (among " << level.ranks
       << " ranks)\n";
}

} // namespace tensorc::report
