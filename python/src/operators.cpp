//===- operators.cpp - Operators, and conversion of operands --------------===//
//
// The operators are slots of the class, so they cost no more than the C
// functions that record them.
//
//===----------------------------------------------------------------------===//
#include "core.h"

#include <array>

namespace tcpy {
namespace {

/// Converts a Python number to an argument. Returns 1 on success, 0 if the
/// value is not a number, -1 after an exception.
int toNumber(PyObject *value, tensorc_arg &arg) {
  if (PyBool_Check(value)) {
    arg = tensorc_bool_arg(value == Py_True);
    return 1;
  }
  if (PyLong_Check(value)) {
    int overflow = 0;
    long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow > 0) {
      unsigned long long large = PyLong_AsUnsignedLongLong(value);
      if (PyErr_Occurred())
        return -1; // OverflowError
      arg = tensorc_uint_arg(large);
      return 1;
    }
    if (overflow < 0) {
      PyErr_SetString(PyExc_OverflowError, "int too small for 64 bits");
      return -1;
    }
    arg = tensorc_int_arg(number);
    return 1;
  }
  if (PyFloat_Check(value)) {
    arg = tensorc_float_arg(PyFloat_AS_DOUBLE(value));
    return 1;
  }
  if (PyComplex_Check(value)) {
    arg = tensorc_complex_arg(PyComplex_RealAsDouble(value),
                              PyComplex_ImagAsDouble(value));
    return 1;
  }
  return 0;
}

bool isArrayLike(nb::handle value) {
  return PyObject_CheckBuffer(value.ptr()) && !PyBytes_Check(value.ptr()) &&
         !PyByteArray_Check(value.ptr());
}

} // namespace

Array *arrayIn(nb::handle value) {
  Array *array = nullptr;
  return nb::try_cast<Array *>(value, array, false) ? array : nullptr;
}

bool toOperand(nb::handle value, Operand &operand) {
  if (Array *array = arrayIn(value)) {
    operand.arg = tensorc_tensor_arg(array->held());
    return true;
  }
  int number = toNumber(value.ptr(), operand.arg);
  if (number < 0)
    throw nb::python_error();
  if (number > 0)
    return true;
  // NumPy's arrays and scalars have a buffer; a scalar keeps its dtype.
  if (!isArrayLike(value) && !nb::hasattr(value, "__array__") &&
      !nb::hasattr(value, "__dlpack__"))
    return false;
  operand.array = asArray(value);
  operand.arg = tensorc_tensor_arg(operand.array.raw());
  return true;
}

namespace {
void convert(Operand &operand, tensorc_dtype dtype, tensorc_location at) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_astype(operand.arg.tensor, dtype, at, &out);
  operand.array = taken(status, out);
  operand.arg = tensorc_tensor_arg(operand.array.raw());
}

/// Returns the range of an integer dtype; false for other dtypes.
bool rangeOf(tensorc_dtype dtype, int64_t &least, uint64_t &greatest) {
  int bits;
  switch (dtype) {
  case TENSORC_I8:
  case TENSORC_UI8:
    bits = 8;
    break;
  case TENSORC_I16:
  case TENSORC_UI16:
    bits = 16;
    break;
  case TENSORC_I32:
  case TENSORC_UI32:
    bits = 32;
    break;
  case TENSORC_I64:
  case TENSORC_UI64:
    bits = 64;
    break;
  default:
    return false;
  }
  bool isSigned = dtype < TENSORC_UI8;
  greatest = ~uint64_t(0) >> (64 - bits + isSigned);
  least = isSigned ? -static_cast<int64_t>(greatest) - 1 : 0;
  return true;
}
} // namespace

int sideOf(const tensorc_arg &number, tensorc_dtype dtype) {
  int64_t least;
  uint64_t greatest;
  bool isNegative = number.kind == TENSORC_ARG_INT && number.integer < 0;
  if ((number.kind != TENSORC_ARG_INT && number.kind != TENSORC_ARG_UINT) ||
      !rangeOf(dtype, least, greatest))
    return 0;
  if (isNegative)
    return number.integer < least ? -1 : 0;
  return static_cast<uint64_t>(number.integer) > greatest ? 1 : 0;
}

void checkRange(const tensorc_arg &number, tensorc_dtype dtype,
                tensorc_location at) {
  if (!sideOf(number, dtype)) [[likely]]
    return;
  std::string text = number.kind == TENSORC_ARG_UINT
                         ? std::to_string(static_cast<uint64_t>(number.integer))
                         : std::to_string(number.integer);
  raise(PyExc_OverflowError,
        "the number " + text + " is outside " + pythonName(dtype) + "  at " +
            (at.file ? at.file : "?") + ":" + std::to_string(at.line));
}

void agree(Operand &x, Operand &y, tensorc_location at, bool isChecked) {
  auto settle = [&](Operand &array, const tensorc_arg &number) {
    if (array.arg.kind != TENSORC_ARG_TENSOR ||
        (number.kind != TENSORC_ARG_INT && number.kind != TENSORC_ARG_UINT))
      return;
    tensorc_dtype dtype = tensorc_tensor_dtype(array.arg.tensor);
    if (dtype == TENSORC_I1)
      convert(array, dtype = TENSORC_I64, at);
    if (isChecked)
      checkRange(number, dtype, at);
  };
  settle(x, y.arg);
  settle(y, x.arg);
}

namespace {
using Unary = tensorc_status *(*)(const tensorc_arg *, tensorc_location,
                                  tensorc_tensor **);
using Binary = tensorc_status *(*)(const tensorc_arg *, const tensorc_arg *,
                                   tensorc_location, tensorc_tensor **);

PyObject *wrap(Array array) {
  return nb::cast(std::move(array)).release().ptr();
}

tensorc_dtype dtypeOf(const Operand &operand) {
  return operand.arg.kind == TENSORC_ARG_TENSOR
             ? tensorc_tensor_dtype(operand.arg.tensor)
             : tensorc_dtype{};
}

/// Converts an operand for an operation with another operand. Converted values,
/// including lists, are moved to the other operand's device.
bool toOperandBeside(PyObject *value, Operand &operand, PyObject *other) {
  const Array *beside = arrayIn(other);
  if (!toOperand(value, operand)) {
    if (!beside || !isList(value))
      return false;
    operand.array = asArrayBeside(value, *beside);
  } else if (operand.array && beside) {
    operand.array = onDeviceOf(operand.array, *beside);
  }
  if (operand.array)
    operand.arg = tensorc_tensor_arg(operand.array.raw());
  return true;
}

template <Binary function> PyObject *binary(PyObject *left, PyObject *right) {
  return guarded([&]() -> PyObject * {
    Operand x, y;
    if (!toOperandBeside(left, x, right) || !toOperandBeside(right, y, left))
      return Py_NewRef(Py_NotImplemented);
    tensorc_location at = here();
    agree(x, y, at, function != tensorc_pow);
    tensorc_tensor *out = nullptr;
    tensorc_status *status = function(&x.arg, &y.arg, at, &out);
    return wrap(taken(status, out));
  });
}

bool isWhole(const Operand &operand) {
  if (tensorc_dtype dtype = dtypeOf(operand))
    return !isFloat(dtype) && !isComplex(dtype);
  return operand.arg.kind != TENSORC_ARG_FLOAT &&
         operand.arg.kind != TENSORC_ARG_COMPLEX;
}

bool isBool(const tensorc_arg *arg) {
  return arg->kind == TENSORC_ARG_TENSOR
             ? tensorc_tensor_dtype(arg->tensor) == TENSORC_I1
             : arg->kind == TENSORC_ARG_BOOL;
}
/// Implements x + y and x * y: calls `boolean` (or, and) if both operands are
/// booleans, and `number` otherwise.
template <Binary number, Binary boolean>
tensorc_status *ofBooleans(const tensorc_arg *left, const tensorc_arg *right,
                           tensorc_location at, tensorc_tensor **out) {
  return (isBool(left) && isBool(right) ? boolean : number)(left, right, at,
                                                            out);
}

/// x - y and -x. NumPy does not define them for booleans.
tensorc_status *subtract(const tensorc_arg *left, const tensorc_arg *right,
                         tensorc_location at, tensorc_tensor **out) {
  if (isBool(left) && isBool(right))
    raise(PyExc_TypeError, "subtract: booleans have no difference: use x ^ y, "
                           "which says where they differ  at " +
                               line(at));
  return tensorc_sub(left, right, at, out);
}
tensorc_status *negate(const tensorc_arg *x, tensorc_location at,
                       tensorc_tensor **out) {
  if (isBool(x))
    raise(PyExc_TypeError, "negative: of booleans: use ~x  at " + line(at));
  return tensorc_neg(x, at, out);
}

/// x / y. For integers the result has the default float dtype, because `/`
/// gives floats in Python.
tensorc_status *divide(const tensorc_arg *left, const tensorc_arg *right,
                       tensorc_location at, tensorc_tensor **out) {
  Operand x{*left, {}}, y{*right, {}};
  if (dtypeOf(y)) // the conversion of x may let other threads change y's array
    y.array = Array::sharing(const_cast<tensorc_tensor *>(right->tensor));
  if (isWhole(x) && isWhole(y)) {
    if (dtypeOf(x))
      convert(x, tensorc_default_dtype(), at);
    else if (dtypeOf(y))
      convert(y, tensorc_default_dtype(), at);
  }
  return tensorc_div(&x.arg, &y.arg, at, out);
}
/// x >> y shifts in copies of the sign bit, or zeros for unsigned integers.
tensorc_status *shiftRight(const tensorc_arg *left, const tensorc_arg *right,
                           tensorc_location at, tensorc_tensor **out) {
  tensorc_dtype dtype = dtypeOf({*left, {}});
  if (!dtype)
    dtype = dtypeOf({*right, {}});
  bool fillsZeros = dtype >= TENSORC_UI8 && dtype <= TENSORC_UI64;
  return (fillsZeros ? tensorc_shr_logical : tensorc_shr_arith)(left, right, at,
                                                                out);
}
tensorc_status *multiplyMatrices(const tensorc_arg *left,
                                 const tensorc_arg *right, tensorc_location at,
                                 tensorc_tensor **out) {
  auto array = [&](const tensorc_arg *arg) {
    if (arg->kind == TENSORC_ARG_TENSOR)
      return arg->tensor;
    raise(PyExc_ValueError, "matmul: an operand is a number");
  };
  return tensorc_matmul(array(left), array(right), at, out);
}

template <Unary function> PyObject *unary(PyObject *value) {
  return guarded([&]() -> PyObject * {
    const tensorc_arg arg = tensorc_tensor_arg(arrayIn(value)->held());
    tensorc_tensor *out = nullptr;
    tensorc_status *status = function(&arg, here(), &out);
    return wrap(taken(status, out));
  });
}
PyObject *positive(PyObject *value) { return Py_NewRef(value); }

PyObject *power(PyObject *left, PyObject *right, PyObject *modulus) {
  if (modulus != Py_None)
    return Py_NewRef(Py_NotImplemented);
  return binary<tensorc_pow>(left, right);
}

PyObject *divmod(PyObject *left, PyObject *right) {
  return guarded([&]() -> PyObject * {
    nb::object quotient = nb::steal(binary<tensorc_floor_div>(left, right));
    if (!quotient)
      return nullptr;
    if (quotient.is(Py_NotImplemented))
      return quotient.release().ptr();
    nb::object rest = nb::steal(binary<tensorc_mod>(left, right));
    if (!rest)
      return nullptr;
    return nb::make_tuple(quotient, rest).release().ptr();
  });
}

/// Comparison functions, indexed by Python's numbers of the operators.
constexpr Binary comparisons[] = {tensorc_lt, tensorc_le, tensorc_eq,
                                  tensorc_ne, tensorc_gt, tensorc_ge};
constexpr Binary beyondLeast[] = {tensorc_lt, tensorc_lt, tensorc_lt,
                                  tensorc_ge, tensorc_ge, tensorc_ge};
constexpr Binary beyondGreatest[] = {tensorc_le, tensorc_le, tensorc_gt,
                                     tensorc_le, tensorc_gt, tensorc_gt};
static_assert(Py_LT == 0 && Py_LE == 1 && Py_EQ == 2 && Py_NE == 3 &&
              Py_GT == 4 && Py_GE == 5);

/// Returns -1 or 1 if a Python integer is below or above 64 bits.
int sideOf64Bits(PyObject *value) {
  if (!PyLong_Check(value))
    return 0;
  int side = 0;
  if (PyLong_AsLongLongAndOverflow(value, &side) == -1 && side > 0) {
    PyLong_AsUnsignedLongLong(value);
    side = PyErr_Occurred() != nullptr;
    PyErr_Clear();
  }
  return side;
}

PyObject *compare(PyObject *left, PyObject *right, int operation) {
  return guarded([&]() -> PyObject * {
    Operand x, y;
    if (!toOperand(left, x))
      return Py_NewRef(Py_NotImplemented);
    int side = sideOf64Bits(right);
    if (!side) {
      if (!toOperandBeside(right, y, left))
        return Py_NewRef(Py_NotImplemented);
      side = sideOf(y.arg, dtypeOf(x));
    } else if (isWhole(x)) {
      if (dtypeOf(x) == TENSORC_I1)
        convert(x, TENSORC_I64, here());
    } else {
      // Float arrays are compared with the double that is nearest to the
      // integer.
      double nearest = PyLong_AsDouble(right);
      if (nearest == -1 && PyErr_Occurred())
        throw nb::python_error();
      y.arg = tensorc_float_arg(nearest);
      side = 0;
    }
    Binary function = comparisons[operation];
    // An integer outside the dtype's range is replaced by the bound that is
    // closest to it, and the comparison by one with the same result. Python
    // calls reflected methods, so the array is always on the left.
    if (side) {
      int64_t least;
      uint64_t greatest;
      rangeOf(dtypeOf(x), least, greatest);
      function = (side < 0 ? beyondLeast : beyondGreatest)[operation];
      y.arg = side < 0 ? tensorc_int_arg(least) : tensorc_uint_arg(greatest);
    }
    tensorc_tensor *out = nullptr;
    tensorc_status *status = function(&x.arg, &y.arg, here(), &out);
    return wrap(taken(status, out));
  });
}

/// The value of the only element.
struct Item {
  double f = 0, imaginary = 0;
  int64_t i = 0;
  tensorc_dtype dtype{};
};
Item itemOf(PyObject *value, const char *reader) {
  Array *array = arrayIn(value);
  tensorc_tensor *raw = array->held();
  Item item;
  item.dtype = array->dtype();
  if (array->size() != 1)
    raise(PyExc_TypeError, "only an array of one element can be converted to a "
                           "number, not one of " +
                               std::to_string(array->size()));
  tensorc_status *status;
  {
    nb::gil_scoped_release release;
    if (item.dtype == TENSORC_C64) {
      float parts[2] = {};
      status = tensorc_read(raw, parts, sizeof parts);
      item.f = parts[0];
      item.imaginary = parts[1];
    } else if (item.dtype == TENSORC_C128) {
      double parts[2] = {};
      status = tensorc_read(raw, parts, sizeof parts);
      item.f = parts[0];
      item.imaginary = parts[1];
    } else {
      status = tensorc_item(raw, &item.f, &item.i);
    }
  }
  checkRead(status, reader);
  return item;
}
/// Returns the only element, which must not be complex.
Item realItemOf(PyObject *value, const char *reader) {
  if (isComplex(arrayIn(value)->dtype()))
    raise(PyExc_TypeError, "a complex number is neither a float nor an int: "
                           "take x.real, x.imag or abs(x)");
  return itemOf(value, reader);
}
PyObject *integerOf(const Item &item) {
  if (isFloat(item.dtype))
    return PyLong_FromDouble(item.f);
  return item.dtype == TENSORC_UI64
             ? PyLong_FromUnsignedLongLong(static_cast<uint64_t>(item.i))
             : PyLong_FromLongLong(item.i);
}

int truth(PyObject *value) {
  int result = -1;
  PyObject *made = guarded([&]() -> PyObject * {
    arrayIn(value)->held();
    if (arrayIn(value)->size() != 1)
      raise(PyExc_ValueError, "the truth of an array of " +
                                  std::to_string(arrayIn(value)->size()) +
                                  " elements: reduce it with any() or all()");
    Item item = itemOf(value, "bool");
    result = isFloat(item.dtype) || isComplex(item.dtype)
                 ? item.f != 0 || item.imaginary != 0
                 : item.i != 0;
    return Py_None;
  });
  return made ? result : -1;
}
PyObject *toInt(PyObject *value) {
  return guarded([&] { return integerOf(realItemOf(value, "int")); });
}
PyObject *toFloat(PyObject *value) {
  return guarded([&]() -> PyObject * {
    Item item = realItemOf(value, "float");
    return PyFloat_FromDouble(item.f);
  });
}
PyObject *toIndex(PyObject *value) {
  return guarded([&]() -> PyObject * {
    Array *array = arrayIn(value);
    if (isFloat(array->dtype()) || isComplex(array->dtype()) ||
        array->dtype() == TENSORC_I1 || array->rank() != 0)
      raise(PyExc_TypeError,
            "only an array of integers and rank 0 can be an index");
    return integerOf(itemOf(value, "index"));
  });
}

template <typename F> void *slot(F *function) {
  return reinterpret_cast<void *>(function);
}
} // namespace

nb::object itemObject(nb::handle value) {
  Item item = itemOf(value.ptr(), "item");
  if (item.dtype == TENSORC_I1)
    return nb::bool_(item.i != 0);
  if (isComplex(item.dtype))
    return nb::steal(PyComplex_FromDoubles(item.f, item.imaginary));
  return nb::steal(isFloat(item.dtype) ? PyFloat_FromDouble(item.f)
                                       : integerOf(item));
}

PyType_Slot *operatorSlots() {
  static PyType_Slot slots[] = {
      {Py_nb_add, slot(binary<ofBooleans<tensorc_add, tensorc_bitwise_or>>)},
      {Py_nb_subtract, slot(binary<subtract>)},
      {Py_nb_multiply,
       slot(binary<ofBooleans<tensorc_mul, tensorc_bitwise_and>>)},
      {Py_nb_true_divide, slot(binary<divide>)},
      {Py_nb_floor_divide, slot(binary<tensorc_floor_div>)},
      {Py_nb_remainder, slot(binary<tensorc_mod>)},
      {Py_nb_divmod, slot(divmod)},
      {Py_nb_power, slot(power)},
      {Py_nb_matrix_multiply, slot(binary<multiplyMatrices>)},
      {Py_nb_and, slot(binary<tensorc_bitwise_and>)},
      {Py_nb_or, slot(binary<tensorc_bitwise_or>)},
      {Py_nb_xor, slot(binary<tensorc_bitwise_xor>)},
      {Py_nb_lshift, slot(binary<tensorc_shl>)},
      {Py_nb_rshift, slot(binary<shiftRight>)},
      {Py_nb_negative, slot(unary<negate>)},
      {Py_nb_positive, slot(positive)},
      {Py_nb_absolute, slot(unary<tensorc_abs>)},
      {Py_nb_invert, slot(unary<tensorc_bitwise_not>)},
      {Py_nb_bool, slot(truth)},
      {Py_nb_int, slot(toInt)},
      {Py_nb_float, slot(toFloat)},
      {Py_nb_index, slot(toIndex)},
      {Py_tp_richcompare, slot(compare)},
      {0, nullptr}};
  return slots;
}

} // namespace tcpy
