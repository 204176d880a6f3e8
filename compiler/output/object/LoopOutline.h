//===- LoopOutline.h - a loop that may become a kernel ----------*- C++ -*-===//
#ifndef TENSORC_COMPILER_OUTPUT_OBJECT_LOOPOUTLINE_H
#define TENSORC_COMPILER_OUTPUT_OBJECT_LOOPOUTLINE_H

#include "compiler/output/object/ProgramLowering.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace tensorc::compiler {

/// Returns the size of a buffer that an allocation or a view defines, or null.
mlir::Value definedSizeOf(mlir::Value buffer);

/// A loop that may become a kernel.
class Outline {
public:
  /// Number of launches in each kernel that is an outlined loop.
  using Weights = llvm::StringMap<unsigned>;

  Outline(mlir::Operation *loop, mlir::ModuleOp kernels, Weights &weights)
      : loop(loop), kernels(kernels), weights(weights), b(loop->getLoc(), loop),
        isFor(llvm::isa<mlir::scf::ForOp>(loop)) {}
  /// Hoists size computations and checks whether the loop can become a kernel.
  bool matches();
  mlir::LogicalResult rewrite(ObjectConstants &constants);
  llvm::ArrayRef<std::string> calledKernels() const { return called; }

private:
  using Value = mlir::Value;
  using ValueRange = mlir::ValueRange;
  using Bytes = llvm::SmallVector<Value>;
  ValueRange inits() {
    return isFor ? ValueRange(llvm::cast<mlir::scf::ForOp>(loop).getInitArgs())
                 : ValueRange(llvm::cast<mlir::scf::WhileOp>(loop).getInits());
  }
  ValueRange yielded() {
    return isFor ? ValueRange(
                       llvm::cast<mlir::scf::ForOp>(loop).getYieldedValues())
                 : ValueRange(llvm::cast<mlir::scf::WhileOp>(loop)
                                  .getYieldOp()
                                  .getOperands());
  }
  std::optional<unsigned> carriedNumber(Value value) const;
  bool isOutside(Value value) const {
    return !loop->isAncestor(value.getParentRegion()->getParentOp());
  }
  bool hasForm() const;
  void hoistSizes();
  bool isSupported(mlir::Operation *op);
  bool isSupportedLaunch(txp::LaunchOp op);
  bool markWritten(Value target);
  Value bytesOf(Value buffer, unsigned depth) const;
  bool findBytes();
  bool findCaptures();

  Value word(int64_t value) {
    return mlir::arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
  }
  template <typename Op> Value fold(Value x, Value y) {
    return b.createOrFold<Op>(b.getLoc(), x, y);
  }
  Value aligned(Value bytes, int64_t alignment) {
    return fold<mlir::arith::AndIOp>(
        fold<mlir::arith::AddIOp>(bytes, word(alignment - 1)),
        word(-alignment));
  }
  struct Kernel {
    std::string name;
    Value scratch;
  };
  Value scratchBytes(txp::FuncOp program);
  Value condition();
  txp::FuncOp writeProgram();
  void writeFor(txp::FuncOp program, mlir::IRMapping &map, Bytes &results);
  Value writeWhile(txp::FuncOp program, mlir::IRMapping &map, Bytes &results);
  mlir::FailureOr<std::string> writeKernel(txp::FuncOp program,
                                           ObjectConstants &constants);
  llvm::SmallVector<Value> launchPart(const Kernel &kernel, ValueRange carried,
                                      ValueRange bounds, Value state);
  llvm::SmallVector<Value> writeForParts(const Kernel &kernel);
  llvm::SmallVector<Value> writeWhileParts(const Kernel &kernel);
  /// Maximum number of iterations of a part.
  int64_t iterations() const;
  mlir::Type buffer() { return txp::BufferType::get(b.getContext()); }

  mlir::Operation *loop;
  mlir::ModuleOp kernels;
  Weights &weights;
  mlir::ImplicitLocOpBuilder b;
  bool isFor;
  unsigned launches = 0;
  llvm::SmallVector<std::string> called;
  /// The size in bytes of each carried value.
  Bytes bytes;
  /// The outside values that the loop reads, writes and computes with.
  llvm::SetVector<Value> captured, written;
  llvm::SmallVector<Value> ins, outs, words, fixed;
  /// Pairs of an extent and a grain that are compared at run time.
  llvm::SmallVector<std::pair<Value, Value>> unknown;
};

} // namespace tensorc::compiler

#endif
