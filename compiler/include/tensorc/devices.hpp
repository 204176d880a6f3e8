//===- devices.hpp - where tensors are; included by tensorc.hpp -----------===//
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
/// an index it is the current device if that is of this kind, else the first.
/// An Error if there is no such kind, or no index behind its name; only its use
/// says whether there is such a device.
/// "auto" stands for the one that each evaluation will be done soonest on.
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

  /// "cuda" of "cuda:1", "sim:gfx942" of "sim:gfx942:1".
  std::string type() const { return name.substr(0, typeLength()); }
  /// 1 of "cuda:1"; 0 where there is none.
  int index() const {
    size_t length = typeLength();
    return length == name.size() ? 0 : std::stoi(name.substr(length + 1));
  }
  bool is_auto() const { return name == "auto"; }
  /// The runtime's device; an Error when there is none, and for "auto".
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
  /// By name: "cuda" and "cuda:0" are the same device.
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

/// Of all threads that have not called set_device.
inline void set_default_device(const Device &device,
                               Location at = Location::current()) {
  detail::check(tensorc_set_default_device(device.name.c_str()), at);
}
inline Device default_device() {
  char *text = nullptr;
  tensorc_status *status = tensorc_default_device(&text);
  return Device(detail::text(status, text));
}
/// Of the calling thread: where tensors are made that have no operands.
inline void set_device(const Device &device,
                       Location at = Location::current()) {
  detail::check(tensorc_set_device(device.name.c_str()), at);
}
namespace detail {
/// "" where set_device was not called.
inline std::string threadDevice() {
  char *name = nullptr;
  tensorc_status *status = tensorc_thread_device(&name);
  return text(status, name);
}
} // namespace detail
/// The thread's device, or the default one.
inline Device current_device() {
  std::string name = detail::threadDevice();
  return name.empty() ? default_device() : Device(std::move(name));
}
inline Device::Device() : name(current_device().name) {}

/// Sets the thread's device in a scope.
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

/// A device, or none. A wrong name is an Error of the line that gives it.
struct OptionalDevice : std::optional<Device> {
  OptionalDevice(std::nullopt_t = std::nullopt) {}
  OptionalDevice(Device device) : std::optional<Device>(std::move(device)) {}
  OptionalDevice(const char *text, Location at = Location::current())
      : OptionalDevice(Device(text, at)) {}
  OptionalDevice(std::string text, Location at = Location::current())
      : OptionalDevice(Device(std::move(text), at)) {}
};
/// What a tensor is made as: without a dtype of the function's own, without a
/// device on the thread's. `zeros({2, 3}, {.dtype = f16, .device = "sim:0"})`, in
/// C++17 `{f16, "sim:0"}`.
struct TensorOptions {
  std::optional<DType> dtype = std::nullopt;
  OptionalDevice device = std::nullopt;
};
namespace detail {
/// Makes tensors on the options' device, in a scope.
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

/// Whether there is such a device and it computes. False for any other word, so
/// that `is_available("cuda") ? "cuda" : is_available("mps") ? "mps" : "cpu"`
/// works everywhere.
inline bool is_available(const char *name) {
  return tensorc_is_available(name) != 0;
}
inline bool is_available(const std::string &name) {
  return is_available(name.c_str());
}
inline bool is_available(const Device &device) {
  return is_available(device.name);
}
/// How many devices of this type are listed: "cuda", "sim", "cpu"; of all types
/// for "".
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

/// x on the device: itself if it is there, else moved when it is needed. On
/// "auto" it is the same value, free to be used wherever it is best.
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
/// Where the value is; evaluates it. What auto chose, of its tensors.
inline Device residence(const Tensor &x, Location at = Location::current()) {
  tensorc_tensor *tensor = x.operand("residence", at);
  detail::check(tensorc_eval(&tensor, 1), at);
  return Device(tensorc_tensor_residence(tensor));
}
/// What auto weighs when this is evaluated, as text; see
/// tensorc_explain_placement.
inline std::string explain_placement(const Tensor &x, bool json = false,
                                     Location at = Location::current()) {
  tensorc_tensor *tensor = x.operand("explain_placement", at);
  char *text = nullptr;
  tensorc_status *status = tensorc_explain_placement(&tensor, 1, json, &text);
  detail::check(status, at);
  return detail::text(nullptr, text);
}
/// What auto counts with, as a file for TENSORC_FIGURES; measured if need be.
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
