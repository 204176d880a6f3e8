//===- CollectiveCalls.cpp - collectives of compiled programs -------------===//
//
// A program calls "collective" with a config that names the kind. The ranks'
// pieces lie along the first dim; ops such as tx.all_gather move them there
// (ir/library/ops/Collectives.cpp).
//
//===----------------------------------------------------------------------===//
#include "runtime/core/Api.h"
#include "runtime/core/Types.h"
#include "runtime/program/RunControl.h"
#include "runtime/program/calls/CustomCalls.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

using namespace tensorc::rt;

namespace {
/// The content of a collective's config.
struct Config {
  tensorc_rt_collective collective = {};
  std::vector<int32_t> pairs, groups, parts;
  int32_t ranks = 0; // number of ranks in each group
  bool isPartitionId = false;

  /// Number of ranks of the program.
  int32_t allRanks() const {
    return groups.empty() ? ranks : static_cast<int32_t>(groups.size());
  }
};
} // namespace

static constexpr std::pair<std::string_view, tensorc_rt_collective_kind>
    kinds[] = {{"all_reduce", TENSORC_RT_ALL_REDUCE},
               {"all_gather", TENSORC_RT_ALL_GATHER},
               {"reduce_scatter", TENSORC_RT_REDUCE_SCATTER},
               {"all_to_all", TENSORC_RT_ALL_TO_ALL},
               {"broadcast", TENSORC_RT_BROADCAST},
               {"permute", TENSORC_RT_PERMUTE},
               {"partition_id", TENSORC_RT_BARRIER}};
static constexpr std::pair<std::string_view, tensorc_rt_combiner> combiners[] =
    {{"sum", TENSORC_RT_SUM}, {"product", TENSORC_RT_PRODUCT},
     {"min", TENSORC_RT_MIN}, {"max", TENSORC_RT_MAX},
     {"and", TENSORC_RT_AND}, {"or", TENSORC_RT_OR}};

/// Looks up a name; sets `out` to its value and returns true if the table has
/// it.
template <typename Table, typename T>
static bool lookUp(const Table &table, std::string_view name, T &out) {
  auto found = std::find_if(std::begin(table), std::end(table),
                            [&](auto &entry) { return entry.first == name; });
  if (found == std::end(table))
    return false;
  out = found->second;
  return true;
}

/// Parses the whole text as a number; returns false if it is not one.
static bool parse(std::string_view text, int32_t &out) {
  const char *end = text.data() + text.size();
  auto [rest, failure] = std::from_chars(text.data(), end, out);
  return failure == std::errc() && rest == end;
}

/// Parses numbers that are separated by commas.
static bool parse(std::string_view text, std::vector<int32_t> &out) {
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find(',', at), text.size());
    if (!parse(text.substr(at, end - at), out.emplace_back()))
      return false;
    at = end + 1;
  }
  return true;
}

static bool parseWord(std::string_view word, Config &out) {
  auto valueOf = [&](std::string_view name) {
    return word.starts_with(name) ? word.substr(name.size())
                                  : std::string_view();
  };
  if (std::string_view value = valueOf("ranks="); !value.empty())
    return parse(value, out.ranks) && out.ranks > 0;
  if (std::string_view value = valueOf("root="); !value.empty())
    return parse(value, out.collective.root);
  if (std::string_view value = valueOf("groups="); !value.empty())
    return parse(value, out.groups);
  if (std::string_view value = valueOf("parts="); !value.empty())
    return parse(value, out.parts);
  size_t arrow = word.find('>');
  if (arrow == word.npos)
    return lookUp(combiners, word, out.collective.combiner);
  int32_t source = 0, target = 0;
  out.pairs.reserve(out.pairs.size() + 2);
  bool isPair = parse(word.substr(0, arrow), source) &&
                parse(word.substr(arrow + 1), target);
  out.pairs.insert(out.pairs.end(), {source, target});
  return isPair;
}

static Status parseConfig(std::string_view text, Config &out) {
  out.collective.struct_size = sizeof out.collective;
  std::string_view kind = text.substr(0, text.find(' '));
  bool isGood = lookUp(kinds, kind, out.collective.kind);
  out.isPartitionId = kind == "partition_id";
  for (size_t at = kind.size(); isGood && at < text.size();) {
    size_t end = std::min(text.find(' ', ++at), text.size());
    isGood = parseWord(text.substr(at, end - at), out);
    at = end;
  }
  if (!isGood || !out.ranks)
    return error(TENSORC_RT_INVALID_PACKAGE, "no collective is called '%.*s'",
                 static_cast<int>(text.size()), text.data());
  return Status();
}

/// Checks that the parts follow each other and fill the collective.
static Status checkParts(const Collective &collective) {
  const std::vector<int32_t> &parts = collective.calls.parts;
  int64_t end = 0;
  bool isGood = collective.kind == TENSORC_RT_ALL_REDUCE &&
                parts.size() % 2 == 0 && parts[0] == 0;
  for (size_t i = 0; isGood && i < parts.size(); i += 2) {
    isGood = parts[i] >= end && parts[i + 1] > 0;
    end = int64_t(parts[i]) + parts[i + 1];
  }
  return isGood && end == collective.count
             ? Status()
             : error(TENSORC_RT_INVALID_PACKAGE,
                     "%s: its parts do not fit its size",
                     collective.title().c_str());
}

/// Checks that the values of a call are valid for the collective, and sets its
/// dtype and count.
static Status describe(const std::vector<tensorc_rt_array> &inputs,
                       const std::vector<tensorc_rt_array> &outputs,
                       int32_t rank, Config &config, Collective &out) {
  size_t numInputs = config.isPartitionId ? 0 : 1;
  if (inputs.size() != numInputs || outputs.size() != 1)
    return error(TENSORC_RT_INVALID_PACKAGE,
                 "a collective of %zu inputs and %zu outputs", inputs.size(),
                 outputs.size());
  const tensorc_rt_array &result = outputs[0];
  int64_t bytes = 0, room = 0;
  if (!byteSize(result.dtype, result.rank, result.dims, room))
    return outOfMemory();
  if (config.isPartitionId) {
    if (result.dtype != TENSORC_RT_I64 || result.rank)
      return error(TENSORC_RT_INVALID_PACKAGE, "a partition_id is one i64");
    return Status();
  }
  const tensorc_rt_array &x = inputs[0];
  if (!byteSize(x.dtype, x.rank, x.dims, bytes))
    return outOfMemory();
  tensorc_rt_collective &collective = config.collective;
  collective.dtype = x.dtype;
  collective.count = 1;
  for (int32_t d = 0; d < x.rank; ++d)
    if (__builtin_mul_overflow(collective.count, x.dims[d], &collective.count))
      return outOfMemory();
  if (collective.kind == TENSORC_RT_REDUCE_SCATTER ||
      collective.kind == TENSORC_RT_ALL_TO_ALL)
    collective.count /= config.ranks;
  collective.pairs = config.pairs.data();
  collective.pair_count = static_cast<int32_t>(config.pairs.size() / 2);
  collective.groups = {config.groups.empty() ? nullptr : config.groups.data(),
                       config.ranks};
  TENSORC_RT_TRY(makeCollective(collective, rank, config.allRanks(), out));
  if (x.dtype != result.dtype ||
      out.piece * out.inputPieces() != static_cast<size_t>(bytes) ||
      out.piece * out.outputPieces() != static_cast<size_t>(room))
    return error(TENSORC_RT_INVALID_PACKAGE,
                 "%s: the sizes of input and output do not belong together",
                 out.title().c_str());
  return out.calls.parts.empty() ? Status() : checkParts(out);
}

/// Checks that the program was compiled for the communicator's number of ranks.
static Status checkRanks(const Communicator *communicator,
                         std::string_view text, int32_t ranks) {
  int32_t size = communicator ? communicator->size : 1;
  if (ranks == size)
    return Status();
  std::string kind(text.substr(0, text.find(' ')));
  if (!communicator)
    return error(TENSORC_RT_FAILED_PRECONDITION,
                 "%s: the program is for %d ranks, and the run has no "
                 "communicator (tensorc_rt_run_options)",
                 kind.c_str(), ranks);
  return error(TENSORC_RT_FAILED_PRECONDITION,
               "%s: the program is for %d ranks, the communicator has %d",
               kind.c_str(), ranks, size);
}

/// Prepares the collective of a call. A null communicator stands for a single
/// rank. Sets `isRefusedByAll` if every rank finds the error that is returned.
static Status prepare(Communicator *communicator, const char *text,
                      const std::vector<tensorc_rt_array> &inputs,
                      const std::vector<tensorc_rt_array> &outputs,
                      Config &config, Collective &out, bool &isRefusedByAll) {
  Status status = parseConfig(text, config);
  if (status.ok())
    status = checkRanks(communicator, text, config.allRanks());
  isRefusedByAll = !status.ok();
  TENSORC_RT_TRY(std::move(status));
  out.calls.parts = std::move(config.parts);
  return describe(inputs, outputs, communicator ? communicator->rank : 0,
                  config, out);
}

/// True if a collective of a single rank returns zeros: a permutation without a
/// pair. All others return their input.
static bool givesZeros(const Collective &collective) {
  return collective.kind == TENSORC_RT_PERMUTE && collective.sourceOf(0) < 0;
}

Status tensorc::rt::queueCollective(Communicator *communicator, Stream &stream,
                                    const std::string &text,
                                    const CustomCallArgs &args,
                                    const tensorc_rt_line &line,
                                    bool &isRefusedByAll) {
  std::vector<tensorc_rt_array> inputs, outputs;
  if (!describeValues(args, inputs, outputs))
    return error(TENSORC_RT_INVALID_PACKAGE,
                 "the program's collective does not describe its values");
  Config config;
  Collective collective{};
  TENSORC_RT_TRY(prepare(communicator, text.c_str(), inputs, outputs, config,
                         collective, isRefusedByAll));
  if (line.file)
    collective.name = std::string(line.file) + ":" + std::to_string(line.line);
  if (communicator && &communicator->device != &stream.device)
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "%s: the communicator is of %s, the run of %s",
                 collective.title().c_str(), communicator->device.name(),
                 stream.device.name());
  auto *output = static_cast<char *>(args.outputs[0]);
  if (config.isPartitionId)
    return stream.fill(output, communicator ? communicator->rank : 0, 8, 8);
  auto *input = const_cast<char *>(static_cast<const char *>(args.inputs[0]));
  if (communicator)
    return communicator->queue(std::move(collective), input, output, stream);
  if (givesZeros(collective))
    return stream.fill(output, 0, 1, collective.piece);
  return stream.copy(output, input, collective.piece, CopyKind::DeviceToDevice);
}

tensorc_rt_status *tensorc_rt_collective_op(const tensorc_rt_op_call *call) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(needs(call, "the call is NULL"));
    Communicator *communicator = RunControl::ofThread().communicator;
    std::vector<tensorc_rt_array> inputs(call->inputs,
                                         call->inputs + call->input_count);
    std::vector<tensorc_rt_array> outputs(call->outputs,
                                          call->outputs + call->output_count);
    Config config;
    Collective collective{};
    bool isRefusedByAll = false;
    TENSORC_RT_TRY(prepare(communicator, call->config, inputs, outputs, config,
                           collective, isRefusedByAll));
    if (config.isPartitionId) {
      int64_t rank = communicator ? communicator->rank : 0;
      std::memcpy(outputs[0].data, &rank, sizeof rank);
      return Status();
    }
    collective.input = static_cast<const char *>(inputs[0].data);
    collective.output = static_cast<char *>(outputs[0].data);
    if (communicator)
      return communicator->perform(collective);
    if (givesZeros(collective))
      std::memset(collective.output, 0, collective.piece);
    else if (collective.piece)
      std::memcpy(collective.output, collective.input, collective.piece);
    return Status();
  });
}

tensorc_rt_communicator *tensorc_rt_thread_communicator(void) {
  return RunControl::ofThread().communicator;
}
