//===- Shardings.cpp - How devices split arguments and results ------------===//
//
// Hosts ask for shardings through an extension, as protocol buffers. Hosts that
// do not know it take them from the optimized program.
//
//===----------------------------------------------------------------------===//

#include "pjrt/Compiled.h"
#include "pjrt/Protobuf.h"
#include "pjrt/Table.h"

#include <utility>

namespace tensorc::pjrt {

//===----------------------------------------------------------------------===//
// XLA's notation
//===----------------------------------------------------------------------===//

namespace {
/// A sharding in XLA's notation: `{replicated}`, or as
/// `{devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}`.
struct Notation {
  explicit Notation(std::string_view text) {
    size_t begin = text.find('['), end = text.find(']');
    isTiled = begin != std::string_view::npos && end != std::string_view::npos;
    if (!isTiled)
      return;
    counts = numbersIn(text.substr(begin + 1, end - begin - 1));
    devices = numbersIn(text.substr(end + 1));
    constexpr std::string_view kinds = "last_tile_dims={unreduced";
    size_t kind = text.find(kinds);
    hasAddends = kind != std::string_view::npos;
    hasCopies = hasAddends ? text.substr(kind + kinds.size(), 1) == ","
                           : text.find("last_tile_dim_replicate") != text.npos;
  }

  /// Numbers of parts along the dims of the tensor, then that of the addends
  /// and of the copies of each part, if there are any.
  std::vector<uint64_t> counts;
  std::vector<uint64_t> devices;
  bool isTiled = false;
  bool hasAddends = false;
  bool hasCopies = false;

private:
  /// Reads numbers with commas between them, up to another character.
  static std::vector<uint64_t> numbersIn(std::string_view text) {
    std::vector<uint64_t> numbers(1);
    for (char character : text)
      if (character == ',')
        numbers.push_back(0);
      else if (character >= '0' && character <= '9')
        numbers.back() = numbers.back() * 10 + (character - '0');
      else
        break;
    return numbers;
  }
};
} // namespace

/// Returns an OpShardingProto. That of a replicated value has no bytes.
static std::string bytesOf(std::string_view text) {
  Notation sharding(text);
  std::string bytes;
  if (!sharding.isTiled)
    return bytes;
  constexpr uint64_t replicated = 0, tiled = 3, unreduced = 6; // its types
  auto addNumbers = [&](unsigned field, const std::vector<uint64_t> &numbers) {
    std::string packed;
    for (uint64_t number : numbers)
      addVarint(packed, number);
    addField(bytes, field, packed);
  };
  bytes += {1 << 3, tiled};
  addNumbers(3, sharding.counts);
  addNumbers(4, sharding.devices);
  if (sharding.hasAddends)
    addNumbers(8, sharding.hasCopies ? std::vector{unreduced, replicated}
                                     : std::vector{unreduced});
  else if (sharding.hasCopies)
    bytes += {6 << 3, 1}; // replicate_on_last_tile_dim
  return bytes;
}

void ShardingList::add(std::string text) {
  messages.push_back(bytesOf(text));
  pointers.push_back(messages.back().data());
  sizes.push_back(messages.back().size());
  texts.push_back(std::move(text));
}

//===----------------------------------------------------------------------===//
// The optimized program
//===----------------------------------------------------------------------===//

/// Returns a type of this rank to which the sharding applies.
static std::string typeFor(std::string_view text, size_t rank) {
  Notation sharding(text);
  std::string type = "tensor<";
  for (size_t i = 0; i < rank; ++i)
    type +=
        std::to_string(i < sharding.counts.size() ? sharding.counts[i] : 1) +
        "x";
  return type + "f32>";
}

Error *Compiled::readShardings() {
  auto readAll = [&](bool isResult, size_t count, ShardingList &list) {
    for (size_t i = 0; i < count; ++i) {
      std::string text;
      if (Error *error = read(tensorc_program_sharding, isResult, i, text))
        return error;
      list.add(std::move(text));
    }
    return static_cast<Error *>(nullptr);
  };
  Error *error = readAll(false, signature.donated.size(), shardings.arguments);
  return error ? error
               : readAll(true, signature.resultTypes.size(), shardings.results);
}

// The constants have no meaning, only their shardings.
std::string Compiled::describeShardings() const {
  std::string arguments, given, values, names, types, made;
  for (size_t i = 0; i < shardings.arguments.texts.size(); ++i) {
    const std::string &sharding = shardings.arguments.texts[i];
    arguments += (i ? ", %arg" : "%arg") + std::to_string(i) + ": " +
                 typeFor(sharding, signature.argumentRanks[i]);
    if (sharding.empty()) // the ranks are replicas
      continue;
    arguments += " {mhlo.sharding = \"" + sharding + "\"}";
    given += (i ? ", \"" : "\"") + sharding + "\"";
  }
  size_t results = shardings.results.texts.size();
  for (size_t i = 0; i < results; ++i) {
    const std::string &sharding = shardings.results.texts[i];
    const char *comma = i ? ", " : "";
    made += comma + sharding;
    std::string type = typeFor(sharding, signature.resultRanks[i]);
    types += comma + type;
    names += comma + ("%" + std::to_string(i));
    values += "%" + std::to_string(i) +
              " = stablehlo.constant dense<0.0> : " + type + "\n";
  }
  if (results > 1)
    made = "{" + made + "}";
  if (results)
    made = ", mhlo.spmd_output_sharding = \"" + made + "\"";
  made = ", mhlo.spmd_parameters_shardings = [" + given + "]" + made;
  if (request.hasReplicas) // replicas have no shardings
    made.clear();
  std::string ranks = std::to_string(request.devices.size());
  return "module @" + name + " attributes {mhlo.num_partitions = " +
         (request.hasReplicas ? "1" : ranks) +
         " : i32, mhlo.num_replicas = " + (request.hasReplicas ? ranks : "1") +
         " : i32" + made + "} {\nfunc.func public @main(" + arguments +
         ") -> (" + types + ") {\n" + collectives() + values + "return " +
         names + (results ? " : " : "") + types + "\n}\n}\n";
}

//===----------------------------------------------------------------------===//
// The extension
//===----------------------------------------------------------------------===//

/// Tells the host the shardings; none for one device and for replicas.
template <class Args>
static void tell(const ShardingList &list, size_t &count, Args &args) {
  bool hasNone =
      list.texts.empty() || args.executable->code->request.hasReplicas;
  count = list.texts.size();
  args.shardings = hasNone ? nullptr : list.pointers.data();
  args.shardingSizes = hasNone ? nullptr : list.sizes.data();
}

static Error *
parameterShardings(ShardingsPJRTExecutableParameterShardings &args) {
  tell(args.executable->code->shardings.arguments, args.numParameters, args);
  return nullptr;
}

static Error *outputShardings(ShardingsPJRTExecutableOutputShardings &args) {
  tell(args.executable->code->shardings.results, args.numOutputs, args);
  return nullptr;
}

Extension *shardingsOf() {
  static ShardingsExtension extension = [] {
    ShardingsExtension made{};
    made.structSize = sizeof made;
    made.type = shardingsExtension;
    Table(made.functions).set<parameterShardings, outputShardings>();
    return made;
  }();
  return &extension;
}

} // namespace tensorc::pjrt
