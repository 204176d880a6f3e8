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

/// The messages that PREFIX_error returns. Status i has message i - 1.
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

/// The bytes of constants as globals of the object, without duplicates.
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

/// The llvm values of a buffer.
struct BufferValue {
  mlir::Value data, bytes;
};

/// Layout of the workspace: one slot per txp.alloc, then the threads' scratch.
struct WorkspaceLayout {
  struct Slot {
    mlir::Value offset, bytes, stride;
    unsigned copies;
  };
  std::vector<Slot> slots;
  mlir::Value scratchOffset; // null if no launch uses scratch
  mlir::Value total;
};

/// Writes one llvm.func: blocks, checked arithmetic and the values of the
/// signature. On failure the function returns a status.
class FunctionWriter {
public:
  FunctionWriter(const ObjectSignature &signature, ObjectMessages &messages,
                 mlir::ModuleOp object, mlir::LLVM::LLVMFuncOp func);

protected:
  using Value = mlir::Value;
  using Predicate = mlir::LLVM::ICmpPredicate;

  // Implemented in FunctionWriter.cpp
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
  /// Returns the message's status from the function if the condition holds.
  void failIf(Value condition, llvm::StringRef message);
  /// Emits an overflow-checked operation; `Op` is an LLVM intrinsic with
  /// overflow.
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

  // Emits an arith op of a program, with the checks of the runtime's
  // interpreter (Arithmetic.cpp).
  /// The same for ops of `arith`. Returns null for ops that programs do not
  /// have.
  Value arithmetic(mlir::Operation &op, mlir::ValueRange operands);
  enum class Quotient { Signed, Floor, Ceil, Rest, Mod };
  Value divide(Quotient kind, Value x, Value y);
  Value divideUnsigned(bool rest, Value x, Value y);
  /// Emits code that computes a size from `dims`, the values of the symbols.
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
  /// The values of the symbols in signature.dimFields.
  llvm::SmallVector<Value> dims;
  /// The value that is returned on failure; by default the message's code.
  std::optional<int64_t> failureValue;
  /// If false, operations are known not to fail, so no checks are emitted.
  bool isChecked = true;

private:
  llvm::DenseMap<int64_t, mlir::Block *> failures;
};

/// The chain of calls from the entry to an op. There is no recursion, so it
/// identifies a position in the inlined program.
using CallStack = llvm::SmallVector<txp::CallOp>;

/// Computes sizes from the dims before the program runs, for the workspace.
class LayoutWriter : public FunctionWriter {
public:
  using FunctionWriter::FunctionWriter;

protected:
  // Lays out the workspace with scratch for `threads` threads
  // (LayoutWriter.cpp).
  mlir::FailureOr<WorkspaceLayout> layOut(Value threads);
  /// Returns the number of the entry's result whose memory an alloc can use, if
  /// any.
  std::optional<unsigned> resultOf(txp::AllocOp op,
                                   const CallStack &calls) const;

private:
  mlir::LogicalResult visit(mlir::Block &block);
  mlir::LogicalResult visitAlloc(txp::AllocOp op);
  mlir::LogicalResult visitLaunch(txp::LaunchOp op);
  mlir::LogicalResult visitCall(txp::CallOp op);
  /// Returns the value of a size in the current chain of calls, or null if it
  /// is known only at run time.
  Value sizeOf(mlir::Value value);
  Value computeSize(mlir::Value value);

  CallStack path;
  WorkspaceLayout plan;
  Value scratch;
  // Sizes for the current chain of calls.
  llvm::DenseMap<mlir::Value, Value> sizes;
};

/// Returns the buffers that loops around an op carry, including loops around
/// the calls in the chain. They may include live buffers of earlier iterations.
llvm::SmallVector<mlir::Value> buffersCarriedAround(mlir::Operation *op,
                                                    const CallStack &calls);
/// Returns the maximum number of live buffers that stem from one txp.alloc.
unsigned copiesOf(txp::AllocOp op, const CallStack &calls);
txp::FuncOp calleeOf(txp::CallOp op);

/// Writes PREFIX.impl, the program.
class ProgramWriter : public LayoutWriter {
public:
  ProgramWriter(const ObjectSignature &signature, ObjectMessages &messages,
                mlir::ModuleOp object, mlir::LLVM::LLVMFuncOp func,
                ObjectConstants &constants)
      : LayoutWriter(signature, messages, object, func), constants(constants) {}
  mlir::LogicalResult write();

protected:
  // Implemented in ProgramWriter.cpp: arguments and results
  Value field(Value base, mlir::Type type, unsigned index);
  Value loadField(unsigned index);
  void loadArguments();
  void checkPointer(Value data, Value bytes, const ObjectField &field);
  void loadOutputs();
  mlir::LogicalResult finish(txp::ReturnOp op);

  // Implemented in LowerOps.cpp
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

  // Implemented in LowerControlFlow.cpp
  mlir::LogicalResult ifOp(mlir::scf::IfOp op);
  mlir::LogicalResult whileOp(mlir::scf::WhileOp op);
  mlir::LogicalResult forOp(mlir::scf::ForOp op);
  /// Flattens types: a buffer becomes two llvm values, an event none.
  llvm::SmallVector<mlir::Type> flatTypes(mlir::TypeRange types);
  llvm::SmallVector<Value> flat(mlir::ValueRange values);
  void bind(mlir::ValueRange values, mlir::ValueRange flat);

  /// Stores words on the stack, in the function's area from word `at` on.
  /// Returns their address.
  Value stackWords(llvm::ArrayRef<Value> words, int64_t at = 0);
  void allocateArea();
  void sizeArea();
  Value word(mlir::Value value) { return words.lookup(value); }
  using FunctionWriter::word;

  ObjectConstants &constants;
  Value inputs, outputs, workspace, threads, parallelFor;
  llvm::DenseMap<mlir::Value, Value> words;
  llvm::DenseMap<mlir::Value, BufferValue> buffers;
  /// The caller's memory for each result; `bytes` is its size or capacity.
  llvm::SmallVector<BufferValue> results;
  std::optional<WorkspaceLayout> layout;
  size_t nextSlot = 0;
  CallStack calls;
  mlir::LLVM::AllocaOp area;
  int64_t areaWords = 0;
};

/// Writes a program without results as a CPU kernel: buffers and words are the
/// kernel's arguments, the workspace its scratch memory.
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

/// Alignment in bytes of the buffers in the workspace and in scratch memory.
inline constexpr int64_t bufferAlignment = 64;
/// Alignment in bytes of a thread's scratch: a pair of 64-byte lines, because
/// the adjacent-line prefetcher fetches pairs. Threads then share no pair.
inline constexpr int64_t scratchAlignment = 128;

/// Adds the support functions of objects, which replace functions of the C
/// library.
void addSupport(mlir::ModuleOp object);
/// Removes the support functions that are not used.
void dropUnusedSupport(mlir::ModuleOp object);

/// Writes PREFIX.layout, which returns the workspace's size for dims and
/// threads.
class WorkspaceWriter : public LayoutWriter {
public:
  using LayoutWriter::LayoutWriter;
  mlir::LogicalResult write();
};

/// Writes PREFIX_output_size_Y and PREFIX_output_shape_Y.
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
