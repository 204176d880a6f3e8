//===- FromModule.cpp - Conversion of a tx function to nodes --------------===//

#include "compiler/graph/module/FromModule.h"

#include "compiler/graph/Tapes.h"
#include "compiler/graph/kernels/Kernel.h"
#include "compiler/graph/module/RegionCalls.h"
#include "compiler/graph/ops/Builders.h"
#include "ir/library/Attributes.h"
#include "ir/library/Library.h"
#include "ir/tx/Complex.h"
#include "ir/tx/Control.h"
#include "ir/tx/Kernel.h"
#include "ir/tx/Size.h"
#include "ir/tx/Tx.h"
#include "ir/tx/structure/OpOrdinals.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::graph {

Node *nodeAt(Location loc, llvm::ArrayRef<Node *> order) {
  std::optional<uint32_t> ordinal = tx::ordinalOf(loc);
  return ordinal && *ordinal < order.size() ? order[*ordinal] : nullptr;
}

static std::optional<OpKind> kindOf(Operation *op) {
  static const auto *kinds = [] {
    auto *all = new llvm::StringMap<OpKind>;
#define TENSORC_OP(kind, name, ...) (*all)["tx." name] = OpKind::kind;
#include "compiler/graph/OpKinds.inc"
#undef TENSORC_OP
    return all;
  }();
  auto found = kinds->find(op->getName().getStringRef());
  if (found == kinds->end())
    return std::nullopt;
  return found->second;
}

template <typename Attributes, typename Op>
static void writeWords(Op op, SmallVectorImpl<int64_t> &words) {
  if constexpr (!std::is_same_v<Attributes, tx::NoAttributes>) {
    auto attributes = Attributes::of(op);
    words.resize(attributes.numWords());
    attributes.write(words.data());
  }
}

/// Returns the attribute words of a node for an op: the inverse of
/// addAttributes().
static SmallVector<int64_t> wordsOf(OpKind kind, Operation *op) {
  SmallVector<int64_t> words;
  switch (kind) {
#define TENSORC_OP(kind, name, apiName, category, operands, masks, dtype,      \
                   owns, cost, Attributes)                                     \
  case OpKind::kind:                                                           \
    writeWords<tx::Attributes>(cast<tx::kind##Op>(op), words);                 \
    break;
#include "compiler/graph/OpKinds.inc"
#undef TENSORC_OP
  default:
    break;
  }
  return words;
}

namespace {
struct Words {
  Ints words;
  size_t numWords() const { return words.size(); }
  void write(int64_t *to) const { llvm::copy(words, to); }
};

class Reader {
public:
  Reader(Recorder &r, ArrayRef<Node *> order) : r(r), order(order) {}

  SmallVector<NodeRef> run(Block &body, ArrayRef<NodeRef> arguments);

private:
  SourceLocation placeOf(Operation *op) {
    Node *node = nodeAt(op->getLoc(), order);
    return node ? node->location() : r.location;
  }
  bool read(Operation *op);
  NodeRef number(RankedTensorType type, const APInt &bits, SourceLocation at);
  NodeRef constant(tx::ConstantOp op, SourceLocation at);
  NodeRef repeated(const Node &number, Ints shape, SourceLocation at);
  bool readCall(Operation *op, const CustomCall &call);
  bool readKernelCall(tx::KernelCallOp op);
  bool readCustomCall(tx::CustomCallOp op);
  bool readRegions(Operation *op);

  Recorder &r;
  ArrayRef<Node *> order;
  DenseMap<Value, NodeRef> nodes;
};
} // namespace

static DType dtypeOf(Type type) {
  return *tx::dtypeOf(cast<RankedTensorType>(type).getElementType());
}

static Ints shapeOf(Type type) {
  return cast<RankedTensorType>(type).getShape();
}

NodeRef Reader::number(RankedTensorType type, const APInt &bits,
                       SourceLocation at) {
  return NodeRef::take(Node::create(OpKind::Full, dtypeOf(type), {}, {},
                                    FullAttributes{bits.getZExtValue()}, at));
}

NodeRef Reader::repeated(const Node &number, Ints shape, SourceLocation at) {
  return NodeRef::take(Node::create(OpKind::Full, number.dtype(), shape, {},
                                    number.attributes<FullAttributes>(), at));
}

static APInt bitsOf(Attribute element) {
  if (auto real = dyn_cast<FloatAttr>(element))
    return real.getValue().bitcastToAPInt();
  return cast<IntegerAttr>(element).getValue();
}

/// A constant that is not a splat has few elements (indices or sizes). It is
/// concatenated from numbers, so that it belongs to no device.
NodeRef Reader::constant(tx::ConstantOp op, SourceLocation at) {
  RankedTensorType type = op.getType();
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!dense)
    return r.fail("grad", "a constant of " + Twine(type.getNumElements()) +
                              " elements cannot be recorded");
  auto element = [&](Attribute value) {
    return number(type, bitsOf(value), at);
  };
  if (dense.isSplat()) {
    NodeRef one = element(dense.getSplatValue<Attribute>());
    return type.getRank() ? repeated(*one.get(), type.getShape(), at) : one;
  }
  SmallVector<NodeRef> parts;
  for (Attribute value : dense.getValues<Attribute>())
    parts.push_back(repeated(*element(value).get(), {1}, at));
  if (parts.empty())
    return repeated(*number(type, APInt(64, 0), at).get(), type.getShape(), at);
  Recorder here(at);
  NodeRef line = concatenate(here, parts, 0);
  return reshape(here, line, type.getShape());
}

bool Reader::readCall(Operation *op, const CustomCall &call) {
  SmallVector<NodeRef> inputs;
  for (Value operand : op->getOperands())
    inputs.push_back(nodes.lookup(operand));
  Recorder here(placeOf(op));
  SmallVector<NodeRef> results = customCall(here, call, inputs);
  if (!here.error.empty()) {
    r.error = here.error;
    return false;
  }
  for (auto [value, node] : llvm::zip(op->getResults(), results))
    nodes[value] = node;
  return true;
}

static RegionOp regionOpOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, RegionOp>(op)
      .Case([](tx::IfOp) { return RegionOp{RegionOp::If}; })
      .Case([](tx::SwitchOp) { return RegionOp{RegionOp::Switch}; })
      .Case([](tx::WhileOp op) {
        RegionOp loop{RegionOp::While};
        loop.most = op.getMost().value_or(0);
        return loop;
      })
      .Case([](tx::ScanOp op) {
        RegionOp scan{RegionOp::Scan};
        scan.carried = op.getCarried();
        scan.scanned = op.getScanned();
        scan.length = *op.lengthDim().number();
        scan.reverse = op.getReverse();
        return scan;
      })
      .Case([](tx::CustomVjpOp op) {
        RegionOp custom{RegionOp::CustomVjp};
        custom.arguments = op.getArguments();
        custom.returned = op.getReturned();
        return custom;
      })
      .Default([](Operation *) { return RegionOp{RegionOp::StopGradient}; });
}

/// Converts the blocks to nodes first, so that the solver can name their sizes.
bool Reader::readRegions(Operation *op) {
  Recorder here(placeOf(op), r.called);
  SmallVector<SmallVector<NodeRef>> arguments, results;
  SmallVector<Body> bodies;
  for (Region &region : op->getRegions()) {
    Block &block = region.front();
    arguments.emplace_back();
    for (Type type : block.getArgumentTypes())
      arguments.back().push_back(
          placeholder(here, dtypeOf(type), shapeOf(type)));
    results.push_back(Reader(r, order).run(block, arguments.back()));
    if (!r.error.empty())
      return false;
  }
  for (auto [given, made] : llvm::zip(arguments, results))
    bodies.push_back({given, made});
  SmallVector<NodeRef> inputs;
  for (Value operand : op->getOperands())
    inputs.push_back(nodes.lookup(operand));
  SmallVector<NodeRef> made =
      regionCall(here, *op->getContext(), regionOpOf(op), inputs, bodies);
  if (!here.error.empty()) {
    r.error = here.error;
    return false;
  }
  for (auto [value, node] : llvm::zip_equal(op->getResults(), made))
    nodes[value] = node;
  return true;
}

bool Reader::readKernelCall(tx::KernelCallOp op) {
  CustomCall call;
  call.kernel =
      &kernels::kernelOf(op->getParentOfType<ModuleOp>(), op.getKernel());
  call.name = call.kernel->name.c_str();
  call.config = call.derivative = "";
  for (Type type : op->getResultTypes())
    call.outputs.push_back({dtypeOf(type), shapeOf(type)});
  return readCall(op, call);
}

bool Reader::readCustomCall(tx::CustomCallOp op) {
  auto text = [](std::optional<StringRef> text) {
    return text.value_or("").str();
  };
  std::string name = op.getName().str(), config = text(op.getConfig()),
              derivative = text(op.getDerivative());
  CustomCall call;
  call.name = name.c_str();
  call.config = config.c_str();
  call.derivative = derivative.c_str();
  for (Type type : op->getResultTypes())
    call.outputs.push_back({dtypeOf(type), shapeOf(type)});
  return readCall(op, call);
}

/// Returns false after an error.
bool Reader::read(Operation *op) {
  SourceLocation at = placeOf(op);
  if (auto constantOp = dyn_cast<tx::ConstantOp>(op)) {
    nodes[op->getResult(0)] = constant(constantOp, at);
    return r.error.empty();
  }
  if (auto size = dyn_cast<tx::SizeOp>(op)) {
    SmallVector<OpFoldResult> folded;
    if (failed(op->fold({}, folded)) || folded.empty()) {
      r.fail("grad", "a size is not a number");
      return false;
    }
    auto value = cast<DenseElementsAttr>(cast<Attribute>(folded[0]));
    nodes[size] =
        number(size.getType(), bitsOf(value.getSplatValue<Attribute>()), at);
    return true;
  }
  if (auto call = dyn_cast<tx::CustomCallOp>(op))
    return readCustomCall(call);
  if (hasRegions(op->getName().getStringRef()))
    return readRegions(op);
  if (auto call = dyn_cast<tx::KernelCallOp>(op))
    return readKernelCall(call);
  std::optional<OpKind> kind = kindOf(op);
  if (!kind) {
    r.fail("grad", op->getName().getStringRef() + " cannot be recorded");
    return false;
  }
  SmallVector<Node *> inputs;
  for (Value operand : op->getOperands())
    inputs.push_back(nodes.lookup(operand).get());
  Type type = op->getResult(0).getType();
  // The broadcast of a scalar constant becomes a splat of the larger shape, as
  // the recorder would make it.
  if (*kind == OpKind::Broadcast && isNumber(*inputs[0]))
    nodes[op->getResult(0)] = repeated(*inputs[0], shapeOf(type), at);
  else
    nodes[op->getResult(0)] =
        NodeRef::take(Node::create(*kind, dtypeOf(type), shapeOf(type), inputs,
                                   Words{wordsOf(*kind, op)}, at));
  return true;
}

SmallVector<NodeRef> Reader::run(Block &body, ArrayRef<NodeRef> arguments) {
  for (auto [value, node] : llvm::zip_equal(body.getArguments(), arguments))
    nodes[value] = node;
  for (Operation &op : body.without_terminator())
    if (!read(&op))
      return {};
  SmallVector<NodeRef> results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(nodes.lookup(value));
  return results;
}

SmallVector<NodeRef> fromModule(Recorder &r, func::FuncOp function,
                                ArrayRef<Node *> order,
                                ArrayRef<NodeRef> arguments) {
  return Reader(r, order).run(function.getBody().front(), arguments);
}

} // namespace tensorc::graph
