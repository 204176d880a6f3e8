//===- Object.cpp - programs as C functions -------------------------------===//
//
//   module @kernels { llvm.func @k(args, begin, end, scratch) }
//   txp.func @main(%x: !txp.buffer) -> !txp.buffer
// becomes one flat module:
//   llvm.func internal @k(...)
//   llvm.func internal @digits.impl(inputs, outputs, workspace, threads, ...)
//   llvm.func @digits_run(inputs, outputs, workspace) -> i32
//   llvm.func @digits_workspace_size(n) -> i64, ...
//
//===----------------------------------------------------------------------===//
#include "compiler/output/object/Object.h"
#include "compiler/output/object/Header.h"
#include "compiler/output/object/ProgramLowering.h"
#include "compiler/output/package/Tables.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;

namespace tensorc::compiler {
#define GEN_PASS_DEF_CONVERTPROGRAMSTOLLVMPASS
#include "compiler/output/object/Passes.h.inc"
} // namespace tensorc::compiler

static constexpr llvm::StringLiteral supportText =
#include "compiler/output/object/Support.mlir.inc"
    ;

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

LLVM::GlobalOp ObjectConstants::addBytes(ModuleOp object, const Twine &name,
                                         StringRef bytes, unsigned align) {
  OpBuilder b(object.getContext());
  // C has no objects of size 0, but the global needs an address.
  bool isEmpty = bytes.empty();
  StringRef content = isEmpty ? StringRef("\0", 1) : bytes;
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), content.size());
  auto global = LLVM::GlobalOp::create(
      b, object.getLoc(), type, /*isConstant=*/true, LLVM::Linkage::Internal,
      (name + (isEmpty ? ".empty" : "")).str(), b.getStringAttr(content),
      align);
  // Inserting it last makes its name unique.
  SymbolTable(object).insert(global, object.getBody()->begin());
  return global;
}

FailureOr<LLVM::GlobalOp> ObjectConstants::global(txp::ConstantBufferOp op) {
  LLVM::GlobalOp &known = this->known[op.getValue()];
  if (known)
    return known;
  auto elements = dyn_cast<ElementsAttr>(op.getValue());
  if (!elements)
    return op.emitOpError() << "refers to a constant that is not given";
  std::string converted;
  FailureOr<StringRef> bytes = constantBytes(op.getLoc(), elements, converted);
  if (failed(bytes))
    return failure();
  known = addBytes(object, "tensorc.constant", *bytes, 64);
  return known;
}

//===----------------------------------------------------------------------===//
// The functions of an entry
//===----------------------------------------------------------------------===//

namespace {
/// Adds one entry's functions to the object.
class EntryWriter {
public:
  EntryWriter(const ObjectSignature &signature, ModuleOp object,
              ObjectConstants &constants, bool threads)
      : signature(signature), object(object), constants(constants),
        threads(threads),
        b(object.getLoc(), OpBuilder::atBlockEnd(object.getBody())),
        i32(b.getI32Type()), i64(b.getI64Type()),
        pointer(LLVM::LLVMPointerType::get(b.getContext())) {}
  LogicalResult write();

private:
  FailureOr<LLVM::LLVMFuncOp> add(const Twine &suffix, Type result,
                                  ArrayRef<Type> arguments, bool isApi = true);
  LogicalResult writeRun(LLVM::LLVMFuncOp impl);
  LogicalResult writeWorkspaceSize();
  LogicalResult writeOutputs();
  LogicalResult writeError();

  const ObjectSignature &signature;
  ModuleOp object;
  ObjectConstants &constants;
  bool threads;
  ImplicitLocOpBuilder b;
  Type i32, i64, pointer;
  ObjectMessages messages;
};
} // namespace

FailureOr<LLVM::LLVMFuncOp> EntryWriter::add(const Twine &suffix, Type result,
                                             ArrayRef<Type> arguments,
                                             bool isApi) {
  std::string name = (signature.prefix + suffix).str();
  if (isApi && object.lookupSymbol(name))
    return emitError(signature.func.getLoc())
           << "the entry '" << signature.func.getName()
           << "' needs the C function " << name
           << ", whose name another entry has: rename the entry, or select one "
              "entry";
  b.setInsertionPointToEnd(object.getBody());
  auto type = LLVM::LLVMFunctionType::get(result, arguments);
  return LLVM::LLVMFuncOp::create(
      b, name, type, isApi ? LLVM::Linkage::External : LLVM::Linkage::Internal);
}

/// Writes PREFIX_run, which uses one thread, and PREFIX_run_threads if there are
/// threads.
LogicalResult EntryWriter::writeRun(LLVM::LLVMFuncOp impl) {
  auto run = add("_run", i32, {pointer, pointer, pointer});
  if (failed(run))
    return failure();
  b.setInsertionPointToStart(run->addEntryBlock(b));
  Value one = LLVM::ConstantOp::create(b, i64, b.getI64IntegerAttr(1));
  SmallVector<Value> args(run->getArguments());
  args.push_back(one);
  if (threads)
    args.push_back(LLVM::ZeroOp::create(b, pointer));
  LLVM::ReturnOp::create(b, LLVM::CallOp::create(b, impl, args).getResult());
  if (!threads)
    return success();

  auto split =
      add("_run_threads", i32, {pointer, pointer, pointer, i32, pointer});
  if (failed(split))
    return failure();
  b.setInsertionPointToStart(split->addEntryBlock(b));
  one = LLVM::ConstantOp::create(b, i64, b.getI64IntegerAttr(1));
  Value null = LLVM::ZeroOp::create(b, pointer);
  args.assign(split->getArguments().begin(), split->getArguments().end());
  Value count = LLVM::SMaxOp::create(
      b, LLVM::SExtOp::create(b, i64, args[3]).getResult(), one);
  Value isNull =
      LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, args[4], null);
  args[3] = LLVM::SelectOp::create(b, isNull, one, count);
  LLVM::ReturnOp::create(b, LLVM::CallOp::create(b, impl, args).getResult());
  return success();
}

LogicalResult EntryWriter::writeWorkspaceSize() {
  SmallVector<Type> types(signature.dimFields.size(), i64);
  types.push_back(i64);
  auto layout = add(".layout", i64, types, /*isApi=*/false);
  if (failed(WorkspaceWriter(signature, messages, object, *layout).write()))
    return failure();
  types.back() = i32;
  for (bool several : {false, true}) {
    if (several && !threads)
      continue;
    auto size =
        add(several ? "_workspace_size_threads" : "_workspace_size", i64,
            several ? ArrayRef(types) : ArrayRef(types).drop_back());
    if (failed(size))
      return failure();
    b.setInsertionPointToStart(size->addEntryBlock(b));
    SmallVector<Value> args(size->getArguments());
    Value one = LLVM::ConstantOp::create(b, i64, b.getI64IntegerAttr(1));
    if (several)
      args.back() = LLVM::SMaxOp::create(
          b, LLVM::SExtOp::create(b, i64, args.back()).getResult(), one);
    else
      args.push_back(one);
    LLVM::ReturnOp::create(b,
                           LLVM::CallOp::create(b, *layout, args).getResult());
  }
  return success();
}

LogicalResult EntryWriter::writeOutputs() {
  SmallVector<Type> types(signature.dimFields.size(), i64);
  for (auto [i, index] : llvm::enumerate(signature.resultFields)) {
    if (!signature.isGiven(signature.resultDims[i]))
      continue;
    std::string name = signature.outputs[index].name;
    auto size = add("_output_size_" + name, i64, types);
    if (failed(size))
      return failure();
    OutputWriter(signature, messages, object, *size).writeSize(i);
    if (!hasShapeFunction(signature, i))
      continue;
    SmallVector<Type> withShape = types;
    withShape.push_back(pointer);
    auto shape = add("_output_shape_" + name, i32, withShape);
    if (failed(shape))
      return failure();
    OutputWriter(signature, messages, object, *shape).writeShape(i);
  }
  return success();
}

/// Writes PREFIX_error, which indexes one block of texts with a table of
/// offsets.
LogicalResult EntryWriter::writeError() {
  SmallVector<std::string> texts = {"success"};
  texts.append(messages.texts());
  texts.push_back("unknown status");
  std::string bytes;
  SmallVector<int32_t> begins;
  for (const std::string &text : texts) {
    begins.push_back(static_cast<int32_t>(bytes.size()));
    bytes.append(text.c_str(), text.size() + 1);
  }
  LLVM::GlobalOp block = ObjectConstants::addBytes(
      object, signature.prefix + ".messages", bytes, 1);
  auto func = add("_error", pointer, {i32});
  if (failed(func))
    return failure();
  b.setInsertionPointToStart(object.getBody());
  auto table = LLVM::GlobalOp::create(
      b, LLVM::LLVMArrayType::get(i32, begins.size()), /*isConstant=*/true,
      LLVM::Linkage::Internal, signature.prefix + ".begins",
      b.getI32TensorAttr(begins), 4);
  b.setInsertionPointToStart(func->addEntryBlock(b));
  Value last = LLVM::ConstantOp::create(
      b, i32, b.getI32IntegerAttr(static_cast<int32_t>(begins.size() - 1)));
  Value index = LLVM::UMinOp::create(b, func->getArgument(0), last);
  Value at = LLVM::GEPOp::create(
      b, pointer, i32, LLVM::AddressOfOp::create(b, table),
      ArrayRef<LLVM::GEPArg>{LLVM::ZExtOp::create(b, i64, index).getResult()});
  Value begin = LLVM::ZExtOp::create(b, i64, LLVM::LoadOp::create(b, i32, at));
  LLVM::ReturnOp::create(
      b, LLVM::GEPOp::create(b, pointer, b.getI8Type(),
                             LLVM::AddressOfOp::create(b, block),
                             ArrayRef<LLVM::GEPArg>{begin})
             .getResult());
  return success();
}

LogicalResult EntryWriter::write() {
  SmallVector<Type> types = {pointer, pointer, pointer, i64};
  if (threads)
    types.push_back(pointer); // parallel_for
  auto impl = add(".impl", i32, types, /*isApi=*/false);
  if (failed(
          ProgramWriter(signature, messages, object, *impl, constants).write()))
    return failure();
  if (failed(writeRun(*impl)) || failed(writeWorkspaceSize()) ||
      failed(writeOutputs()))
    return failure();
  return writeError();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Adds a check before non-temporal stores. They need aligned memory, which the
/// runtime's buffers have but a caller's may not have, so unaligned addresses
/// get ordinary stores.
static void guardStreamingStores(ModuleOp object) {
  SmallVector<LLVM::StoreOp> stores;
  object.walk([&](LLVM::StoreOp store) {
    if (store.getNontemporal())
      stores.push_back(store);
  });
  for (LLVM::StoreOp store : stores) {
    ImplicitLocOpBuilder b(store.getLoc(), store);
    uint64_t align = std::min<uint64_t>(store.getAlignment().value_or(64), 64);
    Type i64 = b.getI64Type();
    auto word = [&](uint64_t value) {
      return LLVM::ConstantOp::create(b, i64, b.getI64IntegerAttr(value));
    };
    Value address = LLVM::PtrToIntOp::create(b, i64, store.getAddr());
    Value low = LLVM::AndOp::create(b, address, word(align - 1));
    Value fits = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, low, word(0));
    Block *before = store->getBlock();
    Block *aligned = before->splitBlock(store);
    Block *after = aligned->splitBlock(store->getNextNode());
    Block *cached = new Block;
    before->getParent()->getBlocks().insert(after->getIterator(), cached);
    b.setInsertionPointToEnd(before);
    LLVM::CondBrOp::create(b, fits, aligned, cached);
    b.setInsertionPointToEnd(aligned);
    LLVM::BrOp::create(b, ValueRange(), after);
    b.setInsertionPointToStart(cached);
    Type type = store.getValue().getType();
    if (auto vector = dyn_cast<VectorType>(type))
      type = vector.getElementType();
    unsigned element = std::max(1u, type.getIntOrFloatBitWidth() / 8);
    LLVM::StoreOp::create(b, store.getValue(), store.getAddr(), element);
    LLVM::BrOp::create(b, ValueRange(), after);
  }
}

void compiler::addSupport(ModuleOp object) {
  OwningOpRef<ModuleOp> support =
      parseSourceString<ModuleOp>(supportText, object.getContext());
  for (Operation &op : llvm::make_early_inc_range(*support->getBody()))
    if (!object.lookupSymbol(cast<LLVM::LLVMFuncOp>(op).getName()))
      op.moveBefore(object.getBody(), object.getBody()->end());
}

/// Returns a module with the kernels, which become internal, and the support
/// functions.
static FailureOr<OwningOpRef<ModuleOp>> startObject(ModuleOp lowered) {
  auto kernels = lowered.lookupSymbol<ModuleOp>("kernels");
  if (!kernels)
    return lowered.emitError("has no kernels: was it lowered?"), failure();
  OwningOpRef<ModuleOp> object = kernels.clone();
  for (auto func : object->getOps<LLVM::LLVMFuncOp>())
    if (!func.isExternal()) {
      func.setLinkage(LLVM::Linkage::Internal);
      // Not inlined, because kernels load their arguments with
      // `invariant.load`.
      func.setNoInline(true);
    }
  guardStreamingStores(*object);
  addSupport(*object);
  return object;
}

void compiler::dropUnusedSupport(ModuleOp object) {
  // Functions are listed before the functions that they call.
  for (StringRef name :
       {"tensorc.launch", "tensorc.work", "tensorc.fill", "tensorc.copy"}) {
    Operation *support = object.lookupSymbol(name);
    if (support && SymbolTable::symbolKnownUseEmpty(support, object))
      support->erase();
  }
}

FailureOr<ObjectProgram> compiler::buildObject(ModuleOp lowered, StringRef stem,
                                               bool threads) {
  auto object = startObject(lowered);
  if (failed(object))
    return failure();
  ObjectConstants constants(**object);
  std::vector<ObjectSignature> signatures;
  for (auto func : lowered.getOps<txp::FuncOp>()) {
    if (!func.isEntry())
      continue;
    auto signature =
        ObjectSignature::of(func, objectPrefix(stem, func.getName()));
    if (failed(signature) ||
        failed(EntryWriter(*signature, **object, constants, threads).write()))
      return failure();
    signatures.push_back(std::move(*signature));
  }
  if (signatures.empty())
    return lowered.emitError("has no entry to make a function of"), failure();
  dropUnusedSupport(**object);
  std::string header = writeHeader(signatures, stem);
  return ObjectProgram{std::move(*object), std::move(header),
                       std::move(signatures)};
}

namespace {
struct ConvertProgramsToLLVM
    : compiler::impl::ConvertProgramsToLLVMPassBase<ConvertProgramsToLLVM> {
  using ConvertProgramsToLLVMPassBase::ConvertProgramsToLLVMPassBase;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto object = buildObject(module, stem);
    if (failed(object))
      return signalPassFailure();
    module.getBody()->clear();
    module.getBody()->getOperations().splice(
        module.getBody()->end(), object->module->getBody()->getOperations());
  }
};
} // namespace
