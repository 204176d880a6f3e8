//===- StreamTest.cpp - conformance: streams and events -------------------===//
#include "runtime/cts/Gate.h"

using namespace tensorc::rt;
using namespace tensorc::rt::cts;

TEST_P(Streams, AnIdleStreamIsIdle) {
  tensorc_rt_stream *s = stream();
  EXPECT_EQ(tensorc_rt_stream_device(s), device);
  EXPECT_EQ(tensorc_rt_stream_query(s), 1);
  EXPECT_OK(tensorc_rt_stream_synchronize(s));
}

TEST_P(Streams, WorkDoesNotBlockTheCaller) {
  tensorc_rt_stream *s = stream();
  gate.open = false;
  ASSERT_EQ(callGate(s), "");
  EXPECT_EQ(tensorc_rt_stream_query(s), 0);
  EXPECT_EQ(gate.calls, 0);
  gate.open = true;
  EXPECT_OK(tensorc_rt_stream_synchronize(s));
  EXPECT_EQ(gate.calls, 1);
  EXPECT_EQ(tensorc_rt_stream_query(s), 1);
}

TEST_P(Streams, ArgumentsAndModuleStayAlive) {
  tensorc_rt_stream *s = stream();
  gate.open = false;
  ASSERT_EQ(callGate(s), "");
  EXPECT_GE(tensorc_rt_buffer_references(x), 2u);
  tensorc_rt_module_release(module);
  module = nullptr;
  gate.open = true;
  EXPECT_OK(tensorc_rt_stream_synchronize(s));
  EXPECT_EQ(gate.calls, 1);
  EXPECT_EQ(tensorc_rt_buffer_references(x), 1u);
}

TEST_P(Streams, CopiesKeepTheirOrder) {
  if (!properties.computes)
    GTEST_SKIP() << "the device does not keep data";
  constexpr size_t count = 1 << 18;
  std::vector<int32_t> in(count, 7), out(count);
  tensorc_rt_stream *s = stream();
  tensorc_rt_buffer *a = buffer(count * 4), *b = buffer(count * 4);
  tensorc_rt_buffer *c = buffer(count * 4);
  ASSERT_OK(tensorc_rt_buffer_write(a, 0, in.data(), count * 4, s));
  ASSERT_OK(tensorc_rt_buffer_copy(b, 0, a, 0, count * 4, s));
  ASSERT_OK(tensorc_rt_buffer_copy(c, 0, b, 0, count * 4, s));
  ASSERT_OK(tensorc_rt_buffer_read(c, 0, out.data(), count * 4, s));
  EXPECT_EQ(in, out);
}

TEST_P(Streams, OtherStreamsWaitForACopy) {
  tensorc_rt_stream *first = stream(), *second = stream();
  std::vector<int32_t> in(16, 7), out(16);
  tensorc_rt_buffer *a = buffer(64), *b = buffer(64), *c = buffer(64);
  ASSERT_OK(tensorc_rt_buffer_write(a, 0, in.data(), 64, first));
  gate.open = false;
  ASSERT_EQ(callGate(first), "");
  ASSERT_OK(tensorc_rt_buffer_copy(b, 0, a, 0, 64, first));
  EXPECT_EQ(tensorc_rt_buffer_query(b), 0);
  ASSERT_OK(tensorc_rt_buffer_copy(c, 0, b, 0, 64, second));
  EXPECT_EQ(tensorc_rt_stream_query(second), 0);
  gate.open = true;
  ASSERT_OK(tensorc_rt_buffer_read(c, 0, out.data(), 64, second));
  EXPECT_EQ(tensorc_rt_buffer_query(b), 1);
  if (properties.computes)
    EXPECT_EQ(in, out);
}

TEST_P(Streams, OverwritesWaitForOtherStreams) {
  if (!properties.computes)
    GTEST_SKIP() << "the device does not keep data";
  tensorc_rt_stream *first = stream(), *second = stream();
  std::vector<int32_t> old(16, 7), in(16, 8), out(16);
  tensorc_rt_buffer *a = buffer(64), *b = buffer(64), *c = buffer(64);
  ASSERT_OK(tensorc_rt_buffer_write(a, 0, old.data(), 64, first));
  ASSERT_OK(tensorc_rt_buffer_write(b, 0, in.data(), 64, first));
  gate.open = false;
  ASSERT_EQ(callGate(first), "");
  ASSERT_OK(tensorc_rt_buffer_copy(c, 0, a, 0, 64, first));
  // Otherwise the first copy would overwrite the second one.
  ASSERT_OK(tensorc_rt_buffer_copy(c, 0, b, 0, 64, second));
  gate.open = true;
  ASSERT_OK(tensorc_rt_buffer_read(c, 0, out.data(), 64, second));
  EXPECT_OK(tensorc_rt_stream_synchronize(first));
  EXPECT_EQ(in, out);
}

TEST_P(Streams, ErrorsComeOutOfSynchronize) {
  tensorc_rt_stream *s = stream();
  gate.fail = true;
  ASSERT_EQ(callGate(s), "");
  EXPECT_EQ(take(tensorc_rt_stream_synchronize(s)), "told to");
  EXPECT_OK(tensorc_rt_stream_synchronize(s));
  gate.fail = false;
  ASSERT_EQ(callGate(s), "");
  EXPECT_OK(tensorc_rt_stream_synchronize(s));
  EXPECT_EQ(gate.calls, 2);
}

TEST_P(Streams, WorkAfterAnErrorIsSkipped) {
  tensorc_rt_stream *s = stream();
  tensorc_rt_event *e = event();
  gate.open = false;
  gate.fail = true;
  ASSERT_EQ(callGate(s), "");
  ASSERT_EQ(callGate(s), "");
  EXPECT_OK(tensorc_rt_event_record(e, s));
  gate.open = true;
  // The event is reached in spite of the error.
  EXPECT_OK(tensorc_rt_event_synchronize(e));
  EXPECT_EQ(take(tensorc_rt_stream_synchronize(s)), "told to");
  EXPECT_EQ(gate.calls, 1);
}

TEST_P(Streams, EventsThatWereNeverRecordedAreReached) {
  tensorc_rt_event *e = event();
  EXPECT_EQ(tensorc_rt_event_query(e), 1);
  EXPECT_OK(tensorc_rt_event_synchronize(e));
  tensorc_rt_stream *s = stream();
  EXPECT_OK(tensorc_rt_stream_wait(s, e));
  EXPECT_OK(tensorc_rt_stream_synchronize(s));
  int64_t time = 1;
  EXPECT_NE(take(tensorc_rt_event_elapsed(e, e, &time)), "");
  EXPECT_EQ(time, 0);
}

TEST_P(Streams, EventsAreReachedInOrder) {
  tensorc_rt_stream *s = stream();
  tensorc_rt_event *before = event(), *after = event();
  EXPECT_OK(tensorc_rt_event_record(before, s));
  gate.open = false;
  ASSERT_EQ(callGate(s), "");
  EXPECT_OK(tensorc_rt_event_record(after, s));
  EXPECT_OK(tensorc_rt_event_synchronize(before));
  EXPECT_EQ(tensorc_rt_event_query(after), 0);
  gate.open = true;
  EXPECT_OK(tensorc_rt_event_synchronize(after));
  int64_t time = -1;
  EXPECT_OK(tensorc_rt_event_elapsed(before, after, &time));
  EXPECT_GE(time, 0);
}

TEST_P(Streams, AStreamWaitsForAnother) {
  tensorc_rt_stream *first = stream(), *second = stream();
  tensorc_rt_event *e = event(), *done = event();
  gate.open = false;
  ASSERT_EQ(callGate(first), "");
  EXPECT_OK(tensorc_rt_event_record(e, first));
  EXPECT_OK(tensorc_rt_stream_wait(second, e));
  // The wait refers to the record that it saw, not to a later one.
  EXPECT_OK(tensorc_rt_event_record(done, second));
  EXPECT_EQ(tensorc_rt_stream_query(second), 0);
  EXPECT_EQ(tensorc_rt_event_query(done), 0);
  gate.open = true;
  EXPECT_OK(tensorc_rt_stream_synchronize(second));
  EXPECT_EQ(gate.calls, 1);
}

TEST_P(Streams, ReleasingAStreamFinishesItsWork) {
  tensorc_rt_stream *s = nullptr;
  ASSERT_OK(tensorc_rt_stream_create(device, &s));
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(callGate(s), "");
  tensorc_rt_stream_release(s);
  EXPECT_EQ(gate.calls, 100);
}

TEST_P(Streams, ManyThreadsUseOneStream) {
  tensorc_rt_stream *s = stream();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) {
        tensorc_rt_event *e = nullptr;
        EXPECT_OK(tensorc_rt_event_create(device, &e));
        EXPECT_EQ(callGate(s), "");
        EXPECT_OK(tensorc_rt_event_record(e, s));
        EXPECT_OK(tensorc_rt_event_synchronize(e));
        tensorc_rt_event_release(e);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_OK(tensorc_rt_stream_synchronize(s));
  EXPECT_EQ(gate.calls, 200);
}

TEST_P(Streams, ACallerThatIsFarAheadWaits) {
  tensorc_rt_stream *s = stream();
  gate.open = false;
  std::atomic<int> queued{0};
  std::thread caller([&] {
    for (int i = 0; i < 10000; ++i) {
      EXPECT_EQ(callGate(s), "");
      ++queued;
    }
  });
  while (queued < 100)
    std::this_thread::yield();
  // Sleeps long enough that a caller that does not wait would have continued.
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_LE(queued, 4096);
  gate.open = true;
  caller.join();
  EXPECT_OK(tensorc_rt_stream_synchronize(s));
  EXPECT_EQ(gate.calls, 10000);
}

TEST_P(Streams, StreamsOfOtherDevicesAreRefused) {
  for (int32_t i = 0; i < tensorc_rt_device_count(); ++i) {
    tensorc_rt_device *other = tensorc_rt_device_get(i);
    if (other == device)
      continue;
    tensorc_rt_stream *s = nullptr;
    ASSERT_OK(tensorc_rt_stream_create(other, &s));
    EXPECT_NE(callGate(s), "");
    EXPECT_NE(take(tensorc_rt_event_record(event(), s)), "");
    EXPECT_NE(take(tensorc_rt_buffer_copy(x, 0, x, 0, 0, s)), "");
    tensorc_rt_stream_release(s);
  }
}

INSTANTIATE_TEST_SUITE_P(Drivers, Conformance,
                         testing::ValuesIn(firstDevices()), nameOf);
INSTANTIATE_TEST_SUITE_P(Drivers, Streams, testing::ValuesIn(firstDevices()),
                         nameOf);
