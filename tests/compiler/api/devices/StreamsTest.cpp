//===- StreamsTest.cpp - Asynchronous work on devices ---------------------===//

#include "tests/compiler/api/devices/Errors.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <thread>

using namespace tensorc;

namespace {
/// A custom op that waits until it is let go, so that what is behind it on its
/// stream is seen waiting, however slow the machine is.
struct Gate {
  std::mutex mutex;
  std::condition_variable changed;
  bool open = true;

  void set(bool isOpen) {
    std::scoped_lock lock(mutex);
    open = isOpen;
    changed.notify_all();
  }
  static Gate &get() {
    static Gate gate;
    return gate;
  }
};

tensorc_rt_status *pass(const tensorc_rt_op_call *call) {
  Gate &gate = Gate::get();
  std::unique_lock lock(gate.mutex);
  gate.changed.wait(lock, [&] { return gate.open; });
  auto *in = static_cast<const float *>(call->inputs[0].data);
  auto *out = static_cast<float *>(call->outputs[0].data);
  for (int64_t i = 0; i < call->inputs[0].dims[0]; ++i) {
    if (in[i] < 0)
      return tensorc_rt_status_create(TENSORC_RT_CUSTOM_CALL, "is negative");
    out[i] = in[i];
  }
  return nullptr;
}

tensorc_status *sameType(void *, const tensorc_type *inputs, int32_t,
                         const char *, tensorc_type *outputs, int32_t) {
  outputs[0] = inputs[0];
  return nullptr;
}

/// x, once the gate is open; an error for negative elements.
Tensor gated(const Tensor &x) {
  static const bool registered = [] {
    tensorc_custom_op op{sizeof op, "test.gate", pass,
                         sameType,  nullptr,     nullptr};
    tensorc_status_free(tensorc_register_custom_op(&op));
    return true;
  }();
  (void)registered;
  const tensorc_tensor *input = x.raw();
  tensorc_tensor *out = nullptr;
  detail::check(tensorc_custom_call("test.gate", &input, 1, nullptr, 1, "",
                                    Location::current(), &out));
  return Tensor::take(out);
}

class Streams : public testing::Test {
protected:
  void SetUp() override { Gate::get().set(true); }
  void TearDown() override {
    Gate::get().set(true);
    tensorc_rt_status_free(
        tensorc_rt_device_synchronize(Device("sim:0").raw()));
    tensorc_rt_status_free(
        tensorc_rt_device_synchronize(Device("sim:1").raw()));
  }
};
} // namespace

TEST_F(Streams, EvaluationReturnsBeforeTheWorkIsDone) {
  Tensor x = tensor({1.0f, 2.0f}).to("sim:0").eval();
  synchronize("sim:0");
  EXPECT_TRUE(x.is_ready());
  Event event("sim:0");
  Gate::get().set(false);
  Tensor y = (gated(x) * 2).eval();
  event.record(current_stream("sim:0"));
  EXPECT_TRUE(y.is_evaluated());
  EXPECT_FALSE(y.is_ready());
  EXPECT_FALSE(event.query());
  EXPECT_FALSE(current_stream("sim:0").query());
  Gate::get().set(true);
  EXPECT_EQ(y.to_vector<float>(), (Floats{2, 4}));
  EXPECT_TRUE(y.is_ready());
  event.synchronize();
  EXPECT_TRUE(event.query());
}

TEST_F(Streams, ForwardedResultsAreCopiedWithoutWaiting) {
  Tensor x = tensor({1.0f, 2.0f}).to("sim:0").eval();
  Gate::get().set(false);
  Tensor slow = gated(x).eval();
  tensorc_tensor *argument = slow.raw(), *results[2] = {argument, x.raw()};
  tensorc_tensor_retain(argument);
  tensorc_tensor_retain(results[1]);
  detail::check(tensorc_copy_forwarded(&argument, 1, results, 2));
  EXPECT_NE(results[0], argument);
  EXPECT_EQ(results[1], x.raw());
  Tensor copy = Tensor::take(results[0]), other = Tensor::take(results[1]);
  EXPECT_FALSE(slow.is_ready());
  EXPECT_FALSE(copy.is_ready());
  Gate::get().set(true);
  EXPECT_EQ(copy.to_vector<float>(), (Floats{1, 2}));
}

TEST_F(Streams, WorkBesideEachOther) {
  Tensor x = tensor({1.0f}).to("sim:0").eval();
  synchronize("sim:0");
  Stream side("sim:0");
  EXPECT_EQ(side.device().name, "sim:0");
  Gate::get().set(false);
  Tensor slow = gated(x).eval();
  Tensor fast;
  {
    StreamGuard guard(side);
    EXPECT_EQ(current_stream("sim:0"), side);
    fast = (x + 1).eval();
    // Not behind the gate.
    EXPECT_EQ(fast.item<float>(), 2);
  }
  EXPECT_FALSE(current_stream("sim:0") == side);
  EXPECT_FALSE(slow.is_ready());
  Gate::get().set(true);
  EXPECT_EQ(slow.item<float>(), 1);
}

TEST_F(Streams, AStreamWaitsForWhatAnotherWrites) {
  Tensor x = tensor({3.0f}).to("sim:0").eval();
  Stream side("sim:0");
  Gate::get().set(false);
  Tensor first = gated(x).eval(), second;
  {
    StreamGuard guard(side);
    second = (first * first).eval();
    EXPECT_FALSE(side.query());
  }
  Gate::get().set(true);
  EXPECT_EQ(second.item<float>(), 9);
}

TEST_F(Streams, EventsOrderStreamsOfTwoDevices) {
  Tensor x = tensor({1.0f}).to("sim:0").eval();
  Stream a("sim:0"), b("sim:1");
  Event event("sim:0"), after("sim:1");
  Gate::get().set(false);
  {
    StreamGuard guard(a);
    gated(x).eval();
  }
  event.record(a);
  b.wait(event);
  after.record(b);
  EXPECT_FALSE(after.query());
  Gate::get().set(true);
  after.synchronize();
  EXPECT_TRUE(event.query());
  EXPECT_GE(event.elapsed_ms(after), 0);
}

TEST_F(Streams, EventsMeasureTime) {
  Event start("sim:0"), stop("sim:0");
  Stream stream("sim:0");
  EXPECT_NE(errorOf([&] { start.elapsed_ms(stop); }), "no error");
  start.record(stream);
  stop.record(stream);
  stream.synchronize();
  EXPECT_GE(start.elapsed_ms(stop), 0);
  EXPECT_LE(stop.elapsed_ms(start), 0);
}

TEST_F(Streams, AStreamOfAnotherDeviceIsRefused) {
  Stream stream("sim:0");
  EXPECT_NE(errorOf([&] {
              detail::check(
                  tensorc_set_stream(Device("sim:1").raw(), stream.raw()));
            }).find("a stream of sim:0 for sim:1"),
            std::string::npos);
}

TEST_F(Streams, TheCpuHasThemToo) {
  Stream stream("cpu");
  Tensor x = tensor({2.0f});
  Gate::get().set(false);
  Tensor y;
  {
    StreamGuard guard(stream);
    y = (gated(x) + 1).eval();
  }
  EXPECT_FALSE(y.is_ready());
  Gate::get().set(true);
  // The default stream waits by itself.
  EXPECT_EQ((y * 2).item<float>(), 6);
  EXPECT_EQ(y.to_string(), "tensor([3.0], dtype=f32)");
}

TEST_F(Streams, FailedValuesStayFailed) {
  Tensor bad = tensor({-1.0f}).to("sim:0").eval();
  Tensor y = gated(bad).eval();
  for (int i = 0; i < 2; ++i)
    EXPECT_NE(errorOf([&] {
                y.to_vector<float>();
              }).find("test.gate: is negative (" __FILE__),
              std::string::npos)
        << errorOf([&] { y.to_vector<float>(); });
  // Neither is what was made of it later, nor its move.
  EXPECT_NE(errorOf([&] { (y + 1).item<float>(); }).find("is negative"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { y.cpu().item<float>(); }).find("is negative"),
            std::string::npos);
  // The device goes on.
  EXPECT_EQ((bad + 3).item<float>(), 2);
}

TEST_F(Streams, AFailureReachesOtherStreams) {
  Tensor bad = tensor({-1.0f}).to("sim:0").eval();
  Stream side("sim:0");
  Gate::get().set(false);
  Tensor y = gated(bad).eval(), z;
  {
    StreamGuard guard(side);
    z = (y + 1).eval();
  }
  Gate::get().set(true);
  EXPECT_NE(errorOf([&] { z.item<float>(); }).find("is negative"),
            std::string::npos);
}

TEST_F(Streams, ThreadsHaveTheirOwn) {
  Tensor x = arange(64, f32).to("sim:0").eval();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      Stream stream("sim:0");
      StreamGuard guard(stream);
      for (int i = 0; i < 8; ++i) {
        Tensor y = x * float(t) + float(i);
        EXPECT_EQ(sum(y).item<float>(), 2016.0f * t + 64.0f * i);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}
