//===- ExplainMemory.cpp - What memory a program will take ----------------===//

#include "tools/explain/ExplainMemory.h"
#include "ir/program/Kernels.h"
#include "ir/tx/Dims.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::tool {

namespace {
/// The program's i64 arithmetic as expressions over its named sizes.
class Formulas {
public:
  explicit Formulas(txp::FuncOp program)
      : program(program), names(program.getContext()) {}

  /// Null if it is not a formula over sizes.
  AffineExpr of(Value v) {
    auto it = known.find(v);
    if (it != known.end())
      return it->second;
    AffineExpr expr = compute(v);
    if (expr)
      expr = names.simplify(expr);
    return known[v] = expr;
  }

  AffineExpr bytesOf(Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? names.bytesOf(tensor) : names.constant(0);
  }

  AffineExpr zero() { return names.constant(0); }
  AffineExpr sum(AffineExpr a, AffineExpr b) {
    return a && b ? names.simplify(a + b) : AffineExpr();
  }
  std::string text(AffineExpr expr) {
    return expr ? tx::toString(expr, names.names()) : "?";
  }

private:
  txp::FuncOp program;
  tx::DimSpace names;
  DenseMap<Value, AffineExpr> known;

  Type inputType(Value argument) {
    unsigned i = cast<BlockArgument>(argument).getArgNumber();
    return cast<TypeAttr>((*program.getInputs())[i]).getValue();
  }

  AffineExpr compute(Value v) {
    if (auto argument = dyn_cast<BlockArgument>(v)) {
      if (!inputType(v).isIndex())
        return {};
      auto list = *program.getInputNames();
      return names.symbol(
          cast<StringAttr>(list[argument.getArgNumber()]).getValue());
    }
    if (auto dim = v.getDefiningOp<txp::DimOp>())
      return names.dims(
          cast<RankedTensorType>(inputType(dim.getBuffer())))[dim.getIndex()];
    if (auto constant = v.getDefiningOp<arith::ConstantIntOp>())
      return names.constant(constant.value());
    return binary(v.getDefiningOp());
  }

  AffineExpr binary(Operation *op) {
    if (!op || op->getNumOperands() != 2)
      return {};
    AffineExpr x = of(op->getOperand(0)), y = of(op->getOperand(1));
    if (!x || !y)
      return {};
    return TypeSwitch<Operation *, AffineExpr>(op)
        .Case([&](arith::AddIOp) { return x + y; })
        .Case([&](arith::SubIOp) { return x - y; })
        .Case([&](arith::MulIOp) { return x * y; })
        .Case([&](arith::FloorDivSIOp) { return x.floorDiv(y); })
        .Case([&](arith::CeilDivSIOp) { return x.ceilDiv(y); })
        .Case([&](arith::RemSIOp) { return x % y; })
        .Default([](Operation *) { return AffineExpr(); });
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
  AffineExpr inputs = formulas.zero(), outputs = inputs, constants = inputs,
             arena = inputs;
  ArrayAttr inputTypes = *program.getInputs();
  for (Attribute type : inputTypes)
    inputs =
        formulas.sum(inputs, formulas.bytesOf(cast<TypeAttr>(type).getValue()));
  MemoryFacts facts;
  program.walk([&](Operation *op) {
    if (auto alloc = dyn_cast<txp::AllocOp>(op)) {
      AffineExpr &kind = isReturned(alloc.getBuffer()) ? outputs : arena;
      kind = formulas.sum(kind, formulas.of(alloc.getBytes()));
    } else if (auto view = dyn_cast<txp::ViewOp>(op)) {
      facts.slots.push_back({formulas.text(formulas.of(view.getOffset())),
                             formulas.text(formulas.of(view.getBytes())),
                             firstWriter(view.getBuffer())});
    } else if (auto constant = dyn_cast<txp::ConstantBufferOp>(op)) {
      auto elements = dyn_cast<ElementsAttr>(constant.getValue());
      constants = formulas.sum(constants,
                               elements ? formulas.bytesOf(elements.getType())
                                        : AffineExpr());
    }
  });
  facts.inputs = formulas.text(inputs);
  facts.outputs = formulas.text(outputs);
  facts.constants = formulas.text(constants);
  facts.arena = formulas.text(arena);
  facts.peak = formulas.text(formulas.sum(arena, outputs));
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
