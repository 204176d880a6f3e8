//===- Memory.cpp - Memory use of a program -------------------------------===//

#include "compiler/session/report/Memory.h"
#include "ir/program/HostCopies.h"
#include "ir/program/Kernels.h"
#include "ir/program/LaunchAttributes.h"
#include "ir/tx/Dims.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using tensorc::shape::Dim;

namespace tensorc::report {

static bool isReturned(Value buffer) {
  return llvm::any_of(buffer.getUsers(), llvm::IsaPred<txp::ReturnOp>);
}

shape::Dim alignDown(shape::Dim x, shape::Dim mask) {
  if (!mask.isNumber() || mask.constant() >= 0 ||
      mask.constant() == std::numeric_limits<int64_t>::min())
    return shape::Dim::none();
  int64_t alignment = -mask.constant();
  if (!llvm::isPowerOf2_64(alignment))
    return shape::Dim::none();
  return floorDiv(x, alignment) * alignment;
}

namespace {
/// Expresses the program's i64 arithmetic over its named sizes.
class Formulas {
public:
  explicit Formulas(txp::FuncOp program) : program(program) {}

  /// Returns the value as an expression over the named sizes, or Dim::none() if
  /// it has no such expression.
  Dim of(Value v) {
    auto it = known.find(v);
    if (it != known.end())
      return it->second;
    Dim size = compute(v);
    return known[v] = size;
  }

  static Dim bytesOf(Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? tx::bytesOf(tensor) : 0;
  }

private:
  txp::FuncOp program;
  DenseMap<Value, Dim> known;

  Type inputType(Value argument) {
    unsigned i = cast<BlockArgument>(argument).getArgNumber();
    return cast<TypeAttr>((*program.getInputs())[i]).getValue();
  }

  Dim compute(Value v) {
    if (auto argument = dyn_cast<BlockArgument>(v)) {
      if (!inputType(v).isIndex())
        return Dim::none();
      auto list = *program.getInputNames();
      return tx::dimContext(program.getContext())
          .symbol(cast<StringAttr>(list[argument.getArgNumber()]).getValue());
    }
    if (auto dim = v.getDefiningOp<txp::DimOp>())
      return tx::dimsOf(
          cast<RankedTensorType>(inputType(dim.getBuffer())))[dim.getIndex()];
    if (auto constant = v.getDefiningOp<arith::ConstantIntOp>())
      return constant.value();
    return binary(v.getDefiningOp());
  }

  Dim binary(Operation *op) {
    if (!op || op->getNumOperands() != 2)
      return Dim::none();
    Dim x = of(op->getOperand(0)), y = of(op->getOperand(1));
    return TypeSwitch<Operation *, Dim>(op)
        .Case([&](arith::AddIOp) { return x + y; })
        .Case([&](arith::SubIOp) { return x - y; })
        .Case([&](arith::MulIOp) { return x * y; })
        .Case([&](arith::FloorDivSIOp) { return floorDiv(x, y); })
        .Case([&](arith::CeilDivSIOp) { return ceilDiv(x, y); })
        .Case([&](arith::RemSIOp) { return mod(x, y); })
        .Case([&](arith::MaxSIOp) { return max(x, y); })
        .Case([&](arith::MinSIOp) { return min(x, y); })
        .Case([&](arith::AndIOp) { return alignDown(x, y); })
        .Default([](Operation *) { return Dim::none(); });
  }
};

/// The operations of a program's body that use memory, numbered in order. A use
/// within a branch or loop counts as a use by the whole branch or loop.
class Steps {
public:
  explicit Steps(txp::FuncOp program) : block(&program.getBody().front()) {
    for (Operation &op : *block) {
      std::string name = nameOf(&op);
      if (name.empty())
        continue;
      numbers[&op] = names.size();
      names.push_back(std::move(name));
    }
  }

  const std::vector<std::string> &getNames() const { return names; }

  /// Sets the first and last step and the kernel of a slot from the uses of its
  /// buffer.
  void setUses(Value buffer, MemoryFacts::Slot &slot) const {
    std::optional<unsigned> first, writer;
    for (Operation *user : buffer.getUsers()) {
      auto step = numbers.find(block->findAncestorOpInBlock(*user));
      if (step == numbers.end())
        continue;
      unsigned number = step->second;
      first = std::min(first.value_or(number), number);
      slot.last = std::max(slot.last, number);
      std::string kernel = writerOf(user, buffer);
      if (!kernel.empty() && number < writer.value_or(names.size())) {
        writer = number;
        slot.kernel = kernel;
      }
    }
    slot.first = first.value_or(0);
    // If no kernel writes the buffer first, names the loop, copy or call that
    // uses it first.
    if (slot.kernel.empty() && first)
      slot.kernel = names[*first];
    if (isReturned(buffer))
      slot.last = names.empty() ? 0 : names.size() - 1;
  }

private:
  Block *block;
  std::vector<std::string> names;
  DenseMap<Operation *, unsigned> numbers;

  static std::string nameOf(Operation *op) {
    return TypeSwitch<Operation *, std::string>(op)
        .Case([](txp::LaunchOp launch) {
          return launch.getKernel().getLeafReference().str();
        })
        .Case([](txp::LaunchGridOp launch) { return launch.getKernel().str(); })
        .Case([](txp::CustomCallOp call) { return call.getCallee().str(); })
        .Case<txp::CallOp, txp::CopyOp, txp::FillOp, txp::SpillOp,
              txp::RestoreOp>([](Operation *other) {
          return other->getName().stripDialect().str();
        })
        .Default([](Operation *other) {
          return other->getNumRegions() ? other->getName().stripDialect().str()
                                        : std::string();
        });
  }

  static std::string writerOf(Operation *user, Value buffer) {
    return TypeSwitch<Operation *, std::string>(user)
        .Case<txp::LaunchOp, txp::LaunchGridOp>([&](auto launch) {
          return llvm::is_contained(launch.getOuts(), buffer) ? nameOf(launch)
                                                              : std::string();
        })
        .Default([](Operation *) { return std::string(); });
  }
};
} // namespace

/// Returns `file:line`, or an empty string.
static std::string sourceLineOf(Operation *op) {
  auto at = op->getLoc()->findInstanceOf<FileLineColLoc>();
  return at ? at.getFilename().str() + ":" + std::to_string(at.getLine()) : "";
}

/// Returns the last launch before the op that writes the buffer, or the op.
static Operation *writerBefore(Operation *op, Value buffer) {
  for (Operation *at = op->getPrevNode(); at; at = at->getPrevNode())
    if (auto launch = dyn_cast<txp::LaunchOp>(at))
      if (llvm::is_contained(launch.getOuts(), buffer))
        return at;
  return op;
}

/// Returns the first launch after the op that reads the buffer, or the op.
static Operation *readerAfter(Operation *op, Value buffer) {
  for (Operation *at = op->getNextNode(); at; at = at->getNextNode())
    if (auto launch = dyn_cast<txp::LaunchOp>(at))
      if (llvm::is_contained(launch.getIns(), buffer))
        return at;
  return op;
}

/// Adds the decisions of txp-fit-memory.
static void addFit(txp::FuncOp program, MemoryFacts &facts) {
  auto whole = program->getAttrOfType<DictionaryAttr>(txp::fitAttr);
  if (!whole)
    return;
  auto number = [](DictionaryAttr from, StringRef name) {
    return from.getAs<IntegerAttr>(name).getInt();
  };
  facts.fit = {number(whole, "limit"), number(whole, "natural"),
               number(whole, "fitted"), number(whole, "moved")};
  program.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto fit = op->getAttrOfType<DictionaryAttr>(txp::fitAttr);
    if (!fit)
      return;
    Operation *decided = op;
    if (auto spill = dyn_cast<txp::SpillOp>(op))
      decided = writerBefore(op, spill.getSource());
    else if (auto restore = dyn_cast<txp::RestoreOp>(op))
      decided = readerAfter(op, restore.getTarget());
    auto launch = dyn_cast<txp::LaunchOp>(decided);
    facts.decisions.push_back(
        {fit.getAs<StringAttr>("decision").str(),
         launch ? launch.getKernel().getLeafReference().str() : "buffer",
         sourceLineOf(decided), number(fit, "bytes"),
         fit.getAs<FloatAttr>("microseconds").getValueAsDouble(),
         fit.contains("parts") ? number(fit, "parts") : 1});
  });
}

MemoryFacts explainMemory(txp::FuncOp program) {
  Formulas formulas(program);
  Dim inputs = 0, outputs = 0, constants = 0, arena = 0;
  ArrayAttr inputTypes = *program.getInputs();
  for (Attribute type : inputTypes)
    inputs = inputs + Formulas::bytesOf(cast<TypeAttr>(type).getValue());
  MemoryFacts facts;
  Steps steps(program);
  facts.steps = steps.getNames();
  program.walk([&](Operation *op) {
    if (auto alloc = dyn_cast<txp::AllocOp>(op)) {
      Dim bytes = formulas.of(alloc.getBytes());
      bool isResult = isReturned(alloc.getBuffer());
      Dim &kind = isResult ? outputs : arena;
      kind = kind + bytes;
      if (isResult)
        steps.setUses(alloc.getBuffer(),
                      facts.results.emplace_back(
                          MemoryFacts::Slot{"", toString(bytes), ""}));
    } else if (auto view = dyn_cast<txp::ViewOp>(op)) {
      // Parts of arguments and results are not temporaries.
      Value whole = view.getSource();
      if (isa<BlockArgument>(whole) || isReturned(whole))
        return;
      steps.setUses(view.getBuffer(),
                    facts.slots.emplace_back(MemoryFacts::Slot{
                        toString(formulas.of(view.getOffset())),
                        toString(formulas.of(view.getBytes())), ""}));
    } else if (auto constant = dyn_cast<txp::ConstantBufferOp>(op)) {
      // The device keeps no copy of a constant that is only uploaded.
      Value buffer = constant.getBuffer();
      if (!buffer.use_empty() &&
          llvm::all_of(buffer.getUsers(), llvm::IsaPred<txp::RestoreOp>))
        return;
      auto elements = dyn_cast<ElementsAttr>(constant.getValue());
      constants = constants + (elements ? Formulas::bytesOf(elements.getType())
                                        : Dim::none());
    }
  });
  facts.inputs = toString(inputs);
  facts.outputs = toString(outputs);
  facts.constants = toString(constants);
  facts.arena = toString(arena);
  facts.peak = toString(arena + outputs);
  addFit(program, facts);
  return facts;
}

llvm::json::Value quantity(StringRef text) {
  int64_t number;
  if (text.getAsInteger(10, number))
    return text.str(); // the JSON value owns the string
  return number;
}

void print(llvm::raw_ostream &os, const MemoryFacts &memory) {
  os << "  inputs     " << memory.inputs << " bytes\n"
     << "  constants  " << memory.constants << " bytes\n"
     << "  outputs    " << memory.outputs << " bytes\n"
     << "  arena      " << memory.arena << " bytes\n"
     << "  peak       " << memory.peak << " bytes (outputs and arena)\n";
  if (memory.fit) {
    os << "  limit      " << memory.fit->limit << " bytes\n"
       << "  needed     " << memory.fit->fitted << " bytes, and "
       << memory.fit->natural << " without a limit\n";
    if (memory.fit->moved)
      os << "  order      " << memory.fit->moved << " kernels moved\n";
  }
  for (const MemoryFacts::Decision &decision : memory.decisions) {
    os << "  " << llvm::left_justify(decision.decision, 10) << " "
       << decision.kernel;
    if (!decision.line.empty())
      os << " (" << decision.line << ")";
    if (decision.parts > 1)
      os << " into " << decision.parts << " parts";
    os << ": saves " << decision.bytes << " bytes";
    if (decision.microseconds > 0)
      os << ", takes " << llvm::format("%.1f", decision.microseconds) << " us";
    os << "\n";
  }
  for (const MemoryFacts::Slot &slot : memory.slots)
    os << "  temporary  at " << slot.offset << ", " << slot.bytes << " bytes"
       << (slot.kernel.empty() ? "" : ": ") << slot.kernel << "\n";
}

static llvm::json::Array toJson(ArrayRef<MemoryFacts::Slot> slots,
                                bool withUses) {
  llvm::json::Array array;
  for (const MemoryFacts::Slot &slot : slots) {
    llvm::json::Object object{{"bytes", quantity(slot.bytes)},
                              {"kernel", slot.kernel}};
    if (!slot.offset.empty())
      object["offset"] = quantity(slot.offset);
    if (withUses) {
      object["first"] = slot.first;
      object["last"] = slot.last;
    }
    array.push_back(std::move(object));
  }
  return array;
}

llvm::json::Object toJson(const MemoryFacts &memory) {
  bool withUses = !memory.steps.empty();
  llvm::json::Object object{{"inputs", quantity(memory.inputs)},
                            {"constants", quantity(memory.constants)},
                            {"outputs", quantity(memory.outputs)},
                            {"arena", quantity(memory.arena)},
                            {"peak", quantity(memory.peak)},
                            {"temporaries", toJson(memory.slots, withUses)}};
  if (memory.fit)
    object["fit"] = llvm::json::Object{{"limit", memory.fit->limit},
                                       {"natural", memory.fit->natural},
                                       {"fitted", memory.fit->fitted},
                                       {"moved", memory.fit->moved}};
  if (!memory.decisions.empty()) {
    llvm::json::Array list;
    for (const MemoryFacts::Decision &decision : memory.decisions) {
      llvm::json::Object entry{{"decision", decision.decision},
                               {"kernel", decision.kernel},
                               {"line", decision.line},
                               {"bytes", decision.bytes},
                               {"microseconds", decision.microseconds}};
      if (decision.parts > 1)
        entry["parts"] = decision.parts;
      list.push_back(std::move(entry));
    }
    object["decisions"] = std::move(list);
  }
  if (withUses) {
    object["results"] = toJson(memory.results, withUses);
    object["steps"] = llvm::json::Array(memory.steps);
  }
  return object;
}

} // namespace tensorc::report
