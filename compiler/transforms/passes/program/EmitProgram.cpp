//===- EmitProgram.cpp - Emits kernels and the host program ---------------===//
//
//   func.func @main(%x: tensor<?xf32, #tx.dims<[n]>>) { tx.fusion ... }
// becomes
//   module @kernels { func.func @exp(...) attributes {txk.kernel} }
//     (or gpu.module @kernels { gpu.func @exp(...) kernel ... })
//   txp.func @main(%x: !txp.buffer) { txp.dim, txp.alloc, txp.launch, ... }
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/InPlace.h"
#include "compiler/transforms/passes/Passes.h"
#include "compiler/transforms/passes/TensorProgram.h"
#include "compiler/transforms/passes/program/BatchParts.h"
#include "compiler/transforms/passes/program/ProgramEmitter.h"
#include "compiler/transforms/passes/program/RegisterLoops.h"
#include "compiler/transforms/passes/program/SizeChecks.h"
#include "ir/program/LaunchAttributes.h"
#include "ir/tx/DType.h"
#include "ir/tx/Size.h"
#include "ir/tx/ops/Work.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_EMITPROGRAMPASS
#include "compiler/transforms/passes/Passes.h.inc"

static std::string argumentName(func::FuncOp function, unsigned i) {
  // The argument that binds a size is found by the name of the size.
  for (StringRef attribute : {tx::symbolAttr, tx::nameAttr})
    if (auto name = function.getArgAttrOfType<StringAttr>(i, attribute))
      return name.str();
  return "arg" + std::to_string(i);
}

void ProgramEmitter::createProgram() {
  auto buffer = txp::BufferType::get(b.getContext());
  SmallVector<Type> inputs, outputs;
  SmallVector<Attribute> inputTypes, outputTypes;
  SmallVector<std::string> inputNames, outputNames;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    inputs.push_back(
        tx::isByValue(function.getArgument(i)) ? Type(b.getI64Type()) : buffer);
    inputTypes.push_back(TypeAttr::get(type));
    inputNames.push_back(argumentName(function, i));
  }
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    outputs.push_back(buffer);
    outputTypes.push_back(TypeAttr::get(type));
    auto name = function.getResultAttrOfType<StringAttr>(i, tx::nameAttr);
    outputNames.push_back(name ? name.str() : "out" + std::to_string(i));
  }
  auto strings = [&](ArrayRef<std::string> list) {
    SmallVector<StringRef> refs(list.begin(), list.end());
    return b.getStrArrayAttr(refs);
  };
  program = txp::FuncOp::create(
      b, function.getName(), b.getFunctionType(inputs, outputs),
      {b.getNamedAttr("inputs", b.getArrayAttr(inputTypes)),
       b.getNamedAttr("input_names", strings(inputNames)),
       b.getNamedAttr("outputs", b.getArrayAttr(outputTypes)),
       b.getNamedAttr("output_names", strings(outputNames))});
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.getArgAttr(i, tx::donatedAttr))
      program.setArgAttr(i, tx::donatedAttr, b.getUnitAttr());
  Block *entry = program.getBody().empty() ? program.addEntryBlock()
                                           : &program.getBody().front();
  for (auto [from, to] :
       llvm::zip(function.getArguments(), entry->getArguments()))
    values[from] = to;
  b.setInsertionPointToStart(entry);
}

/// Binds each symbol to the first dim, or index argument, that consists only of
/// the symbol. All other dims are checked.
LogicalResult ProgramEmitter::bindNames() {
  for (auto [i, argument] : llvm::enumerate(function.getArguments()))
    if (auto name = function.getArgAttrOfType<StringAttr>(i, tx::symbolAttr)) {
      sizes.of[symbolOf(name)] = values[argument];
    }
  SmallVector<std::tuple<unsigned, unsigned, shape::Dim>> checks;
  for (auto [i, argument] : llvm::enumerate(function.getArguments())) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || tx::isByValue(function.getArgument(i)))
      continue;
    for (auto [d, dim] : llvm::enumerate(tx::dimsOf(type))) {
      if (dim.isSymbol() && !sizes.of.contains(dim))
        sizes.of[dim] =
            txp::DimOp::create(b, b.getI64Type(), values[argument], d);
      else if (!dim.isNumber())
        checks.push_back({i, d, dim});
    }
  }
  for (auto [i, d, dim] : checks) {
    for (shape::Dim symbol : shape::symbolsOf(dim))
      if (!sizes.of.contains(symbol))
        return function.emitError("nothing gives the size \"")
               << symbol.name() << "\"";
    Value actual = txp::DimOp::create(b, b.getI64Type(),
                                      values[function.getArgument(i)], d);
    sizes.require(arith::CmpIPredicate::eq, actual, sizes.value(dim),
                  "dimension " + Twine(d) + " of " + argumentName(function, i) +
                      " is not " + toString(dim));
  }
  WalkResult named = function.walk([&](Operation *op) {
    ArrayRef<shape::Dim> needed;
    if (auto size = dyn_cast<tx::SizeOp>(op))
      needed = size.getSize().getDims();
    else if (auto loop = dyn_cast<tx::ScanOp>(op))
      needed = loop.getLength().getDims();
    for (shape::Dim symbol : shape::symbolsOf(needed))
      if (!sizes.of.contains(symbol))
        return op->emitError("nothing gives the size \"")
                   << symbol.name() << "\"",
               WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(named.wasInterrupted());
}

/// Emits the checks of sizes that a mesh splits.
static LogicalResult checkDivisors(ImplicitLocOpBuilder &b,
                                   func::FuncOp function, ProgramSizes &sizes) {
  auto list = function->getAttrOfType<ArrayAttr>(sizeChecksAttr);
  if (!list)
    return success();
  for (auto check : list.getAsRange<ArrayAttr>()) {
    shape::Dim size = cast<tx::DimsAttr>(check[0]).getDims()[0];
    int64_t divisor = cast<IntegerAttr>(check[1]).getInt();
    for (shape::Dim symbol : shape::symbolsOf(size))
      if (!sizes.of.contains(symbol))
        return function.emitError("nothing gives the size \"")
               << symbol.name() << "\"";
    Value rest =
        b.createOrFold<arith::RemSIOp>(sizes.value(size), sizes.word(divisor));
    sizes.require(arith::CmpIPredicate::eq, rest, sizes.word(0),
                  toString(size) + " is not a multiple of " + Twine(divisor) +
                      ": " + cast<StringAttr>(check[2]).getValue());
  }
  return success();
}

LogicalResult ProgramEmitter::checkBounds() {
  auto list = function->getAttrOfType<ArrayAttr>(tx::symbolsAttr);
  if (!list)
    return success();
  auto reasons = function->getAttrOfType<DictionaryAttr>(divisorReasonsAttr);
  for (auto symbol : list.getAsRange<tx::SymbolAttr>()) {
    Value value = sizes.of.lookup(symbolOf(symbol.getName()));
    if (!value)
      return function.emitError("tx.symbols: nothing gives the size ")
             << symbol.getName();
    StringRef name = symbol.getName().getValue();
    sizes.require(arith::CmpIPredicate::sge, value, sizes.word(symbol.getMin()),
                  name + " is below " + Twine(symbol.getMin()));
    if (symbol.getMax() != INT64_MAX)
      sizes.require(arith::CmpIPredicate::sle, value,
                    sizes.word(symbol.getMax()),
                    name + " is above " + Twine(symbol.getMax()));
    if (symbol.getDivisor() == 1)
      continue;
    std::string message =
        (name + " is not a multiple of " + Twine(symbol.getDivisor())).str();
    if (reasons)
      if (auto reason = reasons.getAs<StringAttr>(symbol.getName()))
        message += (": " + reason.getValue()).str();
    sizes.require(
        arith::CmpIPredicate::eq,
        b.createOrFold<arith::RemSIOp>(value, sizes.word(symbol.getDivisor())),
        sizes.word(0), message);
  }
  return success();
}

FailureOr<const codegen::EmittedKernels *>
ProgramEmitter::kernelsOf(tx::FusionOp fusion, ArrayRef<bool> byValue) {
  size_t hash = hashOfBody(fusion);
  auto [first, last] = emitted.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    const Emitted &other = it->second;
    tx::FusionOp twin = other.fusion;
    if (twin.getScheduleAttr() == fusion.getScheduleAttr() &&
        ArrayRef(other.byValue) == byValue && haveSameBody(twin, fusion))
      return &other.kernels;
  }
  OpBuilder kernelBuilder =
      OpBuilder::atBlockEnd(&kernels->getRegion(0).front());
  auto made =
      codegen::emitKernels(kernelBuilder, fusion, names, byValue, target);
  if (failed(made))
    return failure();
  SymbolTable symbols(kernels);
  for (codegen::KernelSpec &spec : made->launches)
    symbols.insert(spec.function);
  auto it = emitted.insert(
      {hash, Emitted{fusion, SmallVector<bool>(byValue), std::move(*made)}});
  return &it->second.kernels;
}

/// Annotates the launch with its number of arithmetic operations if the program
/// is to be fitted into a memory limit, which requires estimates of time.
static void annotateFlops(tx::FusionOp fusion, Operation *launch) {
  auto module = fusion->getParentOfType<ModuleOp>();
  if (!module->hasAttr(txp::memoryLimitAttr) &&
      !module->hasAttr(txp::plannedSizesAttr))
    return;
  shape::Dim flops = 0;
  for (Operation &op : fusion.getBody().front().without_terminator())
    flops = flops + tx::flopsOf(&op);
  launch->setAttr(txp::flopsAttr,
                  tx::DimsAttr::get(launch->getContext(), flops));
}

LogicalResult ProgramEmitter::emitFusion(tx::FusionOp fusion) {
  b.setLoc(fusion.getLoc());
  SmallVector<bool> byValue = inputsByValue(fusion);
  for (Operation &op : fusion.getBody().front())
    checkSizes(sizes, &op, [&](unsigned i) {
      return values.lookup(fusion.getInputs()[i]);
    });
  auto emittedKernels = kernelsOf(fusion, byValue);
  if (failed(emittedKernels))
    return failure();
  const codegen::EmittedKernels &made = **emittedKernels;

  SmallVector<Argument> ins, outs;
  auto describe = [&](Value value) -> Argument {
    auto type = cast<RankedTensorType>(value.getType());
    return {values[value], type.getElementType(), tx::bytesOf(type)};
  };
  for (auto [i, input] : llvm::enumerate(fusion.getInputs()))
    if (!byValue[i])
      ins.push_back(describe(input));
  for (Value result : fusion.getResults()) {
    values[result] = BatchParts(b, sizes, values).allocate(result);
    outs.push_back(describe(result));
  }
  for (const auto &temporary : made.temporaries) {
    int64_t width =
        llvm::divideCeil(temporary.element.getIntOrFloatBitWidth(), 8);
    shape::Dim bytes = names.dim(temporary.count) * width;
    Value buffer = txp::AllocOp::create(b, bufferType(), sizes.value(bytes));
    outs.push_back({buffer, temporary.element, bytes});
  }
  for (const codegen::KernelSpec &spec : made.launches) {
    Operation *op = launch(spec, fusion, ins, outs);
    if (made.mayOverwrite)
      setInPlace(fusion, byValue, op);
    if (&spec != &made.launches.front())
      op->setAttr(txp::updatesAttr, b.getUnitAttr());
    else if (op->hasAttr(txp::inPlaceAttr) && onlyCopiesFirst(fusion))
      op->setAttr(txp::keepsAttr, b.getUnitAttr());
    if (&spec != &made.launches.front())
      continue;
    annotateFlops(fusion, op);
    if (Attribute split = fusion->getAttr(splitAttr))
      op->setAttr(txp::fitAttr, split);
  }
  return success();
}

/// Annotates the launch with the pairs of ins and outs that may alias. These
/// pairs are derived from the fusion's inputs and results.
void ProgramEmitter::setInPlace(tx::FusionOp fusion, ArrayRef<bool> byValue,
                                Operation *launch) {
  SmallVector<int64_t> numbers;
  for (auto [input, result] : inPlacePairs(fusion)) {
    if (byValue[input])
      continue;
    numbers.push_back(llvm::count(byValue.take_front(input), false));
    numbers.push_back(result);
  }
  if (!numbers.empty())
    launch->setAttr(txp::inPlaceAttr, b.getDenseI64ArrayAttr(numbers));
}

/// Returns the constant facts of the kernel's tensor maps as attributes.
/// Appends their sizes and strides, which may be symbolic, to `windows` as i64
/// values.
ArrayAttr ProgramEmitter::describeMaps(const codegen::KernelSpec &spec,
                                       SmallVectorImpl<Value> &windows) {
  SmallVector<Attribute> maps;
  for (const auto &map : spec.maps) {
    maps.push_back(txp::TensorMapAttr::get(
        b.getContext(), static_cast<int32_t>(map.buffer), map.elementBytes,
        map.swizzle, map.box));
    for (AffineExpr dim : map.sizes)
      windows.push_back(sizes.value(dim));
    shape::Dim stride = map.elementBytes;
    for (AffineExpr dim : ArrayRef(map.sizes).drop_back()) {
      stride = stride * names.dim(dim);
      windows.push_back(sizes.value(stride));
    }
  }
  return maps.empty() ? ArrayAttr() : b.getArrayAttr(maps);
}

void ProgramEmitter::declare(Operation *launch, ArrayRef<shape::Dim> sizes,
                             ArrayRef<Type> elements) {
  launch->setAttr(txp::sizesAttr, tx::DimsAttr::get(b.getContext(), sizes));
  launch->setAttr(txp::dtypesAttr, b.getTypeArrayAttr(elements));
}

Operation *ProgramEmitter::launch(const codegen::KernelSpec &spec,
                                  tx::FusionOp fusion, ArrayRef<Argument> ins,
                                  ArrayRef<Argument> outs) {
  SmallVector<Value> scalars;
  for (const auto &scalar : spec.scalars)
    scalars.push_back(scalar.input ? values[fusion.getInputs()[*scalar.input]]
                                   : sizes.value(names.names()[scalar.name]));
  auto kernel = SymbolRefAttr::get(SymbolTable::getSymbolName(kernels),
                                   {FlatSymbolRefAttr::get(spec.function)});
  SmallVector<Value> windows;
  ArrayAttr maps = describeMaps(spec, windows);
  Value scratch = spec.scratch ? sizes.value(spec.scratch) : Value();
  auto buffers = [](ArrayRef<Argument> list) {
    return llvm::map_to_vector(list, [](auto &a) { return a.buffer; });
  };
  auto op = txp::LaunchOp::create(
      b, kernel, sizes.value(spec.extent), sizes.value(spec.grain), scratch,
      buffers(ins), buffers(outs), scalars, /*queue=*/0, spec.block,
      spec.dynamicShared, maps, windows);
  SmallVector<shape::Dim> declared = {
      names.dim(spec.extent), spec.scratch ? names.dim(spec.scratch) : 0};
  SmallVector<Type> elements;
  for (const Argument &argument : llvm::concat<const Argument>(ins, outs)) {
    declared.push_back(argument.bytes);
    elements.push_back(argument.element);
  }
  for (const auto &scalar : spec.scalars) {
    if (scalar.input) {
      Type type = fusion.getInputs()[*scalar.input].getType();
      elements.push_back(type.isIndex() ? b.getI64Type()
                                        : getElementTypeOrSelf(type));
      continue;
    }
    declared.push_back(names.names()[scalar.name]);
    elements.push_back(b.getIndexType());
  }
  declare(op, declared, elements);
  op->setAttr(txp::scheduleAttr, fusion.getScheduleAttr());
  if (tx::OrderAttr order = fusion.getOrderAttr())
    op->setAttr(txp::orderAttr, order);
  return op;
}

LogicalResult ProgramEmitter::emitOp(Operation *op) {
  b.setLoc(op->getLoc());
  queues.waitFor(op, values);
  if (auto fusion = dyn_cast<tx::FusionOp>(op))
    return emitFusion(fusion);
  if (tx::isBranch(op))
    return emitBranch(op);
  if (isa<tx::WhileOp, tx::ScanOp>(op)) {
    FailureOr<bool> made =
        RegisterLoops(b, sizes, values, kernels, target).emit(op);
    if (failed(made) || *made)
      return made;
  }
  if (auto loop = dyn_cast<tx::WhileOp>(op))
    return emitWhile(loop);
  if (auto loop = dyn_cast<tx::ScanOp>(op))
    return emitScan(loop);
  if (auto call = dyn_cast<tx::KernelCallOp>(op))
    return emitKernelCall(call);
  if (auto call = dyn_cast<tx::CustomCallOp>(op))
    return emitCustomCall(call), success();
  if (auto constant = dyn_cast<tx::ConstantOp>(op)) {
    values[constant] =
        txp::ConstantBufferOp::create(b, bufferType(), constant.getValue());
    return success();
  }
  if (isa<tx::ReshapeOp, tx::ReinterpretOp>(op)) {
    checkSizes(sizes, op);
    return rename(op->getOperand(0), op->getResult(0)), success();
  }
  if (BatchParts(b, sizes, values).emitView(op))
    return success();
  return op->emitError("is not fused: run tx-fuse-ops first");
}

LogicalResult ProgramEmitter::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(emitOp(&op)))
      return failure();
  return success();
}

LogicalResult ProgramEmitter::emit() {
  createProgram();
  Block &block = function.getBody().front();
  if (failed(bindNames()) || failed(checkBounds()) ||
      failed(checkDivisors(b, function, sizes)) || failed(emitBlock(block)))
    return failure();
  Operation *ret = block.getTerminator();
  b.setLoc(ret->getLoc());
  auto results = llvm::map_to_vector(ret->getOperands(),
                                     [&](Value v) { return values[v]; });
  // The caller's stream is queue 0, also for results that nothing waited for.
  queues.waitForAll();
  txp::ReturnOp::create(b, results);
  function.erase();
  return success();
}

/// Creates the module for the kernels, in the dialect that the target's kernels
/// use.
static Operation *createKernelsModule(ModuleOp module,
                                      const codegen::TargetInfo &target) {
  auto b = OpBuilder::atBlockBegin(module.getBody());
  if (!target.isSimt())
    return ModuleOp::create(b, module.getLoc(), codegen::kKernelsName);
  return gpu::GPUModuleOp::create(b, module.getLoc(), codegen::kKernelsName);
}

namespace {
struct EmitProgram : impl::EmitProgramPassBase<EmitProgram> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto name = module->getAttrOfType<StringAttr>(tx::targetAttr);
    if (!name) {
      module.emitError("has no tx.target");
      return signalPassFailure();
    }
    auto target = codegen::getTargetInfo(name.getValue());
    if (!target) {
      module.emitError(llvm::toString(target.takeError()));
      return signalPassFailure();
    }
    if (Operation *taken = module.lookupSymbol(codegen::kKernelsName)) {
      taken->emitError("the name @kernels is taken by the emitted kernels");
      return signalPassFailure();
    }
    Operation *kernels = createKernelsModule(module, *target);
    UserKernels userKernels(module, kernels, *target);
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (!function.getBody().hasOneBlock()) {
        function.emitError("a program has one block");
        return signalPassFailure();
      }
      if (failed(
              ProgramEmitter(function, kernels, userKernels, *target).emit()))
        return signalPassFailure();
    }
    userKernels.finish();
  }
};
} // namespace

} // namespace tensorc::compiler
