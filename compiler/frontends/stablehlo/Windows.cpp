//===- Windows.cpp - Reductions of windows --------------------------------===//
//
// Reductions of windows that begin or end at the edge become scans. Other
// windows are views with a static number of elements per window; the dims along
// which the windows slide may be symbolic.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/stablehlo/Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tensorc::stablehlo {

//===----------------------------------------------------------------------===//
// What a window is
//===----------------------------------------------------------------------===//

namespace {
/// The parameters of windows, one per dim.
struct Window {
  SmallVector<Dim> sizes, low, high;
  NumberList strides, inputDilations, dilations;
};
/// The window sizes and paddings as numbers.
struct Extents {
  NumberList sizes, low, high;
};
} // namespace

static SmallVector<Dim> dimsFrom(const NumberList &numbers) {
  return SmallVector<Dim>(shape::dimsOf(numbers));
}

static std::optional<Window> checked(Call &call, Window window) {
  for (auto [size, stride, inputDilation, dilation] :
       llvm::zip(window.sizes, window.strides, window.inputDilations,
                 window.dilations))
    if (shape::isLess(size, 1) == true || stride < 1 || inputDilation < 1 ||
        dilation < 1)
      return call.refuse() << "has a window of no size", std::nullopt;
  return window;
}

static std::optional<Window> windowOf(Call &call, size_t rank) {
  auto sizes = call.numbers("window_dimensions", rank);
  auto strides = call.numbers("window_strides", rank, 1);
  auto inputDilations = call.numbers("base_dilations", rank, 1);
  auto dilations = call.numbers("window_dilations", rank, 1);
  auto padding = call.numbers("padding", 2 * rank, 0);
  if (!sizes || !strides || !inputDilations || !dilations || !padding)
    return std::nullopt;
  Window window{dimsFrom(*sizes), {},        {}, *strides,
                *inputDilations,  *dilations};
  for (size_t i = 0; i < rank; ++i) {
    window.low.push_back((*padding)[2 * i]);
    window.high.push_back((*padding)[2 * i + 1]);
  }
  return checked(call, std::move(window));
}

static std::optional<Extents> numbersOf(Call &call, const Window &window) {
  Extents numbers;
  for (auto [from, to] : {std::pair(&window.sizes, &numbers.sizes),
                          {&window.low, &numbers.low},
                          {&window.high, &numbers.high}})
    for (Dim dim : *from) {
      if (!dim.isNumber())
        return call.refuse()
                   << "has a window of the named size " << shape::toString(dim),
               std::nullopt;
      to->push_back(*dim.number());
    }
  return numbers;
}

/// If the windows are cumulative, that is, begin or end at the edge of a dim,
/// returns the dim, and whether they end at the last element. Nullopt for other
/// windows.
static std::optional<std::pair<int64_t, bool>> cumulative(const Window &window,
                                                          Dims dims) {
  std::optional<std::pair<int64_t, bool>> found;
  for (size_t i = 0; i < dims.size(); ++i) {
    Dim size = window.sizes[i], low = window.low[i], high = window.high[i];
    if (window.strides[i] != 1 || window.inputDilations[i] != 1 ||
        window.dilations[i] != 1)
      return std::nullopt;
    if (size == 1 && low == 0 && high == 0)
      continue;
    bool forward = low == size - 1 && high == 0;
    bool backward = low == 0 && high == size - 1;
    if (found || size != dims[i] || (!forward && !backward))
      return std::nullopt;
    found = {static_cast<int64_t>(i), backward};
  }
  return found;
}

template <typename Op>
static Value scanBy(TensorBuilder &b, Value x, int64_t dim, bool reverse) {
  return Op::create(b.b, b.loc, x.getType(), x, dim, reverse,
                    /*exclusive=*/false);
}

static Value scan(TensorBuilder &b, Combiner combiner, Value x, int64_t dim,
                  bool reverse) {
  switch (combiner) {
  case Combiner::Add:
    return scanBy<tx::CumsumOp>(b, x, dim, reverse);
  case Combiner::Mul:
    return scanBy<tx::CumprodOp>(b, x, dim, reverse);
  case Combiner::Min:
    return scanBy<tx::CumminOp>(b, x, dim, reverse);
  default:
    return scanBy<tx::CummaxOp>(b, x, dim, reverse);
  }
}

/// Pads x with the value, at the edges and between elements.
static FailureOr<Value> padded(Call &call, Value x, const Window &window,
                               const Extents &numbers, Value value) {
  SmallVector<int64_t> interior;
  for (int64_t dilation : window.inputDilations)
    interior.push_back(dilation - 1);
  auto rule = shape::inferPad(dimsOf(x), {numbers.low, numbers.high, interior});
  if (rule.isRefused())
    return call.refuse() << rule.refusal;
  auto isZero = [](int64_t number) { return number == 0; };
  if (llvm::all_of(numbers.low, isZero) && llvm::all_of(numbers.high, isZero) &&
      llvm::all_of(interior, isZero))
    return x;
  TensorBuilder &b = call.b;
  Type type = tx::tensorType(rule.dims, typeOf(x).getElementType());
  return Value(tx::PadOp::create(b.b, b.loc, type, x, value, numbers.low,
                                 numbers.high, interior));
}

/// Returns the dims along which windows do not just select single elements.
static SmallVector<int64_t> windowDims(const Window &window,
                                       const Extents &numbers) {
  return llvm::filter_to_vector(
      llvm::seq<int64_t>(0, numbers.sizes.size()),
      [&](int64_t i) { return numbers.sizes[i] > 1 || window.strides[i] > 1; });
}

static FailureOr<Value> windowsOf(Call &call, Value x, const Window &window,
                                  const Extents &numbers) {
  NumberList dims = windowDims(window, numbers), sizes, strides, dilations;
  for (int64_t i : dims) {
    sizes.push_back(numbers.sizes[i]);
    strides.push_back(window.strides[i]);
    dilations.push_back(window.dilations[i]);
  }
  auto rule = shape::inferWindows(dimsOf(x), {dims, sizes, strides, dilations});
  if (rule.isRefused())
    return call.refuse() << rule.refusal;
  return dims.empty() ? x : call.b.windows(x, dims, sizes, strides, dilations);
}

//===----------------------------------------------------------------------===//
// Handlers
//===----------------------------------------------------------------------===//

/// The inputs are the tensors, followed by an initial value for each.
static Results reduceWindows(Call &call, Region &region, ArrayRef<Value> inputs,
                             const Window &window) {
  size_t half = inputs.size() / 2, rank = rankOf(inputs[0]);
  Combiner combiner = half == 1 ? combinerOf(region) : Combiner::Other;
  Special identity = identityOf(combiner);
  if (identity != Special::None && dtypeOf(inputs[0]) != DType::I1 &&
      isSpecial(inputs[1], identity))
    if (auto along = cumulative(window, dimsOf(inputs[0])))
      return Values{
          scan(call.b, combiner, inputs[0], along->first, along->second)};
  std::optional<Extents> numbers = numbersOf(call, window);
  if (!numbers)
    return failure();
  Values views;
  for (auto [x, initial] :
       llvm::zip(inputs.take_front(half), inputs.take_back(half))) {
    FailureOr<Value> wide = padded(call, x, window, *numbers, initial);
    if (failed(wide))
      return failure();
    FailureOr<Value> view = windowsOf(call, *wide, window, *numbers);
    if (failed(view))
      return failure();
    views.push_back(*view);
  }
  return reduceLast(call, region, views, rankOf(views[0]) - rank,
                    inputs.take_back(half));
}

static Results reduceWindow(Call &call) {
  if (failed(checkInputs(call, call.x)))
    return failure();
  std::optional<Window> window = windowOf(call, rankOf(call.x[0]));
  if (!window)
    return failure();
  return reduceWindows(call, call.op->getRegion(0), call.x, *window);
}

/// Returns the sizes in an operand that is a list; nullopt after a diagnostic.
static std::optional<SmallVector<Dim>> sizesIn(Call &call, Value list,
                                               size_t count) {
  const auto *sizes = call.converter.sizesIn(list);
  if (!sizes || sizes->size() != count ||
      llvm::any_of(*sizes, [](Dim dim) { return dim.isNone(); }))
    return call.refuse() << "has windows that depend on more than the sizes of "
                            "arguments",
           std::nullopt;
  return SmallVector<Dim>(*sizes);
}

static std::optional<NumberList> numbersIn(Call &call, Value list,
                                           size_t count) {
  auto sizes = sizesIn(call, list, count);
  NumberList numbers;
  for (Dim dim : sizes.value_or(SmallVector<Dim>()))
    if (dim.isNumber())
      numbers.push_back(*dim.number());
  if (numbers.size() != count)
    return sizes ? (call.refuse() << "has strides or dilations of named sizes",
                    std::nullopt)
                 : std::nullopt;
  return numbers;
}

Results dynamicReduceWindow(Call &call) {
  Region *region = call.converter.calledComputation(call.op);
  constexpr size_t lists = 5;
  if (!region || call.x.size() < lists + 2)
    return call.refuse() << "needs a function that combines, and five lists";
  ArrayRef<Value> inputs = call.x.drop_back(lists),
                  numbers = call.x.take_back(lists);
  if (failed(checkInputs(call, inputs)))
    return failure();
  size_t rank = rankOf(inputs[0]);
  auto sizes = sizesIn(call, numbers[0], rank);
  auto strides = numbersIn(call, numbers[1], rank);
  auto inputDilations = numbersIn(call, numbers[2], rank);
  auto dilations = numbersIn(call, numbers[3], rank);
  auto padding = sizesIn(call, numbers[4], 2 * rank);
  if (!sizes || !strides || !inputDilations || !dilations || !padding)
    return failure();
  Window window{*sizes, {}, {}, *strides, *inputDilations, *dilations};
  for (size_t i = 0; i < rank; ++i) {
    window.low.push_back((*padding)[2 * i]);
    window.high.push_back((*padding)[2 * i + 1]);
  }
  auto fits = checked(call, std::move(window));
  if (!fits)
    return failure();
  return reduceWindows(call, *region, inputs, *fits);
}

/// Returns whether the region selects the largest (true) or smallest element,
/// and the first one of equal elements. Nullopt for other regions.
static std::optional<bool> selectsLargest(Region &select) {
  Block &block = select.front();
  if (block.getNumArguments() != 2 || block.back().getNumOperands() != 1)
    return std::nullopt;
  Value result = block.back().getOperand(0);
  Value x = block.getArgument(0), y = block.getArgument(1);
  bool largest = isCompare(result, "GE", x, y);
  if (!largest && !isCompare(result, "LE", x, y))
    return std::nullopt;
  return largest;
}

/// Returns the windows of x as rows of their elements.
static FailureOr<Value> rowsOf(Call &call, Value x, const Window &window,
                               const Extents &numbers, Value padding) {
  FailureOr<Value> wide = padded(call, x, window, numbers, padding);
  if (failed(wide))
    return failure();
  FailureOr<Value> views = windowsOf(call, *wide, window, numbers);
  if (failed(views))
    return failure();
  Dims dims = dimsOf(*views);
  SmallVector<Dim> flat(dims.take_front(rankOf(x)));
  flat.push_back(shape::product(dims.drop_front(rankOf(x))));
  return call.b.reshape(*views, flat);
}

/// Selects an element of each row by an arbitrary region, which returns true if
/// the first of two elements is kept. Elements outside of x are never selected.
/// Returns the index in the row.
static FailureOr<Value> selectedBy(Call &call, Region &select, Value rows,
                                   Value inside) {
  TensorBuilder &b = call.b;
  int64_t last = rankOf(rows) - 1;
  SmallVector<Dim> dims(dimsOf(rows).drop_back());
  auto element = [&](Value x, int64_t i) {
    return b.reshape(b.sliceAlong(x, last, i, 1), dims);
  };
  Value value = element(rows, 0), found = element(inside, 0);
  Value place = b.full(0, DType::I64, dims);
  for (int64_t i = 1; i < *dimsOf(rows)[last].number(); ++i) {
    Value next = element(rows, i), isInside = element(inside, i);
    Results keeps = call.converter.lift(select, {value, next});
    if (failed(keeps) || keeps->size() != 1 ||
        dtypeOf(keeps->front()) != DType::I1)
      return failure();
    Value keep = b.logicalAnd(
        found, b.logicalOr(keeps->front(), b.logicalNot(isInside)));
    value = b.select(keep, value, next);
    place = b.select(keep, place, i);
    found = b.logicalOr(found, isInside);
  }
  return place;
}

/// Returns the index of the selected element in each window.
static FailureOr<Value> selectedPlaces(Call &call, const Window &window,
                                       const Extents &numbers) {
  TensorBuilder &b = call.b;
  Value x = call.x[0];
  Region &select = call.op->getRegion(0);
  if (std::optional<bool> largest = selectsLargest(select)) {
    FailureOr<Value> rows =
        rowsOf(call, x, window, numbers, extremeOf(b, dtypeOf(x), *largest));
    if (failed(rows))
      return failure();
    return choose(b, *largest, *rows, rankOf(*rows) - 1, DType::I64);
  }
  FailureOr<Value> rows =
      rowsOf(call, x, window, numbers, b.full(0, dtypeOf(x)));
  FailureOr<Value> inside = rowsOf(call, b.full(1, DType::I1, dimsOf(x)),
                                   window, numbers, b.full(0, DType::I1));
  if (failed(rows) || failed(inside))
    return failure();
  // Limits the size of the program: each element of a window becomes separate
  // ops.
  constexpr int64_t maxSelectedElements = 256;
  if (shape::product(dimsFrom(numbers.sizes)).number() > maxSelectedElements)
    return call.refuse() << "selects by a comparison other than GE and LE of "
                            "its arguments from windows of more than "
                         << maxSelectedElements << " elements";
  return selectedBy(call, select, *rows, *inside);
}

/// Converts the gradient of a pooling: each window combines its value with the
/// element that it selected.
static Results selectAndScatter(Call &call) {
  TensorBuilder &b = call.b;
  Value x = call.x[0], given = call.x[1], initial = call.x[2];
  std::optional<Window> window = windowOf(call, rankOf(x));
  std::optional<Extents> numbers =
      window ? numbersOf(call, *window) : std::nullopt;
  if (!numbers)
    return failure();
  if (rankOf(initial) != 0 || rankOf(given) != rankOf(x))
    return call.refuse() << "needs tensors of one rank, and one element";
  Combiner combiner = combinerOf(call.op->getRegion(1));
  auto kind = updateOf(call, combiner);
  if (failed(kind))
    return failure();
  FailureOr<Value> places = selectedPlaces(call, *window, *numbers);
  if (failed(places))
    return failure();
  if (dimsOf(*places) != dimsOf(given))
    return call.refuse() << "has " << given.getType() << " for windows of "
                         << x.getType();
  // Converts the index in the window to the row-major index in the padded
  // tensor.
  Value place = *places, index = b.full(0, DType::I64, dimsOf(given));
  SmallVector<Dim> wide;
  for (int64_t i = 0; i < rankOf(x); ++i)
    wide.push_back(dimsOf(x)[i] + numbers->low[i] + numbers->high[i]);
  Dim stride = 1;
  for (int64_t i = rankOf(x) - 1; i >= 0; --i) {
    Value at = b.mul(b.iota(DType::I64, dimsOf(given), i), window->strides[i]);
    if (int64_t size = numbers->sizes[i]; size > 1) {
      at = b.add(at, b.map<tx::RemOp>({place, size}));
      place = b.div(place, size);
      // A position in the padding is selected only if elements of x after it
      // equal the padding. Then the first of these elements is selected
      // instead.
      if (int64_t low = numbers->low[i]; low > 0 && low < size)
        at = b.max(at, low);
    }
    index = b.add(index, b.mul(at, b.size(stride, DType::I64)));
    stride = stride * wide[i];
  }
  if (combiner == Combiner::Sub)
    given = b.neg(given);
  Value start = b.broadcast(initial, stride);
  Value sums =
      tx::ScatterOp::create(b.b, b.loc, start.getType(), start, index, given,
                            *kind, ArrayRef<int64_t>(), ArrayRef<int64_t>{0},
                            ArrayRef<int64_t>{0}, rankOf(index));
  Value result = b.reshape(sums, wide);
  for (int64_t i = 0; i < rankOf(x); ++i)
    result = b.sliceAlong(result, i, numbers->low[i], dimsOf(x)[i]);
  return Values{result};
}

void addWindows(Table &table) {
  table["stablehlo.reduce_window"] = Row{reduceWindow, 2, anyCount, 1};
  table["stablehlo.select_and_scatter"] = Row{selectAndScatter, 3, 3, 2};
}

} // namespace tensorc::stablehlo
