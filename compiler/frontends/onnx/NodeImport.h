//===- NodeImport.h - Helpers for importing an ONNX op --------------------===//
//
// The import of an ONNX op is a function of a NodeImport: it reads inputs and
// attributes, creates tx ops and sets the outputs. The first error is kept.
// After an error all builders return null and do nothing, so a function needs
// to check `isRefused` only before it inspects a value itself.
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

/// Converts ONNX's TensorProto.DataType; returns nullopt if tensorc does not
/// have the dtype.
std::optional<DType> dtypeFrom(int64_t number);
/// Returns the dtype's name in ONNX's documents, such as `COMPLEX64`.
std::string dtypeText(int64_t number);

class NodeImport : public builder::ElementwiseOps<NodeImport> {
public:
  NodeImport(GraphImport &graph, const Node &node, int64_t opset,
             mlir::OpBuilder &builder, Location loc);

  const Node &node;
  /// The version of the operator set of the node's domain.
  int64_t opset;
  GraphImport &graph;
  mlir::OpBuilder &b;
  Location loc;
  TensorBuilder e;

  //===--- Refusals -----------------------------------------------------===//

  bool isRefused() const { return !refusal.empty(); }
  /// Refuses the node with this text; returns null.
  Value refuse(const llvm::Twine &text);
  std::string refusal;

  //===--- Inputs and attributes ----------------------------------------===//

  size_t numInputs() const { return node.inputs.size(); }
  bool has(size_t input) const {
    return input < node.inputs.size() && !node.inputs[input].empty();
  }
  /// Returns the input; refuses the node if it is missing.
  Value in(size_t input);
  Value optional(size_t input) { return has(input) ? in(input) : Value(); }
  /// Returns all inputs that are present.
  SmallVector<Value> all();
  /// Returns the tensors of a sequence, whose length is known at import.
  SmallVector<Value> sequenceIn(size_t input);

  const Attribute *attribute(StringRef name) const;
  int64_t integer(StringRef name, int64_t otherwise);
  bool flag(StringRef name) { return integer(name, 0) != 0; }
  double real(StringRef name, double otherwise);
  StringRef text(StringRef name, StringRef otherwise);
  std::optional<std::vector<int64_t>> integers(StringRef name);
  std::optional<std::vector<float>> reals(StringRef name);

  /// Returns the values of a constant integer tensor. Refuses any other value
  /// with a text that contains `what`.
  std::vector<int64_t> numbers(Value value, StringRef what);
  /// Like `numbers`, for integers that may depend on symbolic sizes.
  SmallVector<Dim> sizes(Value value, StringRef what);
  std::vector<double> realNumbers(Value value, StringRef what);
  /// Returns the list in the input if the node has this input, otherwise the
  /// list in the attribute.
  std::optional<std::vector<int64_t>> listOf(size_t input, StringRef name);
  Known &known();
  /// Returns the reason, for a message, why the value is not known at compile
  /// time: "it depends on the contents of 'x'".
  std::string whyUnknown(Value value);

  /// Returns an axis counted from the front; a negative one counts from the
  /// end.
  int64_t axis(int64_t axis, int64_t rank);
  /// Returns axes counted from the front, sorted and without duplicates.
  SmallVector<int64_t> axes(ArrayRef<int64_t> axes, int64_t rank);
  /// Returns a size, which must be constant; refuses the node otherwise.
  int64_t numberOf(Dim dim, const llvm::Twine &what);
  SmallVector<int64_t> numbersOf(Dims dims, const llvm::Twine &what);

  //===--- Outputs ------------------------------------------------------===//

  bool wants(size_t output) const {
    return output < node.outputs.size() && !node.outputs[output].empty();
  }
  void set(size_t output, Value value);
  void set(Value value) { set(0, value); }
  SmallVector<Value> results;
  /// The output of an op whose result is a sequence.
  std::optional<SmallVector<Value>> sequence;

  //===--- Builders -----------------------------------------------------===//

  /// Adds an element-wise op. Dtypes must be equal, and shapes must broadcast.
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
  /// Returns a vector of i64.
  Value vector(Dims values);
  Value scalar(Dim value, DType dtype);

  Value broadcast(Value x, Dims dims);
  /// Broadcasts x by NumPy's rules.
  Value reshape(Value x, Dims dims);
  Value transpose(Value x, Numbers permutation);
  Value pad(Value x, Numbers low, Numbers high, Value value);
  Value slice(Value x, Numbers offsets, Numbers strides, Dims sizes);
  /// Slices `count` elements from `begin` on along a dim, with stride `step`.
  Value part(Value x, int64_t dim, Dim begin, Dim count, int64_t step = 1);
  Value concatenate(ArrayRef<Value> parts, int64_t dim);
  /// Gathers x at indices of any rank along a dim. Negative indices count from
  /// the end.
  Value take(Value x, Value indices, int64_t dim);
  Value squeeze(Value x, ArrayRef<int64_t> dims);
  Value unsqueeze(Value x, ArrayRef<int64_t> dims);
  Value alongDim(Value x, int64_t dim, int64_t rank);
  Value dot(Value x, Value y, const shape::DotNumbers &numbers);
  /// Computes NumPy's matmul: batches broadcast, vectors are rows and columns.
  Value matmul(Value x, Value y);

  template <typename Op>
  Value reduce(Value x, Numbers dims, bool keepDims = false) {
    return isRefused() ? Value() : e.reduce<Op>(x, dims, keepDims);
  }
  Value sum(Value x, Numbers dims, bool keepDims = false) {
    return reduce<tx::SumOp>(x, dims, keepDims);
  }
  Value mean(Value x, Numbers dims, bool keepDims);

  /// Adds an op with one result of this dtype, whose shape follows from the
  /// op's shape rule.
  template <typename Op, typename... Args>
  Value make(DType dtype, Args &&...args) {
    if (isRefused())
      return Value();
    return settle(
        Op::create(b, loc, placeholder(dtype), std::forward<Args>(args)...));
  }

  /// Returns the broadcast dims of tensors; refuses the node if they do not
  /// broadcast. Unrelated symbolic sizes are assumed to be equal. `agree` adds
  /// a check for this at run time.
  SmallVector<Dim> commonDims(ArrayRef<Dims> shapes);
  /// Returns x with the last ones of `dims` as its dims, except that dims of
  /// size 1 stay. The run fails if the sizes differ.
  Value agree(Value x, Dims dims);

private:
  /// Broadcasts the operands to each other; nullopt after refusing the node.
  std::optional<SmallVector<Operand>> fit(ArrayRef<Operand> operands);
  bool checkDTypes(ArrayRef<Operand> operands);
  bool takeAsEqual(mlir::Operation *op, const shape::Condition &condition);
  mlir::Type placeholder(DType dtype);
  Value settle(mlir::Operation *op);
  Value check(Value result);
  bool isKnownNotNegative(Value indices);
};

/// Adds a convolution with the node's spatial attributes.
Value convolution(NodeImport &n, Value x, Value kernel, Value bias);

/// Imports LinearAttention, an attention with a recurrent state (opset 27).
void linearAttention(NodeImport &n);

/// Options for sampling an image between its pixels.
struct Sampling {
  /// Values outside of the image: `zeros`, `border` or `reflection`.
  StringRef padding;
  bool corners = false, isCubic = false;
  /// If set, takes the maximum of the weighted pixels instead of their sum.
  bool largest = false;
};
/// Samples images [N, C, spatial] at positions [M, out], which are given by one
/// tensor per spatial dim. Returns [M, C, out]. `batch` selects the image of
/// each row of positions; if it is null, row i reads image i.
Value sampleBetween(NodeImport &n, Value image, Value batch,
                    ArrayRef<Value> places, const Sampling &how);

using Import = void (*)(NodeImport &);

/// The import of an op, valid from opset `since` up to the opset before that of
/// its next row.
struct OpVersion {
  StringRef op;
  int64_t since;
  Import import;
};

/// The ops that are imported by each file.
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
