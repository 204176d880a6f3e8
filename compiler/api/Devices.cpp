//===- Devices.cpp - tensorc/devices.h ------------------------------------===//

#include "compiler/api/Api.h"

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
