//===- Gate.h - streams that wait until a test releases them ----*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CTS_GATE_H
#define TENSORC_RUNTIME_CTS_GATE_H

#include "runtime/cts/Conformance.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace tensorc::rt::cts {

/// State of the custom call "cts.gate", which counts its calls, waits until the
/// gate is open, and fails if `fail` is set.
struct Gate {
  std::atomic<bool> open{true}, fail{false};
  std::atomic<int> calls{0};
  static Gate &get() {
    static Gate gate;
    return gate;
  }
  static tensorc_rt_status *call(const tensorc_rt_custom_call *call) {
    Gate &gate = *static_cast<Gate *>(call->user);
    while (!gate.open)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++gate.calls;
    return gate.fail
               ? tensorc_rt_status_create(TENSORC_RT_CUSTOM_CALL, "told to")
               : nullptr;
  }
};

class Streams : public Conformance {
protected:
  void SetUp() override {
    Conformance::SetUp();
    static std::string registered = take(
        tensorc_rt_register_custom_call("cts.gate", Gate::call, &Gate::get()));
    EXPECT_EQ(registered, "");
    TestPackage package;
    package.strings = {"cts.gate", ""};
    package.targets = {properties.target};
    package.add(Op::CustomCall, {0, 1, 1, 0, 0, 0});
    package.add(Op::Return, {0, 0});
    std::string bytes = package.bytes();
    ASSERT_OK(tensorc_rt_load_bytes(device, bytes.data(), bytes.size(),
                                    TENSORC_RT_COPY, nullptr, nullptr,
                                    &module));
    entry = tensorc_rt_module_entry(module, 0);
    gate.open = true;
    gate.fail = false;
    gate.calls = 0;
    x = buffer(16);
  }
  void TearDown() override {
    gate.open = true;
    tensorc_rt_module_release(module);
    Conformance::TearDown();
  }
  /// Queues the gate's call on a stream.
  std::string callGate(tensorc_rt_stream *stream) {
    int64_t four = 4;
    tensorc_rt_arg arg = {x, 0, &four, 1, TENSORC_RT_F32};
    return take(tensorc_rt_run(entry, &arg, 1, nullptr, 0, stream));
  }

  Gate &gate = Gate::get();
  tensorc_rt_module *module = nullptr;
  const tensorc_rt_entry *entry = nullptr;
  tensorc_rt_buffer *x = nullptr;
};

} // namespace tensorc::rt::cts

#endif
