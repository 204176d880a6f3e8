//===- compile.hpp - saving functions as files; included by jit.hpp -------===//
//
//   auto model = [=](const Tensor &x) { return softmax(matmul(x, w) + b); };
//   tensorc::compile(model, tensorc::Input(tensorc::f32, {"n", 784}))
//       .save("digits.tcpkg", {.names = {{"images"}, {"scores"}}});
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILE_HPP
#define TENSORC_COMPILE_HPP

#include "tensorc/compile.h"
#include "tensorc/jit.hpp"

#include <exception>
#include <map>
#include <set>

namespace tensorc {

/// A size of an argument's shape: a number, or a name. Each call gives a value
/// to the name.
struct Size {
  int64_t number;
  std::string name = {};
  bool is_named = false;
  Size(int size) : number(size) {}
  Size(int64_t size) : number(size) {}
  /// The value of the name is a multiple of `multiple_of` in every call.
  Size(std::string size, int64_t multiple_of = 1)
      : number(multiple_of), name(std::move(size)), is_named(true) {}
  Size(const char *size) : Size(std::string(size)) {}
};

/// An argument of a program: a dtype and sizes, or the dtype and shape of an
/// example tensor.
struct Input {
  DType dtype;
  std::vector<Size> shape;
  std::string name;
  Input(DType type, std::vector<Size> sizes, std::string called = {})
      : dtype(type), shape(std::move(sizes)), name(std::move(called)) {}
  Input(const Tensor &example, std::string called = {})
      : dtype(example.dtype()), name(std::move(called)) {
    for (int64_t dim : example.shape())
      shape.push_back(dim);
  }
};

/// Names of all arguments and of all results; an empty list gives default
/// names. By default the tensors of a struct or map are named after its members
/// or keys (for_each_named_tensor), and other results out0, out1, ...
struct Names {
  std::vector<std::string> inputs = {}, outputs = {};
};

/// Values of all named sizes, for which a program gets plans that need less
/// memory; see tensorc_save_options.
using MemoryPlans = std::map<std::string, int64_t>;

namespace detail {
inline std::string textOf(const MemoryPlans &plans) {
  std::string text;
  for (const auto &[name, size] : plans)
    text += (text.empty() ? "" : ",") + name + "=" + std::to_string(size);
  return text;
}
} // namespace detail

/// See tensorc_save_options.
struct SaveOptions {
  std::string target = "cpu";
  Names names = {};
  /// Captured tensors and the names of the arguments that they become, instead
  /// of constants. These arguments follow the function's own.
  std::vector<std::pair<std::string, Tensor>> weights = {};
  std::string kind = {};
  std::string constants = {};
  int opt_level = 2;
  bool fast_math = false;
  MemoryPlans memory_plans = {};
};

/// A program that was compiled for calls in this process. Copies share it.
class Function {
public:
  /// Takes ownership of a function of the C interface.
  explicit Function(tensorc_function *raw)
      : function(raw, tensorc_function_release) {}

  /// Calls the function with one tensor per argument, of its dtype and shape.
  std::vector<Tensor> operator()(const std::vector<Tensor> &arguments,
                                 Location at = Location::current()) const {
    int32_t count = tensorc_function_argument_count(raw());
    if (arguments.size() != static_cast<size_t>(count))
      throw Error(TENSORC_INVALID_ARGUMENT,
                  "the function takes " + std::to_string(count) +
                      " arguments, got " + std::to_string(arguments.size()));
    std::vector<tensorc_tensor *> in, out(results());
    for (const Tensor &argument : arguments)
      in.push_back(argument.operand("call", at));
    detail::check(tensorc_function_call(raw(), in.data(), out.data()), at);
    std::vector<Tensor> made;
    for (tensorc_tensor *result : out)
      made.push_back(Tensor::take(result));
    return made;
  }
  tensorc_function *raw() const { return function.get(); }

private:
  size_t results() const {
    return static_cast<size_t>(tensorc_function_result_count(raw()));
  }

  std::shared_ptr<tensorc_function> function;
};

/// A recorded function, or a program that was read from a file. It can be saved
/// or called. See compile() and read_program(). Copies share it.
class Program {
public:
  /// Takes ownership of a program of the C interface.
  explicit Program(tensorc_program *raw,
                   std::vector<std::string> output_names = {})
      : program(raw, tensorc_program_release),
        outputs(std::move(output_names)) {}

  /// Compiles the program and writes a file. The suffix gives the kind: a
  /// package (.tcpkg), C functions (.o, .so) and their header (.h), text
  /// (.mlir, ...). After an error the path holds no file, or the file that was
  /// there before.
  void save(const std::string &path, const SaveOptions &options = {},
            Location at = Location::current()) const {
    auto texts = [](const std::vector<std::string> &from) {
      std::vector<const char *> result;
      for (const std::string &text : from)
        result.push_back(text.c_str());
      return result;
    };
    std::vector<const char *> inputs = texts(options.names.inputs),
                              results = texts(options.names.outputs.empty()
                                                  ? outputs
                                                  : options.names.outputs),
                              names;
    std::vector<const tensorc_tensor *> weights;
    for (const auto &weight : options.weights) {
      names.push_back(weight.first.c_str());
      weights.push_back(weight.second.raw());
    }
    tensorc_save_options raw{};
    raw.struct_size = sizeof raw;
    raw.target = options.target.c_str();
    raw.kind = options.kind.empty() ? nullptr : options.kind.c_str();
    raw.input_names = inputs.data();
    raw.input_name_count = static_cast<int32_t>(inputs.size());
    raw.output_names = results.data();
    raw.output_name_count = static_cast<int32_t>(results.size());
    raw.weights = weights.data();
    raw.weight_names = names.data();
    raw.weight_count = static_cast<int32_t>(weights.size());
    raw.constants =
        options.constants.empty() ? nullptr : options.constants.c_str();
    raw.opt_level = options.opt_level;
    raw.fast_math = options.fast_math;
    std::string plans = detail::textOf(options.memory_plans);
    raw.memory_plans = plans.c_str();
    detail::check(tensorc_program_save(program.get(), path.c_str(), &raw), at);
  }
  /// Returns a tx module, with constants for captured tensors.
  std::string to_mlir(Location at = Location::current()) const {
    char *mlir = nullptr;
    tensorc_status *status = tensorc_program_to_mlir(program.get(), &mlir);
    return detail::text(status, mlir, at);
  }
  /// Compiles for the current device, for all values of the named sizes.
  Function function(const MemoryPlans &plans = {},
                    Location at = Location::current()) const {
    tensorc_function *function = nullptr;
    detail::check(tensorc_program_function_with(program.get(),
                                                detail::textOf(plans).c_str(),
                                                &function),
                  at);
    return Function(function);
  }
  tensorc_program *raw() const { return program.get(); }

private:
  std::shared_ptr<tensorc_program> program;
  std::vector<std::string> outputs;
};

/// Reads a program of another framework: StableHLO as JAX prints it, tx as
/// text, or the bytes of an ONNX model. Error messages call it `name`.
inline Program read_program(const std::string &bytes,
                            const std::string &name = "program",
                            Location at = Location::current()) {
  tensorc_program *program = nullptr;
  detail::check(
      tensorc_program_read(bytes.data(), bytes.size(), name.c_str(), &program),
      at);
  return Program(program);
}

namespace detail {
/// Returns the names of a value's tensors, made of members and keys. Returns
/// none if a tensor has no name or two have the same one.
template <typename T> std::vector<std::string> namesOf(const T &value) {
  std::vector<std::string> names;
  if constexpr (kindOf<T> == Kind::map || HasNames<T>::value)
    for_each_named_tensor(value, [&](const std::string &name, const Tensor &) {
      names.push_back(name);
    });
  std::set<std::string> different(names.begin(), names.end());
  if (different.size() < names.size() || different.count(""))
    names.clear();
  return names;
}

/// Calls a function for the C interface. Exceptions are stored and thrown after
/// the C call has returned.
template <typename F, size_t N> struct ProgramRecorder {
  F &function;
  std::exception_ptr thrown = {};
  /// The returned value without its tensors, and the tensors' names.
  std::shared_ptr<const void> result = {};
  std::vector<std::string> names = {};

  static tensorc_status *record(void *user, tensorc_tensor *const *arguments,
                                tensorc_recording *recording) {
    auto &self = *static_cast<ProgramRecorder *>(user);
    TracingScope scope("compile");
    tensorc_status *status = nullptr;
    try {
      status = self.call(arguments, recording, std::make_index_sequence<N>());
    } catch (const Error &error) {
      status = tensorc_rt_status_create(
          static_cast<tensorc_rt_code>(error.code()), error.what());
    } catch (...) {
      self.thrown = std::current_exception();
      status = tensorc_rt_status_create(TENSORC_RT_INVALID_ARGUMENT,
                                        "compile: the function threw");
    }
    return status;
  }

  static Tensor borrowed(tensorc_tensor *handle) {
    tensorc_tensor_retain(handle);
    return Tensor::take(handle);
  }
  template <size_t... Is>
  tensorc_status *call(tensorc_tensor *const *arguments,
                       tensorc_recording *recording,
                       std::index_sequence<Is...>) {
    (void)arguments;
    Owned<decltype(function(
        static_cast<const Tensor &>(borrowed(arguments[Is]))...))>
        results =
            function(static_cast<const Tensor &>(borrowed(arguments[Is]))...);
    names = namesOf(results);
    tensorc_status *failed = nullptr;
    for_each_tensor(results, [&](Tensor &each) {
      if (!failed)
        failed = tensorc_recording_result(recording, each.raw());
      each = Tensor();
    });
    result = std::make_shared<decltype(results)>(std::move(results));
    return failed;
  }
};
/// The first argument of a program, and the location of the call.
struct LocatedInput : Input {
  Location at;
  LocatedInput(const Input &input, const char *file = __builtin_FILE(),
               unsigned line = __builtin_LINE())
      : Input(input), at{file, line} {}
  LocatedInput(const Tensor &example, const char *file = __builtin_FILE(),
               unsigned line = __builtin_LINE())
      : Input(example), at{file, line} {}
};
template <typename F, size_t N, typename Recorder>
Program record(Recorder &recorder, const std::array<Input, N> &inputs,
               Location at) {
  std::array<tensorc_input, N> raw;
  std::array<std::vector<int64_t>, N> dims;
  std::array<std::vector<const char *>, N> names;
  for (size_t i = 0; i < N; ++i) {
    for (const Size &size : inputs[i].shape) {
      dims[i].push_back(size.number);
      names[i].push_back(size.is_named ? size.name.c_str() : nullptr);
    }
    raw[i] = {inputs[i].name.empty() ? nullptr : inputs[i].name.c_str(),
              detail::raw(inputs[i].dtype),
              static_cast<int32_t>(dims[i].size()), dims[i].data(),
              names[i].data()};
  }
  tensorc_program *program = nullptr;
  tensorc_status *status =
      tensorc_program_create(raw.data(), static_cast<int32_t>(N),
                             Recorder::record, &recorder, at, &program);
  if (recorder.thrown) {
    tensorc_status_free(status);
    std::rethrow_exception(recorder.thrown);
  }
  check(status, at);
  return Program(program, recorder.names);
}
template <typename F, size_t N>
Program compile(F &function, const std::array<Input, N> &inputs, Location at) {
  ProgramRecorder<F, N> recorder{function};
  return record<F, N>(recorder, inputs, at);
}
template <size_t> using TensorFor = Tensor;
} // namespace detail

/// Records a function of tensors, or one that jit() has made. The results may
/// be in structs and containers (tensorc/structure.hpp). Each argument is an
/// example tensor, of which only dtype and shape matter, or an Input, whose
/// sizes may have names: compile(f, Input(f32, {"n", 784}), b). If sizes have
/// names, the function is called several times with different sizes. It must
/// not read values of tensors; tensors that it captures become constants.
template <typename F, typename... Inputs>
Program compile(F function, const detail::LocatedInput &first,
                const Inputs &...rest) {
  return detail::compile(
      function, std::array<Input, 1 + sizeof...(Inputs)>{first, Input(rest)...},
      first.at);
}
/// The same for a function without arguments.
template <typename F>
Program compile(F function, Location at = Location::current()) {
  return detail::compile(function, std::array<Input, 0>{}, at);
}

/// The result of jit() with inputs. Copies share the compiled function.
template <typename F, size_t N>
class SizedJit : public detail::Callable<SizedJit<F, N>> {
  friend detail::Callable<SizedJit>;

  template <size_t... Is>
  static detail::Owned<
      std::invoke_result_t<F &, const detail::TensorFor<Is> &...>>
      resultOf(std::index_sequence<Is...>);
  using Result = decltype(resultOf(std::make_index_sequence<N>()));
  template <typename...> using ResultOf = Result;

public:
  SizedJit(F &function, const std::array<Input, N> &inputs, Location at)
      : place(at) {
    detail::ProgramRecorder<F, N> recorder{function};
    Program program = detail::record<F, N>(recorder, inputs, at);
    tensorc_function *raw = nullptr;
    detail::check(tensorc_program_function(program.raw(), &raw), at);
    compiled = {raw, tensorc_function_release};
    group->add(raw, at);
    result = std::static_pointer_cast<const Result>(recorder.result);
    size_t count = 0;
    for_each_tensor(*result, [&](const Tensor &) { ++count; });
    results = count;
  }

  /// As Jit's.
  void rebind(const Tensor &captured, const Tensor &value,
              Location at = Location::current()) const {
    group->rebind(captured, value, at);
  }

private:
  /// As in Jit, arguments that are moved or temporary are consumed.
  template <typename... Tensors>
  Result call(Location given, Tensors &&...arguments) const {
    static_assert(sizeof...(Tensors) == N, "another number of arguments");
    Location at = detail::lineOf(given, place);
    auto call = detail::Call::ofGiven<std::decay_t<Tensors>...>(
        {(!std::is_reference_v<Tensors> && !std::is_const_v<Tensors>)...},
        arguments...);
    if (call.size() != static_cast<int32_t>(N))
      refuse(at, arguments...);
    std::vector<tensorc_tensor *> out(results);
    tensorc_call_options options{sizeof options, call.take(at), nullptr};
    detail::check(tensorc_function_call_into(compiled.get(), call.handles(),
                                             &options, out.data()),
                  at);
    Result made = *result;
    size_t i = 0;
    for_each_tensor(made, [&](Tensor &x) { x = Tensor::take(out[i++]); });
    return made;
  }

  /// Reports an error that names the first undefined argument.
  template <typename... Tensors>
  [[noreturn]] void refuse(Location at, const Tensors &...arguments) const {
    size_t i = 0;
    auto look = [&](const auto &argument) {
      std::string text = "argument " + std::to_string(i++);
      if constexpr (!std::is_base_of_v<Tensor,
                                       std::decay_t<decltype(argument)>>)
        detail::fail("jit", text + " is not a tensor", at);
      else if (!argument.defined())
        detail::fail("jit", text + ": " + argument.absence(), at);
    };
    (look(arguments), ...);
    detail::fail("jit", "not one tensor for each argument", at);
  }
  std::shared_ptr<tensorc_function> compiled;
  std::shared_ptr<detail::TraceGroup> group =
      std::make_shared<detail::TraceGroup>();
  std::shared_ptr<const Result> result;
  size_t results = 0;
  Location place;
};

/// Traces and compiles a function of tensors immediately, for all values of the
/// inputs' named sizes: jit(f, Input(f32, {"n", 784}), b). Names have the same
/// rules as in compile(). The function runs on the current device.
template <typename F, typename... Inputs>
SizedJit<F, 1 + sizeof...(Inputs)>
jit(F function, const detail::LocatedInput &first, const Inputs &...rest) {
  return {function,
          std::array<Input, 1 + sizeof...(Inputs)>{first, Input(rest)...},
          first.at};
}

/// Declares a constant that is the second factor of many products, and
/// evaluates it. On a cpu these products read a copy that is packed once, also
/// in functions that capture the constant; see tensorc_constant. Applies to all
/// tensors of a structure.
///   Tensor w = constant(tensorc::load("w.npy"));
///   for (const Tensor &x : batches)
///     eval(matmul(x, transpose(w)));
template <typename T> T constant(T value, Location at = Location::current()) {
  for_each_tensor(value, [&](Tensor &x) {
    if (tensorc_tensor *handle = x.operand("constant", at))
      detail::check(tensorc_constant(handle), at);
  });
  return value;
}

} // namespace tensorc

#endif
