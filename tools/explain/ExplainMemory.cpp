//===- ExplainMemory.cpp - What memory a program will take ----------------===//

#include "tools/explain/ExplainMemory.h"
#include "ir/program/Kernels.h"
#include "ir/tx/Dims.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using tensorc::shape::Dim;

namespace tensorc::tool {

namespace {
/// The program's i64 arithmetic as expressions over its named sizes.
class Formulas {
public:
  explicit Formulas(txp::FuncOp program) : program(program) {}

  /// Returns the value as an expression, or Dim::none() if it is not one over
  /// sizes.
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
        .Default([](Operation *) { return Dim::none(); });
  }
};
} // namespace

static std::string firstWriter(Value buffer) {
  for (Operation &op : *buffer.getParentBlock())
    if (auto launch = dyn_cast<txp::LaunchOp>(op))
      if (llvm::is_contained(launch.getOuts(), buffer))
        return launch.getKernel().getLeafReference().str();
  for (Operation &op : *buffer.getParentBlock())
    if (auto launch = dyn_cast<txp::LaunchGridOp>(op))
      if (llvm::is_contained(launch.getOuts(), buffer))
        return launch.getKernel().str();
  return "";
}

static bool isReturned(Value buffer) {
  return llvm::any_of(buffer.getUsers(), llvm::IsaPred<txp::ReturnOp>);
}

MemoryFacts explainMemory(txp::FuncOp program) {
  Formulas formulas(program);
  Dim inputs = 0, outputs = 0, constants = 0, arena = 0;
  ArrayAttr inputTypes = *program.getInputs();
  for (Attribute type : inputTypes)
    inputs = inputs + Formulas::bytesOf(cast<TypeAttr>(type).getValue());
  MemoryFacts facts;
  program.walk([&](Operation *op) {
    if (auto alloc = dyn_cast<txp::AllocOp>(op)) {
      Dim &kind = isReturned(alloc.getBuffer()) ? outputs : arena;
      kind = kind + formulas.of(alloc.getBytes());
    } else if (auto view = dyn_cast<txp::ViewOp>(op)) {
      facts.slots.push_back({toString(formulas.of(view.getOffset())),
                             toString(formulas.of(view.getBytes())),
                             firstWriter(view.getBuffer())});
    } else if (auto constant = dyn_cast<txp::ConstantBufferOp>(op)) {
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
  return facts;
}

llvm::json::Value quantity(StringRef text) {
  int64_t number;
  if (text.getAsInteger(10, number))
    return text;
  return number;
}

void print(llvm::raw_ostream &os, const MemoryFacts &memory) {
  os << "  inputs     " << memory.inputs << " bytes\n"
     << "  constants  " << memory.constants << " bytes\n"
     << "  outputs    " << memory.outputs << " bytes\n"
     << "  arena      " << memory.arena << " bytes\n"
     << "  peak       " << memory.peak << " bytes (outputs and arena)\n";
  for (const MemoryFacts::Slot &slot : memory.slots)
    os << "  temporary  at " << slot.offset << ", " << slot.bytes << " bytes"
       << (slot.kernel.empty() ? "" : ": ") << slot.kernel << "\n";
}

llvm::json::Object toJson(const MemoryFacts &memory) {
  llvm::json::Array slots;
  for (const MemoryFacts::Slot &slot : memory.slots)
    slots.push_back(llvm::json::Object{{"offset", quantity(slot.offset)},
                                       {"bytes", quantity(slot.bytes)},
                                       {"kernel", slot.kernel}});
  return llvm::json::Object{{"inputs", quantity(memory.inputs)},
                            {"constants", quantity(memory.constants)},
                            {"outputs", quantity(memory.outputs)},
                            {"arena", quantity(memory.arena)},
                            {"peak", quantity(memory.peak)},
                            {"temporaries", std::move(slots)}};
}

} // namespace tensorc::tool
