//===- FunctionEncoder.cpp - encodes a txp.func as bytecode ---------------===//
#include "compiler/output/package/FunctionEncoder.h"

#include "ir/program/HostCopies.h"
#include "ir/program/LaunchAttributes.h"
#include "ir/tx/DType.h"
#include "tensorc/runtime.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;

static_assert(static_cast<int>(tx::DType::C128) == TENSORC_RT_C128 &&
              static_cast<int>(tx::DType::F64) == TENSORC_RT_F64 &&
              tx::numDTypes == TENSORC_RT_INDEX);

uint8_t compiler::dtypeOf(Type type) {
  if (type.isIndex())
    return TENSORC_RT_INDEX;
  return static_cast<uint8_t>(tx::dtypeOf(type).value_or(tx::DType::None));
}

//===----------------------------------------------------------------------===//
// Registers and instructions
//===----------------------------------------------------------------------===//

uint32_t FunctionEncoder::newRegister(Type type) {
  if (isa<txp::BufferType>(type))
    return result.buffers++;
  if (isa<txp::EventType>(type))
    return result.events++;
  return result.words++;
}

uint32_t FunctionEncoder::define(Value value) {
  uint32_t index = newRegister(value.getType());
  registers[value] = index;
  return index;
}

void FunctionEncoder::append(Words &words, ValueRange values) const {
  for (Value value : values)
    words.push_back(use(value));
}

LogicalResult FunctionEncoder::emit(Operation *at, Op op,
                                    ArrayRef<uint32_t> operands,
                                    uint32_t queue) {
  if (operands.size() > rt::maxOperands)
    return at->emitOpError("has too many operands for a program");
  result.code.push_back(rt::encodeHead(op, static_cast<uint8_t>(queue),
                                       static_cast<uint32_t>(operands.size())));
  llvm::append_range(result.code, operands);
  return success();
}

uint32_t FunctionEncoder::emitConstant(Operation *at, int64_t value) {
  uint32_t index = result.words++;
  auto bits = static_cast<uint64_t>(value);
  (void)emit(
      at, Op::Const,
      {index, static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)});
  return index;
}

FailureOr<EncodedFunction> FunctionEncoder::encode() {
  result.name = func.getName().str();
  for (BlockArgument argument : func.getArguments())
    define(argument);
  result.wordArgs = result.words;
  result.bufferArgs = result.buffers;
  if (failed(block(func.getBody().front())))
    return failure();
  if (std::max({result.words, result.buffers, result.events,
                result.hostBuffers}) > rt::maxRegisters)
    return func.emitOpError("needs more registers than a program can have");
  return std::move(result);
}

LogicalResult FunctionEncoder::block(Block &body) {
  for (Operation &op : body)
    if (failed(operation(op)))
      return failure();
  return success();
}

LogicalResult FunctionEncoder::operation(Operation &op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](scf::IfOp op) { return ifOp(op); })
      .Case([&](scf::WhileOp op) { return whileOp(op); })
      .Case([&](scf::ForOp op) { return forOp(op); })
      // These ops are encoded with their parents.
      .Case<scf::YieldOp, scf::ConditionOp>([](auto) { return success(); })
      .Default([&](Operation *op) {
        StringRef dialect = op->getName().getDialectNamespace();
        if (dialect == "arith")
          return arithmetic(*op);
        if (dialect == "txp")
          return program(*op);
        return LogicalResult(op->emitOpError("cannot be part of a program"));
      });
}

//===----------------------------------------------------------------------===//
// txp
//===----------------------------------------------------------------------===//

LogicalResult FunctionEncoder::program(Operation &op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](txp::DimOp op) { return dim(op); })
      .Case([&](txp::AssertOp op) {
        return emit(op, Op::Assert,
                    {use(op.getCondition()), tables.string(op.getMessage())});
      })
      .Case([&](txp::AllocOp op) {
        Words words = {0, use(op.getBytes())};
        if (auto reused =
                op->getAttrOfType<DenseI64ArrayAttr>(txp::reusesAttr)) {
          words.push_back(op->hasAttr(txp::writtenLastAttr));
          for (int64_t argument : reused.asArrayRef())
            words.push_back(use(func.getArgument(argument)));
        }
        words[0] = define(op.getBuffer());
        return emit(op, Op::Alloc, words, op.getQueue());
      })
      .Case([&](txp::ViewOp op) {
        return emit(op, Op::View,
                    {define(op.getBuffer()), use(op.getSource()),
                     use(op.getOffset()), use(op.getBytes())});
      })
      .Case([&](txp::ConstantBufferOp op) -> LogicalResult {
        FailureOr<uint32_t> index = tables.constants.index(op);
        if (failed(index))
          return failure();
        Value buffer = op.getBuffer();
        if (!buffer.use_empty() &&
            llvm::all_of(buffer.getUsers(), llvm::IsaPred<txp::RestoreOp>))
          return success();
        return emit(op, Op::Constant, {define(op.getBuffer()), *index});
      })
      .Case([&](txp::CopyOp op) {
        return emit(op, Op::Copy, {use(op.getSource()), use(op.getTarget())},
                    op.getQueue());
      })
      .Case([&](txp::SpillOp op) {
        // Only txp.restore uses the result, so that its register is of another
        // file than those of buffers.
        uint32_t host = registers[op.getHost()] = result.hostBuffers++;
        return emit(op, Op::Spill, {host, use(op.getSource())}, op.getQueue());
      })
      .Case([&](txp::RestoreOp op) -> LogicalResult {
        if (auto constant =
                op.getHost().getDefiningOp<txp::ConstantBufferOp>()) {
          FailureOr<uint32_t> index = tables.constants.index(constant);
          if (failed(index))
            return failure();
          return emit(op, Op::Upload, {*index, use(op.getTarget())},
                      op.getQueue());
        }
        return emit(op, Op::Restore, {use(op.getHost()), use(op.getTarget())},
                    op.getQueue());
      })
      .Case([&](txp::FillOp op) {
        return emit(op, Op::Fill,
                    {use(op.getTarget()), use(op.getPattern()), op.getWidth()},
                    op.getQueue());
      })
      .Case([&](txp::RecordOp op) {
        return emit(op, Op::Record, {define(op.getEvent())}, op.getQueue());
      })
      .Case([&](txp::WaitOp op) {
        return emit(op, Op::Wait, {use(op.getEvent())}, op.getQueue());
      })
      .Case([&](txp::ReadScalarOp op) { return readScalar(op); })
      .Case([&](txp::LaunchOp op) { return launch(op); })
      .Case([&](txp::LaunchGridOp op) { return launchGrid(op); })
      .Case([&](txp::CallOp op) { return call(op); })
      .Case([&](txp::CustomCallOp op) { return customCall(op); })
      .Case([&](txp::ReturnOp op) { return ret(op); })
      .Default([](Operation *op) {
        return LogicalResult(op->emitOpError("has no instruction"));
      });
}

LogicalResult FunctionEncoder::dim(txp::DimOp op) {
  uint32_t input = cast<BlockArgument>(op.getBuffer()).getArgNumber();
  return emit(
      op, Op::Dim,
      {define(op.getSize()), input, static_cast<uint32_t>(op.getIndex())});
}

LogicalResult FunctionEncoder::readScalar(txp::ReadScalarOp op) {
  uint32_t buffer = use(op.getBuffer()), offset = use(op.getOffset());
  return emit(op, Op::ReadScalar,
              {define(op.getValue()), buffer, offset, dtypeOf(op.getElement())},
              op.getQueue());
}

/// Appends the kernel's arguments to the words that describe its launch.
template <typename LaunchOp>
void FunctionEncoder::appendArguments(Words &words, LaunchOp op,
                                      ArrayRef<uint32_t> dims) const {
  words.push_back(
      static_cast<uint32_t>(op.getIns().size() + op.getOuts().size()));
  words.push_back(static_cast<uint32_t>(op.getScalars().size()));
  words.push_back(static_cast<uint32_t>(dims.size()));
  append(words, op.getIns());
  append(words, op.getOuts());
  append(words, op.getScalars());
  words.append(dims.begin(), dims.end());
}

/// Appends the grid of a launch: the registers of `y` and `z`, the size of the
/// shared memory, and the sizes of a block.
void FunctionEncoder::appendGrid(Words &words, const Grid &grid) const {
  words.append({1, grid.y, grid.z, grid.shared, grid.blockY, grid.blockZ});
}

void FunctionEncoder::appendMaps(Words &words, txp::LaunchOp op) const {
  ValueRange windows = op.getWindows();
  words.push_back(op.getTensorMaps().size());
  for (txp::TensorMapAttr map : op.getTensorMaps()) {
    ArrayRef<int32_t> box = map.getBox();
    for (size_t number : {size_t(map.getBuffer()), size_t(map.getElement()),
                          size_t(map.getSwizzle()), box.size()})
      words.push_back(number);
    words.append(box.begin(), box.end());
    append(words, windows.take_front(2 * box.size() - 1));
    windows = windows.drop_front(2 * box.size() - 1);
  }
}

/// Returns the sizes that the launch declares, if this function binds their
/// symbols.
template <typename LaunchOp>
tx::DimsAttr FunctionEncoder::declaredSizes(LaunchOp op) const {
  auto sizes = op->template getAttrOfType<tx::DimsAttr>(txp::sizesAttr);
  auto types = op->template getAttrOfType<ArrayAttr>(txp::dtypesAttr);
  size_t buffers = op.getIns().size() + op.getOuts().size();
  if (!sizes || !names || !types ||
      types.size() != buffers + op.getScalars().size())
    return {};
  size_t scalars =
      llvm::count_if(types.getValue().drop_front(buffers), [](Attribute type) {
        auto element = dyn_cast<TypeAttr>(type);
        return element && element.getValue().isIndex();
      });
  if (sizes.getDims().size() != 2 + buffers + scalars)
    return {};
  auto isBound = [&](shape::Dim symbol) {
    // Unnamed sizes are numbered, and other lists of sizes may use the same
    // numbers for other sizes.
    return !symbol.name().starts_with("?") && names->isBound(symbol);
  };
  bool isKnown = llvm::all_of(sizes.getDims(), [&](shape::Dim dim) {
    return !dim.isNone() && llvm::all_of(shape::symbolsOf(dim), isBound);
  });
  return isKnown ? sizes : tx::DimsAttr();
}

uint32_t FunctionEncoder::emitSize(Operation *at, Op op,
                                   ArrayRef<uint32_t> operands) {
  Words words = {result.words++};
  words.append(operands.begin(), operands.end());
  (void)emit(at, op, words);
  return words.front();
}

/// Returns the registers of the sizes that a declaration uses.
FailureOr<FunctionEncoder::Words>
FunctionEncoder::launchDims(Operation *op, tx::DimsAttr declared) {
  Words dims;
  if (!declared)
    return dims;
  // Registers that a nested block sets must not be used after the block.
  bool isOutermost = op->getParentOp() == func;
  for (shape::Dim name : shape::symbolsOf(declared.getDims())) {
    if (auto it = nameRegisters.find(name); it != nameRegisters.end()) {
      dims.push_back(it->second);
      continue;
    }
    FailureOr<uint32_t> size = names->evaluate(
        name, op->getLoc(),
        [&](Op code, ArrayRef<uint32_t> operands) {
          return emitSize(op, code, operands);
        },
        [&](BlockArgument argument) { return use(argument); });
    if (failed(size))
      return failure();
    if (isOutermost)
      nameRegisters[name] = *size;
    dims.push_back(*size);
  }
  return dims;
}

FailureOr<EncodedFunction> compiler::encodeSizes(tx::DimsAttr sizes,
                                                 Location loc) {
  EncodedFunction function;
  SmallVector<shape::Dim> names = shape::symbolsOf(sizes.getDims());
  function.words = function.wordArgs = names.size();
  auto emit = [&](rt::Op op, ArrayRef<uint32_t> operands) {
    function.code.push_back(rt::encodeHead(op, 0, 1 + operands.size()));
    function.code.push_back(function.words);
    llvm::append_range(function.code, operands);
    return function.words++;
  };
  auto leaf = [&](shape::Dim symbol) {
    return std::optional<uint32_t>(llvm::find(names, symbol) - names.begin());
  };
  SizeEncoder encoder(emit, leaf);
  SmallVector<uint32_t> results;
  for (shape::Dim dim : sizes.getDims()) {
    std::optional<uint32_t> value = encoder.encode(dim);
    if (!value)
      return emitError(loc, "a size that cannot be computed"), failure();
    results.push_back(*value);
  }
  function.wordResults = results.size();
  function.code.push_back(
      rt::encodeHead(rt::Op::Return, 0, 2 + results.size()));
  function.code.push_back(0);
  function.code.push_back(function.wordResults);
  llvm::append_range(function.code, results);
  return function;
}

LogicalResult FunctionEncoder::launch(txp::LaunchOp op) {
  tx::DimsAttr declared = declaredSizes(op);
  FailureOr<uint32_t> kernel = tables.kernel(op, declared);
  FailureOr<Words> dims = launchDims(op, declared);
  if (failed(kernel) || failed(dims))
    return failure();
  uint32_t scratch =
      op.getScratch() ? use(op.getScratch()) : emitConstant(op, 0);
  Words words = {*kernel, use(op.getExtent()), use(op.getGrain()), scratch,
                 op.getBlock()};
  appendArguments(words, op, *dims);
  if (op.getShared()) {
    uint32_t one = emitConstant(op, 1);
    appendGrid(words, {one, one, emitConstant(op, op.getShared())});
  } else {
    words.push_back(0);
  }
  appendMaps(words, op);
  words.push_back(tables.opNumber(op.getLoc()));
  return emit(op, Op::Launch, words, op.getQueue());
}

LogicalResult FunctionEncoder::launchGrid(txp::LaunchGridOp op) {
  tx::DimsAttr declared = declaredSizes(op);
  FailureOr<uint32_t> kernel = tables.kernel(op, declared);
  FailureOr<Words> dims = launchDims(op, declared);
  if (failed(kernel) || failed(dims))
    return failure();
  uint32_t one = emitConstant(op, 1), none = emitConstant(op, 0);
  auto blockOf = [&](unsigned i) {
    return i < op.getBlock().size() ? uint32_t(op.getBlock()[i]) : 1;
  };
  auto gridOf = [&](unsigned i) {
    return i < op.getGrid().size() ? use(op.getGrid()[i]) : one;
  };
  Words words = {*kernel, gridOf(0), one, none, blockOf(0)};
  appendArguments(words, op, *dims);
  appendGrid(words,
             {gridOf(1), gridOf(2), op.getShared() ? use(op.getShared()) : none,
              blockOf(1), blockOf(2)});
  words.push_back(0); // no tensor maps
  words.push_back(tables.opNumber(op.getLoc()));
  return emit(op, Op::Launch, words, op.getQueue());
}

/// Appends the register numbers of buffers, then those of words, because the
/// two kinds are numbered separately.
template <typename Range, typename Number>
static void partition(Range values, Number number, uint32_t &buffers,
                      SmallVectorImpl<uint32_t> &out) {
  SmallVector<uint32_t> words;
  for (Value value : values) {
    bool isBuffer = isa<txp::BufferType>(value.getType());
    buffers += isBuffer;
    (isBuffer ? out : words).push_back(number(value));
  }
  out.append(words);
}

LogicalResult FunctionEncoder::call(txp::CallOp op) {
  uint32_t buffers = 0, ignored = 0;
  Words args, results;
  partition(op.getArgs(), [&](Value v) { return use(v); }, buffers, args);
  partition(
      op.getResults(), [&](Value v) { return define(v); }, ignored, results);
  Words words = {tables.function(op.getCallee()), buffers,
                 static_cast<uint32_t>(args.size()) - buffers};
  words.append(args);
  words.append(results);
  return emit(op, Op::Call, words);
}

LogicalResult FunctionEncoder::customCall(txp::CustomCallOp op) {
  Words words = {tables.string(op.getCallee()),
                 tables.string(op.getConfig().value_or("")),
                 static_cast<uint32_t>(op.getIns().size()),
                 static_cast<uint32_t>(op.getOuts().size()),
                 static_cast<uint32_t>(op.getScalars().size())};
  append(words, op.getIns());
  append(words, op.getOuts());
  append(words, op.getScalars());
  words.push_back(tables.opNumber(op.getLoc()));
  return emit(op, Op::CustomCall, words, op.getQueue());
}

LogicalResult FunctionEncoder::ret(txp::ReturnOp op) {
  uint32_t buffers = 0;
  Words values;
  partition(op.getResults(), [&](Value v) { return use(v); }, buffers, values);
  if (func.isEntry()) {
    FailureOr<Words> dims = outputDims(op);
    if (failed(dims))
      return failure();
    values.append(*dims);
  }
  result.bufferResults = buffers;
  result.wordResults = static_cast<uint32_t>(values.size()) - buffers;
  Words words = {buffers, result.wordResults};
  words.append(values);
  return emit(op, Op::Return, words);
}

/// Returns the registers of the dims of all outputs, including static dims.
FailureOr<FunctionEncoder::Words>
FunctionEncoder::outputDims(txp::ReturnOp op) {
  Words dims;
  auto given = op.getDims().begin();
  for (Type type : func.getOutputs()->getAsValueRange<TypeAttr>()) {
    auto tensor = cast<RankedTensorType>(type);
    for (shape::Dim dim : names->dims(tensor)) {
      if (dim.isNumber()) {
        dims.push_back(emitConstant(op, dim.constant()));
      } else if (!op.getDims().empty()) {
        dims.push_back(use(*given++));
      } else {
        FailureOr<uint32_t> value = names->evaluate(
            dim, op.getLoc(),
            [&](Op code, ArrayRef<uint32_t> operands) {
              return emitSize(op, code, operands);
            },
            [&](BlockArgument argument) { return use(argument); });
        if (failed(value))
          return failure();
        dims.push_back(*value);
      }
    }
  }
  return dims;
}
