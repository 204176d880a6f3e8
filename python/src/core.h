//===- core.h - Declarations that all parts of the binding use ------------===//
//
// The binding calls the C interface (tensorc/tensorc.h): a tensor is one
// reference-counted handle, and a call costs about as much as its C function.
// The functions' signatures are in Python (tensorc/*.py).
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_PYTHON_SRC_CORE_H
#define TENSORC_PYTHON_SRC_CORE_H

#include "tensorc/devices.h"
#include "tensorc/ops.h"
#include "tensorc/tensorc.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#ifdef Py_LIMITED_API
// The stable ABI has functions instead of these macros.
#define PyFloat_AS_DOUBLE PyFloat_AsDouble
#define PyList_GET_ITEM PyList_GetItem
#define PyList_GET_SIZE PyList_Size
#define PyTuple_GET_ITEM PyTuple_GetItem
#define PyTuple_GET_SIZE PyTuple_Size
#endif

namespace tcpy {
namespace nb = nanobind;

[[noreturn]] void raise(PyObject *type, const std::string &text);
/// Raises the error for a donated array. `donatedAt` is the location of the
/// call that consumed it.
[[noreturn]] void raiseDonated(tensorc_location donatedAt);
/// FILE:LINE.
std::string line(tensorc_location at);

/// The C++ part of Python's class Array, which holds the handle of a tensor.
/// After a donation there is no handle, but the dtype and the shape are kept.
class Array {
public:
  Array() = default;
  /// Takes ownership of a reference.
  explicit Array(tensorc_tensor *handle) : handle(handle) {}
  Array(const Array &other)
      : handle(other.handle), type(other.type), isUnread(other.isUnread) {
    tensorc_tensor_retain(handle);
  }
  Array(Array &&other) noexcept
      : handle(std::exchange(other.handle, nullptr)),
        type(std::move(other.type)), isUnread(other.isUnread) {}
  Array &operator=(Array other) noexcept {
    std::swap(handle, other.handle);
    std::swap(type, other.type);
    std::swap(isUnread, other.isUnread);
    return *this;
  }
  ~Array() { tensorc_tensor_release(handle); }

  static Array sharing(tensorc_tensor *handle) {
    tensorc_tensor_retain(handle);
    return Array(handle);
  }
  /// Takes ownership of a value such as x[mask], whose sizes are read on first
  /// use.
  static Array ofUnknownSize(tensorc_tensor *handle) {
    Array result(handle);
    result.isUnread = true;
    return result;
  }
  tensorc_tensor *raw() const {
    readSizes();
    return handle;
  }
  /// Returns the handle without computing unknown sizes, for properties that do
  /// not need them.
  tensorc_tensor *withoutSizes() const { return handle; }
  bool hasSizes() const { return !isUnread; }
  explicit operator bool() const { return handle; }
  tensorc_dtype dtype() const {
    return type ? type->dtype : tensorc_tensor_dtype(present());
  }
  int32_t rank() const {
    return type ? static_cast<int32_t>(type->dims.size())
                : tensorc_tensor_rank(present());
  }
  const int64_t *dims() const {
    return type ? type->dims.data() : tensorc_tensor_dims(raw());
  }
  int64_t size() const {
    int64_t count = 1;
    for (int32_t i = 0; i < rank(); ++i)
      count *= dims()[i];
    return count;
  }
  tensorc_tensor *release() { return std::exchange(handle, nullptr); }
  /// Marks the value as donated to the call at this line, which now owns the
  /// handle.
  void give(tensorc_location at) {
    type = std::make_shared<const Type>(
        Type{dtype(), {dims(), dims() + rank()}, at});
    handle = nullptr;
  }
  /// Returns the handle; raises ValueError if the array was donated.
  tensorc_tensor *held() const {
    present();
    return raw();
  }

private:
  tensorc_tensor *present() const {
    if (!handle) [[unlikely]]
      raiseDonated(type ? type->donatedAt : tensorc_location{nullptr, 0});
    return handle;
  }
  void readSizes() const {
    if (isUnread) [[unlikely]]
      readSizesNow();
  }
  /// Reads the sizes, evaluating the values that they depend on, without the
  /// GIL.
  void readSizesNow() const;

  struct Type {
    tensorc_dtype dtype;
    std::vector<int64_t> dims;
    tensorc_location donatedAt;
  };
  tensorc_tensor *handle = nullptr;
  std::shared_ptr<const Type> type; // set once donated
  mutable bool isUnread = false;
};

/// Returns the name of the operation that the current line calls, such as "sum"
/// or "add", or "" if it is unknown.
std::string runningOperation();

/// Raises the exception of an error of this kind.
[[noreturn]] void raise(tensorc_code code, const std::string &text);
/// Raises the exception of an error: MemoryError, ValueError, DeviceError, ...
[[noreturn]] void raise(tensorc_status *status);
inline void check(tensorc_status *status) {
  if (status) [[unlikely]]
    raise(status);
}
/// Like check(), for a function in which an invalid argument is an index. In
/// that case it raises IndexError.
void checkIndex(tensorc_status *status);
/// Like check(), for reading a value. An error without a line, such as that of
/// a value being traced, gets the program's line. `reader` is a name such as
/// "item".
void checkRead(tensorc_status *status, const char *reader = "item");

/// Returns the result of a slot function, with C++ exceptions translated to
/// Python exceptions.
template <typename Body> PyObject *guarded(Body body) {
  try {
    return body();
  } catch (nb::python_error &error) {
    error.restore();
  } catch (std::bad_alloc &) {
    PyErr_NoMemory();
  } catch (std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

/// Returns the line of the user's program that is being run, skipping frames of
/// this package.
tensorc_location here();

/// Checks the status, and returns the array for the handle that a C function
/// stored in `out`.
inline Array taken(tensorc_status *status, tensorc_tensor *out) {
  check(status);
  return Array(out);
}

/// Convert Python values to arrays. They raise a TypeError for other values.
Array asArray(nb::handle value);
/// Converts a value that is combined with x. The result is on x's device, and
/// Python numbers get x's dtype. Arrays are returned unchanged.
Array asArrayBeside(nb::handle value, const Array &x);
/// Returns the array on x's device, if x is on one.
Array onDeviceOf(Array array, const Array &x);
/// Makes an array of float64 or complex128 from Python floats and, if
/// `ofAnyNumbers` is set, also from integers.
Array doublesOf(nb::handle value, bool ofAnyNumbers);
/// isList returns true for lists and tuples. ofList makes an array from a list
/// or tuple.
bool isList(PyObject *value);
Array ofList(nb::handle value);
/// An operand of an element-wise operation: a number or an array.
struct Operand {
  tensorc_arg arg{};
  Array array; // keeps a converted value
};
/// Returns false, without raising an exception, if the value is neither.
bool toOperand(nb::handle value, Operand &operand);
/// Returns -1 or 1 if an integer is below or above the range of an integer
/// dtype, else 0.
int sideOf(const tensorc_arg &number, tensorc_dtype dtype);
/// Raises OverflowError if the integer is outside of the dtype's range.
void checkRange(const tensorc_arg &number, tensorc_dtype dtype,
                tensorc_location at);
/// Applies NumPy's rules for an array combined with a Python integer: booleans
/// become int64, and checkRange() is called if `isChecked`.
void agree(Operand &x, Operand &y, tensorc_location at, bool isChecked = true);
/// Returns the array in a Python object, or NULL if it is not one.
Array *arrayIn(nb::handle value);

/// A list of integers. From Python, None is an empty list, and a number is a
/// list with one element.
struct Ints {
  std::vector<int64_t> values;
  int32_t count() const { return static_cast<int32_t>(values.size()); }
  const int64_t *data() const { return values.data(); }
};
/// One integer per axis of an array.
struct PerAxis {
  std::vector<int64_t> values;
  /// Returns one number per axis of x. A single number applies to all axes.
  const int64_t *of(const Array &x);
};
/// Like PerAxis, for a parameter that may be absent. C functions take NULL for
/// it.
struct OptionalPerAxis : PerAxis {
  bool isGiven = false;
  const int64_t *of(const Array &x) {
    return isGiven ? PerAxis::of(x) : nullptr;
  }
};
struct Arrays {
  std::vector<Array> arrays;
  std::vector<tensorc_tensor *> raw;
  int32_t count() const { return static_cast<int32_t>(raw.size()); }
  tensorc_tensor *const *data() const { return raw.data(); }
};
struct Operands {
  std::vector<Operand> operands;
  std::vector<tensorc_arg> raw;
  int32_t count() const { return static_cast<int32_t>(raw.size()); }
  const tensorc_arg *data() const { return raw.data(); }
};
/// An argument that can be converted to an array; if it is optional, None
/// becomes NULL.
struct Tensor {
  Array array;
  tensorc_tensor *raw() const { return array.raw(); }
};
struct OptionalTensor : Tensor {};
struct OptionalReal {
  bool isGiven = false;
  double value = 0;
  const double *data() const { return isGiven ? &value : nullptr; }
};
struct AxisOrNone {
  int64_t value = TENSORC_NONE;
};
/// A dtype, and a parameter type that accepts everything that denotes a dtype;
/// None means the default dtype.
struct DType {
  tensorc_dtype value{};
};
struct DTypeLike : DType {};

/// Returns the complex dtype whose parts have the default dtype.
inline tensorc_dtype defaultComplex() {
  return tensorc_default_dtype() == TENSORC_F64 ? TENSORC_C128 : TENSORC_C64;
}
/// Converts a dtype of this package, its name, a NumPy dtype, or int, float or
/// bool.
tensorc_dtype asDType(nb::handle value);
/// Returns the Python object for a dtype.
nb::object dtypeObject(tensorc_dtype dtype);
std::string pythonName(tensorc_dtype dtype);
bool isFloat(tensorc_dtype dtype);
inline bool isComplex(tensorc_dtype dtype) {
  return dtype == TENSORC_C64 || dtype == TENSORC_C128;
}

/// Returns the dtype for a format of Python's module struct, or 0.
tensorc_dtype ofFormat(const char *format, Py_ssize_t itemsize);
/// Returns the format of Python's module struct for a dtype, or NULL if there
/// is none.
const char *formatOf(tensorc_dtype dtype);

bool fillInts(nb::handle value, std::vector<int64_t> &out);

/// Evaluates without the GIL.
void evaluate(tensorc_tensor *const *tensors, size_t count);

// Each function adds the classes and functions of one part of the module.
void addErrors(nb::module_ &m);
void addDTypes(nb::module_ &m);
void addArray(nb::module_ &m);
void addConversions(nb::module_ &m);
void addLists(nb::module_ &m);
void addExports(nb::class_<Array> &array);
void addIndexing(nb::module_ &m, nb::class_<Array> &array);
void addDevices(nb::module_ &m);
void addTrees(nb::module_ &m);
void addJit(nb::module_ &m);
void addTransforms(nb::module_ &m);
void addFiles(nb::module_ &m);
void addWindows(nb::module_ &m);
void addKernels(nb::module_ &m);
void addExchange(nb::module_ &m);
void addComposites(nb::module_ &m);
void addOptimizers(nb::module_ &m);
PyType_Slot *operatorSlots();

/// Convert a Python list of arrays to handles, and back.
Arrays asArrays(nb::handle sequence);
nb::list toList(const std::vector<tensorc_tensor *> &taken);

/// Releases an object later; callable from any thread, with or without the GIL.
void dropLater(PyObject *object);

/// Owns a string that the library allocated.
struct Text {
  char *text = nullptr;
  Text() = default;
  Text(const Text &) = delete;
  ~Text() { tensorc_string_free(text); }
};
} // namespace tcpy

namespace nanobind::detail {

#define TENSORC_CASTER(Type, name, body)                                       \
  template <> struct type_caster<tcpy::Type> {                                 \
    NB_TYPE_CASTER(tcpy::Type, const_name(name))                               \
    bool from_python(handle src, uint32_t, cleanup_list *) {                   \
      body return true;                                                        \
    }                                                                          \
  };

TENSORC_CASTER(Operand, "Array | float",
               { return tcpy::toOperand(src, value); })
TENSORC_CASTER(Tensor, "Array", { value.array = tcpy::asArray(src); })
TENSORC_CASTER(OptionalTensor, "Array | None", {
  if (!src.is_none())
    value.array = tcpy::asArray(src);
})
TENSORC_CASTER(Ints, "int | Sequence[int] | None",
               { return tcpy::fillInts(src, value.values); })
TENSORC_CASTER(PerAxis, "int | Sequence[int]",
               { return tcpy::fillInts(src, value.values); })
TENSORC_CASTER(OptionalPerAxis, "int | Sequence[int] | None", {
  value.isGiven = !src.is_none();
  return tcpy::fillInts(src, value.values);
})
TENSORC_CASTER(Arrays, "Sequence[Array]", { value = tcpy::asArrays(src); })
TENSORC_CASTER(Operands, "Sequence[Array | int]", {
  PyObject *list = PySequence_Fast(src.ptr(), "a sequence is expected");
  if (!list) {
    PyErr_Clear();
    return false;
  }
  object keep = steal(list);
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(list); ++i) {
    value.operands.emplace_back();
    if (!tcpy::toOperand(PySequence_Fast_GET_ITEM(list, i),
                         value.operands.back()))
      return false;
    value.raw.push_back(value.operands.back().arg);
  }
})
TENSORC_CASTER(OptionalReal, "float | None", {
  value.isGiven = !src.is_none();
  if (value.isGiven) {
    value.value = PyFloat_AsDouble(src.ptr());
    if (value.value == -1 && PyErr_Occurred()) {
      PyErr_Clear();
      return false;
    }
  }
})
TENSORC_CASTER(AxisOrNone, "int | None", {
  if (!src.is_none()) {
    value.value = PyLong_AsLongLong(src.ptr());
    if (value.value == -1 && PyErr_Occurred()) {
      PyErr_Clear();
      return false;
    }
  }
})
TENSORC_CASTER(DTypeLike, "DType | None", {
  value.value = src.is_none() ? tensorc_default_dtype() : tcpy::asDType(src);
})
#undef TENSORC_CASTER
} // namespace nanobind::detail

#endif
