//===- LowerAccesses.cpp - Guards each memory access by a callback --------===//
//
// llvm.func @k(%thread, %calls, %words) attributes {sim.block = 32 : i32, ..} {
//   %v = llvm.load %p {alignment = 16} : !llvm.ptr -> vector<4xf32>
// ->
//   %f = llvm.load %calls : !llvm.ptr
//   %q = llvm.call %f(%thread, %p, 7) : !llvm.ptr
//   %v = llvm.load %q {alignment = 16} : !llvm.ptr -> vector<4xf32>
//
// The function is renamed to @k.thread, and @k becomes a constant of type
// SimKernel. Accesses to the thread's own stack need no callback.
//
//===----------------------------------------------------------------------===//

#include "codegen/targets/sim/KernelTable.h"
#include "codegen/targets/sim/Passes.h"
#include "codegen/targets/sim/SimKernelAttrs.h"
#include "codegen/targets/sim/SiteTable.h"

#include "llvm/ADT/StringSwitch.h"
#include <cstddef>

using namespace mlir;

namespace tensorc::codegen {
#define GEN_PASS_DEF_LOWERACCESSESPASS
#include "codegen/targets/sim/Passes.h.inc"

namespace {

using namespace sim;

/// Returns the number of bytes that a load or store of this type accesses.
uint64_t storeBytes(Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return 8;
  uint64_t lanes = 1;
  if (auto vector = dyn_cast<VectorType>(type)) {
    lanes = vector.getNumElements();
    type = vector.getElementType();
  }
  return (lanes * type.getIntOrFloatBitWidth() + 7) / 8;
}

/// Returns the base pointer of a chain of GEPs.
Value findRoot(Value pointer) {
  while (auto gep = pointer.getDefiningOp<LLVM::GEPOp>())
    pointer = gep.getBase();
  return pointer;
}

/// Returns the location of the kernel's last op that has a line. It is used as
/// the location of the whole kernel.
Location findKernelLocation(LLVM::LLVMFuncOp kernel) {
  Location location = kernel.getLoc();
  kernel.walk([&](Operation *op) {
    if (op != kernel && findLine(op->getLoc()))
      location = op->getLoc();
  });
  return location;
}

class AccessLowering {
public:
  AccessLowering(LLVM::LLVMFuncOp kernel)
      : kernel(kernel), b(kernel.getContext()),
        pointer(LLVM::LLVMPointerType::get(kernel.getContext())),
        thread(kernel.getArgument(ThreadArg)),
        calls(kernel.getArgument(CallsArg)),
        words(kernel.getArgument(WordsArg)), sites(findKernelLocation(kernel)) {
  }

  LogicalResult lower();

  const SiteTable &getSites() const { return sites; }
  const KernelTraits &getTraits() const { return traits; }

private:
  LogicalResult lowerOp(Operation *op);
  void lowerCall(LLVM::CallOp call);
  void lowerLanes(OpOperand &pointers, Value mask, rt::SimOp op, Type element,
                  unsigned alignment);
  void guard(OpOperand &address, rt::SimOp op, Type type, unsigned alignment);
  void guardMasked(OpOperand &address, Value mask, rt::SimOp op, Type type,
                   unsigned alignment);
  bool isPrivate(Value address);
  void note(Value address, rt::SimOp op);
  void countBranch(LLVM::CondBrOp branch);
  Value callBack(size_t offset, ArrayRef<Value> operands, unsigned site,
                 Type result);
  Value callBack(size_t offset, ArrayRef<Value> operands, unsigned site) {
    return callBack(offset, operands, site, pointer);
  }
  Value constant(unsigned value) {
    return LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  }

  LLVM::LLVMFuncOp kernel;
  OpBuilder b;
  Type pointer;
  Value thread, calls, words;
  Location loc = UnknownLoc::get(b.getContext());
  SiteTable sites;
  KernelTraits traits;
};

/// True if the address is on the thread's stack, of a constant, or in memory
/// that the driver passes.
bool AccessLowering::isPrivate(Value address) {
  Value root = findRoot(address);
  return root == thread || root == calls || root == words ||
         root.getDefiningOp<LLVM::AllocaOp>() ||
         root.getDefiningOp<LLVM::AddressOfOp>();
}

/// Records the buffer that an access writes to: all buffers if the address is
/// unknown.
void AccessLowering::note(Value address, rt::SimOp op) {
  if (op == rt::SimOp::Atomic)
    traits.hasAtomics = true;
  if (op == rt::SimOp::Read)
    return;
  auto word = findRoot(address).getDefiningOp<LLVM::LoadOp>();
  auto slot = word ? word.getAddr().getDefiningOp<LLVM::GEPOp>() : nullptr;
  if (word && word.getAddr() == words)
    traits.written.insert(0);
  else if (slot && slot.getBase() == words && slot.getDynamicIndices().empty())
    traits.written.insert(slot.getRawConstantIndices()[0] / sizeof(rt::Word));
  else
    traits.writesAnything = true;
}

Value AccessLowering::callBack(size_t offset, ArrayRef<Value> operands,
                               unsigned site, Type resultType) {
  Value slot = LLVM::GEPOp::create(b, loc, pointer, b.getI8Type(), calls,
                                   ArrayRef<LLVM::GEPArg>{int32_t(offset)},
                                   LLVM::GEPNoWrapFlags::inbounds);
  auto function = LLVM::LoadOp::create(b, loc, pointer, slot, 8);
  function.setInvariant(true);
  SmallVector<Value> all{thread};
  all.append(operands.begin(), operands.end());
  all.push_back(constant(site));
  auto type = LLVM::LLVMFunctionType::get(
      resultType, llvm::to_vector(TypeRange(ValueRange(all))));
  all.insert(all.begin(), function);
  auto call = LLVM::CallOp::create(b, loc, type, all);
  return resultType == pointer ? call.getResult() : Value();
}

/// Reports the branch's condition to the profile.
void AccessLowering::countBranch(LLVM::CondBrOp branch) {
  Value taken =
      LLVM::ZExtOp::create(b, loc, b.getI32Type(), branch.getCondition());
  unsigned site = sites.add(rt::SimOp::Branch, 0, 1, loc);
  callBack(offsetof(rt::SimCalls, branch), {taken}, site,
           LLVM::LLVMVoidType::get(b.getContext()));
}

void AccessLowering::guard(OpOperand &address, rt::SimOp op, Type type,
                           unsigned alignment) {
  if (isPrivate(address.get()))
    return;
  note(address.get(), op);
  unsigned site = sites.add(op, storeBytes(type), alignment, loc);
  address.set(callBack(offsetof(rt::SimCalls, access), {address.get()}, site));
}

void AccessLowering::guardMasked(OpOperand &address, Value mask, rt::SimOp op,
                                 Type type, unsigned alignment) {
  if (isPrivate(address.get()))
    return;
  note(address.get(), op);
  auto vector = cast<VectorType>(type);
  Type bits = b.getIntegerType(vector.getNumElements());
  Value word = LLVM::BitcastOp::create(b, loc, bits, mask);
  if (bits != b.getI64Type())
    word = LLVM::ZExtOp::create(b, loc, b.getI64Type(), word);
  unsigned site =
      sites.add(op, storeBytes(vector.getElementType()), alignment, loc);
  address.set(callBack(offsetof(rt::SimCalls, accessMasked),
                       {address.get(), word}, site));
}

/// Lowers a gather or scatter. Each lane is a separate access.
void AccessLowering::lowerLanes(OpOperand &pointers, Value mask, rt::SimOp op,
                                Type element, unsigned alignment) {
  Value all = pointers.get(), result = all;
  auto type = cast<VectorType>(all.getType());
  if (auto gep = all.getDefiningOp<LLVM::GEPOp>())
    if (isPrivate(gep.getBase()))
      return;
  auto gep = all.getDefiningOp<LLVM::GEPOp>();
  note(gep ? gep.getBase() : all, op);
  unsigned site = sites.add(op, storeBytes(element), alignment, loc);
  for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
    Value i = constant(lane);
    Value address = LLVM::ExtractElementOp::create(b, loc, all, i);
    Value active = LLVM::ExtractElementOp::create(b, loc, mask, i);
    active = LLVM::ZExtOp::create(b, loc, b.getI64Type(), active);
    address =
        callBack(offsetof(rt::SimCalls, accessMasked), {address, active}, site);
    result = LLVM::InsertElementOp::create(b, loc, result, address, i);
  }
  pointers.set(result);
}

void AccessLowering::lowerCall(LLVM::CallOp call) {
  auto what = call->getAttrOfType<StringAttr>(kCallAttr);
  if (!what)
    return;
  bool isProfile = what == kCountCall || what == kRadixCall;
  traits.synchronizes |= !isProfile;
  auto op = llvm::StringSwitch<rt::SimOp>(what)
                .Case(kBarrierCall, rt::SimOp::Barrier)
                .Case(kShuffleCall, rt::SimOp::Shuffle)
                .Case(kRadixCall, rt::SimOp::Radix)
                .StartsWith("txk.copy", rt::SimOp::Copy)
                .StartsWith("txk.nv.tensor_copy", rt::SimOp::Copy)
                .Default(rt::SimOp::Matrix);
  std::array<int32_t, 2> access{0, 0};
  if (auto attribute = call->getAttrOfType<DenseI32ArrayAttr>(kAccessAttr))
    llvm::copy(attribute.asArrayRef(), access.begin());
  unsigned site = what == kCountCall
                      ? sites.addCount(access[0], rt::SimClass(access[1]), loc)
                      : sites.add(op, access[0], access[1], loc);
  call->removeAttr(kAccessAttr);
  call->setOperand(call->getNumOperands() - 1, constant(site));
  call->removeAttr(kCallAttr);
}

/// Returns Atomic if the location of the access marks it as part of an atomic
/// op, and `op` otherwise.
rt::SimOp opOf(Operation *access, rt::SimOp op) {
  auto name = dyn_cast<NameLoc>(access->getLoc());
  bool atomic = name && name.getName().strref().starts_with(kAtomicPrefix);
  return atomic ? rt::SimOp::Atomic : op;
}

LogicalResult AccessLowering::lowerOp(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
    guard(load.getAddrMutable(), opOf(op, rt::SimOp::Read), load.getType(),
          load.getAlignment().value_or(1));
  } else if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
    guard(store.getAddrMutable(), opOf(op, rt::SimOp::Write),
          store.getValue().getType(), store.getAlignment().value_or(1));
  } else if (auto load = dyn_cast<LLVM::MaskedLoadOp>(op)) {
    guardMasked(load.getDataMutable(), load.getMask(), rt::SimOp::Read,
                load.getType(), load.getAlignment());
  } else if (auto store = dyn_cast<LLVM::MaskedStoreOp>(op)) {
    guardMasked(store.getDataMutable(), store.getMask(), rt::SimOp::Write,
                store.getValue().getType(), store.getAlignment());
  } else if (auto gather = dyn_cast<LLVM::masked_gather>(op)) {
    lowerLanes(gather.getPtrsMutable(), gather.getMask(), rt::SimOp::Read,
               cast<VectorType>(gather.getType()).getElementType(),
               gather.getAlignment());
  } else if (auto scatter = dyn_cast<LLVM::masked_scatter>(op)) {
    lowerLanes(scatter.getPtrsMutable(), scatter.getMask(), rt::SimOp::Write,
               cast<VectorType>(scatter.getValue().getType()).getElementType(),
               scatter.getAlignment());
  } else if (auto call = dyn_cast<LLVM::CallOp>(op)) {
    lowerCall(call);
  } else if (auto branch = dyn_cast<LLVM::CondBrOp>(op)) {
    if (kernel->hasAttr(kProfileAttr))
      countBranch(branch);
  } else if (isa<LLVM::Prefetch>(op)) {
    op->erase(); // its result, a token, is not an address
  } else if (auto alloca = dyn_cast<LLVM::AllocaOp>(op)) {
    APInt count;
    if (!matchPattern(alloca.getArraySize(), m_ConstantInt(&count)))
      return op->emitOpError("of unknown size cannot be simulated");
    traits.stackBytes +=
        count.getZExtValue() * storeBytes(alloca.getElemType()) +
        alloca.getAlignment().value_or(8);
  } else if (isa<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp, LLVM::MemcpyOp,
                 LLVM::MemmoveOp, LLVM::MemsetOp>(op)) {
    return op->emitOpError("cannot be simulated");
  }
  return success();
}

LogicalResult AccessLowering::lower() {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    b.setInsertionPoint(op);
    loc = op->getLoc();
    if (failed(lowerOp(op)))
      return failure();
  }
  return success();
}

struct LowerAccesses : impl::LowerAccessesPassBase<LowerAccesses> {
  void runOnOperation() override {
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<LLVM::LLVMFuncOp>()))
      if (function->hasAttr(kBlockAttr)) {
        AccessLowering lowering(function);
        if (failed(lowering.lower()))
          return signalPassFailure();
        addKernelTable(function, lowering.getSites(), lowering.getTraits());
      }
  }
};

} // namespace
} // namespace tensorc::codegen
