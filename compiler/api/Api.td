//===- Api.td - The functions of the C and C++ interfaces -----------------===//
//
// Describes every function of the API that records tensors, except element-wise
// ops, whose functions follow from ir/tx. tools/opgen generates from it the C
// headers, the C++ wrappers, the adapters between the C interface and the
// graph's builders, api.json for bindings, tests with null arguments, and the
// tables of docs/functions.md. docs/design/0020-one-definition.md describes how
// the C interface stays stable.
//
//===----------------------------------------------------------------------===//

include "compiler/api/functions/Classes.td"

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

def ReductionEnum : Enum<"reduction", "functions", [
  Case<"SUM", 0, "i1 as i64; f16 and bf16 accumulate in f32", "sum", "Sum">,
  Case<"PROD", 1, "", "prod", "Prod">,
  Case<"MAX", 2, "NaN if any is", "max", "ReduceMax">,
  Case<"MIN", 3, "", "min", "ReduceMin">,
  Case<"ANY", 4, "", "any", "Any">,
  Case<"ALL", 5, "", "all", "All">,
  Case<"ARGMAX", 6, "i64, row-major over the reduced axes together", "argmax", "Argmax">,
  Case<"MEAN", 7, "floats", "mean", "Mean">,
  Case<"ARGMIN", 8, "", "argmin", "Argmin">,
  Case<"COUNT_NONZERO", 9, "i64", "count_nonzero", "CountNonzero">]>;

def ScanEnum : Enum<"scan", "functions", [
  Case<"CUMSUM", 0, "i1 as i64; f16 and bf16 accumulate in f32", "cumsum", "Cumsum">,
  Case<"CUMPROD", 1, "", "cumprod", "Cumprod">,
  Case<"CUMMAX", 2, "NaN from the first NaN on", "cummax", "Cummax">,
  Case<"CUMMIN", 3, "", "cummin", "Cummin">,
  Case<"LOGCUMSUMEXP", 4, "floats", "logcumsumexp", "Logcumsumexp">]>;

def ActivationEnum : Enum<"activation", "functions", [
  Case<"RELU", 0, "", "relu">,
  Case<"SIGMOID", 1, "as tensorc_sigmoid", "sigmoid">,
  Case<"SILU", 2, "", "silu">,
  Case<"GELU", 3, "by erf", "gelu">,
  Case<"GELU_TANH", 4, "the tanh approximation", "gelu">,
  Case<"ELU", 5, "parameter: alpha, 1", "elu">,
  Case<"LEAKY_RELU", 6, "parameter: the slope below 0, 0.01", "leaky_relu">,
  Case<"SOFTPLUS", 7, "parameter: beta, 1", "softplus">,
  Case<"MISH", 8, "", "mish">,
  Case<"HARDSWISH", 9, "", "hardswish">]>;

def LossReductionEnum : Enum<"loss_reduction", "nn", [
  Case<"LOSS_MEAN", 0, "by the sum of the weights">,
  Case<"LOSS_SUM", 1>,
  Case<"LOSS_NONE", 2, "one loss per label">], "graph::CrossEntropy::Reduction">;

def InterpolationEnum : Enum<"interpolation", "nn", [
  Case<"NEAREST", 0>,
  Case<"LINEAR", 1, "between the centers of elements">,
  Case<"LINEAR_CORNERS", 2, "PyTorch's align_corners: first on first, last on last">]>;

def PadModeEnum : Enum<"pad_mode", "arrays", [
  Case<"PAD_EDGE", 0, "the element at the edge">,
  Case<"PAD_REFLECT", 1, "mirrored at the edge's element, which is not repeated">,
  Case<"PAD_WRAP", 2, "from the other end">,
  Case<"PAD_SYMMETRIC", 3, "mirrored behind the edge's element, which is repeated">], "graph::PadMode">;

def FourierTransformEnum : Enum<"fourier_transform", "arrays", [
  Case<"FFT", 0, "complex numbers to complex numbers", "fft">,
  Case<"IFFT", 1, "", "ifft">,
  Case<"RFFT", 2, "real numbers to the half of a spectrum", "rfft">,
  Case<"IRFFT", 3, "", "irfft">,
  Case<"HFFT", 4, "half of a signal to real numbers", "hfft">,
  Case<"IHFFT", 5, "", "ihfft">]>;

def RandomAlgorithmEnum : Enum<"random_algorithm", "random", [
  Case<"PHILOX4X32_10", 0>,
  Case<"THREEFRY2X32", 1>], "graph::RandomAlgorithm">;

def CombinerEnum : Enum<"combiner", "arrays", [
  Case<"COMBINE_SUM", 0>,
  Case<"COMBINE_PRODUCT", 1>,
  Case<"COMBINE_MIN", 2, "NaN if any is">,
  Case<"COMBINE_MAX", 3>,
  Case<"COMBINE_AND", 4, "of bits: integers and i1">,
  Case<"COMBINE_OR", 5>], "graph::Combiner">;

class ReductionOf<string function, string constant>
    : Wrapper<function, (params Tensor:$x, Axes<"{}">:$axes, Flag<"false">:$keepdims),
              ["TENSORC_" # constant, "x", "axes", "keepdims"]>;
class ScanOf<string function, string constant>
    : Wrapper<function, (params Tensor:$x, Int<>:$axis, Flag<"false">:$reverse, Flag<"false">:$exclusive),
              ["TENSORC_" # constant, "x", "axis", "reverse", "exclusive"]>;

defset list<Declared> declared = {

//===--- Making tensors ---------------------------------------------------===//

let section = "Making tensors" in {
def Full : Function<"full", (params DType<>:$dtype, Shape:$dims, Number<>:$value)> {
  let examples = ["full(i32, [2, 2], 7) == i32([[7, 7], [7, 7]])"];
  let adapterByHand = 1;
  let wrapperByHand = 1;
}
def Arange : Function<"arange", (params DType<>:$dtype, Real<>:$start, Real<>:$stop, Real<>:$step)> {
  let examples = ["arange(f32, 1, 3, 0.5) == [1, 1.5, 2, 2.5]"];
  let comment = "start, start + step, ... before stop.";
  let wrappers = [Wrapper<"arange", (params Real<>:$start, Real<>:$stop, Real<"1">:$step, DType<"default_dtype()">:$dtype),
                          ["dtype", "start", "stop", "step"]>];
}
def Linspace : Function<"linspace", (params DType<>:$dtype, Real<>:$start, Real<>:$stop, Int<>:$count)> {
  let examples = ["linspace(f32, 0, 1, 5) == [0, 0.25, 0.5, 0.75, 1]"];
  let comment = "`count` numbers from start to stop, both included; a float dtype.";
  let wrappers = [Wrapper<"linspace", (params Real<>:$start, Real<>:$stop, Int<>:$count, DType<"default_dtype()">:$dtype),
                          ["dtype", "start", "stop", "count"]>];
}
def Eye : Function<"eye", (params DType<>:$dtype, Int<>:$rows, Int<>:$columns, Int<>:$diagonal)> {
  let examples = ["eye(i8, 2, 3, 1) == i8([[0, 1, 0], [0, 0, 1]])"];
  let comment = "1 where the column is the row plus `diagonal`, else 0.";
  let wrappers = [Wrapper<"eye",
      (params Int<>:$rows, Int<"-1">:$columns, Int<"0">:$diagonal, DType<"default_dtype()">:$dtype),
      ["dtype", "rows", "columns == -1 ? rows : columns", "diagonal"], "The identity matrix, or ones on another diagonal. Columns -1: as many as rows.">];
}
} // section

//===--- Complex numbers --------------------------------------------------===//

let section = "Complex numbers" in {
def ComplexOfParts : Function<"complex", (params Number<>:$re, Number<>:$im)> {
  let examples = ["complex([3], [4]) == [3 + 4j]"];
  let comment = "re + i im, without arithmetic, so infinities, NaN and the signs of zeros are kept. f64 gives c128, other dtypes c64.";
}
def Polar : Function<"polar", (params Number<>:$magnitude, Number<>:$angle)> {
  let examples = ["polar([5], [0]) == [5 + 0j]"];
  let comment = "The complex numbers with these absolute values and angles, in radians.";
}
let methods = 1 in {
def RealPart : Function<"real", (params Tensor:$x)> {
  let examples = ["real([3 + 4j]) == [3]"];
  let comment = "The real part: f32 for c64, f64 for c128; a real x is unchanged.";
}
def ImaginaryPart : Function<"imag", (params Tensor:$x)> {
  let examples = ["imag([3 + 4j]) == [4]"];
  let comment = "The imaginary part; zeros for a real x.";
}
def Conjugate : Function<"conj", (params Tensor:$x)> {
  let examples = ["conj([3 + 4j]) == [3 + -4j]"];
  let comment = "x with the opposite imaginary part; a real x is unchanged.";
}
def Angle : Function<"angle", (params Tensor:$x)> {
  let examples = ["angle([3 + 4j, -1 + 0j]) == [0.92729522, 3.14159265]"];
  let comment = "The angle from -pi to pi, in radians; for a real x it is 0 or pi, or NaN for NaN.";
}
} // methods
} // section

//===--- Shapes -----------------------------------------------------------===//

let section = "Shapes" in {
let methods = 1 in {
def Astype : Function<"astype", (params Tensor:$x, DType<>:$dtype)> {
  let examples = ["astype([1.5, -2.5], i32) == i32([1, -2])"];
  let comment = "Converted.";
}
def Bitcast : Function<"bitcast", (params Tensor:$x, DType<>:$dtype)> {
  let examples = ["bitcast([1, -2], i32) == i32([1065353216, -1073741824])"];
  let comment = [{
    The same bits, little-endian, as another dtype; neither dtype may be i1. With a narrower dtype the last dimension
    grows by the ratio of the widths. With a wider one it shrinks, and must be a multiple of the ratio. PyTorch's
    x.view(dtype).
  }];
}
def BroadcastTo : Function<"broadcast_to", (params Tensor:$x, Shape:$dims)> {
  let examples = ["broadcast_to([[1], [2]], [2, 2]) == [[1, 1], [2, 2]]"];
  let comment = "x broadcast to `dims` by NumPy's rule.";
  let builder = "graph::broadcastTo";
}
def Reshape : Function<"reshape", (params Tensor:$x, Shape:$dims)> {
  let examples = ["reshape([1, 2, 3, 4], [2, -1]) == [[1, 2], [3, 4]]"];
  let comment = "One size may be -1.";
  let wrappers = [Wrapper<"reshape", (params Tensor:$x, Shape:$dims)>,
                  Wrapper<"view", (params Tensor:$x, Shape:$dims), [], "The same as reshape, because values never change.">];
}
def Transpose : Function<"transpose", (params Tensor:$x, Ints<"count", "{}">:$axes)> {
  let examples = ["transpose([[1, 2, 3]], [1, 0]) == [[1], [2], [3]]"];
  let comment = "Axis i of the result is axis axes[i] of x; no axes: in reverse order.";
  let wrappers = [Wrapper<"transpose", (params Tensor:$x, Ints<"count", "{}">:$axes)>,
                  Wrapper<"permute", (params Tensor:$x, Ints<"count">:$axes), [], "PyTorch's transpose of all axes.">];
}
def ExpandDims : Function<"expand_dims", (params Tensor:$x, Int<>:$axis)> {
  let examples = ["expand_dims([1, 2], 0) == [[1, 2]]"];
  let comment = "x with a new axis of size 1 at this position.";
  let builder = "graph::expandDims";
  let wrappers = [Wrapper<"expand_dims", (params Tensor:$x, Int<>:$axis)>,
                  Wrapper<"unsqueeze", (params Tensor:$x, Int<>:$axis), [], "PyTorch's expand_dims.">];
}
def Squeeze : Function<"squeeze", (params Tensor:$x, Axes<"{}">:$axes)> {
  let examples = ["squeeze([[1], [2]], axes=[1]) == [1, 2]"];
  let comment = "x without these axes, which have size 1; no axes: without all axes of size 1.";
}
def Narrow : Function<"narrow", (params Tensor:$x, Int<>:$axis, Int<>:$start, Int<>:$length)> {
  let examples = ["narrow([[1, 2, 3]], 1, -2, 1) == [[2]]"];
  let comment = "`length` elements along the axis, from `start`, like PyTorch's narrow. All of them must exist.";
}
} // methods
def Slice : Function<"slice", (params Tensor:$x, Ints<"count">:$starts, Ints<"count">:$stops, Ints<"count">:$steps)> {
  let examples = ["slice([1, 2, 3, 4], [3], [0], [-2]) == [4, 2]"];
  let comment = [{
    Python's x[start:stop:step] for the first `count` axes; TENSORC_NONE stands for an absent start or stop. A start that
    changes does not recompile.
  }];
  let wrapperByHand = 1;
}
def Pad : Function<"pad",
    (params Tensor:$x, PerAxis:$low, PerAxis:$high, OptionalPerAxis:$interior, Number<>:$value)> {
  let examples = ["pad([1, 2], [1], [0], [1], 9) == [9, 1, 9, 2]"];
  let comment = "`low` elements before, `high` after and `interior` (NULL: none) between elements, each per axis; negative low and high remove elements.";
  let wrapperByHand = 1;
}
def Concatenate : Function<"concatenate", (params Tensors:$tensors, Int<"0">:$axis)> {
  let examples = ["concatenate([[1, 2], [3]], 0) == [1, 2, 3]"];
  let comment = "The tensors joined along the axis.";
  let wrappers = [Wrapper<"concatenate", (params Tensors:$tensors, Int<"0">:$axis)>,
                  Wrapper<"cat", (params Tensors:$tensors, Int<"0">:$axis), [], "PyTorch's concatenate.">];
}
let methods = 1 in
def Flip : Function<"flip", (params Tensor:$x, Axes<"{}">:$axes)> {
  let examples = ["flip([[1, 2], [3, 4]], axes=[0]) == [[3, 4], [1, 2]]"];
  let comment = "x reversed along the axes; no axes: along all.";
}
} // section

//===--- Reductions, scans, contractions ----------------------------------===//

def : Method<"transpose", (params Tensor:$x, Int<>:$first, Int<>:$second)>;
/// Transposes a matrix; returns a tensor of rank 0 or 1 unchanged.
def : Method<"t", (params Tensor:$x), "detail::matrixTransposed">;
def : Method<"flatten", (params Tensor:$x, Int<"0">:$first, Int<"-1">:$last)>;
def : Method<"expand", (params Tensor:$x, Shape:$dims)>;
def : Method<"chunk", (params Tensor:$x, Int<>:$count, Int<"0">:$axis), "chunk", "std::vector<Tensor>">;
def : Method<"split_with_sizes", (params Tensor:$x, Shape:$sizes, Int<"0">:$axis), "split_with_sizes",
             "std::vector<Tensor>">;
def : Method<"unbind", (params Tensor:$x, Int<"0">:$axis), "unbind", "std::vector<Tensor>">;

let section = "Reductions, scans, products", methods = 1 in {
def Reduce : Function<"reduce", (params Selector<ReductionEnum>:$reduction, Tensor:$x, Axes<>:$axes, Flag<>:$keepdims)> {
  let examples = [
    "reduce(max, [[1, 5], [3, 4]], axes=[1]) == [5, 4]",
    "reduce(sum, [True, True, False]) == i64(2)",
    "reduce(mean, [[1, 2]], keepdims=1) == [[1.5]]"];
  let composites = ["mean"];
  let comment = "Without axes, all elements are reduced.";
  let builder = "reduceBy";
  let wrappers = [
    ReductionOf<"sum", "SUM">, ReductionOf<"prod", "PROD">, ReductionOf<"max", "MAX">, ReductionOf<"min", "MIN">,
    ReductionOf<"any", "ANY">, ReductionOf<"all", "ALL">, ReductionOf<"argmax", "ARGMAX">,
    ReductionOf<"argmin", "ARGMIN">, ReductionOf<"mean", "MEAN">, ReductionOf<"count_nonzero", "COUNT_NONZERO">];
}
def Var : Function<"var", (params Tensor:$x, Axes<"{}">:$axes, Real<"0">:$correction, Flag<"false">:$keepdims)> {
  let examples = ["var([1, 2, 3, 6], correction=1) == 4.6666667"];
  let composites = ["var"];
  let comment = "The variance: squared distances divided by the count minus `correction`.";
}
def Cumulate : Function<"cumulate",
    (params Selector<ScanEnum>:$scan, Tensor:$x, Int<>:$axis, Flag<>:$reverse, Flag<>:$exclusive)> {
  let examples = [
    "cumulate(cumsum, [1, 2, 3], 0) == [1, 3, 6]",
    "cumulate(cumprod, [1, 2, 3], 0, reverse=1, exclusive=1) == [6, 3, 1]"];
  let comment = [{
    Combines the elements up to each position along the axis. With `reverse`, begins at the end. With `exclusive`,
    excludes the element at the position, so the first result is the neutral element (0 for a sum).
  }];
  let builder = "graph::scan";
  let wrappers = [ScanOf<"cumsum", "CUMSUM">, ScanOf<"cumprod", "CUMPROD">, ScanOf<"cummax", "CUMMAX">,
                  ScanOf<"cummin", "CUMMIN">, ScanOf<"logcumsumexp", "LOGCUMSUMEXP">];
}
def Sort : Function<"sort", (params Tensor:$x, Int<"-1">:$axis, Flag<"false">:$descending)> {
  let examples = ["sort([2, 3, 1], -1, descending=1) == [3, 2, 1]"];
  let comment = "x sorted along the axis; the sort is stable. NaN is above all numbers: it comes last, or first if descending.";
  let builderArguments = "OpKind::Sort, x, axis, descending";
}
def Argsort : Function<"argsort", (params Tensor:$x, Int<"-1">:$axis, Flag<"false">:$descending)> {
  let examples = ["argsort([2, 3, 1], -1) == i64([2, 0, 1])"];
  let comment = "The i64 indices along the axis that sort x.";
  let builder = "graph::sort";
  let builderArguments = "OpKind::Argsort, x, axis, descending";
}
def Searchsorted : Function<"searchsorted", (params Tensor:$sorted, Tensor:$x, Flag<"false">:$right)> {
  let examples = [
    "searchsorted([1, 3, 3, 5], [3, 6, 0]) == i64([1, 4, 0])",
    "searchsorted([1, 3, 3, 5], [3], right=1) == i64([3])"];
  let comment = [{
    The number of elements of a sorted sequence that are below each element of x, as i64; with `right`, equal ones
    count, too. The sequence is along the last axis: one for all of x, or one for each row of x. NaN is above all
    numbers.
  }];
  let builder = "graph::defined";
  let builderArguments = "OpKind::Searchsorted, {sorted, x}, tx::SearchsortedAttributes{right}";
}
def TopK : Function<"top_k", (params Tensor:$x, Int<>:$k, Int<"-1">:$axis, Flag<"true">:$largest)> {
  let comment = [{
    The k largest (or smallest) elements in order, and their i64 indices. NaN is above all numbers. Of equal elements the
    first come first.
  }];
  let outs = ["values", "indices"];
  let adapterByHand = 1;
  let wrapperByHand = 1;
}
def Matmul : Function<"matmul", (params Tensor:$x, Tensor:$y)> {
  let examples = ["matmul([[1, 2], [3, 4]], [1, 1]) == [3, 7]"];
  let comment = "NumPy's matmul.";
  let wrappers = [Wrapper<"matmul", (params Tensor:$x, Tensor:$y)>,
                  Wrapper<"mm", (params Tensor:$x, Tensor:$y), [], "PyTorch's name for matmul of matrices; the same function.">,
                  Wrapper<"bmm", (params Tensor:$x, Tensor:$y), [], "PyTorch's name for matmul of batches; the same function.">];
}
def Addmm : Function<"addmm",
    (params Tensor:$x, Tensor:$a, Tensor:$b, Real<"1">:$beta, Real<"1">:$alpha)> {
  let examples = ["addmm([[1, 2]], [[1, 1]], [[1, 2], [3, 4]], 10, 0.5) == [[12, 23]]"];
  let comment = "beta x + alpha a b for matrices. If beta is 0, x is ignored. Like PyTorch's addmm.";
}
} // section
def : Method<"top_k", (params Tensor:$x, Int<>:$k, Int<"-1">:$axis, Flag<"true">:$largest), "top_k", "TopK">;
def : Method<"clip", (params Tensor:$x, Number<>:$low, Number<>:$high)>;
def : Method<"clamp", (params Tensor:$x, Number<>:$low, Number<>:$high), "clip">;
def : Method<"clamp", (params Tensor:$x, Number<>:$low), "maximum">;
def : Method<"clamp_min", (params Tensor:$x, Number<>:$low), "maximum">;
def : Method<"clamp_max", (params Tensor:$x, Number<>:$high), "minimum">;
def : Method<"topk", (params Tensor:$x, Int<>:$k, Int<"-1">:$axis, Flag<"true">:$largest), "top_k", "TopK">;
def : Method<"square", (params Tensor:$x)>;

include "compiler/api/functions/Networks.td"

//===--- NumPy's ----------------------------------------------------------===//

let section = "Arrays" in {
let header = "arrays" in {
def Einsum : Function<"einsum", (params Text:$subscripts, Tensors:$tensors)> {
  let examples = ["einsum('ij,kj->ik', [[[1, 2]], [[3, 4], [5, 6]]]) == [[11, 17]]"];
  let comment = [{
    All of NumPy's grammar: "bij,bjk->bik", "...ij->...ji", diagonals "ii->i", an implicit output. Dimensions of 1
    broadcast. Contracts two tensors at a time, those with the smallest result first. For all dtypes of numbers.
  }];
}
def Tensordot : Function<"tensordot",
    (params Tensor:$x, Handle:$y, Axes<>:$x_axes, Axes<>:$y_axes)> {
  let examples = ["tensordot([[1, 2], [3, 4]], [[1, 2], [3, 4]], [1], [0]) == [[7, 10], [15, 22]]"];
  let comment = "Sums products over pairs of axes; with 0 pairs it gives all products.";
}
def Kron : Function<"kron", (params Tensor:$x, Handle:$y)> {
  let examples = ["kron([1, 2], [1, 10]) == [1, 10, 2, 20]"];
  let comment = "The Kronecker product.";
}
let methods = 1 in {
def Triangle : Function<"triangle", (params Tensor:$x, Int<>:$diagonal, Flag<>:$upper)> {
  let examples = [
    "triangle([[1, 2], [3, 4]], 0, 0) == [[1, 0], [3, 4]]",
    "triangle([[1, 2], [3, 4]], 1, upper=1) == [[0, 2], [0, 0]]"];
  let comment = "Zeros above the diagonal of the last two axes, or below it (`upper`).";
  let called = "upper ? \"triu\" : \"tril\"";
  let wrappers = [
    Wrapper<"tril", (params Tensor:$x, Int<"0">:$diagonal), ["x", "diagonal", "0"],
            "x with zeros above the diagonal of the last two axes.">,
    Wrapper<"triu", (params Tensor:$x, Int<"0">:$diagonal), ["x", "diagonal", "1"], "x with zeros below the diagonal of the last two axes.">];
}
def Diag : Function<"diag", (params Tensor:$x, Int<"0">:$diagonal)> {
  let examples = ["diag([1, 2], 0) == [[1, 0], [0, 2]]", "diag([[1, 2], [3, 4]], 1) == [2]"];
  let comment = "The diagonal of a matrix, or the matrix with this diagonal.";
}
def Roll : Function<"roll", (params Tensor:$x, Axes<"", "shift_count">:$shifts, Axes<"{}", "axis_count">:$axes)> {
  let examples = ["roll([1, 2, 3], [1], [0]) == [3, 1, 2]"];
  let comment = "Moves elements along axes; those moved beyond the end reappear at the front. Without axes, the elements of the flattened x are moved.";
}
def Tile : Function<"tile", (params Tensor:$x, Ints<"count">:$repetitions)> {
  let examples = ["tile([1, 2], [2, 2]) == [[1, 2, 1, 2], [1, 2, 1, 2]]"];
  let comment = "x repeated along each of its last `count` axes, `repetitions` times.";
}
def Repeat : Function<"repeat", (params Tensor:$x, Int<>:$count, Int<>:$axis)> {
  let examples = ["repeat([1, 2], 2, 0) == [1, 1, 2, 2]"];
  let comment = "Each element `count` times along the axis.";
}
} // methods
let methods = 1 in {
def IsClose : Function<"isclose",
    (params Tensor:$x, Number<>:$y, Real<"1e-5">:$rtol, Real<"1e-8">:$atol, Flag<"false">:$equal_nan)> {
  let examples = [
    "isclose([1, 2, nan], [1.001, 2, nan], 0.01, 0, equal_nan=1) == [True, True, True]",
    "isclose([1], 1.1, 0.01, 0) == [False]"];
  let comment = [{
    True where |x - y| <= atol + rtol |y|, computed in at least f32, and in f64 for integers. Infinities are
    close to themselves, and NaN to NaN with `equal_nan`. C++ has allclose, too.
  }];
  let builder = "graph::isClose";
}
def LogicalAnd : Function<"logical_and", (params Tensor:$x, Number<>:$y)> {
  let examples = ["logical_and([0, 2], 1) == [False, True]"];
  let comment = "True where neither is 0, as i1.";
  let builder = "graph::logical";
  let builderArguments = "OpKind::And, x, y";
}
def LogicalOr : Function<"logical_or", (params Tensor:$x, Number<>:$y)> {
  let examples = ["logical_or([0, 2], 0) == [False, True]"];
  let comment = "True where at least one is not 0, as i1.";
  let builder = "graph::logical";
  let builderArguments = "OpKind::Or, x, y";
}
def LogicalXor : Function<"logical_xor", (params Tensor:$x, Number<>:$y)> {
  let examples = ["logical_xor([0, 2], 1) == [True, False]"];
  let comment = "True where exactly one is 0, as i1.";
  let builder = "graph::logical";
  let builderArguments = "OpKind::Xor, x, y";
}
def LogicalNot : Function<"logical_not", (params Tensor:$x)> {
  let examples = ["logical_not([0, 2]) == [True, False]"];
  let comment = "True where x is 0, as i1.";
  let builder = "graph::logicalNot";
}
} // methods
def Stack : Function<"stack", (params Tensors:$tensors, Int<"0">:$axis)> {
  let examples = ["stack([[1, 2], [3, 4]], 1) == [[1, 3], [2, 4]]"];
  let comment = "Tensors of one shape along a new axis.";
}
def Meshgrid : Function<"meshgrid", (params Tensors:$tensors, Flag<"true">:$xy)> {
  let comment = [{
    The coordinates of a grid, `count` tensors in `out`. `xy`: the axes of the first two are swapped, as in NumPy. On
    failure all of `out` is NULL.
  }];
  let outLength = "count";
  let adapterByHand = 1;
  let wrapperByHand = 1;
}
def PadWith : Function<"pad_with", (params Tensor:$x, PerAxis:$low, PerAxis:$high, Choice<PadModeEnum>:$mode)> {
  let examples = [
    "pad_with([1, 2, 3], [2], [2], pad_edge) == [1, 1, 1, 2, 3, 3, 3]",
    "pad_with([1, 2, 3], [2], [2], pad_reflect) == [3, 2, 1, 2, 3, 2, 1]",
    "pad_with([1, 2, 3], [2], [2], pad_wrap) == [2, 3, 1, 2, 3, 1, 2]",
    "pad_with([1, 2, 3], [2], [2], pad_symmetric) == [2, 1, 1, 2, 3, 3, 2]"];
  let comment = "`low` elements before and `high` after, each per axis and at least 0.";
  let builder = "graph::padWith";
  let called = "pad";
  let wrapperByHand = 1;
}
} // header = "arrays"
} // section

include "compiler/api/functions/Numerics.td"
include "compiler/api/functions/Signals.td"

//===--- Names of NumPy and PyTorch (tensorc/names.hpp) -------------------===//

def : Method<"isnan", (params Tensor:$x)>;
def : Method<"isinf", (params Tensor:$x)>;
def : Method<"isfinite", (params Tensor:$x)>;
def : Method<"round", (params Tensor:$x)>;
def : Method<"reciprocal", (params Tensor:$x)>;
def : Method<"remainder", (params Tensor:$x, Number<>:$y)>;
def : Method<"floor_divide", (params Tensor:$x, Number<>:$y)>;
def : Method<"amax", (params Tensor:$x, Axes<"{}">:$axes, Flag<"false">:$keepdims)>;
def : Method<"amin", (params Tensor:$x, Axes<"{}">:$axes, Flag<"false">:$keepdims)>;
def : Method<"dot", (params Tensor:$x, Tensor:$y)>;
def : Method<"mv", (params Tensor:$x, Tensor:$y)>;
def : Method<"lerp", (params Tensor:$x, Tensor:$y, Number<>:$weight)>;
def : Method<"select", (params Tensor:$x, Int<>:$axis, Int<>:$index)>;
def : Method<"swapaxes", (params Tensor:$x, Int<>:$a, Int<>:$b)>;
def : Method<"movedim", (params Tensor:$x, Int<>:$from, Int<>:$to)>;
def : Method<"ravel", (params Tensor:$x)>;

//===--- Indexing ---------------------------------------------------------===//

def : Method<"index_select", (params Tensor:$x, Int<>:$axis, Tensor:$indices)>;
def : Method<"index_add", (params Tensor:$x, Int<>:$axis, Tensor:$indices, Tensor:$values)>;
def : Method<"gather", (params Tensor:$x, Int<>:$axis, Tensor:$indices)>;
def : Method<"scatter", (params Tensor:$x, Int<>:$axis, Tensor:$indices, Number<>:$values)>;
def : Method<"scatter_add", (params Tensor:$x, Int<>:$axis, Tensor:$indices, Tensor:$values)>;

let section = "Indexing" in {
def Take : Function<"take", (params Tensor:$x, Tensor:$indices, AxisOrNone:$axis)> {
  let examples = [
    "take([[1, 2], [3, 4]], i64([-1, 0]), None) == [4, 1]",
    "take([[1, 2], [3, 4]], i64([1]), 1) == [[2], [4]]"];
  let comment = "x[indices] along the axis; TENSORC_NONE means that x is flattened.";
}
let methods = 1 in
def TakeAlongAxis : Function<"take_along_axis", (params Tensor:$x, Tensor:$indices, Int<>:$axis)> {
  let examples = ["take_along_axis([[1, 2], [3, 4]], i64([[1], [0]]), 1) == [[2], [3]]"];
  let comment = [{
    result[..., i, ...] is x[..., indices[..., i, ...], ...], where i and the index are positions along the axis. Along
    the other axes x and the indices broadcast.
  }];
  let builder = "graph::takeAlongAxis";
}
def OneHot : Function<"one_hot", (params Tensor:$indices, Int<>:$size, DType<"default_dtype()">:$dtype)> {
  let examples = ["one_hot(i64([1, 5]), 3, i32) == i32([[0, 1, 0], [0, 0, 0]])"];
  let comment = [{
    A new last axis of this size with 1 at the index and 0 elsewhere; all 0 if the index is out of
    range.
  }];
  let builder = "graph::oneHot";
}
def MaskedSelect : Function<"masked_select",
    (params Tensor:$x, Tensor:$mask, Int<>:$size, Number<"0">:$fill)> {
  let examples = ["masked_select([1, 2, 3], [True, False, True], 3, -1) == [1, 3, -1]"];
  let comment = [{
    The first `size` elements of x[mask], in order; if there are fewer, the rest is `fill`. The mask is i1 and has the shape
    of x's first axes. The result has one axis of `size` in place of these axes.
  }];
  let builder = "graph::maskedSelect";
}
let methods = 1 in
def MaskedFill : Function<"masked_fill", (params Tensor:$x, Tensor:$mask, Number<>:$value)> {
  let examples = ["masked_fill([1, 2, 3], [True, False, True], 0) == [0, 2, 0]"];
  let comment = "x with the value where the i1 mask is true, in the dtype of x. Mask and value broadcast. Like PyTorch's masked_fill.";
  let builder = "graph::maskedFill";
}

def Nonzero : Function<"nonzero", (params Tensor:$x, Int<>:$size, Int<"0">:$fill)> {
  let comment = [{
    The indices of the first `size` elements of x that are not 0, in order: `out` has one i64 tensor for each axis of x. If
    there are fewer such elements, the rest is `fill`. A size of TENSORC_NONE is how many there are, which is read when the
    sizes or values are asked for.
  }];
  let outLength = "rank";
  let adapterByHand = 1;
  let wrapperByHand = 1;
}
def DynamicSlice : Function<"dynamic_slice",
    (params Tensor:$x, Numbers<"count">:$starts, Ints<"count">:$sizes)> {
  let examples = ["dynamic_slice([[1, 2, 3], [4, 5, 6]], [1, 9], [1, 2]) == [[5, 6]]"];
  let comment = [{
    The part of x with these sizes that begins at `starts`, one integer per axis. Starts may be tensors of rank 0. They are
    clamped so that the part lies in x, and do not count from the end.
  }];
  let builder = "graph::dynamicSlice";
  let wrapperByHand = 1;
}
def DynamicUpdateSlice : Function<"dynamic_update_slice",
    (params Tensor:$x, Tensor:$update, Numbers<"count">:$starts)> {
  let examples = ["dynamic_update_slice([1, 2, 3], [9], [1]) == [1, 9, 3]"];
  let comment = "x with the part that begins at `starts` replaced by the update.";
  let builder = "graph::dynamicUpdateSlice";
}
} // section

include "compiler/api/functions/Random.td"
include "compiler/api/functions/Collectives.td"

} // defset

def DeclarationOrder {
  list<Declared> all = declared;
}
