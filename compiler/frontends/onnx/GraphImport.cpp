//===- GraphImport.cpp - Import an ONNX model as a module -----------------===//

#include "compiler/frontends/onnx/GraphImport.h"
#include "compiler/frontends/onnx/Onnx.h"
#include "compiler/frontends/quantize/QuantizedStorage.h"
#include "compiler/log/Progress.h"
#include "ir/tx/Names.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace tensorc::onnx {

/// Maximum nesting of graphs in graphs, and of calls of functions in functions.
static constexpr unsigned maxDepth = 32;
/// Maximum number of imported nodes. Functions that call each other twice would
/// expand exponentially.
static constexpr int64_t maxNodes = 1 << 22;

GraphImport::GraphImport(const Model &model, TensorData &data,
                         ArrayRef<frontends::NamedShape> shapes, StringRef path,
                         MLIRContext *context)
    : data(data), model(model), shapes(shapes), path(path), context(context),
      b(context) {}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

void GraphImport::error(const Twine &text) {
  failed = true;
  emitError(FileLineColLoc::get(context, path, 0, 0), text);
}

void GraphImport::error(const Node &node, int64_t opset, const Twine &text) {
  StringRef domain = node.domain;
  error(nameOf(node) + " (" + (domain.empty() ? "" : domain + ".") + node.op +
        ", opset " + Twine(opset) + "): " + text);
}

std::string GraphImport::nameOf(const Node &node) const {
  std::string name = node.name.str();
  for (StringRef output : node.outputs)
    if (name.empty())
      name = output.str();
  if (name.empty())
    name = node.op.str();
  return current ? current->prefix + name : name;
}

std::string GraphImport::whyUnknown(Value value) {
  // Follows the first unknown operand of each op down to a value that is known
  // only at run time.
  while (Operation *op = value.getDefiningOp()) {
    Value next;
    for (Value operand : op->getOperands())
      if (!next && !known.array(operand) && !known.sizes(operand))
        next = operand;
    if (!next)
      break;
    value = next;
  }
  auto argument = dyn_cast<BlockArgument>(value);
  auto loc = dyn_cast<NameLoc>(value.getLoc());
  std::string name = loc ? loc.getName().str() : "a value";
  if (argument)
    return "it depends on the contents of '" + name + "'";
  return "it is computed by '" + name + "'";
}

//===----------------------------------------------------------------------===//
// Unsupported ops
//===----------------------------------------------------------------------===//

static StringRef domainOf(StringRef domain) {
  return domain == "ai.onnx" ? "" : domain;
}

static std::string functionKey(StringRef domain, StringRef name,
                               StringRef overload) {
  return (domainOf(domain) + "\n" + name + "\n" + overload).str();
}

const Function *GraphImport::functionOf(const Node &node) const {
  auto it = functions.find(functionKey(node.domain, node.op, node.overload));
  return it == functions.end() ? nullptr : it->second;
}

/// Adds a line for each unsupported op, which names the first nodes that use
/// it.
void GraphImport::checkNodes(ArrayRef<Node> nodes, const Scope &scope,
                             llvm::StringMap<std::string> &missing,
                             unsigned level) {
  if (level > maxDepth)
    return;
  for (const Node &node : nodes) {
    for (const Attribute &attribute : node.attributes)
      if (attribute.graph)
        checkNodes(attribute.graph->nodes, scope, missing, level + 1);
    if (functionOf(node))
      continue;
    StringRef domain = domainOf(node.domain);
    auto set = scope.operatorSets.find(domain);
    bool isKnown = false;
    if (set != scope.operatorSets.end() &&
        findImport(domain, node.op, set->second, isKnown))
      continue;
    std::string op = ((domain.empty() ? "" : domain + ".") + node.op).str(),
                why;
    if (set == scope.operatorSets.end())
      why = "has no version: the model imports no operator set of the domain " +
            (domain.empty() ? "ai.onnx" : domain.str()) + " (opset_import)";
    else if (isKnown)
      why = "is not supported in opset " + std::to_string(set->second) +
            "; convert the model to a newer opset";
    else if (StringRef never = whyNever(domain, node.op); !never.empty())
      why = never.str() + ", which tensorc does not have";
    else
      why = "is not supported (docs/onnx.md lists what is)";
    std::string &line = missing[op];
    if (line.empty())
      line = "the op " + op + " " + why + ": " + nameOf(node);
    else if (llvm::count(line, ',') < 4)
      line += ", " + nameOf(node);
    else if (!StringRef(line).ends_with(", ..."))
      line += ", ...";
  }
}

static void addOperatorSets(Scope &scope, ArrayRef<OperatorSet> sets) {
  for (const OperatorSet &set : sets)
    scope.operatorSets[domainOf(set.domain)] = set.version;
}

LogicalResult GraphImport::checkModel() {
  if (!model.graph)
    return error("is not an ONNX model: it has no graph"), failure();
  addOperatorSets(*current, model.operatorSets);
  if (model.irVersion < 3 && model.operatorSets.empty())
    current->operatorSets[""] = 1;
  auto set = current->operatorSets.find("");
  if (set != current->operatorSets.end() && set->second > newestOpset)
    return error("is for opset " + Twine(set->second) +
                 "; the newest that is supported is " + Twine(newestOpset)),
           failure();
  for (const Function &function : model.functions)
    if (!functions
             .try_emplace(
                 functionKey(function.domain, function.name, function.overload),
                 &function)
             .second)
      error("the function " + function.domain + "." + function.name +
            " is defined twice");
  llvm::StringMap<std::string> missing;
  checkNodes(model.graph->nodes, *current, missing, 0);
  for (const Function &function : model.functions) {
    Scope scope;
    addOperatorSets(scope, function.operatorSets);
    checkNodes(function.nodes, scope, missing, 0);
  }
  std::vector<std::string> lines;
  for (auto &entry : missing)
    lines.push_back(entry.second);
  llvm::sort(lines);
  for (const std::string &line : lines)
    error(line);
  return failure(failed);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::optional<SmallVector<Value>>
GraphImport::lookupSequence(StringRef name, std::string &why) {
  for (Scope *scope = current; scope; scope = scope->parent) {
    auto it = scope->sequences.find(name);
    if (it == scope->sequences.end())
      continue;
    if (llvm::all_of(it->second, [&](Value each) {
          return each.getParentBlock() == current->block;
        }))
      return it->second;
    why = "the sequence '" + name.str() + "' lies outside of the graph";
    return std::nullopt;
  }
  why = "'" + name.str() + "' is not a sequence that the model makes";
  return std::nullopt;
}

Value GraphImport::lookup(StringRef name, std::string &why) {
  for (Scope *scope = current; scope; scope = scope->parent) {
    if (scope->sequences.count(name)) {
      why = "'" + name.str() + "' is a sequence, which is not a tensor here";
      return Value();
    }
    if (auto it = scope->values.find(name); it != scope->values.end()) {
      Value value = it->second;
      if (value.getParentBlock() == current->block)
        return value;
      if (!scope->initializers.count(name)) {
        // A block can only read values that are passed to it, but known values
        // are cloned into it.
        Value copy = known.copy(value, b);
        if (!copy) {
          why = "'" + name.str() + "' lies outside of the graph";
          return Value();
        }
        return current->values[name] = copy;
      }
    }
    if (auto it = scope->initializers.find(name);
        it != scope->initializers.end()) {
      Value value = constant(*it->second, why);
      if (value)
        current->values[name] = value;
      else
        why = "the initializer '" + name.str() + "' " + why;
      return value;
    }
  }
  why = "'" + name.str() +
        "' is made by no node before this one: nodes are in order, without "
        "cycles";
  for (Scope *scope = current; scope; scope = scope->parent)
    if (auto it = scope->absent.find(name); it != scope->absent.end())
      why = "the output '" + name.str() + "' of " + it->second +
            " is not supported";
  return Value();
}

Value GraphImport::constant(const Tensor &tensor, std::string &why) {
  llvm::Expected<ElementsAttr> value = data.attribute(tensor, context);
  if (!value) {
    why = llvm::toString(value.takeError());
    return Value();
  }
  return tx::ConstantOp::create(
      b, NameLoc::get(StringAttr::get(context, tensor.name)),
      cast<RankedTensorType>(value->getType()), *value);
}

const Attribute *GraphImport::resolve(const Attribute &attribute) const {
  if (attribute.reference.empty())
    return &attribute;
  if (!current->attributes)
    return nullptr;
  auto it = current->attributes->find(attribute.reference);
  return it == current->attributes->end() ? nullptr : it->second;
}

void GraphImport::addInitializers(const Graph &graph) {
  for (const Tensor &tensor : graph.initializers)
    if (!current->initializers.try_emplace(tensor.name, &tensor).second)
      error("two initializers are called '" + tensor.name + "'");
  for (const SparseTensor &tensor : graph.sparseInitializers)
    error("the initializer '" + tensor.values.name +
          "' is sparse, which tensorc does not have");
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

void GraphImport::lose(const Node &node) {
  for (StringRef output : node.outputs)
    current->lost[output] = true;
}

void GraphImport::importNodes(ArrayRef<Node> nodes) {
  for (const Node &node : nodes) {
    if (++importedNodes > maxNodes) {
      if (importedNodes == maxNodes + 1)
        error("has more than " + Twine(maxNodes) +
              " nodes, with those of functions");
      return;
    }
    bool isLost = false;
    for (StringRef input : node.inputs)
      for (Scope *scope = current; scope; scope = scope->parent)
        isLost |= scope->lost.count(input) && !scope->values.count(input);
    if (isLost)
      lose(node);
    else
      importNode(node);
  }
}

void GraphImport::importNode(const Node &node) {
  if (const Function *function = functionOf(node))
    return importCall(node, *function);
  StringRef domain = domainOf(node.domain);
  int64_t opset = current->operatorSets.lookup(domain);
  bool isKnown;
  Import import = findImport(domain, node.op, opset, isKnown);
  if (!import) // reported by checkModel
    return lose(node);
  Location loc = NameLoc::get(StringAttr::get(context, nameOf(node)));
  b.setInsertionPointToEnd(current->block);
  NodeImport n(*this, node, opset, b, loc);
  // Hides errors of earlier nodes, which are unrelated to this node and its
  // graphs.
  bool before = std::exchange(failed, false);
  auto restore = llvm::scope_exit([&] { failed |= before; });
  import(n);
  b.setInsertionPointToEnd(current->block);
  if (n.isRefused()) {
    error(node, opset, n.refusal);
    // Forgets known values, because they may belong to blocks that were erased.
    known = Known();
    return lose(node);
  }
  if (failed) // the error was in one of the node's subgraphs
    return lose(node);
  if (n.sequence) {
    if (!node.outputs.empty() &&
        !current->sequences.try_emplace(node.outputs[0], *n.sequence).second)
      error(node, opset, "'" + node.outputs[0] + "' has two definitions");
    return;
  }
  for (auto [name, value] : llvm::zip(node.outputs, n.results)) {
    // An output without a value is reported where it is read.
    if (!name.empty() && !value)
      current->absent[name] = nameOf(node) + " (" + node.op.str() + ")";
    else if (!name.empty() && !current->values.try_emplace(name, value).second)
      error(node, opset, "'" + name + "' has two definitions");
  }
}

/// Inlines a function's nodes at its call.
void GraphImport::importCall(const Node &node, const Function &function) {
  int64_t opset = current->operatorSets.lookup(domainOf(node.domain));
  unsigned calls = 0;
  for (Scope *scope = current; scope; scope = scope->caller)
    if (scope->function == &function || ++calls > maxDepth) {
      error(node, opset, "the function calls itself");
      return lose(node);
    }
  Scope scope;
  scope.function = &function;
  scope.prefix = nameOf(node) + "/";
  scope.block = current->block;
  addOperatorSets(scope, function.operatorSets);
  llvm::StringMap<const Attribute *> attributes;
  for (const Attribute &attribute : function.defaults)
    attributes[attribute.name] = &attribute;
  for (const Attribute &attribute : node.attributes)
    if (const Attribute *resolved = resolve(attribute))
      attributes[attribute.name] = resolved;
  scope.attributes = &attributes;
  for (auto [i, name] : llvm::enumerate(function.inputs)) {
    if (i >= node.inputs.size() || node.inputs[i].empty())
      continue;
    std::string why;
    Value value = lookup(node.inputs[i], why);
    if (!value) {
      error(node, opset, why);
      return lose(node);
    }
    scope.values[name] = value;
  }
  // The names in a function's body are separate from those of the graph.
  // `caller` is only used to detect recursion.
  scope.caller = current;
  bool before = failed;
  Scope *outer = std::exchange(current, &scope);
  importNodes(function.nodes);
  SmallVector<Value> results;
  for (StringRef output : function.outputs) {
    auto it = scope.values.find(output);
    results.push_back(it == scope.values.end() ? Value() : it->second);
  }
  current = outer;
  if (before != failed)
    return lose(node);
  for (auto [i, name] : llvm::enumerate(node.outputs)) {
    if (name.empty())
      continue;
    if (i >= results.size() || !results[i]) {
      error(node, opset, "the function has no output for '" + name + "'");
      return lose(node);
    }
    if (!current->values.try_emplace(name, results[i]).second)
      error(node, opset, "'" + name + "' has two definitions");
  }
}

//===----------------------------------------------------------------------===//
// Graphs in attributes
//===----------------------------------------------------------------------===//

/// Calls `found` for each name that a graph reads and does not define.
static void readFromOutside(const Graph &graph, llvm::StringMap<bool> &own,
                            llvm::function_ref<void(StringRef)> found,
                            unsigned level) {
  SmallVector<StringRef> added;
  auto define = [&](StringRef name) {
    if (own.try_emplace(name, true).second)
      added.push_back(name);
  };
  for (const Tensor &tensor : graph.initializers)
    define(tensor.name);
  for (const ValueInfo &input : graph.inputs)
    define(input.name);
  for (const Node &node : graph.nodes) {
    for (StringRef input : node.inputs)
      if (!input.empty() && !own.count(input))
        found(input);
    for (const Attribute &attribute : node.attributes)
      if (attribute.graph && level < maxDepth)
        readFromOutside(*attribute.graph, own, found, level + 1);
    for (StringRef output : node.outputs)
      define(output);
  }
  for (const ValueInfo &output : graph.outputs)
    if (!own.count(output.name))
      found(output.name);
  for (StringRef name : added)
    own.erase(name);
}

SmallVector<std::pair<StringRef, Value>>
GraphImport::captures(const Graph &graph) {
  SmallVector<std::pair<StringRef, Value>> list;
  llvm::StringMap<bool> own, seen;
  readFromOutside(
      graph, own,
      [&](StringRef name) {
        if (!seen.try_emplace(name, true).second)
          return;
        for (Scope *scope = current; scope; scope = scope->parent) {
          if (scope->initializers.count(name))
            return;
          auto it = scope->values.find(name);
          if (it == scope->values.end())
            continue;
          if (!known.array(it->second) && !known.sizes(it->second))
            list.push_back({it->first(), it->second});
          return;
        }
      },
      0);
  return list;
}

FailureOr<SmallVector<Value>>
GraphImport::importBody(const Graph &graph, Block *block,
                        ArrayRef<std::pair<StringRef, Value>> names) {
  if (depth == maxDepth)
    return error("graphs are nested too deeply"), failure();
  Scope scope;
  scope.parent = current;
  scope.block = block;
  scope.attributes = current->attributes;
  scope.prefix = current->prefix;
  scope.operatorSets = current->operatorSets;
  scope.function = current->function;
  scope.caller = current->caller;
  ++depth;
  Scope *outer = std::exchange(current, &scope);
  auto restore = llvm::scope_exit([&] {
    current = outer;
    --depth;
    b.setInsertionPointToEnd(current->block);
  });
  b.setInsertionPointToEnd(block);
  addInitializers(graph);
  for (auto [name, value] : names)
    if (!scope.values.try_emplace(name, value).second)
      error("'" + name + "' has two definitions");
  importNodes(graph.nodes);
  SmallVector<Value> results;
  for (const ValueInfo &output : graph.outputs) {
    std::string why;
    b.setInsertionPointToEnd(block);
    results.push_back(failed ? Value() : lookup(output.name, why));
    if (!failed && !results.back())
      error("the output " + why);
  }
  if (failed)
    return failure();
  return results;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// Erases shape computations that were folded into types.
static void eraseUnused(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

OwningOpRef<ModuleOp> GraphImport::run() {
  Scope top;
  current = &top;
  if (mlir::failed(checkModel()))
    return nullptr;
  Location loc = UnknownLoc::get(context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  auto function = func::FuncOp::create(loc, "main", b.getFunctionType({}, {}));
  module->push_back(function);
  addInitializers(*model.graph);
  if (mlir::failed(importSignature(function)))
    return nullptr;
  b.setInsertionPointToEnd(top.block);
  Progress progress(llvm::sys::path::stem(path).str(), "reading", "nodes");
  progress.begin(model.graph->nodes.size());
  for (const Node &node : model.graph->nodes) {
    importNodes(node);
    progress.advance();
  }
  b.setInsertionPointToEnd(top.block);
  if (mlir::failed(importResults(function)))
    return nullptr;
  frontends::storeByRows(function);
  eraseUnused(*top.block);
  if (mlir::failed(mlir::verify(*module)))
    return nullptr;
  return module;
}

bool isModel(StringRef path, StringRef bytes) {
  if (path.ends_with(".onnx"))
    return true;
  // A model's first field is the IR version, and the next one the name of the
  // producer or the graph.
  return bytes.size() > 8 && bytes[0] == 0x08 && bytes[1] >= 3 &&
         bytes[1] < 32 && !path.ends_with(".mlir") &&
         (bytes[2] == 0x12 || bytes[2] == 0x3a || bytes[2] == 0x42);
}

OwningOpRef<ModuleOp> read(frontends::Source source, MLIRContext *context) {
  context->loadDialect<func::FuncDialect, tx::TxDialect>();
  std::shared_ptr<llvm::MemoryBuffer> buffer = std::move(source.buffer);
  llvm::Expected<Model> model = readModel(buffer->getBuffer());
  if (!model) {
    emitError(FileLineColLoc::get(context, source.path, 0, 0),
              llvm::toString(model.takeError()));
    return nullptr;
  }
  TensorData data(buffer, llvm::sys::path::parent_path(source.path));
  return GraphImport(*model, data, source.shapes, source.path, context).run();
}

} // namespace tensorc::onnx
