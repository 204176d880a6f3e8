//===- custom.hpp - functions as operations; included by tensorc.hpp ------===//
#ifndef TENSORC_CUSTOM_HPP
#define TENSORC_CUSTOM_HPP

#include "tensorc/tensor.hpp"

#include <functional>

namespace tensorc {

struct Type {
  DType dtype = DType::f32;
  Shape shape;
};

/// The inputs and outputs of a call of a custom operation's function, which
/// reads the inputs and writes the outputs. They are valid during the call.
class CustomCall {
public:
  explicit CustomCall(const tensorc_rt_op_call &raw) : call(raw) {}

  size_t inputs() const { return static_cast<size_t>(call.input_count); }
  size_t outputs() const { return static_cast<size_t>(call.output_count); }
  Type input_type(size_t i) const { return type(array(false, i)); }
  Type output_type(size_t i) const { return type(array(true, i)); }
  /// Returns the elements of an input or output, dense and row-major. T must be
  /// the C++ type of the dtype.
  template <typename T> const T *input(size_t i = 0) const {
    return data<T>(array(false, i));
  }
  template <typename T> T *output(size_t i = 0) const {
    return data<T>(array(true, i));
  }
  int64_t numel(size_t output = 0) const {
    int64_t count = 1;
    for (int64_t dim : output_type(output).shape)
      count *= dim;
    return count;
  }
  const char *config() const { return call.config; }
  const tensorc_rt_op_call &raw() const { return call; }

private:
  const tensorc_rt_array &array(bool output, size_t i) const {
    if (i >= (output ? outputs() : inputs()))
      throw Error(TENSORC_INVALID_ARGUMENT,
                  std::string("there is no ") + (output ? "output " : "input ") +
                      std::to_string(i));
    return (output ? call.outputs : call.inputs)[i];
  }
  static Type type(const tensorc_rt_array &array) {
    return {static_cast<DType>(array.dtype),
            Shape(array.dims, array.dims + array.rank)};
  }
  template <typename T> static T *data(const tensorc_rt_array &array) {
    auto dtype = static_cast<DType>(array.dtype);
    if (dtype != dtype_of<T>())
      throw Error(TENSORC_INVALID_ARGUMENT, std::string("a value is ") +
                                                name(dtype) + ", not " +
                                                name(dtype_of<T>()));
    return static_cast<T *>(array.data);
  }
  const tensorc_rt_op_call &call;
};

/// Computes the types of the outputs from those of the inputs.
using ShapeRule = std::function<std::vector<Type>(
    const std::vector<Type> &inputs, const std::string &config)>;

namespace detail {
struct CustomFunctions {
  std::function<void(const CustomCall &)> function;
  ShapeRule shapes;
};
inline tensorc_status *failed(const char *what) {
  return tensorc_rt_status_create(TENSORC_RT_CUSTOM_CALL, what);
}
inline tensorc_status *callFunction(const tensorc_rt_op_call *call) {
  try {
    static_cast<CustomFunctions *>(call->user)->function(CustomCall(*call));
    return nullptr;
  } catch (const std::exception &exception) {
    return failed(exception.what());
  } catch (...) {
    return failed("an unknown exception");
  }
}
inline tensorc_type toRaw(const Type &type) {
  tensorc_type raw{};
  raw.dtype = static_cast<tensorc_dtype>(type.dtype);
  raw.rank = static_cast<int32_t>(type.shape.size());
  for (size_t i = 0; i < type.shape.size() && i < TENSORC_RT_MAX_RANK; ++i)
    raw.dims[i] = type.shape[i];
  return raw;
}
inline tensorc_status *callShapeRule(void *user, const tensorc_type *inputs,
                                     int32_t input_count, const char *config,
                                     tensorc_type *outputs,
                                     int32_t output_count) {
  try {
    std::vector<Type> in;
    for (int32_t i = 0; i < input_count; ++i)
      in.push_back({static_cast<DType>(inputs[i].dtype),
                    Shape(inputs[i].dims, inputs[i].dims + inputs[i].rank)});
    std::vector<Type> out =
        static_cast<CustomFunctions *>(user)->shapes(in, config);
    if (out.size() != static_cast<size_t>(output_count))
      return failed(("the shape rule gives " + std::to_string(out.size()) +
                     " outputs, the call wants " + std::to_string(output_count))
                        .c_str());
    for (size_t i = 0; i < out.size(); ++i)
      outputs[i] = toRaw(out[i]);
    return nullptr;
  } catch (const std::exception &exception) {
    return failed(exception.what());
  } catch (...) {
    return failed("an unknown exception");
  }
}
} // namespace detail

/// An operation that a C++ function implements. It is registered once per name,
/// for the lifetime of the process. See tensorc_custom_op.
///
///   tensorc::CustomOp smooth("app.smooth", [](const tensorc::CustomCall &call)
///   {
///     const float *x = call.input<float>();
///     float *y = call.output<float>();
///     ...
///   }, tensorc::CustomOp::like_first_input);
///   tensorc::Tensor y = smooth({x});
class CustomOp {
public:
  /// Without a shape rule every call must pass the types of its outputs.
  CustomOp(std::string name, std::function<void(const CustomCall &)> function,
           ShapeRule shapes = nullptr, const std::string &derivative = "",
           Location at = Location::current())
      : title(std::move(name)) {
    bool hasRule = static_cast<bool>(shapes);
    auto functions = std::make_unique<detail::CustomFunctions>(
        detail::CustomFunctions{std::move(function), std::move(shapes)});
    tensorc_custom_op op{sizeof op,
                         title.c_str(),
                         detail::callFunction,
                         hasRule ? detail::callShapeRule : nullptr,
                         functions.get(),
                         derivative.empty() ? nullptr : derivative.c_str()};
    detail::check(tensorc_register_custom_op(&op), at);
    functions.release(); // lives as long as the registration
  }

  /// Shape rule for one output with the type of the first input.
  static std::vector<Type> like_first_input(const std::vector<Type> &inputs,
                                            const std::string &) {
    return {inputs.at(0)};
  }

  const std::string &name() const { return title; }

  /// Calls an operation with a shape rule and a single output.
  Tensor operator()(const std::vector<Tensor> &inputs,
                    const std::string &config = "",
                    Location at = Location::current()) const {
    return record(inputs, nullptr, 1, config, at)[0];
  }
  /// Calls the operation with one output per type.
  std::vector<Tensor> call(const std::vector<Tensor> &inputs,
                           const std::vector<Type> &outputs,
                           const std::string &config = "",
                           Location at = Location::current()) const {
    std::vector<tensorc_type> types;
    for (const Type &type : outputs) {
      if (type.shape.size() > TENSORC_RT_MAX_RANK)
        detail::fail(title,
                     "rank is above " + std::to_string(TENSORC_RT_MAX_RANK),
                     at);
      types.push_back(detail::toRaw(type));
    }
    return record(inputs, types.data(), types.size(), config, at);
  }

private:
  std::vector<Tensor> record(const std::vector<Tensor> &inputs,
                             const tensorc_type *types, size_t count,
                             const std::string &config, Location at) const {
    auto handles = detail::handlesOf(title.c_str(), inputs, at);
    std::vector<tensorc_tensor *> out(count);
    detail::check(tensorc_custom_call(
        title.c_str(), handles.data(), static_cast<int32_t>(handles.size()),
        types, static_cast<int32_t>(count), config.c_str(), at, out.data()));
    std::vector<Tensor> results;
    for (tensorc_tensor *handle : out)
      results.push_back(Tensor::take(handle));
    return results;
  }
  std::string title;
};

/// Returns x. Evaluating the result fails if an element is NaN or infinite. See
/// tensorc_check_numerics.
inline Tensor check_numerics(Arg x, const std::string &text = "") {
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_check_numerics(
      x.tensor("check_numerics"), text.c_str(), x.at(), &out);
  x.drop();
  return detail::take(status, out);
}
/// Returns x. Evaluating the result prints it on stderr.
inline Tensor debug_print(Arg x, const std::string &text = "") {
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_debug_print(x.tensor("debug_print"),
                                               text.c_str(), x.at(), &out);
  x.drop();
  return detail::take(status, out);
}

} // namespace tensorc

#endif
