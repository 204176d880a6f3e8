//===- MemoryTest.cpp - conformance: freed memory and streams -------------===//
//
// A closed gate blocks a stream. After the gate opens, the stream must still be
// able to use memory that the test has freed in the meantime.
//
//===----------------------------------------------------------------------===//
#include "tensorc/memory.h"
#include "runtime/cts/Gate.h"

using namespace tensorc::rt;
using namespace tensorc::rt::cts;

namespace {
class FreedMemory : public Streams {
protected:
  static constexpr uint32_t size = 4 << 20;
  void SetUp() override {
    Streams::SetUp();
    tensorc_rt_device_trim(device);
    TestPackage package;
    package.targets = {properties.target};
    package.add(Op::Const, {0, size, 0});
    package.add(Op::Alloc, {1, 0});
    package.add(Op::Fill, {1, 0, 4});
    package.add(Op::Return, {0, 0});
    std::string bytes = package.bytes();
    ASSERT_OK(tensorc_rt_load_bytes(device, bytes.data(), bytes.size(),
                                    TENSORC_RT_COPY, nullptr, nullptr,
                                    &filling));
  }
  void TearDown() override {
    gate.open = true;
    for (tensorc_rt_stream *stream : streams)
      (void)take(tensorc_rt_stream_synchronize(stream));
    tensorc_rt_module_release(filling);
    Streams::TearDown();
  }
  /// Allocates, fills and frees `size` bytes.
  void fill(tensorc_rt_stream *on) {
    int64_t four = 4;
    tensorc_rt_arg arg = {x, 0, &four, 1, TENSORC_RT_F32};
    EXPECT_OK(tensorc_rt_run(tensorc_rt_module_entry(filling, 0), &arg, 1,
                             nullptr, 0, on));
  }
  tensorc_rt_buffer *block() {
    tensorc_rt_buffer *made = nullptr;
    EXPECT_OK(tensorc_rt_buffer_allocate(device, size, &made));
    return made;
  }
  uint64_t reserved() { return memory().allocated + memory().cached; }

  tensorc_rt_module *filling = nullptr;
};
} // namespace

TEST_P(FreedMemory, IsTheStreamsOwnAtOnce) {
  if (freesAtOnce())
    GTEST_SKIP() << "nothing is kept under TENSORC_CHECK=memory";
  tensorc_rt_stream *s = stream();
  gate.open = false;
  ASSERT_EQ(callGate(s), "");
  fill(s);
  tensorc_rt_memory_stats before = memory();
  for (int i = 0; i < 10; ++i)
    fill(s);
  EXPECT_EQ(memory().cache_hits - before.cache_hits, 10u);
  EXPECT_EQ(reserved(), before.allocated + before.cached);
  EXPECT_EQ(gate.calls, 0);
}

TEST_P(FreedMemory, IsNobodyElsesWhileAStreamWorksOnIt) {
  if (freesAtOnce())
    GTEST_SKIP() << "nothing is kept under TENSORC_CHECK=memory";
  tensorc_rt_stream *first = stream(), *second = stream();
  tensorc_rt_buffer *from = block(), *to = block(), *copied = block();
  gate.open = false;
  ASSERT_EQ(callGate(first), "");
  ASSERT_OK(tensorc_rt_buffer_copy(to, 0, from, 0, size, first));
  // The result must be the same if another stream has also finished with the
  // buffer. Only reads do not wait for `first`.
  ASSERT_OK(tensorc_rt_buffer_copy(copied, 0, from, 0, size, second));
  EXPECT_OK(tensorc_rt_stream_synchronize(second));
  EXPECT_EQ(tensorc_rt_buffer_references(from), 2u);
  void *taken[] = {tensorc_rt_buffer_data(from), tensorc_rt_buffer_data(to)};
  tensorc_rt_buffer_release(from);
  tensorc_rt_buffer_release(to);
  uint64_t before = reserved();
  tensorc_rt_buffer *other = block();
  for (void *data : taken)
    EXPECT_NE(tensorc_rt_buffer_data(other), data);
  fill(second);
  EXPECT_OK(tensorc_rt_stream_synchronize(second)); // does not wait for `first`
  EXPECT_EQ(gate.calls, 0);
  EXPECT_GE(reserved(), before + 2 * size);
  // The stream that still uses the blocks may reuse them.
  before = reserved();
  fill(first);
  EXPECT_EQ(reserved(), before);
  gate.open = true;
  EXPECT_OK(tensorc_rt_stream_synchronize(first));
  tensorc_rt_buffer *again[] = {block(), block(), block()};
  EXPECT_EQ(reserved(), before);
  for (tensorc_rt_buffer *buffer : again)
    tensorc_rt_buffer_release(buffer);
  tensorc_rt_buffer_release(other);
  tensorc_rt_buffer_release(copied);
}

TEST_P(FreedMemory, GoesBackWhenItsStreamIsDone) {
  tensorc_rt_stream *s = stream();
  gate.open = false;
  ASSERT_EQ(callGate(s), "");
  fill(s);
  EXPECT_GE(memory().cached, size);
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    gate.open = true;
  });
  tensorc_rt_device_trim(device);
  EXPECT_EQ(gate.calls, 1);
  EXPECT_EQ(memory().cached, 0u);
  opener.join();
  tensorc_rt_device_reset_peak(device);
  EXPECT_EQ(memory().peak, memory().allocated);
}

/// Freed memory that a late stream still uses counts as free: at the limit, the
/// stream's next allocations neither fail nor wait.
TEST_P(FreedMemory, CountsAsFree) {
  tensorc_rt_stream *s = stream();
  gate.open = false;
  ASSERT_EQ(callGate(s), "");
  tensorc_rt_device_set_memory_limit(device, memory().allocated + size + 64);
  for (int i = 0; i < 3; ++i)
    fill(s);
  EXPECT_EQ(gate.calls, 0);
}

/// Each thread has its own stream on each of two devices, while another thread
/// reads the statistics. The test is meant for the thread sanitizer, too.
TEST_P(FreedMemory, IsSharedByThreadsOnTwoDevices) {
  int32_t count = tensorc_rt_device_count();
  tensorc_rt_device *devices[] = {device, tensorc_rt_device_get(count - 1)};
  std::atomic<bool> done{false};
  auto work = [&](tensorc_rt_device *on, int seed) {
    tensorc_rt_stream *own = nullptr;
    ASSERT_OK(tensorc_rt_stream_create(on, &own));
    for (int i = 0; i < 20; ++i) {
      std::vector<int> in(static_cast<size_t>(1000 + i * seed), seed), out = in;
      size_t bytes = in.size() * sizeof(int);
      tensorc_rt_buffer *a = nullptr, *b = nullptr;
      tensorc_rt_event *start = nullptr, *stop = nullptr;
      ASSERT_OK(tensorc_rt_buffer_allocate(on, bytes, &a));
      ASSERT_OK(tensorc_rt_buffer_allocate(on, bytes, &b));
      ASSERT_OK(tensorc_rt_event_create(on, &start));
      ASSERT_OK(tensorc_rt_event_create(on, &stop));
      ASSERT_OK(tensorc_rt_event_record(start, own));
      ASSERT_OK(tensorc_rt_buffer_write(a, 0, in.data(), bytes, own));
      ASSERT_OK(tensorc_rt_buffer_copy(b, 0, a, 0, bytes, own));
      ASSERT_OK(tensorc_rt_event_record(stop, own));
      // Makes the default stream, which all threads share, wait for this
      // thread's stream.
      ASSERT_OK(
          tensorc_rt_stream_wait(tensorc_rt_device_default_stream(on), stop));
      tensorc_rt_buffer_release(a);
      ASSERT_OK(tensorc_rt_buffer_read(b, 0, out.data(), bytes, nullptr));
      tensorc_rt_device_properties what;
      tensorc_rt_device_get_properties(on, &what);
      if (what.computes)
        EXPECT_EQ(in, out);
      int64_t time = 0;
      EXPECT_OK(tensorc_rt_event_synchronize(stop));
      EXPECT_OK(tensorc_rt_event_elapsed(start, stop, &time));
      tensorc_rt_buffer_release(b);
      tensorc_rt_event_release(start);
      tensorc_rt_event_release(stop);
    }
    tensorc_rt_stream_release(own);
  };
  std::thread watcher([&] {
    while (!done)
      for (tensorc_rt_device *on : devices) {
        tensorc_rt_memory_stats stats;
        tensorc_rt_device_memory(on, &stats);
        EXPECT_GE(stats.peak, stats.allocated);
        char *blocks = nullptr;
        EXPECT_OK(tensorc_rt_device_memory_snapshot(on, &blocks));
        tensorc_rt_string_free(blocks);
        tensorc_rt_device_trim(on);
        tensorc_rt_device_reset_peak(on);
        EXPECT_OK(tensorc_rt_device_synchronize(on));
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
  });
  std::vector<std::thread> workers;
  for (int i = 0; i < 4; ++i)
    workers.emplace_back(work, devices[i % 2], i + 1);
  for (std::thread &worker : workers)
    worker.join();
  done = true;
  watcher.join();
}

TEST_P(FreedMemory, IsEnoughOrTheRunDoesNotBegin) {
  if (freesAtOnce())
    GTEST_SKIP()
        << "parts of an arena are allocated under TENSORC_CHECK=memory";
  TestPackage package;
  package.strings = {"cts.gate", ""};
  package.targets = {properties.target};
  package.add(Op::CustomCall, {0, 1, 1, 0, 0, 0});
  package.add(Op::Const, {0, size, 0});
  package.add(Op::Alloc, {1, 0});
  package.add(Op::Fill, {1, 0, 4});
  package.add(Op::Return, {0, 0});
  std::string bytes = package.bytes();
  tensorc_rt_module *calling = nullptr;
  ASSERT_OK(tensorc_rt_load_bytes(device, bytes.data(), bytes.size(),
                                  TENSORC_RT_COPY, nullptr, nullptr, &calling));
  int64_t four = 4;
  tensorc_rt_arg arg = {x, 0, &four, 1, TENSORC_RT_F32};
  tensorc_rt_stream *s = stream();
  auto run = [&] {
    return take(tensorc_rt_run(tensorc_rt_module_entry(calling, 0), &arg, 1,
                               nullptr, 0, s));
  };
  tensorc_rt_device_set_memory_limit(device, memory().allocated + size - 1);
  tensorc_rt_run_stats before, after;
  tensorc_rt_device_run_stats(device, &before);
  EXPECT_NE(run().find("would pass the limit of"), std::string::npos);
  EXPECT_OK(tensorc_rt_stream_synchronize(s));
  tensorc_rt_device_run_stats(device, &after);
  EXPECT_EQ(after.custom_calls, before.custom_calls);
  EXPECT_EQ(gate.calls, 0);
  tensorc_rt_device_set_memory_limit(device, memory().allocated + size);
  EXPECT_EQ(run(), "");
  EXPECT_OK(tensorc_rt_stream_synchronize(s));
  EXPECT_EQ(gate.calls, 1);
  tensorc_rt_module_release(calling);
}

TEST_P(FreedMemory, IsInSnapshots) {
  if (freesAtOnce())
    GTEST_SKIP() << "blocks are not cached under TENSORC_CHECK=memory";
  auto snapshot = [&] {
    char *text = nullptr;
    EXPECT_OK(tensorc_rt_device_memory_snapshot(device, &text));
    std::string json = text ? text : "";
    tensorc_rt_string_free(text);
    return json;
  };
  auto has = [](const std::string &json, const char *part) {
    return json.find(part) != std::string::npos;
  };
  tensorc_rt_device_trim(device);
  ASSERT_OK(tensorc_rt_device_record_memory(device, 1));
  tensorc_rt_buffer *first, *second;
  ASSERT_OK(tensorc_rt_buffer_allocate(device, 1000, &first));
  ASSERT_OK(tensorc_rt_buffer_allocate(device, 70000, &second));
  tensorc_rt_buffer_set_origin(first, "a\"pp.cpp", 3);
  tensorc_rt_buffer_set_origin(second, "app.cpp", 4);
  std::string json = snapshot();
  EXPECT_TRUE(has(json, "\"requested\": 1000, \"begin\": ")) << json;
  EXPECT_TRUE(has(json, "\"line\": \"a\\\"pp.cpp:3\", \"state\": \"used\""))
      << json;
  EXPECT_FALSE(has(json, "\"end\"")) << json;
  EXPECT_TRUE(has(json, "\"fragmentation\": 0.0000")) << json;
  tensorc_rt_buffer_release(first);
  tensorc_rt_buffer_release(second);
  // The record has room for one block: the one that was released last.
  json = snapshot();
  EXPECT_TRUE(has(json, "\"line\": \"app.cpp:4\", \"state\": \"released\""))
      << json;
  EXPECT_FALSE(has(json, ":3\"")) << json;
  EXPECT_TRUE(has(json, "\"bytes\": 1024, \"state\": \"cached\"")) << json;
  EXPECT_TRUE(has(json, "\"fragmentation\": 0.01")) << json;
  ASSERT_OK(tensorc_rt_device_record_memory(device, 0));
  EXPECT_TRUE(has(snapshot(), "\"timeline\": []"));
}

/// A loop does not keep the memory of all iterations until the run ends.
TEST_P(FreedMemory, OfAnIterationServesTheNextOnes) {
  if (freesAtOnce())
    GTEST_SKIP() << "nothing is kept under TENSORC_CHECK=memory";
  constexpr uint32_t iterations = 1000, bytes = 1 << 17;
  TestPackage package;
  package.targets = {properties.target};
  package.add(Op::Const, {0, bytes, 0});
  package.add(Op::Const, {1, 1, 0});
  package.add(Op::Const, {2, iterations, 0});
  package.add(Op::Const, {3, 0, 0});
  auto head = static_cast<uint32_t>(package.code.size());
  package.add(Op::Alloc, {1, 0});
  package.add(Op::View, {2, 1, 3, 0}); // A block is free after its views.
  package.add(Op::Fill, {2, 0, 4});
  package.add(Op::Sub, {2, 2, 1});
  auto exit = static_cast<uint32_t>(package.code.size());
  package.add(Op::JumpIfZero, {2, exit + 5});
  package.add(Op::Jump, {head});
  package.add(Op::Return, {0, 0});
  std::string code = package.bytes();
  tensorc_rt_module *loop = nullptr;
  ASSERT_OK(tensorc_rt_load_bytes(device, code.data(), code.size(),
                                  TENSORC_RT_COPY, nullptr, nullptr, &loop));
  int64_t four = 4;
  tensorc_rt_arg arg = {x, 0, &four, 1, TENSORC_RT_F32};
  tensorc_rt_stream *s = stream();
  tensorc_rt_device_reset_peak(device);
  uint64_t before = memory().allocated;
  EXPECT_OK(
      tensorc_rt_run(tensorc_rt_module_entry(loop, 0), &arg, 1, nullptr, 0, s));
  EXPECT_OK(tensorc_rt_stream_synchronize(s));
  // Up to 16 MiB are kept, see Retired::maxBytes.
  EXPECT_LT(memory().peak - before, iterations * bytes / 5);
  // The memory of two iterations suffices.
  tensorc_rt_device_set_memory_limit(device, memory().allocated + 2 * bytes);
  EXPECT_OK(
      tensorc_rt_run(tensorc_rt_module_entry(loop, 0), &arg, 1, nullptr, 0, s));
  EXPECT_OK(tensorc_rt_stream_synchronize(s));
  tensorc_rt_device_set_memory_limit(device, 0);
  tensorc_rt_module_release(loop);
}

INSTANTIATE_TEST_SUITE_P(Drivers, FreedMemory,
                         testing::ValuesIn(firstDevices()), nameOf);
