//===- Exporter.h - Conversion of a recording to a program ----------------===//
#ifndef TENSORC_COMPILER_SESSION_EXPORT_EXPORTER_H
#define TENSORC_COMPILER_SESSION_EXPORT_EXPORTER_H

#include "compiler/graph/module/ToModule.h"
#include "compiler/session/export/Recording.h"
#include "ir/tx/Dims.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::tx {
class SliceOp;
} // namespace tensorc::tx

namespace tensorc::exporting {

/// Creates the module of one program. ExportedSizes.cpp contains the methods
/// that handle symbolic sizes.
class Exporter {
public:
  Exporter(const Recording &recording, mlir::MLIRContext &context,
           const Naming &naming)
      : recording(recording), fit(recording.fit), context(context),
        dims(tx::dimContext(&context)), naming(naming), builder(&context) {}

  mlir::OwningOpRef<mlir::ModuleOp> run(jit::Status &status);

private:
  struct Traced {
    std::vector<uint64_t> key;
    std::vector<int64_t> sizes;
    std::vector<uint64_t> words;
    std::vector<graph::Node *> arguments;
  };

  jit::Status traceAll();
  jit::Status compare(const Traced &other, unsigned sample);
  jit::Status fitSizes();
  jit::Status fitWord(unsigned word, const graph::Node &node);
  jit::Status fitWords();
  jit::Status checkNames();
  jit::Status refuse(const llvm::Twine &message) {
    return refusal(recording.at, message);
  }
  jit::Status refuse(const graph::Node &node, const llvm::Twine &message) {
    return refusal(node.location(), message);
  }

  void replaceTypes();
  void replaceWords();
  void replaceSlice(tx::SliceOp slice, llvm::ArrayRef<Polynomial> starts);
  jit::Status replaceArguments();
  void requireNotNegative(const Polynomial &start);
  void setFacts();
  jit::Status setResults();
  mlir::Value scalar(graph::DType dtype, uint64_t bits);
  mlir::Value number(int64_t value);
  mlir::Value sizeOf(shape::Dim dim);
  mlir::Value valueOf(const Polynomial &value);
  mlir::Value gather(mlir::Location loc, mlir::Value x, unsigned dim,
                     mlir::Value start, int64_t stride, shape::Dim size);
  mlir::Value constant(graph::Node &node, jit::Status &status);
  mlir::Attribute denseOf(mlir::RankedTensorType type, graph::Node &node,
                          llvm::ArrayRef<char> bytes);
  /// Returns a builder at the beginning of the function, after the ops that
  /// `atBegin` has created.
  mlir::OpBuilder begin() {
    mlir::OpBuilder result(&context);
    result.setInsertionPointToStart(&function.front());
    if (lastBegun)
      result.setInsertionPointAfter(lastBegun);
    return result;
  }
  template <typename Op, typename... Args> mlir::Value atBegin(Args &&...args) {
    mlir::OpBuilder b = begin();
    auto op = Op::create(b, b.getUnknownLoc(), std::forward<Args>(args)...);
    lastBegun = op;
    return op;
  }

  const Recording &recording;
  const SizeFit &fit;
  mlir::MLIRContext &context;
  shape::DimContext &dims;
  const Naming &naming;
  mlir::OpBuilder builder;

  graph::Trace trace;         // trace of the first sample
  std::vector<int64_t> least; // minimum of each symbolic size
  std::vector<Traced> traced;
  std::vector<Polynomial> sizes, words;
  mlir::func::FuncOp function;
  std::vector<uint32_t> boundSizes;
  mlir::Operation *lastBegun = nullptr;
  llvm::DenseMap<int64_t, mlir::Value> sizeValues;
  llvm::DenseMap<const graph::Node *, mlir::Value> newArguments;
};

} // namespace tensorc::exporting

#endif // TENSORC_COMPILER_SESSION_EXPORT_EXPORTER_H
