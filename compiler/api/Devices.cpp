//===- Devices.cpp - tensorc/devices.h ------------------------------------===//

#include "compiler/api/Api.h"
#include "compiler/jit/Streams.h"

#include "tensorc/devices.h"

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
          return r.fail("jit", "an argument is an empty tensor");
        const graph::Node &like = *nodeOf(tensor);
        NodeRef made = graph::placeholder(r, like.dtype(), like.shape());
        if (made)
          made->bind(like.device());
        return made;
      },
      "jit");
}
