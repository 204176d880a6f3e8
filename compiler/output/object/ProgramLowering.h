//===- ProgramLowering.h - a txp.func as llvm functions ---------*- C++ -*-===//
#ifndef TENSORC_COMPILER_OUTPUT_OBJECT_PROGRAMLOWERING_H
#define TENSORC_COMPILER_OUTPUT_OBJECT_PROGRAMLOWERING_H

#include "compiler/output/object/Signature.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/MapVector.h"

namespace tensorc::compiler {

/// The texts of PREFIX_error: status i is text i - 1.
class ObjectMessages {
public:
  int32_t code(llvm::StringRef text) {
    return codes.insert({text.str(), codes.size() + 1}).first->second;
  }
  llvm::SmallVector<std::string> texts() const {
    return llvm::map_to_vector(codes, [](auto &entry) { return entry.first; });
  }

private:
  llvm::MapVector<std::string, int32_t, llvm::StringMap<unsigned>> codes;
};

/// The bytes of constants as globals of the object, each once.
class ObjectConstants {
public:
  explicit ObjectConstants(mlir::ModuleOp object) : object(object) {}
  mlir::FailureOr<mlir::LLVM::GlobalOp> global(txp::ConstantBufferOp op);
  static mlir::LLVM::GlobalOp addBytes(mlir::ModuleOp object,
                                       const llvm::Twine &name,
                                       llvm::StringRef bytes, unsigned align);

private:
  mlir::ModuleOp object;
  llvm::DenseMap<mlir::Attribute, mlir::LLVM::GlobalOp> known;
};

/// A buffer while the program runs.
struct BufferValue {
  mlir::Value data, bytes;
};

/// Where workspace goes: one slot per txp.alloc, and threads' scratch.
struct WorkspaceLayout {
  struct Slot {
    mlir::Value offset, bytes, stride;
    unsigned copies;
  };
  std::vector<Slot> slots;
  mlir::Value scratchOffset; // null: no launch uses any
  mlir::Value total;
};

/// Writes one llvm.func: blocks, checked arithmetic, the signature's values.
/// What fails leaves the function with a status.
class FunctionWriter {
public:
  FunctionWriter(const ObjectSignature &signature, ObjectMessages &messages,
                 mlir::ModuleOp object, mlir::LLVM::LLVMFuncOp func);

protected:
  using Value = mlir::Value;
  using Predicate = mlir::LLVM::ICmpPredicate;

  // FunctionWriter.cpp
  mlir::Type i64() { return b.getI64Type(); }
  mlir::Type pointer() {
    return mlir::LLVM::LLVMPointerType::get(b.getContext());
  }
  Value word(int64_t value);
  Value truth(bool value);
  Value null();
  Value compare(Predicate predicate, Value x, Value y);
  Value add(Value x, Value y) { return mlir::LLVM::AddOp::create(b, x, y); }
  Value offset(Value data, Value bytes);
  Value addressOf(mlir::LLVM::GlobalOp global);
  mlir::Block *newBlock(mlir::TypeRange types = {});
  void branch(mlir::Block *to, mlir::ValueRange values = {});
  void branchIf(Value condition, mlir::Block *yes, mlir::Block *no);
  /// Leaves the function with the message's status when the condition holds.
  void failIf(Value condition, llvm::StringRef message);
  /// `Op` is one of the intrinsics that also say whether they overflowed.
  template <typename Op> Value checked(Value x, Value y) {
    auto pair = mlir::LLVM::LLVMStructType::getLiteral(b.getContext(),
                                                       {i64(), b.getI1Type()});
    Value both = Op::create(b, pair, x, y);
    failIf(mlir::LLVM::ExtractValueOp::create(b, both, 1), overflows);
    return mlir::LLVM::ExtractValueOp::create(b, both, 0);
  }
  Value checkedAdd(Value x, Value y) {
    return checked<mlir::LLVM::SAddWithOverflowOp>(x, y);
  }
  Value checkedMul(Value x, Value y) {
    return checked<mlir::LLVM::SMulWithOverflowOp>(x, y);
  }
  Value alignUp(Value bytes, int64_t alignment);

  // Arithmetic.cpp
  /// An arith op of a program, checked as the runtime's interpreter does; null
  /// when programs have no such op.
  Value arithmetic(mlir::Operation &op, mlir::ValueRange operands);
  enum class Quotient { Signed, Floor, Ceil, Rest, Mod };
  Value divide(Quotient kind, Value x, Value y);
  Value divideUnsigned(bool rest, Value x, Value y);
  /// The size, where names have the values of `dims`.
  Value evaluate(shape::Dim dim);
  Value bytesOf(mlir::Type element, llvm::ArrayRef<Value> sizes);
  Value bytesOf(mlir::Type tensor, const ObjectDims &sizes);

  static constexpr llvm::StringLiteral overflows = "size arithmetic overflows";
  static constexpr llvm::StringLiteral byZero = "division by zero";

  const ObjectSignature &signature;
  ObjectMessages &messages;
  mlir::ModuleOp object;
  mlir::LLVM::LLVMFuncOp func;
  mlir::ImplicitLocOpBuilder b;
  /// Values of signature.dimFields.
  llvm::SmallVector<Value> dims;
  /// What a failure returns; none: the message's code.
  std::optional<int64_t> failureValue;
  /// What cannot fail is not checked.
  bool isChecked = true;

private:
  llvm::DenseMap<int64_t, mlir::Block *> failures;
};

/// Calls on the way from the entry to an op; recursion is refused, so they
/// identify a place in the program.
using CallStack = llvm::SmallVector<txp::CallOp>;

/// Computes sizes from the dims before the program runs, for the workspace.
class LayoutWriter : public FunctionWriter {
public:
  using FunctionWriter::FunctionWriter;

protected:
  // LayoutWriter.cpp
  /// `threads` parts of scratch are laid out.
  mlir::FailureOr<WorkspaceLayout> layOut(Value threads);
  /// The results of the entry that an alloc makes directly, else none.
  std::optional<unsigned> resultOf(txp::AllocOp op,
                                   const CallStack &calls) const;

private:
  mlir::LogicalResult visit(mlir::Block &block);
  mlir::LogicalResult visitAlloc(txp::AllocOp op);
  mlir::LogicalResult visitLaunch(txp::LaunchOp op);
  mlir::LogicalResult visitCall(txp::CallOp op);
  /// The value of a size at this place; null when only the run knows it.
  Value sizeOf(mlir::Value value);
  Value computeSize(mlir::Value value);

  CallStack path;
  WorkspaceLayout plan;
  Value scratch;
  llvm::DenseMap<mlir::Value, Value> sizes; // at this path
};

/// The block arguments that are buffers of the loops around an op, through the
/// calls that lead to it: what may be alive from an earlier iteration.
llvm::SmallVector<mlir::Value> buffersCarriedAround(mlir::Operation *op,
                                                    const CallStack &calls);
/// How many buffers that one txp.alloc made can be in use at once.
unsigned copiesOf(txp::AllocOp op, const CallStack &calls);
txp::FuncOp calleeOf(txp::CallOp op);

/// PREFIX.impl: the program.
class ProgramWriter : public LayoutWriter {
public:
  ProgramWriter(const ObjectSignature &signature, ObjectMessages &messages,
                mlir::ModuleOp object, mlir::LLVM::LLVMFuncOp func,
                ObjectConstants &constants)
      : LayoutWriter(signature, messages, object, func), constants(constants) {}
  mlir::LogicalResult write();

protected:
  // ProgramWriter.cpp: arguments and results
  Value field(Value base, mlir::Type type, unsigned index);
  Value loadField(unsigned index);
  void loadArguments();
  void checkPointer(Value data, Value bytes, const ObjectField &field);
  void loadOutputs();
  mlir::LogicalResult finish(txp::ReturnOp op);

  // LowerOps.cpp
  mlir::LogicalResult block(mlir::Block &body);
  mlir::LogicalResult operation(mlir::Operation &op);
  mlir::LogicalResult program(mlir::Operation &op);
  mlir::LogicalResult alloc(txp::AllocOp op);
  Value freeCopy(const WorkspaceLayout::Slot &slot, Value base,
                 txp::AllocOp op);
  void view(txp::ViewOp op);
  void copy(txp::CopyOp op);
  void fill(txp::FillOp op);
  void readScalar(txp::ReadScalarOp op);
  void launch(txp::LaunchOp op);
  void launchHere(llvm::StringRef kernel, Value extent,
                  llvm::ArrayRef<Value> args, Value scratch);
  void customCall(txp::CustomCallOp op);
  mlir::LogicalResult call(txp::CallOp op);
  mlir::LogicalResult constant(txp::ConstantBufferOp op);
  mlir::LogicalResult layOutBefore(mlir::Operation &op);

  // LowerControlFlow.cpp
  mlir::LogicalResult ifOp(mlir::scf::IfOp op);
  mlir::LogicalResult whileOp(mlir::scf::WhileOp op);
  mlir::LogicalResult forOp(mlir::scf::ForOp op);
  /// A buffer is two llvm values, an event none.
  llvm::SmallVector<mlir::Type> flatTypes(mlir::TypeRange types);
  llvm::SmallVector<Value> flat(mlir::ValueRange values);
  void bind(mlir::ValueRange values, mlir::ValueRange flat);

  /// Words on the stack, from word `at` of the function's area on.
  Value stackWords(llvm::ArrayRef<Value> words, int64_t at = 0);
  void allocateArea();
  void sizeArea();
  Value word(mlir::Value value) { return words.lookup(value); }
  using FunctionWriter::word;

  ObjectConstants &constants;
  Value inputs, outputs, workspace, threads, parallelFor;
  llvm::DenseMap<mlir::Value, Value> words;
  llvm::DenseMap<mlir::Value, BufferValue> buffers;
  /// The caller's memory for each result; bytes is its size or capacity.
  llvm::SmallVector<BufferValue> results;
  std::optional<WorkspaceLayout> layout;
  size_t nextSlot = 0;
  CallStack calls;
  mlir::LLVM::AllocaOp area;
  int64_t areaWords = 0;
};

/// A program without results as a kernel of the CPU: its buffers and words are
/// the kernel's arguments, its workspace the scratch memory.
class KernelWriter : public ProgramWriter {
public:
  KernelWriter(const ObjectSignature &signature, ObjectMessages &messages,
               mlir::ModuleOp kernels, mlir::LLVM::LLVMFuncOp func,
               ObjectConstants &constants)
      : ProgramWriter(signature, messages, kernels, func, constants) {
    isChecked = false;
  }
  mlir::LogicalResult write();

private:
  void loadWords();
  WorkspaceLayout layOutScratch();
};

/// Bytes of scratch memory that a KernelWriter lays out: of allocs with so many
/// copies, and of what its launches want.
inline constexpr int64_t bufferAlignment = 64;
/// Threads' scratch does not share pages that hardware prefetches together.
inline constexpr int64_t scratchAlignment = 128;

/// Adds a function of every object, which does not need a C library.
void addSupport(mlir::ModuleOp object);
/// Leaves out what nothing uses of it.
void dropUnusedSupport(mlir::ModuleOp object);

/// PREFIX.layout: the workspace's bytes for dims and threads.
class WorkspaceWriter : public LayoutWriter {
public:
  using LayoutWriter::LayoutWriter;
  mlir::LogicalResult write();
};

/// PREFIX_output_size_Y and PREFIX_output_shape_Y.
class OutputWriter : public FunctionWriter {
public:
  using FunctionWriter::FunctionWriter;
  void writeSize(unsigned result);
  void writeShape(unsigned result);

private:
  void readDims();
};

} // namespace tensorc::compiler

#endif
