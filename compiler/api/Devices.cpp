//===- Devices.cpp - tensorc/devices.h ------------------------------------===//

#include "compiler/api/Api.h"
#include "compiler/session/jit/Streams.h"
#include "runtime/abi/DeviceKinds.h"

#include "tensorc/devices.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tensorc;
using namespace tensorc::api;
using graph::NodeRef;
using graph::Recorder;

tensorc_rt_device *tensorc_tensor_device(const tensorc_tensor *tensor) {
  return tensor ? nodeOf(tensor)->device() : nullptr;
}

tensorc_status *tensorc_to(const tensorc_tensor *x, tensorc_rt_device *device,
                           tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out, [&](Recorder &r) { return graph::moveTo(r, refOf(x), device); },
      "to");
}

tensorc_status *tensorc_to_auto(const tensorc_tensor *x, tensorc_location at,
                                tensorc_tensor **out) {
  return record(
      at, out, [&](Recorder &r) { return graph::moveToAuto(r, refOf(x)); },
      "to");
}

int32_t tensorc_tensor_is_auto(const tensorc_tensor *tensor) {
  return tensor && nodeOf(tensor)->isAuto();
}

tensorc_rt_device *tensorc_tensor_residence(const tensorc_tensor *tensor) {
  tensorc_rt_buffer *buffer = tensor ? nodeOf(tensor)->buffer() : nullptr;
  return buffer ? tensorc_rt_buffer_device(buffer) : nullptr;
}

int32_t tensorc_tensor_sharding(const tensorc_tensor *tensor,
                                const int64_t **mesh, const int64_t **dims) {
  const graph::Split *split =
      tensor ? graph::splitOf(*nodeOf(tensor)) : nullptr;
  if (mesh)
    *mesh = split ? split->mesh.data() : nullptr;
  if (dims)
    *dims = split ? split->dims.data() : nullptr;
  return split ? static_cast<int32_t>(split->mesh.size()) : 0;
}

tensorc_status *tensorc_explain_placement(tensorc_tensor *const *tensors,
                                          int32_t count, int32_t json,
                                          char **out) {
  if (auto *refused = checkOut("explain_placement", out))
    return refused;
  *out = nullptr;
  Recorder r({}, "explain_placement");
  if (!checkList(r, "tensors", count, tensors))
    return refusal(r);
  llvm::SmallVector<graph::Node *, 4> roots;
  for (int32_t i = 0; i < count; ++i) {
    if (!tensors[i])
      return refusal("explain_placement: a tensor is undefined");
    roots.push_back(nodeOf(tensors[i]));
  }
  jit::Session &session = jit::Session::get();
  jit::Status status;
  std::vector<placement::Sum> sums = session.sumsFor(roots, nullptr, status);
  if (status)
    return status.release();
  const auto *candidates = session.candidates(status);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (json)
    os << llvm::formatv("{0:2}\n", placement::sumsToJson(*candidates, sums));
  else
    placement::printSums(os, *candidates, sums);
  return giveText("explain_placement", text, out);
}

tensorc_status *tensorc_device_figures(tensorc_rt_device *device, char **out) {
  if (auto *refused = checkOut("device_figures", out))
    return refused;
  *out = nullptr;
  if (!device)
    return refusal("device_figures: the device is NULL");
  jit::Status status;
  auto figures = jit::Session::get().figuresOf(device, status);
  if (!figures)
    return status.release();
  llvm::json::Value text = llvm::json::Object{
      {graph::deviceName(device), placement::toJson(*figures)}};
  return giveText("device_figures", llvm::formatv("{0:2}\n", text).str(), out);
}

/// True if the C++ interface accepts the digits as a number.
static bool isIndex(llvm::StringRef text) {
  return !text.empty() && text.size() < 8 && llvm::all_of(text, llvm::isDigit);
}
/// True for names such as "sm_90a" and "gfx942". Whether the chip can be
/// simulated is checked when it is used.
static bool isChip(llvm::StringRef text) {
  return (text.consume_front("sm_") || text.consume_front("gfx")) &&
         !text.empty() && llvm::all_of(text, llvm::isAlnum);
}

tensorc_status *tensorc_check_device_name(const char *name) {
  if (!name)
    return refusal("device: the name is NULL");
  llvm::StringRef text = name;
  auto [kind, rest] = text.split(':');
  bool isOne = kind == "auto" || kind == "reference", isSim = kind == "sim";
  if (!isOne && !rt::findDeviceKind(kind))
    return refusal(
        "device: '" + llvm::Twine(name) + "' is of no kind of device: " +
        rt::listDeviceKinds([](const rt::DeviceKind &) { return true; }) +
        ", reference, auto");
  if (kind == text || (!isOne && isIndex(rest)))
    return nullptr;
  auto [chip, index] = rest.split(':');
  if (isSim && isChip(chip) && (chip == rest || isIndex(index)))
    return nullptr;
  return refusal("device: '" + llvm::Twine(name) + "' names no device: " +
                 (isOne   ? "there is only one of its kind, without an index"
                  : isSim ? "needs an index, sim:0, or a chip, sim:gfx942"
                          : "the index is a number from 0"));
}

tensorc_status *tensorc_find_device(const char *name, tensorc_rt_device **out) {
  if (auto *refused = checkOut("find_device", out))
    return refused;
  *out = nullptr;
  if (!name)
    return refusal("find_device: the name is NULL");
  return jit::Session::get().findBuffers(name, *out).release();
}

int32_t tensorc_is_available(const char *name) {
  llvm::StringRef text = name ? name : "";
  if (text == "auto")
    return 1;
  tensorc_rt_device *device = nullptr;
  if (text.empty() || jit::Session::get().findBuffers(text.str(), device))
    return 0;
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(device, &properties);
  return properties.computes;
}

tensorc_status *tensorc_set_device(const char *name) {
  return jit::Session::get().setThreadDevice(name).release();
}

tensorc_status *tensorc_thread_device(char **out) {
  return giveText("thread_device", jit::Session::get().threadDevice(), out);
}

tensorc_status *tensorc_set_stream(tensorc_rt_device *device,
                                   tensorc_rt_stream *stream) {
  if (!device)
    return refusal("set_stream: the device is NULL");
  if (stream && tensorc_rt_stream_device(stream) != device)
    return refusal(llvm::Twine("set_stream: a stream of ") +
                   graph::deviceName(tensorc_rt_stream_device(stream)) +
                   " for " + graph::deviceName(device));
  jit::setCurrentStream(device, stream);
  return nullptr;
}

tensorc_rt_stream *tensorc_current_stream(tensorc_rt_device *device) {
  tensorc_rt_stream *stream = jit::currentStream(device);
  return stream ? stream : tensorc_rt_device_default_stream(device);
}

int32_t tensorc_tensor_is_ready(const tensorc_tensor *tensor) {
  return tensor && tensorc_rt_buffer_query(nodeOf(tensor)->buffer());
}

tensorc_status *tensorc_trace_argument_like(const tensorc_tensor *tensor,
                                            tensorc_location at,
                                            tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (!tensor)
          return r.fail("jit", "an argument is an undefined tensor");
        const graph::Node &like = *nodeOf(tensor);
        NodeRef made = graph::placeholder(r, like.dtype(), like.shape());
        if (made)
          made->becomeSplit(graph::splitOf(*nodeOf(tensor)));
        if (made && like.isAuto())
          made->makeAuto();
        else if (made)
          made->bind(like.device());
        return made;
      },
      "jit");
}
