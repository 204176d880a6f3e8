//===- FusedForm.cpp - What a program costs and which collectives it runs -===//
//
// Both are read from the program after fusion, which is computed when they are
// asked for.
//
//===----------------------------------------------------------------------===//

#include "compiler/session/export/Program.h"

#include "compiler/output/pipelines/Pipelines.h"
#include "compiler/session/jit/Session.h"
#include "compiler/session/placement/FusionWork.h"
#include "ir/tx/Tx.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>

using namespace mlir;

namespace tensorc::exporting {

using jit::Status;

/// Calls `use` with the kernels, and with the module that calls them.
static Status
withFused(const Program &program, StringRef call,
          function_ref<void(const placement::FunctionWork &, ModuleOp)> use) {
  Status status;
  tensorc_rt_device *device = jit::Session::get().bufferDevice(status);
  if (!device)
    return status;
  return program.withModule({}, [&](ModuleOp module) {
    compiler::CompileOptions options;
    options.target = jit::targetOf(device);
    options.verify = jit::verifiesPasses;
    auto functions = module.getOps<func::FuncOp>();
    auto work = placement::planFor(*functions.begin(), options);
    if (!work)
      return jit::makeStatus(TENSORC_RT_UNSUPPORTED,
                             (call + ": the program cannot be compiled").str());
    use(*work, module);
    return Status();
  });
}

Program::Costs Program::costs(Status &status) const {
  Costs costs;
  status = withFused(*this, "costs", [&](const auto &work, ModuleOp) {
    // A size that is known only at run time counts as 0.
    for (const placement::KernelWork &kernel :
         work.at([](StringRef) { return std::nullopt; })) {
      ++costs.kernels;
      costs.bytes += kernel.bytes;
      for (double count : kernel.operations)
        costs.operations += count;
    }
  });
  return costs;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

namespace {
/// A collective in the words of StableHLO. The parts of the ranks are along the
/// first dim of the operand and of the result.
struct Collective {
  explicit Collective(tx::CustomCallOp call)
      : operand(cast<RankedTensorType>(call->getOperand(0).getType())),
        result(cast<RankedTensorType>(call->getResult(0).getType())) {
    SmallVector<StringRef> words;
    call.getConfig().value_or("").split(words, ' ');
    kind = words.front();
    for (StringRef word : drop_begin(words))
      if (word.consume_front("ranks="))
        word.getAsInteger(10, ranks);
      else if (word.consume_front("root="))
        word.getAsInteger(10, root);
      else if (word.consume_front("groups="))
        addNumbers(word, ',');
      else if (word.contains('>'))
        addNumbers(word, '>');
      else if (!word.contains('='))
        combiner = word;
    if (kind == "all_gather")
      operand = withRanks(operand);
    else if (kind == "reduce_scatter")
      result = withRanks(result);
    if (numbers.empty() && kind != "permute") {
      numbers.resize(ranks);
      std::iota(numbers.begin(), numbers.end(), 0);
    }
    // StableHLO broadcasts the value of the first rank of a group.
    if (kind == "broadcast")
      for (size_t at = 0; at < numbers.size(); at += ranks)
        std::swap(numbers[at], numbers[at + root]);
  }

  void print(raw_ostream &os, unsigned index) const {
    os << "%operand" << index
       << " = \"stablehlo.custom_call\"() {call_target_name = "
          "\"tensorc.kernels\"} : () -> "
       << operand << "\n%collective" << index << " = \"stablehlo."
       << StringSwitch<StringRef>(kind)
              .Case("permute", "collective_permute")
              .Case("broadcast", "collective_broadcast")
              .Default(kind)
       << "\"(%operand" << index << ") ";
    printRegion(os);
    bool isPermutation = kind == "permute";
    int64_t size = isPermutation ? 2 : ranks;
    os << (isPermutation ? "{source_target_pairs = " : "{replica_groups = ");
    os << "dense<[";
    for (size_t at = 0; at < numbers.size(); at += size) {
      os << (at ? ", [" : "[");
      interleaveComma(ArrayRef(numbers).slice(at, size), os);
      os << "]";
    }
    os << "]> : tensor<" << numbers.size() / size << "x" << size << "xi64>, "
       << "channel_handle = #stablehlo.channel_handle<handle = " << index + 1
       << ", type = 1>";
    if (kind == "all_gather")
      os << ", all_gather_dim = 0 : i64";
    else if (kind == "reduce_scatter")
      os << ", scatter_dimension = 0 : i64";
    else if (kind == "all_to_all")
      os << ", split_dimension = 0 : i64, concat_dimension = 0 : i64, "
            "split_count = "
         << ranks << " : i64";
    if (kind == "all_reduce" || kind == "all_gather" ||
        kind == "reduce_scatter")
      os << ", use_global_device_ids";
    os << "} : (" << operand << ") -> " << result << "\n";
  }

private:
  static RankedTensorType withRanks(RankedTensorType type) {
    SmallVector<int64_t> dims = {1};
    append_range(dims, type.getShape());
    return RankedTensorType::get(dims, type.getElementType());
  }

  void addNumbers(StringRef text, char separator) {
    SmallVector<StringRef> parts;
    text.split(parts, separator);
    for (StringRef part : parts)
      part.getAsInteger(10, numbers.emplace_back());
  }

  void printRegion(raw_ostream &os) const {
    if (combiner.empty())
      return;
    StringRef op = StringSwitch<StringRef>(combiner)
                       .Case("sum", "add")
                       .Case("product", "multiply")
                       .Case("max", "maximum")
                       .Case("min", "minimum")
                       .Default(combiner);
    os << llvm::formatv("({{^bb0(%a: tensor<{0}>, %b: tensor<{0}>): "
                        "%c = stablehlo.{1} %a, %b : tensor<{0}> "
                        "stablehlo.return %c : tensor<{0}>}) ",
                        operand.getElementType(), op);
  }

  RankedTensorType operand, result;
  StringRef kind, combiner;
  int64_t ranks = 1, root = 0;
  std::vector<int64_t> numbers; // of groups or pairs
};
} // namespace

std::string Program::collectives(Status &status) const {
  std::string text;
  status = withFused(*this, "collectives", [&](const auto &, ModuleOp module) {
    llvm::raw_string_ostream os(text);
    unsigned count = 0;
    module.walk([&](tx::CustomCallOp call) {
      if (call.getName() == "collective" && call->getNumOperands())
        Collective(call).print(os, count++);
    });
  });
  return text;
}

} // namespace tensorc::exporting
