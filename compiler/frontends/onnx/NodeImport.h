//===- NodeImport.h - What an op's import works with ----------------------===//
//
// An ONNX op is a function that takes one of these: it asks for inputs and
// attributes, makes tx ops of them and sets the outputs. The first refusal
// stays; after it every word does nothing and returns null. So a function asks
// `isRefused` only before it looks at something by itself.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_ONNX_NODEIMPORT_H
#define TENSORC_COMPILER_FRONTENDS_ONNX_NODEIMPORT_H

#include "compiler/frontends/constants/Known.h"
#include "compiler/frontends/onnx/model/Model.h"
#include "ir/builder/TensorBuilder.h"
#include "ir/library/Library.h"

namespace tensorc::onnx {

using builder::dimsOf;
using builder::dtypeOf;
using builder::In;
using builder::Operand;
using builder::rankOf;
using builder::TensorBuilder;
using frontends::Known;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::Location;
using mlir::Value;
using shape::Dim;
using shape::Dims;
using shape::Numbers;
using tx::DType;

class GraphImport;

/// A dtype of ONNX's TensorProto.DataType; none: tensorc does not have it.
std::optional<DType> dtypeFrom(int64_t number);
/// Its name in the documents of ONNX: `COMPLEX64`.
std::string dtypeText(int64_t number);

class NodeImport : public builder::ElementwiseOps<NodeImport> {
public:
  NodeImport(GraphImport &graph, const Node &node, int64_t opset,
             mlir::OpBuilder &builder, Location loc);

  const Node &node;
  /// Of the node's domain.
  int64_t opset;
  GraphImport &graph;
  mlir::OpBuilder &b;
  Location loc;
  TensorBuilder e;

  //===--- Refusals -----------------------------------------------------===//

  bool isRefused() const { return !refusal.empty(); }
  /// Always null.
  Value refuse(const llvm::Twine &text);
  std::string refusal;

  //===--- Inputs and attributes ----------------------------------------===//

  size_t numInputs() const { return node.inputs.size(); }
  bool has(size_t input) const {
    return input < node.inputs.size() && !node.inputs[input].empty();
  }
  /// Refuses if it is not there.
  Value in(size_t input);
  Value optional(size_t input) { return has(input) ? in(input) : Value(); }
  /// All that are there.
  SmallVector<Value> all();
  /// The tensors of a sequence, which are as many while the model is read.
  SmallVector<Value> sequenceIn(size_t input);

  const Attribute *attribute(StringRef name) const;
  int64_t integer(StringRef name, int64_t otherwise);
  bool flag(StringRef name) { return integer(name, 0) != 0; }
  double real(StringRef name, double otherwise);
  StringRef text(StringRef name, StringRef otherwise);
  std::optional<std::vector<int64_t>> integers(StringRef name);
  std::optional<std::vector<float>> reals(StringRef name);

  /// Of a constant integer tensor; refuses any other, saying what it is for.
  std::vector<int64_t> numbers(Value value, StringRef what);
  /// The same for integers that may depend on named sizes.
  SmallVector<Dim> sizes(Value value, StringRef what);
  std::vector<double> realNumbers(Value value, StringRef what);
  /// From the input, if the node has it, or the attribute.
  std::optional<std::vector<int64_t>> listOf(size_t input, StringRef name);
  Known &known();
  /// What the value depends on that is only known when the model runs.
  std::string whyUnknown(Value value);

  /// An axis below 0 counts from the end.
  int64_t axis(int64_t axis, int64_t rank);
  /// Each once, in order.
  SmallVector<int64_t> axes(ArrayRef<int64_t> axes, int64_t rank);
  /// A size that must be a number.
  int64_t numberOf(Dim dim, const llvm::Twine &what);
  SmallVector<int64_t> numbersOf(Dims dims, const llvm::Twine &what);

  //===--- Outputs ------------------------------------------------------===//

  bool wants(size_t output) const {
    return output < node.outputs.size() && !node.outputs[output].empty();
  }
  void set(size_t output, Value value);
  void set(Value value) { set(0, value); }
  SmallVector<Value> results;
  /// The one output of an op that makes a sequence.
  std::optional<SmallVector<Value>> sequence;

  //===--- Words --------------------------------------------------------===//

  /// An element-wise op: dtypes must agree, shapes must broadcast.
  template <typename Op> Value map(ArrayRef<Operand> operands) {
    auto fitting = fit(operands);
    return fitting ? e.map<Op>(*fitting) : Value();
  }
  template <typename Op> Value test(ArrayRef<Operand> operands) {
    auto fitting = fit(operands);
    return fitting ? e.test<Op>(*fitting) : Value();
  }
  Value select(Value predicate, In x, In y);
  Value convert(Value x, DType dtype);
  Value convertLike(Value x, Value other);

  Value full(In number, DType dtype, Dims dims = {});
  Value zeros(DType dtype, Dims dims) { return full(0, dtype, dims); }
  Value iota(DType dtype, Dims dims, int64_t dim);
  /// A vector of i64.
  Value vector(Dims values);
  Value scalar(Dim value, DType dtype);

  Value broadcast(Value x, Dims dims);
  /// x, whose dims are the last ones or 1, as NumPy broadcasts.
  Value reshape(Value x, Dims dims);
  Value transpose(Value x, Numbers permutation);
  Value pad(Value x, Numbers low, Numbers high, Value value);
  Value slice(Value x, Numbers offsets, Numbers strides, Dims sizes);
  /// `count` elements from `begin` on along a dim, `step` apart.
  Value part(Value x, int64_t dim, Dim begin, Dim count, int64_t step = 1);
  Value concatenate(ArrayRef<Value> parts, int64_t dim);
  /// x at indices of any rank along a dim; negative ones count from the end.
  Value take(Value x, Value indices, int64_t dim);
  Value squeeze(Value x, ArrayRef<int64_t> dims);
  Value unsqueeze(Value x, ArrayRef<int64_t> dims);
  Value alongDim(Value x, int64_t dim, int64_t rank);
  Value dot(Value x, Value y, const shape::DotNumbers &numbers);
  /// As NumPy's: batches broadcast, vectors are rows and columns.
  Value matmul(Value x, Value y);

  template <typename Op>
  Value reduce(Value x, Numbers dims, bool keepDims = false) {
    return isRefused() ? Value() : e.reduce<Op>(x, dims, keepDims);
  }
  Value sum(Value x, Numbers dims, bool keepDims = false) {
    return reduce<tx::SumOp>(x, dims, keepDims);
  }
  Value mean(Value x, Numbers dims, bool keepDims);

  /// Any op of one result of this dtype, whose shape follows from its rule.
  template <typename Op, typename... Args>
  Value make(DType dtype, Args &&...args) {
    if (isRefused())
      return Value();
    return settle(
        Op::create(b, loc, placeholder(dtype), std::forward<Args>(args)...));
  }

  /// Dims of tensors that broadcast to each other; refuses others. Sizes of
  /// which nothing is known are taken to be equal: `agree` has a run see to it.
  SmallVector<Dim> commonDims(ArrayRef<Dims> shapes);
  /// x with the last of these dims in place of its own but 1; the run is
  /// refused in which they differ.
  Value agree(Value x, Dims dims);

private:
  /// As they broadcast to each other; none after a refusal.
  std::optional<SmallVector<Operand>> fit(ArrayRef<Operand> operands);
  bool checkDTypes(ArrayRef<Operand> operands);
  bool takeAsEqual(mlir::Operation *op, const shape::Condition &condition);
  mlir::Type placeholder(DType dtype);
  Value settle(mlir::Operation *op);
  Value check(Value result);
  bool isKnownNotNegative(Value indices);
};

/// A convolution with the node's spatial attributes.
Value convolution(NodeImport &n, Value x, Value kernel, Value bias);

/// Attention with a recurrent state, of opset 27.
void linearAttention(NodeImport &n);

/// How an image is read between its pixels.
struct Sampling {
  /// `zeros`, `border` or `reflection`: what lies outside.
  StringRef padding;
  bool corners = false, isCubic = false;
  /// The largest of the pixels around a place, each times its factor, instead
  /// of their sum.
  bool largest = false;
};
/// Images [N, C, spatial] at places [M, out], one tensor for each spatial dim:
/// [M, C, out]. `batch`: which image, as a place; null: that of its number.
Value sampleBetween(NodeImport &n, Value image, Value batch,
                    ArrayRef<Value> places, const Sampling &how);

using Import = void (*)(NodeImport &);

/// From opset `since` on, until the next row of this op.
struct OpVersion {
  StringRef op;
  int64_t since;
  Import import;
};

/// One list per file of ops.
ArrayRef<OpVersion> elementwiseOps();
ArrayRef<OpVersion> activationOps();
ArrayRef<OpVersion> shapeOps();
ArrayRef<OpVersion> matrixOps();
ArrayRef<OpVersion> windowOps();
ArrayRef<OpVersion> reductionOps();
ArrayRef<OpVersion> indexingOps();
ArrayRef<OpVersion> normalizationOps();
ArrayRef<OpVersion> layoutOps();
ArrayRef<OpVersion> sequenceOps();
ArrayRef<OpVersion> imageOps();
ArrayRef<OpVersion> regionOps();
ArrayRef<OpVersion> quantizationOps();
ArrayRef<OpVersion> recurrentOps();
ArrayRef<OpVersion> controlOps();
ArrayRef<OpVersion> attentionOps();
ArrayRef<OpVersion> signalOps();

} // namespace tensorc::onnx

#endif // TENSORC_COMPILER_FRONTENDS_ONNX_NODEIMPORT_H
