//===- Numerics.td - Linear algebra, statistics, quantization -------------===//
//
// Included by Api.td. The place of the include matters, because headers declare
// functions in the order of their definitions.
//
//===----------------------------------------------------------------------===//

//===--- Linear algebra ---------------------------------------------------===//

let section = "Linear algebra" in {
def Cholesky : Function<"cholesky", (params Tensor:$x, Flag<"false">:$upper)> {
  let examples = ["cholesky([[4, 2], [2, 5]]) == [[2, 0], [1, 2]]"];
  let composites = ["cholesky"];
  let comment = "The lower triangular L with L L^H = x, or the upper L^H. Reads only the lower triangle; NaN if x is not positive definite.";
}
def CholeskyPacked : Function<"cholesky_packed", (params Tensor:$x, Flag<"false">:$upper)> {
  let examples = ["cholesky_packed([[4, 2], [2, 5]]) == [[2, 0, 0], [1, 2, 0]]"];
  let composites = ["cholesky"];
  let comment = "The factor of cholesky with an additional last column, whose first element is 0, or the number of rows of the smallest leading block that is not positive definite. C++ also has cholesky_ex, which returns them separately.";
  let builder = "graph::choleskyPacked";
  let called = "cholesky_ex";
}
def Solve : Function<"solve", (params Tensor:$a, Tensor:$b)> {
  let examples = ["solve([[4, 1], [1, 3]], [1, 2]) == [0.09090909, 0.63636364]"];
  let composites = ["solve"];
  let comment = "The y with a y = b; b is a vector or a matrix, and batches broadcast. The result is inf or NaN if a is singular.";
}
def TriangularSolve : Function<"triangular_solve",
    (params Tensor:$a, Tensor:$b, Flag<"false">:$upper, Flag<"false">:$transposed, Flag<"false">:$unit)> {
  let examples = ["triangular_solve([[4, 9], [1, 3]], [1, 2]) == [0.25, 0.58333333]"];
  let composites = ["triangular_solve"];
  let comment = "The y with a y = b, where only one triangle of a is used, or of its transpose, which is not conjugated. With `unit`, the diagonal is taken to be 1 and is not read.";
  let builder = "graph::triangularSolve";
}
def TridiagonalSolve : Function<"tridiagonal_solve", (params Tensor:$diagonals, Tensor:$b)> {
  let examples = ["tridiagonal_solve([[0, 1], [4, 3], [1, 0]], [1, 2]) == [0.09090909, 0.63636364]"];
  let composites = ["tridiagonal_solve"];
  let comment = "The y with a y = b, where `diagonals` has three rows: the diagonal of a below the main one (its first element is not read), the main diagonal, and the diagonal above it (its last element is not read).";
  let builder = "graph::tridiagonalSolve";
}
def LuPacked : Function<"lu_packed", (params Tensor:$x)> {
  let examples = ["lu_packed([[4, 1], [2, 3]]) == [[4, 1, 0], [0.5, 2.5, 1]]"];
  let composites = ["lu"];
  let comment = "L below the diagonal of the first columns, U on and above it, and a last column of row numbers p: x[p] = L U. C++ also has lu, which returns them separately.";
  let builder = "graph::factorization";
  let builderArguments = "OpKind::Lu, x";
  let called = "lu";
}
def QrPacked : Function<"qr_packed", (params Tensor:$x, Flag<"false">:$complete)> {
  let examples = ["qr_packed([[4, 1], [1, 3]]) == f32[2, 4]"];
  let composites = ["qr"];
  let comment = "The columns of Q, then those of R, which is padded with zeros. With `complete`, Q is square. C++ also has qr, which returns them separately.";
  let builder = "graph::qrPacked";
  let called = "qr";
}
def SvdPacked : Function<"svd_packed", (params Tensor:$x)> {
  let examples = ["svd_packed([[4, 1], [1, 3]]) == f32[5, 2]"];
  let composites = ["svd"];
  let comment = "The rows of U, a row of singular values in descending order, and the rows of V. C++ also has svd, which returns them separately.";
  let builder = "graph::factorization";
  let builderArguments = "OpKind::Svd, x";
  let called = "svd";
}
def EighPacked : Function<"eigh_packed", (params Tensor:$x)> {
  let examples = ["eigh_packed([[4, 1], [1, 3]]) == f32[3, 2]"];
  let composites = ["eigh"];
  let comment = "A row of eigenvalues in ascending order, and below it a matrix with the eigenvectors as columns. Reads only the lower triangle. C++ also has eigh, which returns them separately.";
  let builder = "graph::factorization";
  let builderArguments = "OpKind::Eigh, x";
  let called = "eigh";
}
def EigPacked : Function<"eig_packed", (params Tensor:$x)> {
  let examples = ["eig_packed([[3]]) == [[3 + 0j], [1 + 0j]]"];
  let composites = ["eig"];
  let comment = "For any square matrices, as complex numbers: a row of eigenvalues, and below it a matrix with the eigenvectors as columns. C++ also has eig, which returns them separately.";
  let builder = "graph::eigPacked";
  let called = "eig";
}
def Eigvals : Function<"eigvals", (params Tensor:$x)> {
  let examples = ["eigvals([[3]]) == [3 + 0j]"];
  let comment = "The eigenvalues of any square matrices, as complex numbers, in no particular order.";
}
def Slogdet : Function<"slogdet", (params Tensor:$x)> {
  let examples = ["slogdet([[0, 1], [1, 0]]) == [-1, 0]"];
  let comment = "The sign, det / |det|, and ln |det| along a new last axis.";
}
def Det : Function<"det", (params Tensor:$x)> {
  let examples = ["det([[4, 1], [1, 3]]) == 11"];
  let comment = "The determinant.";
}
def Inv : Function<"inv", (params Tensor:$x)> {
  let examples = ["inv([[4, 0], [0, 2]]) == [[0.25, 0], [0, 0.5]]"];
  let comment = "The inverse; inf or NaN if x is singular.";
}
def Pinv : Function<"pinv", (params Tensor:$x, Real<"-1">:$rtol)> {
  let examples = ["pinv([[4, 0], [0, 0]], -1) == [[0.25, 0], [0, 0]]"];
  let comment = "The pseudo-inverse. Singular values up to rtol times the largest count as 0. A negative rtol means max(m, n) epsilon.";
}
def Lstsq : Function<"lstsq", (params Tensor:$a, Tensor:$b, Real<"-1">:$rtol)> {
  let examples = ["lstsq([[1], [1]], [1, 3], -1) == [2]"];
  let comment = "The least-squares solution: the y with the smallest |a y - b|; if there are several, the one with the smallest norm.";
}
def MatrixRank : Function<"matrix_rank", (params Tensor:$x, Real<"-1">:$rtol)> {
  let examples = ["matrix_rank([[1, 2], [2, 4]], -1) == i64(1)"];
  let comment = "The number of singular values above rtol times the largest, as i64; rtol as in pinv.";
  let builder = "graph::matrixRank";
}
def Svdvals : Function<"svdvals", (params Tensor:$x)> {
  let examples = ["svdvals([[0, 4], [3, 0]]) == [4, 3]"];
  let comment = "The singular values in descending order; they are real.";
}
def Eigvalsh : Function<"eigvalsh", (params Tensor:$x)> {
  let examples = ["eigvalsh([[2, 1], [1, 2]]) == [1, 3]"];
  let comment = "The eigenvalues of symmetric or Hermitian matrices in ascending order; they are real.";
}
def ConditionNumber : Function<"condition_number", (params Tensor:$x)> {
  let examples = ["condition_number([[0, 4], [2, 0]]) == 2"];
  let comment = "The largest singular value divided by the smallest; NumPy's cond.";
  let builder = "graph::conditionNumber";
}
def MatrixPower : Function<"matrix_power", (params Tensor:$x, Int<>:$power)> {
  let examples = ["matrix_power([[1, 1], [0, 1]], 3) == [[1, 3], [0, 1]]"];
  let comment = "x multiplied by itself `power` times; a negative power takes the inverse.";
  let builder = "graph::matrixPower";
}
def Trace : Function<"trace", (params Tensor:$x, Int<"0">:$offset)> {
  let examples = ["trace([[1, 2], [3, 4]], 0) == 5"];
  let comment = "The sum of a diagonal of the last two axes.";
}
def Cross : Function<"cross", (params Tensor:$x, Tensor:$y, Int<"-1">:$axis)> {
  let examples = ["cross([1, 0, 0], [0, 1, 0], -1) == [0, 0, 1]"];
  let comment = "The cross product of vectors of three elements along the axis.";
}
} // section

//===--- Statistics -------------------------------------------------------===//

let section = "Statistics and curves" in {
def Quantile : Function<"quantile",
    (params Tensor:$x, Number<>:$q, Axes<"{}">:$axes, Flag<"false">:$keepdims, TextOr<"\"linear\"">:$method)> {
  let examples = [
    "quantile([1, 2, 3, 4], 0.5, method='linear') == 2.5",
    "quantile([1, 2, 3, 4], 0.5, method='lower') == 2"];
  let comment = [{
    The element at position q (n - 1) in sorted order, interpolated linearly between neighbours. The axes of q come
    first. NaN if an element is NaN, or if q is outside of [0, 1]. `method` selects another definition, as in NumPy:
    "lower", "higher", "nearest", "midpoint", "inverted_cdf", "averaged_inverted_cdf", "closest_observation",
    "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased" or "normal_unbiased". Exactly at an element the
    result is this element, even if it is infinite. Between a finite and an infinite element it is as in NumPy:
    infinite in the half that is nearer to the finite one, NaN in the other half.
  }];
}
def Percentile : Function<"percentile",
    (params Tensor:$x, Number<>:$q, Axes<"{}">:$axes, Flag<"false">:$keepdims, TextOr<"\"linear\"">:$method)> {
  let examples = ["percentile([1, 2, 3, 4], [0, 25], method='linear') == [1, 1.75]"];
  let comment = "The quantile at q / 100, for q from 0 to 100.";
}
def Median : Function<"median", (params Tensor:$x, Axes<"{}">:$axes, Flag<"false">:$keepdims)> {
  let examples = ["median([[3, 1, 2]], axes=[1], keepdims=1) == [[2]]"];
  let comment = "The middle element in sorted order, or the mean of the two middle ones.";
}
def Bincount : Function<"bincount", (params Tensor:$x, Int<>:$size, OptionalTensor:$weights)> {
  let examples = [
    "bincount(i32([0, 0, 1, 1]), 3) == i64([2, 2, 0])",
    "bincount(i32([0, 0, 1]), 2, [1, 2, 3]) == [3, 3]"];
  let comment = "How often each integer from 0 to size - 1 occurs in x, as i64; with weights, the sum of the weights at its positions.";
  let builderArguments = "x, weights, size";
}
def Histogram : Function<"histogram", (params Tensor:$x, Tensor:$edges)> {
  let examples = ["histogram([1, 2, 3, 4], [1, 2, 4]) == i64([1, 3])"];
  let comment = "The number of elements in each bin, as i64. A bin includes its lower edge; the last bin includes both edges. "
    "The edges must ascend. This is not checked, because their values may not be computed yet; for other edges the counts are meaningless.";
}
def SegmentSum : Function<"segment_sum", (params Tensor:$x, Tensor:$segments, Int<>:$count)> {
  let examples = ["segment_sum([1, 2, 3, 4], i32([0, 0, 1, 1]), 2) == [3, 7]"];
  let comment = "The sum of the rows of x in each segment. segments[i] is the segment of row i; a row outside of [0, count) is dropped.";
  let builder = "graph::segmentReduce";
  let builderArguments = "graph::UpdateKind::Add, x, segments, count";
}
def SegmentProd : Function<"segment_prod", (params Tensor:$x, Tensor:$segments, Int<>:$count)> {
  let examples = ["segment_prod([1, 2, 3, 4], i32([0, 0, 1, 1]), 2) == [2, 12]"];
  let comment = "The product of the rows in each segment; 1 for an empty one.";
  let builder = "graph::segmentReduce";
  let builderArguments = "graph::UpdateKind::Mul, x, segments, count";
}
def SegmentMin : Function<"segment_min", (params Tensor:$x, Tensor:$segments, Int<>:$count)> {
  let examples = ["segment_min([1, 2, 3, 4], i32([0, 0, 1, 1]), 3) == [1, 3, inf]"];
  let comment = "The smallest elements of the rows in each segment; the dtype's largest value (inf) for an empty one.";
  let builder = "graph::segmentReduce";
  let builderArguments = "graph::UpdateKind::Min, x, segments, count";
}
def SegmentMax : Function<"segment_max", (params Tensor:$x, Tensor:$segments, Int<>:$count)> {
  let examples = ["segment_max([1, 2, 3, 4], i32([0, 0, 1, 1]), 2) == [2, 4]"];
  let comment = "The largest elements of the rows in each segment; the dtype's smallest value (-inf) for an empty one.";
  let builder = "graph::segmentReduce";
  let builderArguments = "graph::UpdateKind::Max, x, segments, count";
}
def Unique : Function<"unique", (params Tensor:$x, Int<>:$size, Number<"0">:$fill)> {
  let examples = ["unique([3, 1, 3], 3, 7) == [1, 3, 7]"];
  let comment = "The first `size` distinct elements in ascending order; if there are fewer, the rest is `fill`. All NaNs count as one.";
}
def Interp : Function<"interp", (params Tensor:$x, Tensor:$xs, Tensor:$ys)> {
  let examples = [
    "interp([0, 1.5, 9], [1, 2], [10, 20]) == [10, 15, 20]",
    "interp([1], [0, 1, 1, 2], [0, 10, 20, 30]) == [20]"];
  let comment = "The values at x of the lines between the points (xs, ys). xs must ascend; beyond its ends the value is that of the end point. Of several points with the same x the last one is used. A line with an infinite end is NaN where NumPy's is.";
}
def Polyval : Function<"polyval", (params Tensor:$coefficients, Tensor:$x)> {
  let examples = ["polyval([1, 2], [10, 20]) == [12, 22]"];
  let comment = "The polynomial with these coefficients at x; the coefficient of the highest power comes first.";
}
def Roots : Function<"roots", (params Tensor:$coefficients)> {
  let examples = ["roots([2, -6]) == [3 + 0j]"];
  let comment = "The roots of the polynomial with these coefficients, the highest power's first, as complex numbers in no particular order; NaN if the first coefficient is 0.";
}
def Trapezoid : Function<"trapezoid", (params Tensor:$y, Real<"1">:$dx, Int<"-1">:$axis)> {
  let examples = ["trapezoid([1, 2, 3], 2, -1) == 8"];
  let comment = "The area below the lines between points that are dx apart along the axis.";
}
def Cov : Function<"cov", (params Tensor:$x, Real<"1">:$correction)> {
  let examples = [
    "cov([[1, 2, 3, 4], [4, 3, 2, 1]], 1) == [[1.6666667, -1.6666667], [-1.6666667, 1.6666667]]",
    "cov([[2], [3]], 1) == [[nan, nan], [nan, nan]]"];
  let comment = "The covariances of variables (rows) over n observations (columns): sums of products divided by n - correction, or by 0 if that is negative.";
}
def Corrcoef : Function<"corrcoef", (params Tensor:$x)> {
  let examples = ["corrcoef([[1, 2, 3], [3, 2, 1]]) == [[1, -1], [-1, 1]]"];
  let comment = "Correlations: each covariance divided by the product of the two standard deviations.";
}
def Average : Function<"average", (params Tensor:$x, OptionalTensor:$weights, Axes<"{}">:$axes, Flag<"false">:$keepdims)> {
  let examples = [
    "average([1, 3], [3, 1]) == 1.5",
    "average([[1, 2], [5, 4]], [1, 3], axes=[0]) == [4, 3.5]"];
  let comment = "sum(x * weights) / sum(weights). Weights have the shape of x, or are a vector along the only axis. Without weights it is the mean.";
}
def Gradient : Function<"gradient", (params Tensor:$y, OptionalTensor:$x, Real<"1">:$dx, Int<"-1">:$axis)> {
  let examples = [
    "gradient([1, 2, 4, 7], None, 0.5, -1) == [2, 3, 5, 6]",
    "gradient([1, 2, 10], [0, 1, 3]) == [1, 2, 4]"];
  let comment = "The slopes of the curve y along the axis. Its points are at positions x, or dx apart. Inner slopes are those of parabolas through three points, and those at the ends are of lines.";
}
def Vander : Function<"vander", (params Tensor:$x, Int<>:$columns, Flag<"false">:$increasing)> {
  let examples = [
    "vander([2, 3], 3) == [[4, 2, 1], [9, 3, 1]]",
    "vander([2, 3], 3, increasing=1) == [[1, 2, 4], [1, 3, 9]]"];
  let comment = "The powers of each element of a vector as a row, from columns - 1 down to 0, or with `increasing` from 0 up.";
}
def Polyfit : Function<"polyfit", (params Tensor:$x, Tensor:$y, Int<>:$degree)> {
  let examples = ["polyfit([0, 1, 2], [1, 3, 7], 2) == [1, 1, 1]"];
  let comment = "The coefficients, the highest power's first, of the polynomial of this degree that is nearest to the points (x, y); y is a vector, or has a column for each polynomial.";
}
def Isin : Function<"isin", (params Tensor:$x, Tensor:$values)> {
  let examples = ["isin([1, 2, nan], [2, 5, nan]) == [False, True, False]"];
  let comment = "True for the elements of x that are among the values.";
  let builder = "graph::isIn";
}
} // section

//===--- Missing values ---------------------------------------------------===//

class OfPresent<string name, string op> : Function<name, (params Tensor:$x, Axes<"{}">:$axes, Flag<"false">:$keepdims)> {
  let builder = "graph::reducePresent";
  let builderArguments = "OpKind::" # op # ", x, axes, keepdims";
}

let section = "Missing values" in {
def Nansum : OfPresent<"nansum", "Sum"> {
  let examples = ["nansum([[1, nan], [nan, nan]], axes=[1]) == [1, 0]"];
  let comment = "The sum of the elements that are not NaN.";
}
def Nanprod : OfPresent<"nanprod", "Prod"> {
  let examples = ["nanprod([[3, nan], [nan, nan]], axes=[1]) == [3, 1]"];
  let comment = "The product of the elements that are not NaN.";
}
def Nanmax : OfPresent<"nanmax", "ReduceMax"> {
  let examples = ["nanmax([[3, nan, 4], [nan, nan, nan]], axes=[1]) == [4, nan]"];
  let comment = "The largest element that is not NaN; NaN where all are NaN.";
}
def Nanmin : OfPresent<"nanmin", "ReduceMin"> {
  let examples = ["nanmin([[3, nan, 4], [nan, nan, nan]], axes=[1]) == [3, nan]"];
  let comment = "The smallest element that is not NaN; NaN where all are NaN.";
}
def Nanargmax : OfPresent<"nanargmax", "Argmax"> {
  let examples = ["nanargmax([[3, nan, 4], [nan, -inf, nan]], axes=[1]) == i64([2, 1])"];
  let comment = "The index of the largest element that is not NaN; 0 where all are NaN.";
  let builder = "graph::positionPresent";
}
def Nanargmin : OfPresent<"nanargmin", "Argmin"> {
  let examples = ["nanargmin([[3, nan, 4], [nan, inf, nan]], axes=[1]) == i64([0, 1])"];
  let comment = "The index of the smallest element that is not NaN; 0 where all are NaN.";
  let builder = "graph::positionPresent";
}
def Nanmean : Function<"nanmean", (params Tensor:$x, Axes<"{}">:$axes, Flag<"false">:$keepdims)> {
  let examples = ["nanmean([[1, nan, 4], [nan, nan, nan]], axes=[1]) == [2.5, nan]"];
  let comment = "The mean of the elements that are not NaN; NaN where all are NaN.";
  let builder = "graph::meanPresent";
}
def Nanvar : Function<"nanvar", (params Tensor:$x, Axes<"{}">:$axes, Real<"0">:$correction, Flag<"false">:$keepdims)> {
  let examples = ["nanvar([[1, nan, 4], [nan, 2, nan]], axes=[1], correction=1) == [4.5, nan]"];
  let comment = "The variance of the elements that are not NaN: squared distances divided by their number minus `correction`; NaN unless that is positive.";
  let builder = "graph::varPresent";
}
def Nanstd : Function<"nanstd", (params Tensor:$x, Axes<"{}">:$axes, Real<"0">:$correction, Flag<"false">:$keepdims)> {
  let examples = ["nanstd([1, nan, 5]) == 2"];
  let comment = "The root of nanvar.";
  let builder = "graph::stdPresent";
}
def Nanquantile : Function<"nanquantile",
    (params Tensor:$x, Number<>:$q, Axes<"{}">:$axes, Flag<"false">:$keepdims, TextOr<"\"linear\"">:$method)> {
  let examples = ["nanquantile([[1, nan, 2], [nan, nan, nan]], 0.5, axes=[1], method='linear') == [1.5, nan]"];
  let comment = "The quantile of the elements that are not NaN; NaN where all are NaN.";
  let builder = "graph::nanQuantile";
}
def Nanmedian : Function<"nanmedian", (params Tensor:$x, Axes<"{}">:$axes, Flag<"false">:$keepdims)> {
  let examples = ["nanmedian([3, nan, 1, 2]) == 2"];
  let comment = "The median of the elements that are not NaN; NaN where all are NaN.";
  let builder = "graph::nanMedian";
}
def Fmax : Function<"fmax", (params Tensor:$x, Number<>:$y)> {
  let examples = ["fmax([1, nan, 3, nan], [2, 2, nan, nan]) == [2, 2, 3, nan]"];
  let comment = "The larger one, or the one that is not NaN.";
  let builder = "graph::extremumPresent";
  let builderArguments = "OpKind::Max, x, y";
}
def Fmin : Function<"fmin", (params Tensor:$x, Number<>:$y)> {
  let examples = ["fmin([1, nan, 3, nan], [2, 2, nan, nan]) == [1, 2, 3, nan]"];
  let comment = "The smaller one, or the one that is not NaN.";
  let builder = "graph::extremumPresent";
  let builderArguments = "OpKind::Min, x, y";
}
def Nancumsum : Function<"nancumsum", (params Tensor:$x, Int<>:$axis)> {
  let examples = ["nancumsum([1, nan, 2], 0) == [1, 1, 3]"];
  let comment = "The cumulative sums along the axis, with NaN as 0.";
  let builder = "graph::scanPresent";
  let builderArguments = "OpKind::Cumsum, x, axis";
}
def Nancumprod : Function<"nancumprod", (params Tensor:$x, Int<>:$axis)> {
  let examples = ["nancumprod([2, nan, 3], 0) == [2, 2, 6]"];
  let comment = "The cumulative products along the axis, with NaN as 1.";
  let builder = "graph::scanPresent";
  let builderArguments = "OpKind::Cumprod, x, axis";
}
def NanToNum : Function<"nan_to_num",
    (params Tensor:$x, Real<"0">:$nan, Real<"1.7976931348623157e308">:$posinf, Real<"-1.7976931348623157e308">:$neginf)> {
  let examples = [
    "nan_to_num([1, nan, inf, -inf], 7, 8, -9) == [1, 7, 8, -9]",
    "nan_to_num([inf]) == [3.4028234663852886e38]"];
  let comment = "x with NaN and the infinities replaced by numbers; a number that the dtype cannot represent becomes its largest or smallest one.";
  let builder = "graph::nanToNum";
}
} // section

//===--- Quantization -----------------------------------------------------===//

let section = "Quantization" in {
def Quantize : Function<"quantize",
    (params Tensor:$x, Tensor:$scale, OptionalTensor:$zero_point, DType<"i8">:$dtype, Int<"-1">:$axis)> {
  let examples = ["quantize([1, 2.25], 0.5, None, i8, -1) == i8([2, 4])"];
  let composites = ["quantize"];
  let comment = "x / scale rounded to the nearest integer (halves to even), plus the zero point, saturated. The scale is a number, a vector along the axis, or has the rank of x with dims that divide those of x (groups).";
}
def Dequantize : Function<"dequantize",
    (params Tensor:$x, Tensor:$scale, OptionalTensor:$zero_point, Int<"-1">:$axis)> {
  let examples = ["dequantize(i8([2, 5]), 0.5, None, -1) == [1, 2.5]"];
  let composites = ["dequantize"];
  let comment = "(x - zero_point) * scale, in the scale's dtype.";
}
def FakeQuantize : Function<"fake_quantize",
    (params Tensor:$x, Tensor:$scale, OptionalTensor:$zero_point, Int<"-128">:$low, Int<"127">:$high, Int<"-1">:$axis)> {
  let examples = ["fake_quantize([1, 4], 0.5, None, -4, 4, -1) == [1, 2]"];
  let comment = "x quantized to integers in [low, high] and back to float. The gradient is that of the identity where x was not clamped, and 0 elsewhere.";
  let builder = "derive::fakeQuantize";
}
def StochasticRound : Function<"stochastic_round", (params Key:$key, Tensor:$x, DType<"i8">:$dtype)> {
  let examples = ["stochastic_round(key(1), [1, -2], i8) == i8([1, -2])"];
  let comment = "x as integers, rounded up with a probability equal to the fraction of x, and saturated.";
  let builder = "graph::stochasticRound";
  let header = "random";
}
def MatmulI32 : Function<"matmul_i32", (params Tensor:$x, Tensor:$y)> {
  let examples = ["matmul_i32(i8([100, 100]), i8([100, 100])) == i32(20000)"];
  let comment = "The matmul of i8 or ui8, with products and sums in i32.";
  let builder = "graph::matmulI32";
}
} // section
