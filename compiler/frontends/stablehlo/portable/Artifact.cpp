//===- Artifact.cpp - StableHLO as portable artifacts ---------------------===//
//
//   vhlo.dot_general_v2                      stablehlo.dot_general
//     lhs_contracting_dimensions = dense<1>    dot_dimension_numbers =
//     rhs_contracting_dimensions = dense<0>      #stablehlo<dot<...>>
//
// An op gets its name in StableHLO, and the artifact's separate attributes are
// combined again.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/stablehlo/portable/Artifact.h"
#include "compiler/frontends/stablehlo/Attributes.h"
#include "compiler/frontends/stablehlo/portable/Dialect.h"
#include "compiler/frontends/stablehlo/portable/Structure.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tensorc::stablehlo {

bool isBytecode(StringRef bytes) { return bytes.starts_with("ML\xEFR"); }

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

namespace {
/// The attributes of an op of VHLO while they are converted to those of
/// StableHLO.
class Attributes {
public:
  Attributes(Operation *op, StringRef name)
      : c(op->getContext()), list(op->getAttrs()) {
    if (name == "dot_general")
      putDot();
    else if (name == "gather" || name == "dynamic_gather")
      putGather();
    else if (name == "scatter")
      putScatter();
    else if (name == "convolution" || name == "dynamic_conv")
      putConvolution();
    if (Attribute id = list.erase("channel_id"))
      list.set("channel_handle",
               opaque("channel_handle<handle = " + number(id) +
                      ", type = " + number(list.erase("channel_type")) + ">"));
    for (StringRef symbol : {"callee", "decomposition"})
      if (auto text = dyn_cast_if_present<StringAttr>(list.get(symbol)))
        list.set(symbol, FlatSymbolRefAttr::get(text));
    putComputations();
    list.erase("result_accuracy");
    list.erase("sdy.sharding");
    list.erase("sdy.sharding_rule");
  }
  ArrayRef<NamedAttribute> all() const { return list; }

private:
  MLIRContext *c;
  NamedAttrList list;

  Attribute opaque(const Twine &text) {
    return OpaqueAttr::get(StringAttr::get(c, "stablehlo"), text.str(),
                           NoneType::get(c));
  }
  static std::string number(Attribute attribute) {
    return std::to_string(numberIn(attribute).value_or(0));
  }
  /// Removes the attribute and returns it as the text `name = [0, 1]`.
  std::string field(StringRef name) {
    NumberList values = numbersIn(list.erase(name)).value_or(NumberList());
    std::string text = (name + " = [").str();
    llvm::raw_string_ostream out(text);
    llvm::interleaveComma(values, out);
    return text + "]";
  }
  void put(StringRef name, StringRef kind, ArrayRef<StringRef> fields,
           StringRef single = "") {
    std::string text = (kind + "<").str();
    for (StringRef each : fields)
      text += (each == fields.front() ? "" : ", ") + field(each);
    if (!single.empty())
      text += (", " + single + " = ").str() + number(list.erase(single));
    list.set(name, opaque(text + ">"));
  }

  void putDot() {
    put("dot_dimension_numbers", "dot",
        {"lhs_batching_dimensions", "rhs_batching_dimensions",
         "lhs_contracting_dimensions", "rhs_contracting_dimensions"});
    // In StableHLO the algorithm is one optional attribute.
    std::string text;
    for (StringRef name : {"lhs_precision_type", "rhs_precision_type"})
      if (auto type = dyn_cast_if_present<TypeAttr>(list.erase(name))) {
        llvm::raw_string_ostream out(text);
        out << name << " = " << type.getValue() << ", ";
      }
    text += "num_primitive_operations = " +
            number(list.erase("num_primitive_operations"));
    for (StringRef name :
         {"accumulation_type", "lhs_component_count", "rhs_component_count",
          "allow_imprecise_accumulation"})
      list.erase(name);
    list.set("algorithm", opaque("dot_algorithm<" + text + ">"));
  }
  void putGather() {
    put("dimension_numbers", "gather",
        {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
         "start_indices_batching_dims", "start_index_map"},
        "index_vector_dim");
  }
  void putScatter() {
    put("scatter_dimension_numbers", "scatter",
        {"update_window_dims", "inserted_window_dims", "input_batching_dims",
         "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"},
        "index_vector_dim");
  }

  /// Returns a text such as `[b, 0, 1, f]`: letters at the dims that the
  /// attributes `first` and `second` contain, and numbers at the spatial dims.
  std::string image(StringRef part, StringRef first, StringRef firstLetter,
                    StringRef second, StringRef secondLetter) {
    NumberList spatial =
        numbersIn(list.erase((part + "_spatial_dimensions").str()))
            .value_or(NumberList());
    SmallVector<std::string> words(spatial.size() + 2, "?");
    auto set = [&](int64_t at, StringRef word) {
      if (at >= 0 && at < static_cast<int64_t>(words.size()))
        words[at] = word.str();
    };
    auto taken = [&](StringRef name) {
      return numberIn(list.erase((part + "_" + name + "_dimension").str()))
          .value_or(-1);
    };
    set(taken(first), firstLetter);
    set(taken(second), secondLetter);
    for (auto [i, at] : llvm::enumerate(spatial))
      set(at, std::to_string(i));
    return "[" + llvm::join(words, ", ") + "]";
  }
  void putConvolution() {
    std::string input = image("input", "batch", "b", "feature", "f");
    std::string kernel =
        image("kernel", "input_feature", "i", "output_feature", "o");
    std::string output = image("output", "batch", "b", "feature", "f");
    list.set("dimension_numbers",
             opaque("conv<" + input + "x" + kernel + "->" + output + ">"));
  }
  void putComputations() {
    auto names =
        dyn_cast_if_present<ArrayAttr>(list.get("called_computations"));
    if (!names)
      return;
    SmallVector<Attribute> symbols;
    for (auto name : names.getAsRange<StringAttr>())
      symbols.push_back(FlatSymbolRefAttr::get(name));
    list.set("called_computations", ArrayAttr::get(c, symbols));
  }
};

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

class Renamer {
public:
  explicit Renamer(MLIRContext *context) : b(context) {}

  LogicalResult module(ModuleOp from, ModuleOp to) {
    for (StringRef name : {"mhlo.num_partitions", "mhlo.num_replicas"})
      if (Attribute value = from->getAttr(name))
        to->setAttr(name, value);
    for (Operation &op : *from.getBody()) {
      b.setInsertionPointToEnd(to.getBody());
      StringRef name = op.getName().getStringRef();
      if (name == "vhlo.func_v1") {
        if (failed(function(op)))
          return failure();
      } else if (name == "sdy.mesh") {
        b.clone(op);
      } else {
        return op.emitError() << name << " stands outside of functions";
      }
    }
    return success();
  }

private:
  OpBuilder b;
  IRMapping map;
  unsigned depth = 0;

  LogicalResult function(Operation &op);
  LogicalResult region(Region &from, Region &to);
  LogicalResult block(Block &from, Block &to);
  LogicalResult convert(Operation &op);
  FailureOr<SmallVector<Value>> operands(Operation &op);
  /// Returns the name that an op has in StableHLO: `add` for `vhlo.add_v1`.
  static StringRef plainName(Operation &op) {
    StringRef name = op.getName().getStringRef();
    name.consume_front("vhlo.");
    return name.substr(0, name.rfind("_v"));
  }
};

LogicalResult Renamer::function(Operation &op) {
  auto name = op.getAttrOfType<StringAttr>("sym_name");
  auto typed = op.getAttrOfType<TypeAttr>("function_type");
  auto type = typed ? dyn_cast<FunctionType>(typed.getValue()) : FunctionType();
  if (!name || name.empty() || !type || op.getNumRegions() != 1)
    return op.emitError("a function has no name, type or body");
  auto made = func::FuncOp::create(b, op.getLoc(), name, type);
  auto visibility = op.getAttrOfType<StringAttr>("sym_visibility");
  if (visibility && visibility.getValue() == "private")
    made.setPrivate();
  // Calls `set` with the index and an attribute of each argument or result.
  auto eachOf = [&](StringRef list, unsigned count, auto set) {
    auto all = op.getAttrOfType<ArrayAttr>(list);
    for (unsigned i = 0; all && i < std::min<size_t>(all.size(), count); ++i)
      if (auto given = dyn_cast<DictionaryAttr>(all[i]))
        for (NamedAttribute each : given)
          set(i, each);
  };
  eachOf("arg_attrs", type.getNumInputs(), [&](unsigned i, NamedAttribute a) {
    if (llvm::is_contained({"tf.aliasing_output", "jax.buffer_donor",
                            "mhlo.memory_kind", "sdy.sharding"},
                           a.getName().getValue()))
      made.setArgAttr(i, a.getName(), a.getValue());
  });
  eachOf("res_attrs", type.getNumResults(), [&](unsigned i, NamedAttribute a) {
    if (a.getName() == "sdy.sharding" || a.getName() == "mhlo.memory_kind")
      made.setResultAttr(i, a.getName(), a.getValue());
  });
  map.clear();
  return region(op.getRegion(0), made.getBody());
}

LogicalResult Renamer::region(Region &from, Region &to) {
  // Maximum nesting of regions, because their conversion is recursive.
  constexpr unsigned deepest = 128;
  if (++depth > deepest)
    return from.getParentOp()->emitError()
           << "more than " << deepest << " regions lie in each other";
  for (Block &each : from) {
    auto *made = new Block;
    to.push_back(made);
    if (failed(block(each, *made)))
      return failure();
  }
  --depth;
  return success();
}

LogicalResult Renamer::block(Block &from, Block &to) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(&to);
  for (BlockArgument argument : from.getArguments())
    map.map(argument, to.addArgument(argument.getType(), argument.getLoc()));
  for (Operation &op : from)
    if (failed(convert(op)))
      return failure();
  return success();
}

FailureOr<SmallVector<Value>> Renamer::operands(Operation &op) {
  SmallVector<Value> values;
  for (Value operand : op.getOperands()) {
    values.push_back(map.lookupOrNull(operand));
    if (!values.back())
      return op.emitError()
             << op.getName() << " uses a value before it is there";
  }
  return values;
}

LogicalResult Renamer::convert(Operation &op) {
  StringRef name = plainName(op);
  FailureOr<SmallVector<Value>> x = operands(op);
  if (failed(x))
    return failure();
  if (op.getNumSuccessors())
    return op.emitError() << op.getName() << " jumps to a block";
  // Drops casts between types of VHLO and other types. Here these types are
  // equal.
  if (op.getName().getStringRef() == "builtin.unrealized_conversion_cast" &&
      op.getOperandTypes() == op.getResultTypes()) {
    map.map(op.getResults(), ValueRange(*x));
    return success();
  }
  bool isPortable = op.getName().getDialectNamespace() == "vhlo";
  if (isPortable && !op.isRegistered())
    return op.emitError() << op.getName()
                          << " is not among the known ops of artifacts";
  bool endsFunction =
      op.getParentOp()->getName().getStringRef() == "vhlo.func_v1";
  if (isPortable && name == "return" && endsFunction) {
    func::ReturnOp::create(b, op.getLoc(), *x);
    return success();
  }
  Attributes attributes(&op, isPortable ? name : "");
  if (isPortable && name == "call") {
    auto callee = op.getAttrOfType<StringAttr>("callee");
    if (!callee)
      return op.emitError("a call names no function");
    auto made =
        func::CallOp::create(b, op.getLoc(), op.getResultTypes(), callee, *x);
    map.map(op.getResults(), made.getResults());
    return success();
  }
  OperationState state(op.getLoc(), isPortable
                                        ? ("stablehlo." + name).str()
                                        : op.getName().getStringRef().str());
  state.addOperands(*x);
  state.addTypes(op.getResultTypes());
  state.addAttributes(attributes.all());
  for (unsigned i = 0; i < op.getNumRegions(); ++i)
    state.addRegion();
  Operation *made = b.create(state);
  map.map(op.getResults(), made->getResults());
  for (auto [from, to] : llvm::zip(op.getRegions(), made->getRegions()))
    if (failed(region(from, to)))
      return failure();
  return success();
}
} // namespace

//===----------------------------------------------------------------------===//
// Artifacts
//===----------------------------------------------------------------------===//

OwningOpRef<ModuleOp> readPortableArtifact(llvm::MemoryBufferRef buffer,
                                           MLIRContext *context) {
  if (std::string why = whyNoBytecode(buffer.getBuffer()); !why.empty()) {
    emitError(UnknownLoc::get(context))
        << buffer.getBufferIdentifier() << ": the artifact " << why;
    return {};
  }
  loadPortableDialect(context, buffer.getBufferSize());
  Block block;
  ParserConfig config(context, /*verifyAfterParse=*/false);
  if (failed(readBytecodeFile(buffer, &block, config)))
    return {};
  auto source = block.empty() ? ModuleOp() : dyn_cast<ModuleOp>(block.front());
  if (!source || !llvm::hasSingleElement(block)) {
    emitError(UnknownLoc::get(context), "the artifact is no module");
    return {};
  }
  OwningOpRef<ModuleOp> result = ModuleOp::create(source.getLoc());
  if (failed(Renamer(context).module(source, *result)) ||
      failed(verify(*result)))
    return {};
  return result;
}

} // namespace tensorc::stablehlo
