//===- jit.cpp - Functions that are traced once ---------------------------===//
//
// A call looks up a trace by its key: the structure of the arguments; the
// dtypes, shapes and devices of the arrays; and the values of all other
// arguments. The call allocates no Python objects except the results.
//
//===----------------------------------------------------------------------===//
#include "recording.h"
#include "trees.h"

#include "tensorc/communicator.h"

#include <algorithm>
#include <cstring>
#include <list>
#include <nanobind/stl/vector.h>
#include <unordered_map>

namespace tcpy {
namespace {

/// The properties of a call that determine its trace.
struct Key {
  std::vector<int64_t> words;
  std::vector<nb::object> statics;
  std::vector<tensorc_tensor *> tensors;
  // Array objects of the tensors; null for converted arrays.
  std::vector<Array *> holders;
  // Arrays of NumPy and other libraries, converted.
  std::vector<Array> converted;
  bool isTraced = false;

  void word(int64_t value) { words.push_back(value); }
  void enter(Kind kind, nb::handle value, nb::handle meta, Py_ssize_t count) {
    word(static_cast<int64_t>(kind));
    word(reinterpret_cast<intptr_t>(Py_TYPE(value.ptr())));
    word(count);
    if (meta.is_valid())
      constant(meta);
  }
  void key(nb::handle key) { constant(key); }
  void constant(nb::handle value) {
    Py_hash_t hash = PyObject_Hash(value.ptr());
    if (hash == -1)
      throw nb::python_error();
    word(-2);
    word(hash);
    statics.push_back(nb::borrow(value));
  }
  void leaf(nb::handle value) {
    if (Array *array = arrayIn(value)) {
      holders.push_back(array);
      return tensor(array->held());
    }
    PyObject *object = value.ptr();
    if (PyBool_Check(object)) {
      word(-3);
      word(object == Py_True);
    } else if (Py_TYPE(object) == &PyFloat_Type) {
      double number = PyFloat_AS_DOUBLE(object);
      int64_t bits;
      std::memcpy(&bits, &number, 8);
      word(-4);
      word(bits);
    } else if (PyObject_CheckBuffer(object) && !PyBytes_Check(object)) {
      converted.push_back(asArray(value));
      holders.push_back(nullptr);
      tensor(converted.back().raw());
    } else {
      constant(value);
    }
  }
  void tensor(tensorc_tensor *x) {
    isTraced |= tensorc_tensor_is_traced(x) != 0;
    tensors.push_back(x);
    int32_t rank = tensorc_tensor_rank(x);
    const int64_t *dims = tensorc_tensor_dims(x);
    word(-5);
    word(tensorc_tensor_dtype(x) | int64_t(rank) << 16);
    word(reinterpret_cast<intptr_t>(tensorc_tensor_device(x)));
    words.insert(words.end(), dims, dims + rank);
  }
  void sharding(const tensorc_tensor *x) {
    const int64_t *mesh = nullptr, *dims = nullptr;
    int32_t axes = tensorc_tensor_sharding(x, &mesh, &dims);
    // Without axes, a mesh means that each rank has a value of its own.
    word(mesh && !axes ? -1 : axes);
    words.insert(words.end(), mesh, mesh + axes);
    words.insert(words.end(), dims, dims + axes);
  }
  bool equals(const Key &other) const {
    if (words != other.words || statics.size() != other.statics.size())
      return false;
    for (size_t i = 0; i < statics.size(); ++i) {
      PyObject *a = statics[i].ptr(), *b = other.statics[i].ptr();
      if (a == b)
        continue;
      if (Py_TYPE(a) != Py_TYPE(b))
        return false;
      int same = PyObject_RichCompareBool(a, b, Py_EQ);
      if (same < 0)
        throw nb::python_error();
      if (!same)
        return false;
    }
    return true;
  }
  uint64_t hash() const {
    uint64_t hash = words.size();
    for (int64_t word : words) {
      hash = (hash ^ static_cast<uint64_t>(word)) * 0x9E3779B97F4A7C15ull;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

/// A function that was recorded for arguments with this key.
struct Traced {
  Key key;
  tensorc_function *function = nullptr;
  Tree result;
  /// The leaves of the result: constants, and null objects in the positions of
  /// arrays.
  std::vector<nb::object> constants;
  size_t results = 0;
  ~Traced() { tensorc_function_release(function); }
};

class Jit {
public:
  static constexpr size_t capacity = 1024;

  Jit(nb::object function, std::vector<Py_ssize_t> donated)
      : function(std::move(function)), donated(std::move(donated)) {}

  PyObject *call(PyObject *args, PyObject *kwargs) {
    Key key;
    key.words.reserve(32);
    Py_ssize_t count = PyTuple_GET_SIZE(args);
    key.word(count);
    std::vector<uint8_t> isDonated;
    for (Py_ssize_t i = 0; i < count; ++i) {
      size_t before = key.tensors.size();
      walk(nb::borrow(PyTuple_GET_ITEM(args, i)), key);
      if (std::find(donated.begin(), donated.end(), i) != donated.end()) {
        isDonated.resize(before);
        isDonated.resize(key.tensors.size(), 1);
      }
    }
    if (kwargs)
      walk(nb::handle(kwargs), key);
    // Products are recorded with the thread's precision.
    if (char precision = tensorc_matmul_precision()[0]; precision != 'h')
      key.word(precision);
    // Floats without a dtype are recorded with the thread's default dtype.
    if (tensorc_default_dtype() != TENSORC_F32)
      key.word(tensorc_default_dtype());
    // Within another trace the function becomes part of that trace, because it
    // may capture traced values. The same applies to a tape, which records the
    // function's operations.
    if (RecordingScope::isRecording || key.isTraced || !isOn ||
        tensorc_tape_is_recording())
      return PyObject_Call(function.ptr(), args, kwargs);
    if (auto *communicator = tensorc_rt_thread_communicator())
      addRanks(key, *communicator);
    if (key.tensors.empty()) {
      Text device;
      check(tensorc_thread_device(&device.text));
      key.word(
          static_cast<int64_t>(std::hash<std::string_view>()(device.text)));
    }
    std::shared_ptr<Traced> traced = find(key);
    if (!traced)
      traced = trace(key, args, kwargs);
    std::vector<tensorc_tensor *> out(traced->results);
    tensorc_status *status;
    tensorc_call_options options{};
    options.struct_size = sizeof(options);
    if (!isDonated.empty()) {
      isDonated.resize(key.tensors.size());
      give(key, isDonated);
      options.donated = isDonated.data();
    }
    {
      nb::gil_scoped_release release;
      status = tensorc_function_call_into(
          traced->function, key.tensors.data(),
          isDonated.empty() ? nullptr : &options, out.data());
    }
    check(status);
    return results(*traced, out).release().ptr();
  }

  /// Collectives are recorded for the ranks of the thread's communicator, and for
  /// the way in which the arrays are split over them. Their sharding is found by
  /// a walk over their operations unless they have values, which the call needs
  /// anyway.
  static void addRanks(Key &key, const tensorc_rt_communicator &communicator) {
    key.word(int64_t(tensorc_rt_communicator_size(&communicator)) << 32);
    tensorc_status *status;
    {
      nb::gil_scoped_release release;
      status = tensorc_eval(key.tensors.data(),
                            static_cast<int32_t>(key.tensors.size()));
    }
    check(status);
    for (const tensorc_tensor *x : key.tensors)
      key.sharding(x);
  }

  /// Takes the handles of donated values from their arrays.
  static void give(Key &key, const std::vector<uint8_t> &isDonated) {
    std::vector<Array *> sorted;
    for (Array *holder : key.holders)
      if (holder)
        sorted.push_back(holder);
    std::sort(sorted.begin(), sorted.end());
    for (size_t i = 0; i < isDonated.size(); ++i)
      if (isDonated[i] && key.holders[i] &&
          std::count(sorted.begin(), sorted.end(), key.holders[i]) > 1)
        raise(PyExc_ValueError,
              "jit: an array that is donated is an argument twice; it is made "
              "at " +
                  line(tensorc_tensor_location(key.tensors[i])) +
                  ": give the call a copy of it  at " + line(here()));
    tensorc_location at = here();
    for (size_t i = 0; i < isDonated.size(); ++i) {
      if (!isDonated[i])
        continue;
      if (key.holders[i])
        key.holders[i]->give(at);
      else // the copy of another library's array
        tensorc_tensor_retain(key.tensors[i]);
    }
  }

  static nb::object results(const Traced &traced,
                            const std::vector<tensorc_tensor *> &out) {
    if (traced.result.kind == Kind::leaf && traced.results == 1)
      return nb::cast(Array(out[0]));
    std::vector<nb::object> leaves = traced.constants;
    size_t next = 0;
    for (nb::object &leaf : leaves)
      if (!leaf.is_valid())
        leaf = nb::cast(Array(out[next++]));
    return traced.result.make(leaves);
  }

  void clear() {
    order.clear();
    index.clear();
    group = newGroup();
    last.reset();
  }

  /// Replaces a captured array in all traces, including future ones.
  void rebind(Array captured, Array value) {
    tensorc_tensor *from = captured.held(), *to = value.held();
    Group all = group;
    tensorc_status *status;
    {
      nb::gil_scoped_release release;
      status = tensorc_trace_group_rebind(all.get(), from, to);
    }
    check(status);
  }

  static std::vector<tensorc_capture> capturesOf(const Traced &traced) {
    std::vector<tensorc_capture> all(static_cast<size_t>(
        tensorc_function_captures(traced.function, nullptr, 0)));
    tensorc_function_captures(traced.function, all.data(),
                              static_cast<int32_t>(all.size()));
    return all;
  }

  nb::object function;
  std::vector<Py_ssize_t> donated; // positions of arguments
  bool isOn = true;
  size_t traces = 0;
  std::shared_ptr<Traced> last;

private:
  using Order = std::list<std::pair<uint64_t, std::shared_ptr<Traced>>>;

  /// Shared with calls that continue without the GIL.
  using Group = std::shared_ptr<tensorc_trace_group>;
  static Group newGroup() {
    tensorc_trace_group *made = nullptr;
    check(tensorc_trace_group_create(&made));
    return {made, tensorc_trace_group_release};
  }

  std::shared_ptr<Traced> find(const Key &key) {
    if (!order.empty() && order.front().second->key.equals(key))
      return order.front().second;
    auto [from, to] = index.equal_range(key.hash());
    for (; from != to; ++from)
      if (from->second->second->key.equals(key)) {
        order.splice(order.begin(), order, from->second);
        return from->second->second;
      }
    return nullptr;
  }

  std::shared_ptr<Traced> trace(Key &key, PyObject *args, PyObject *kwargs) {
    ++traces;
    tensorc_location at = here();
    std::vector<nb::object> leaves;
    nb::object all = nb::make_tuple(nb::borrow(args),
                                    kwargs ? nb::borrow(kwargs) : nb::none());
    Tree tree = flatten(all, leaves);
    std::vector<Array> inputs;
    std::vector<tensorc_tensor *> in;
    size_t next = 0;
    for (nb::object &leaf : leaves) {
      if (!arrayIn(leaf) &&
          !(PyObject_CheckBuffer(leaf.ptr()) && !PyBytes_Check(leaf.ptr())))
        continue;
      tensorc_tensor *out = nullptr;
      tensorc_status *status =
          tensorc_trace_argument_like(key.tensors[next++], at, &out);
      inputs.push_back(taken(status, out));
      in.push_back(out);
      leaf = nb::cast(inputs.back());
    }
    nb::tuple changed = nb::borrow<nb::tuple>(tree.make(leaves));
    nb::object named = changed[1];
    RecordingScope scope;
    nb::object value =
        nb::steal(PyObject_Call(function.ptr(), nb::object(changed[0]).ptr(),
                                named.is_none() ? nullptr : named.ptr()));
    if (!value.is_valid())
      throw nb::python_error();
    auto traced = std::make_shared<Traced>();
    traced->result = flatten(value, traced->constants);
    std::vector<Array> results;
    std::vector<tensorc_tensor *> out;
    for (nb::object &leaf : traced->constants)
      if (Array *array = arrayIn(leaf)) {
        results.push_back(*array);
        out.push_back(array->raw());
        leaf = nb::object();
      }
    traced->results = out.size();
    value = nb::object();
    Group joined = group;
    tensorc_status *status;
    {
      nb::gil_scoped_release release;
      status = tensorc_function_create(
          in.data(), static_cast<int32_t>(in.size()), out.data(),
          static_cast<int32_t>(out.size()), &traced->function);
      if (!status)
        status = tensorc_trace_group_add(joined.get(), traced->function);
    }
    check(status);
    traced->key.words = key.words;
    traced->key.statics = key.statics;
    uint64_t hash = key.hash();
    order.emplace_front(hash, traced);
    index.emplace(hash, order.begin());
    last = traced;
    if (order.size() > capacity) {
      auto oldest = std::prev(order.end());
      auto [from, to] = index.equal_range(oldest->first);
      for (; from != to; ++from)
        if (from->second == oldest) {
          index.erase(from);
          break;
        }
      order.erase(oldest);
    }
    return traced;
  }

  Order order; // most recent first
  std::unordered_multimap<uint64_t, Order::iterator> index;
  Group group = newGroup(); // replacements of captured arrays
};

PyObject *callJit(PyObject *self, PyObject *args, PyObject *kwargs) {
  return guarded([&] { return nb::inst_ptr<Jit>(self)->call(args, kwargs); });
}
/// Binds the function as a method of `object`.
PyObject *getJit(PyObject *self, PyObject *object, PyObject *) {
  if (!object || object == Py_None)
    return Py_NewRef(self);
#ifdef Py_LIMITED_API
  return guarded([&] {
    return nb::module_::import_("types")
        .attr("MethodType")(nb::handle(self), nb::handle(object))
        .release()
        .ptr();
  });
#else
  return PyMethod_New(self, object);
#endif
}
int traverseJit(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) {
    Py_VISIT(nb::inst_ptr<Jit>(self)->function.ptr());
  }
  return 0;
}
int clearJit(PyObject *self) {
  Jit *jit = nb::inst_ptr<Jit>(self);
  jit->function.reset();
  jit->clear();
  return 0;
}
} // namespace

void addJit(nb::module_ &m) {
  static PyType_Slot slots[] = {
      {Py_tp_call, reinterpret_cast<void *>(callJit)},
      {Py_tp_descr_get, reinterpret_cast<void *>(getJit)},
      {Py_tp_traverse, reinterpret_cast<void *>(traverseJit)},
      {Py_tp_clear, reinterpret_cast<void *>(clearJit)},
      {0, nullptr}};
  nb::class_<Jit>(m, "Jit", nb::type_slots(slots), nb::dynamic_attr(),
                  nb::is_weak_referenceable(),
                  "A function that is traced once for each kind of arguments.")
      .def(nb::init<nb::object, std::vector<Py_ssize_t>>(), nb::arg("function"),
           nb::arg("donated") = nb::tuple())
      .def_prop_ro("__wrapped__", [](const Jit &jit) { return jit.function; })
      .def_prop_ro(
          "traces", [](const Jit &jit) { return jit.traces; },
          "How many traces were made.")
      .def_rw(
          "enabled", &Jit::isOn,
          "Whether calls are traced; otherwise the function is just called.")
      .def("clear", &Jit::clear,
           "Forgets all traces, and what rebind() put in place.")
      .def(
          "captures",
          [](const Jit &jit) {
            nb::list result;
            if (!jit.last)
              return result;
            for (const tensorc_capture &one : Jit::capturesOf(*jit.last)) {
              nb::object value = nb::float_(one.number);
              if (one.tensor)
                value = nb::cast(
                    Array::sharing(const_cast<tensorc_tensor *>(one.tensor)));
              result.append(nb::make_tuple(
                  value,
                  nb::make_tuple(one.at.file ? one.at.file : "", one.at.line)));
            }
            return result;
          },
          "What the newest trace took from outside its arguments, with the "
          "file and line of each. What rebind() put in place of an array is "
          "not listed.")
      .def(
          "rebind",
          [](Jit &jit, const Array &captured, const Tensor &value) {
            jit.rebind(captured, value.array);
          },
          "From the next call on, another value of the same dtype, shape and "
          "device stands for an array that the function captured: in traces "
          "that exist and in new ones. The array is the one that the function "
          "itself reads, whatever stands for it now. An array that the "
          "function "
          "did not capture names the captured one for which it stands; "
          "ValueError where it stands for several.");
}

} // namespace tcpy
