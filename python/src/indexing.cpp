//===- indexing.cpp - NumPy's indexing: x[...] and x[...] = v -------------===//
#include "core.h"

#include "tensorc/indexing.h"

namespace tcpy {
namespace {

int64_t integer(nb::handle value) {
  nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index)
    throw nb::python_error();
  int64_t number = PyLong_AsLongLong(index.ptr());
  if (number == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    raise(PyExc_IndexError, "an index is too large for 64 bits");
  }
  return number;
}
/// Returns a slice bound. Bounds that do not fit in 64 bits are clamped,
/// because no array is that large.
int64_t bound(nb::handle value, int64_t absent) {
  if (value.is_none())
    return absent;
  Py_ssize_t clipped = 0;
  if (!PyIndex_Check(value.ptr()))
    raise(PyExc_TypeError, "the parts of a slice are integers or None");
  clipped = PyNumber_AsSsize_t(value.ptr(), nullptr);
  if (clipped == -1 && PyErr_Occurred())
    throw nb::python_error();
  // The smallest integer denotes an absent bound, so it is excluded here.
  return std::max<int64_t>(clipped, INT64_MIN + 1);
}

/// The items between the brackets.
class Items {
public:
  /// If `expandsMasks` is set, a mask is evaluated and replaced by the indices
  /// of its true elements. Writes, and reads with a single mask, do not need
  /// that. Arrays are moved to x's device.
  Items(nb::handle key, const Array &x, bool expandsMasks)
      : x(&x), expandsMasks(expandsMasks) {
    if (PyTuple_Check(key.ptr()))
      for (nb::handle item : nb::borrow<nb::tuple>(key))
        add(item);
    else
      add(key);
  }
  std::vector<tensorc_index_item> items;
  bool hasMask = false;

  /// Returns true if the only array among the items is a mask that was not
  /// expanded. Single booleans, and masks of size 0, which match any axis, do
  /// not count.
  bool isOneMask() const {
    return !expandsMasks && kept.size() == 1 && kept[0].dtype() == TENSORC_I1 &&
           kept[0].rank() > 0 && kept[0].size() > 0;
  }

private:
  void add(nb::handle item) {
    if (PySlice_Check(item.ptr())) {
      nb::handle step = item.attr("step");
      tensorc_index_item slice{
          TENSORC_INDEX_SLICE, bound(item.attr("start"), TENSORC_NONE),
          bound(item.attr("stop"), TENSORC_NONE),
          bound(nb::object(item.attr("step")), 1), nullptr};
      (void)step;
      if (slice.step == 0)
        raise(PyExc_ValueError, "slice step cannot be zero");
      items.push_back(slice);
    } else if (item.is_none()) {
      items.push_back({TENSORC_INDEX_NEW_AXIS, 0, 0, 1, nullptr});
    } else if (item.ptr() == Py_Ellipsis) {
      items.push_back({TENSORC_INDEX_ELLIPSIS, 0, 0, 1, nullptr});
    } else if (PyBool_Check(item.ptr())) {
      addMask(onDeviceOf(asArray(item), *x));
    } else if (PyLong_Check(item.ptr())) {
      items.push_back({TENSORC_INDEX_INTEGER, integer(item), 0, 1, nullptr});
    } else {
      addArray(item);
    }
  }

  void addArray(nb::handle item) {
    Array array;
    try {
      array = onDeviceOf(asArray(item), *x);
    } catch (nb::python_error &error) {
      if (!error.matches(PyExc_TypeError))
        throw;
      PyErr_Clear();
      raise(PyExc_IndexError,
            "an index is an integer, a slice, ..., None, or an array of "
            "integers or booleans, not " +
                nb::cast<std::string>(nb::str(item.type().attr("__name__"))));
    }
    // Within a tuple, [] and () select nothing.
    if ((PyList_Check(item.ptr()) || PyTuple_Check(item.ptr())) &&
        array.size() == 0 && isFloat(array.dtype())) {
      tensorc_tensor *out = nullptr;
      tensorc_status *status =
          tensorc_astype(array.raw(), TENSORC_I64, here(), &out);
      array = taken(status, out);
    }
    if (isFloat(array.dtype()))
      raise(PyExc_IndexError,
            "an array of " + pythonName(array.dtype()) + " cannot be an index");
    if (array.dtype() == TENSORC_I1)
      return addMask(array);
    addTensor(array);
  }
  void addTensor(const Array &array) {
    kept.push_back(array);
    items.push_back({TENSORC_INDEX_TENSOR, 0, 0, 1, array.raw()});
  }

  void addMask(const Array &mask) {
    hasMask = true;
    if (!expandsMasks)
      return addTensor(mask);
    int64_t count = 0;
    tensorc_tensor *sum = nullptr;
    // The number of true elements is the size of the result.
    tensorc_status *status = tensorc_reduce(TENSORC_COUNT_NONZERO, mask.raw(),
                                            0, nullptr, 0, here(), &sum);
    Array total = taken(status, sum);
    tensorc_tensor *raw = total.raw();
    double unused;
    {
      nb::gil_scoped_release release;
      status = tensorc_item(raw, &unused, &count);
    }
    check(status);
    if (mask.rank() == 0) {
      // A boolean adds a new axis that has one element if it is true and none
      // if it is false.
      items.push_back({TENSORC_INDEX_NEW_AXIS, 0, 0, 1, nullptr});
      items.back() = {TENSORC_INDEX_NEW_AXIS, 0, 0, 1, nullptr};
      tensorc_tensor *zeros = nullptr;
      const tensorc_arg zero = tensorc_int_arg(0);
      status = tensorc_full(TENSORC_I64, 1, &count, &zero, here(), &zeros);
      scalarMasks.push_back(items.size() - 1);
      scalars.push_back(onDeviceOf(taken(status, zeros), *x));
      return;
    }
    std::vector<tensorc_tensor *> indices(static_cast<size_t>(mask.rank()));
    check(tensorc_nonzero(mask.raw(), count, 0, here(), indices.data()));
    // Stores the mask, because its sizes must be checked against x's axes and
    // the indices do not contain them.
    masks.push_back({items.size(), mask});
    for (tensorc_tensor *index : indices)
      addTensor(Array(index));
  }

  const Array *x;
  bool expandsMasks;
  std::vector<Array> kept;

public:
  std::vector<size_t> scalarMasks;
  std::vector<Array> scalars;
  std::vector<std::pair<size_t, Array>> masks;

  /// Rejects masks whose sizes differ from those of x's axes. As in NumPy, a
  /// size of 0 matches any size.
  void checkMasks(const Array &x) const {
    for (auto &[place, mask] : masks) {
      int64_t axis = axisAt(place, x.rank());
      for (int32_t i = 0; i < mask.rank(); ++i)
        if (axis + i >= x.rank() ||
            (mask.dims()[i] != 0 && x.dims()[axis + i] != mask.dims()[i]))
          raise(PyExc_IndexError,
                "a boolean index of size " + std::to_string(mask.dims()[i]) +
                    " stands for axis " + std::to_string(axis + i) +
                    (axis + i < x.rank()
                         ? " of size " + std::to_string(x.dims()[axis + i])
                         : ", which the array does not have"));
    }
  }

  void checkScalarMask() const {
    if (scalarMasks.size() > 1 || kept.size())
      raise(PyExc_IndexError,
            "an index has one single boolean at most, and then "
            "neither a mask nor an array of indices");
  }

  bool hasSeveralArrays() const { return kept.size() > 1; }

  /// True if the value is the same for all elements of the only mask, so that
  /// their number is not needed.
  bool isAlikeEverywhere(const Array &x, const tensorc_tensor *value) const {
    if (kept.size() != 1 || kept[0].dtype() != TENSORC_I1)
      return false;
    // Counts the axes of x[items] after the axis of the mask. An integer before
    // the mask may move that axis to the front.
    int64_t used = 0, axesAfter = 0;
    bool isAfter = false, isRestAfter = true, mayMove = false;
    for (const tensorc_index_item &item : items) {
      if (item.kind == TENSORC_INDEX_TENSOR) {
        used += kept[0].rank();
        isAfter = true;
      } else if (item.kind == TENSORC_INDEX_ELLIPSIS) {
        isRestAfter = isAfter;
      } else {
        used += item.kind != TENSORC_INDEX_NEW_AXIS;
        axesAfter += isAfter && item.kind != TENSORC_INDEX_INTEGER;
        mayMove |= !isAfter && item.kind == TENSORC_INDEX_INTEGER;
      }
    }
    if (isRestAfter)
      axesAfter += x.rank() - used;
    int64_t own = tensorc_tensor_rank(value);
    if (mayMove)
      return own == 0;
    return own <= axesAfter ||
           tensorc_tensor_dims(value)[own - 1 - axesAfter] == 1;
  }

private:
  /// Returns the axis of x that the item indexes.
  int64_t axisAt(size_t place, int64_t rank) const {
    int64_t before = 0, all = 0;
    bool isBehindEllipsis = false;
    for (size_t i = 0; i < items.size(); ++i) {
      if (i == place)
        before = all;
      if (items[i].kind == TENSORC_INDEX_ELLIPSIS)
        isBehindEllipsis |= i < place;
      else if (items[i].kind != TENSORC_INDEX_NEW_AXIS)
        ++all;
    }
    return isBehindEllipsis ? rank - (all - before) : before;
  }
};

Array index(const Array &x, const Items &items) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_index(x.held(), static_cast<int32_t>(items.items.size()),
                    items.items.data(), here(), &out);
  checkIndex(status);
  return items.isOneMask() ? Array::ofUnknownSize(out) : Array(out);
}

/// x[mask] reads its number of elements on first use. Together with an array of
/// indices or another mask, the number is read immediately.
Array get(const Array &x, nb::handle key) {
  Items lazy(key, x, false);
  if (!lazy.hasMask || lazy.isOneMask())
    return index(x, lazy);
  Items items(key, x, true);
  items.checkMasks(x);
  if (items.scalarMasks.empty())
    return index(x, items);
  items.checkScalarMask();
  // x[True] and x[False] add an axis of size 1 and select all or none of it.
  Array parts = index(x, items);
  int64_t axis = 0, left = x.rank();
  for (const tensorc_index_item &item : items.items)
    left -= item.kind != TENSORC_INDEX_NEW_AXIS &&
            item.kind != TENSORC_INDEX_ELLIPSIS;
  for (size_t i = 0; i < items.scalarMasks[0]; ++i)
    axis += items.items[i].kind == TENSORC_INDEX_ELLIPSIS
                ? left
                : items.items[i].kind != TENSORC_INDEX_INTEGER;
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_take(parts.raw(), items.scalars[0].raw(), axis, here(), &out);
  return onDeviceOf(taken(status, out), x);
}

/// An update that fails is an IndexError if reading with the same index fails,
/// too. Otherwise the value is invalid.
void checkUpdate(tensorc_status *status, const Array &x, nb::handle key) {
  if (!status)
    return;
  bool isPlaceWrong = false;
  try {
    get(x, key);
  } catch (nb::python_error &error) {
    isPlaceWrong = error.matches(PyExc_IndexError);
  }
  (isPlaceWrong ? checkIndex : check)(status);
}

/// Checks that the value broadcasts to the shape of its target.
void checkFits(const tensorc_tensor *value, const Array &part) {
  int32_t own = tensorc_tensor_rank(value), added = own - part.rank();
  for (int32_t i = 0; i < own; ++i) {
    int64_t size = tensorc_tensor_dims(value)[i];
    if (size != 1 && (i < added || size != part.dims()[i - added]))
      raise(PyExc_ValueError,
            "the value has size " + std::to_string(size) + " in dimension " +
                std::to_string(i) +
                ", which the part that it is assigned to does not have");
  }
}

Array updated(const Array &x, nb::handle key, nb::handle value,
              tensorc_update_kind kind) {
  Operand operand;
  if (!toOperand(value, operand))
    operand.array = asArrayBeside(value, x);
  if (operand.array) {
    operand.array = onDeviceOf(operand.array, x);
    operand.arg = tensorc_tensor_arg(operand.array.raw());
  }
  // Keeps a reference to the array, because converting the items may run Python
  // code that changes `value`.
  if (const Array *array = arrayIn(value))
    operand.array = *array;
  // A list of numbers is converted to x's dtype if possible.
  if (operand.array &&
      (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr())) &&
      operand.array.dtype() != x.dtype() &&
      (isFloat(x.dtype()) || !isFloat(operand.array.dtype()))) {
    tensorc_tensor *cast = nullptr;
    tensorc_status *status =
        tensorc_astype(operand.array.raw(), x.dtype(), here(), &cast);
    operand.array = taken(status, cast);
    operand.arg = tensorc_tensor_arg(operand.array.raw());
  }
  checkRange(operand.arg, x.dtype(), here());
  if (operand.arg.kind == TENSORC_ARG_COMPLEX && !isComplex(x.dtype()))
    raise(PyExc_TypeError,
          "a complex number is not an element of " + pythonName(x.dtype()));
  // Assigning one value to all true elements of a mask needs no indices, so the
  // mask is not evaluated.
  Items items(key, x, false);
  if (items.hasMask && (items.hasSeveralArrays() ||
                        (operand.arg.kind == TENSORC_ARG_TENSOR &&
                         !items.isAlikeEverywhere(x, operand.arg.tensor)))) {
    items = Items(key, x, true);
    items.checkMasks(x);
  }
  // x[True] = v is the same as x[None] = v, and x[False] = v changes nothing.
  if (!items.scalarMasks.empty()) {
    items.checkScalarMask();
    if (items.scalars[0].size() == 0) {
      if (operand.arg.kind == TENSORC_ARG_TENSOR)
        checkFits(operand.arg.tensor, get(x, key));
      return x;
    }
  }
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_index_update(
      x.held(), static_cast<int32_t>(items.items.size()), items.items.data(),
      kind, &operand.arg, here(), &out);
  checkUpdate(status, x, key);
  return onDeviceOf(Array(out), x);
}

/// The object x.at[i]. Its methods return a changed copy of x.
struct At {
  Array array;
};
struct Place {
  Array array;
  nb::object key;
};

} // namespace

void addIndexing(nb::module_ &m, nb::class_<Array> &array) {
  m.def(
      "all_nonzero",
      [](const Array &x) {
        std::vector<tensorc_tensor *> out(static_cast<size_t>(x.rank()));
        check(tensorc_nonzero(x.held(), TENSORC_NONE, 0, here(), out.data()));
        nb::list indices;
        for (tensorc_tensor *each : out)
          indices.append(nb::cast(Array::ofUnknownSize(each)));
        return nb::tuple(indices);
      },
      nb::arg("x"),
      "Where x is not 0: an array for each axis, whose size is read when it is "
      "asked for.");
  array.def(
      "__getitem__", [](const Array &x, nb::handle key) { return get(x, key); },
      nb::arg().none());
  array.def(
      "__setitem__",
      [](Array &x, nb::handle key, nb::handle value) {
        x = updated(x, key, value, TENSORC_UPDATE_SET);
      },
      nb::arg().none(), nb::arg());
  array.def_prop_ro(
      "at", [](const Array &x) { return At{x}; },
      "x.at[i].set(v), .add(v), .multiply(v), .min(v), .max(v): a changed "
      "copy.");
  auto at = nb::class_<At>(m, "At").def(
      "__getitem__",
      [](const At &at, nb::object key) {
        return Place{at.array, std::move(key)};
      },
      nb::arg().none());
  at.def("__repr__",
         [](const At &at) { return nb::str("{!r}.at").format(at.array); });
  auto place = nb::class_<Place>(m, "Place");
  place.def("__repr__", [](const Place &at) {
    return nb::str("{!r}.at[{!r}]").format(at.array, at.key);
  });
  for (auto [name, kind] : {std::pair{"set", TENSORC_UPDATE_SET},
                            {"add", TENSORC_UPDATE_ADD},
                            {"multiply", TENSORC_UPDATE_MUL},
                            {"min", TENSORC_UPDATE_MIN},
                            {"max", TENSORC_UPDATE_MAX}})
    place.def(name, [kind = kind](const Place &at, nb::handle value) {
      return updated(at.array, at.key, value, kind);
    });
}

} // namespace tcpy
