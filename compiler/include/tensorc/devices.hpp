//===- devices.hpp - the devices of tensors; included by tensorc.hpp ------===//
//
//   tensorc::Tensor y = tensorc::relu(x.to("sim:0")) * 2;
//   std::cout << y.device() << y.cpu();
//
// docs/gpu.md is the guide.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_DEVICES_HPP
#define TENSORC_DEVICES_HPP

#include "tensorc/devices.h"
#include "tensorc/tensor.hpp"

#include <optional>

namespace tensorc {

/// A device by name: "cpu", "cuda:1", "rocm:0", "sim:0", "sim:gfx942". Without
/// an index it is the current device if that is of the same kind, else the
/// first device of the kind. Throws if the kind or the index is invalid;
/// whether the device exists is checked when it is used. On "auto" each
/// evaluation chooses the device that should finish first.
struct Device {
  std::string name;

  /// The current device.
  Device();
  Device(std::string text, Location at = Location::current())
      : name(std::move(text)) {
    detail::check(tensorc_check_device_name(name.c_str()), at);
  }
  Device(const char *text, Location at = Location::current())
      : Device(std::string(text), at) {}
  explicit Device(tensorc_rt_device *device) : name(nameOf(device)) {}

  /// Returns "cuda" for "cuda:1", and "sim:gfx942" for "sim:gfx942:1".
  std::string type() const { return name.substr(0, typeLength()); }
  /// Returns 1 for "cuda:1", and 0 for a name without an index.
  int index() const {
    size_t length = typeLength();
    return length == name.size() ? 0 : std::stoi(name.substr(length + 1));
  }
  bool is_auto() const { return name == "auto"; }
  /// Returns the runtime's device. Throws if it does not exist, and for "auto".
  tensorc_rt_device *raw(Location at = Location::current()) const {
    tensorc_rt_device *device = nullptr;
    if (is_auto())
      detail::fail("device", "'auto' is not a single device; name one", at);
    detail::check(tensorc_find_device(name.c_str(), &device), at);
    return device;
  }
  friend std::ostream &operator<<(std::ostream &os, const Device &device) {
    return os << device.name;
  }
  /// Compares names: "cuda" and "cuda:0" are the same device.
  friend bool operator==(const Device &a, const Device &b) {
    return a.type() == b.type() && a.index() == b.index();
  }
  friend bool operator!=(const Device &a, const Device &b) { return !(a == b); }

private:
  static const char *nameOf(tensorc_rt_device *device) {
    tensorc_rt_device_properties properties;
    tensorc_rt_device_get_properties(device, &properties);
    return properties.name;
  }
  size_t typeLength() const {
    size_t colon = name.rfind(':');
    bool isNumber =
        colon != std::string::npos && colon + 1 < name.size() &&
        name.find_first_not_of("0123456789", colon + 1) == std::string::npos &&
        name.size() - colon < 9;
    return isNumber ? colon : name.size();
  }
};

/// Sets the device of all threads that have not called set_device.
inline void set_default_device(const Device &device,
                               Location at = Location::current()) {
  detail::check(tensorc_set_default_device(device.name.c_str()), at);
}
inline Device default_device() {
  char *text = nullptr;
  tensorc_status *status = tensorc_default_device(&text);
  return Device(detail::text(status, text));
}
/// Sets the calling thread's device, on which tensors without operands are
/// made.
inline void set_device(const Device &device,
                       Location at = Location::current()) {
  detail::check(tensorc_set_device(device.name.c_str()), at);
}
namespace detail {
/// Returns the name of the device that set_device set for this thread, or "".
inline std::string threadDevice() {
  char *name = nullptr;
  tensorc_status *status = tensorc_thread_device(&name);
  return text(status, name);
}
} // namespace detail
/// Returns the calling thread's device, or else the default one.
inline Device current_device() {
  std::string name = detail::threadDevice();
  return name.empty() ? default_device() : Device(std::move(name));
}
inline Device::Device() : name(current_device().name) {}

/// Sets the thread's device for a scope.
class DeviceGuard {
public:
  explicit DeviceGuard(const Device &device, Location at = Location::current())
      : former(detail::threadDevice()) {
    set_device(device, at);
  }
  DeviceGuard(const DeviceGuard &) = delete;
  ~DeviceGuard() {
    tensorc_status_free(
        tensorc_set_device(former.empty() ? nullptr : former.c_str()));
  }

private:
  std::string former;
};

/// A device, or none. For an invalid name the error names the line that passes
/// it.
struct OptionalDevice : std::optional<Device> {
  OptionalDevice(std::nullopt_t = std::nullopt) {}
  OptionalDevice(Device device) : std::optional<Device>(std::move(device)) {}
  OptionalDevice(const char *text, Location at = Location::current())
      : OptionalDevice(Device(text, at)) {}
  OptionalDevice(std::string text, Location at = Location::current())
      : OptionalDevice(Device(std::move(text), at)) {}
};
/// Dtype and device of a new tensor. By default they are the function's default
/// dtype and the thread's device. `zeros({2, 3}, {.dtype = f16, .device =
/// "sim:0"})`, in C++17 `{f16, "sim:0"}`.
struct TensorOptions {
  std::optional<DType> dtype = std::nullopt;
  OptionalDevice device = std::nullopt;
};
namespace detail {
/// Makes the options' device the thread's device for a scope.
class DeviceOf {
public:
  DeviceOf(const TensorOptions &options, Location at) {
    if (options.device)
      guard.emplace(*options.device, at);
  }

private:
  std::optional<DeviceGuard> guard;
};
} // namespace detail

/// True if the device exists and can compute. False for unknown names, so
/// `is_available("cuda") ? "cuda" : is_available("mps") ? "mps" : "cpu"` works
/// everywhere.
inline bool is_available(const char *name) {
  return tensorc_is_available(name) != 0;
}
inline bool is_available(const std::string &name) {
  return is_available(name.c_str());
}
inline bool is_available(const Device &device) {
  return is_available(device.name);
}
/// Returns the number of listed devices of a kind ("cuda", "sim", "cpu"), or of
/// all kinds for "".
inline int device_count(const std::string &type = "") {
  int count = 0;
  for (int i = 0; i < tensorc_rt_device_count(); ++i)
    count += type.empty() || Device(tensorc_rt_device_get(i)).type() == type;
  return count;
}
/// See tensorc_rt_device_properties.
using DeviceProperties = tensorc_rt_device_properties;
inline DeviceProperties device_properties(const Device &device = {},
                                          Location at = Location::current()) {
  DeviceProperties properties;
  tensorc_rt_device_get_properties(device.raw(at), &properties);
  return properties;
}

/// Returns x on the device: x itself if it is there, else a tensor that is
/// copied when its value is needed. On "auto", evaluations may use the value on
/// any device.
inline Tensor to(Arg x, const Device &device) {
  Location at{x.at().file, x.at().line};
  if (device.is_auto())
    return detail::unary("to", x, tensorc_to_auto);
  return detail::unary("to", x, tensorc_to, device.raw(at));
}
inline tensorc_tensor *Tensor::giveUp(Location call) {
  if (!defined())
    return nullptr;
  tensorc_tensor *rest = nullptr;
  tensorc_status_free(
      tensorc_trace_argument_like(handle, {nullptr, 0}, &rest));
  isGivenUp = true;
  tensorc_location line = call;
  declaredIn = line.file;
  declaredAt = line.line;
  return std::exchange(handle, rest);
}
inline Device Tensor::device(Location at) const {
  if (tensorc_tensor_is_auto(described("device", at)))
    return Device("auto");
  tensorc_rt_device *device = tensorc_tensor_device(handle);
  return device ? Device(device) : current_device();
}
/// Evaluates x and returns the device that has its value. For a tensor on
/// "auto" that is the chosen device.
inline Device residence(const Tensor &x, Location at = Location::current()) {
  tensorc_tensor *tensor = x.operand("residence", at);
  detail::check(tensorc_eval(&tensor, 1), at);
  return Device(tensorc_tensor_residence(tensor));
}
/// Returns the costs that "auto" would compare in an evaluation of x, as text;
/// see tensorc_explain_placement.
inline std::string explain_placement(const Tensor &x, bool json = false,
                                     Location at = Location::current()) {
  tensorc_tensor *tensor = x.operand("explain_placement", at);
  char *text = nullptr;
  tensorc_status *status = tensorc_explain_placement(&tensor, 1, json, &text);
  detail::check(status, at);
  return detail::text(nullptr, text);
}
/// Returns the device's figures, by which "auto" estimates times, in the format
/// of TENSORC_FIGURES. Measures them if necessary.
inline std::string device_figures(const Device &device,
                                  Location at = Location::current()) {
  char *text = nullptr;
  tensorc_status *status = tensorc_device_figures(device.raw(at), &text);
  detail::check(status, at);
  return detail::text(nullptr, text);
}
inline Tensor Tensor::to(const Device &device, Location at) const {
  return tensorc::to(Arg(*this, at.file, at.line), device);
}
inline Tensor Tensor::to(DType dtype, Location at) const {
  return astype(dtype, at);
}
inline Tensor Tensor::cpu(Location at) const { return to("cpu", at); }
inline Tensor Tensor::cuda(int index, Location at) const {
  return to(index < 0 ? "cuda" : "cuda:" + std::to_string(index), at);
}

} // namespace tensorc

#endif
