//===- StressTest.cpp - everything at once, for the thread sanitizer ------===//
#include "tests/runtime/core/Fixture.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

using namespace tensorc::rt;
using namespace tensorc::rt::test;

/// One of the things that threads do; `shared` objects are used by all.
static void act(int what, int round, tensorc_rt_module *module,
                tensorc_rt_stream *stream, tensorc_rt_event *event) {
  switch (what % 8) {
  case 0:
    EXPECT_EQ(useEverything(), "");
    break;
  case 1:
    EXPECT_EQ(runBusy(module, stream), "");
    break;
  case 2:
    EXPECT_EQ(runBusy(module, nullptr), "");
    break;
  case 3:
    EXPECT_EQ(take(tensorc_rt_event_record(event, stream)), "");
    EXPECT_EQ(take(tensorc_rt_event_synchronize(event)), "");
    break;
  case 4:
    tensorc_rt_set_num_threads(1 + round % 4);
    break;
  case 5: // High enough for all; the number itself is what is written.
    tensorc_rt_device_set_memory_limit(cpu(), (1u << 30) + round);
    tensorc_rt_device_trim(cpu());
    tensorc_rt_device_reset_peak(cpu());
    break;
  case 6: {
    std::string name = "stress." + std::to_string(round);
    tensorc_rt_status_free(tensorc_rt_register_custom_call(
        name.c_str(),
        [](const tensorc_rt_custom_call *) -> tensorc_rt_status * {
          return nullptr;
        },
        nullptr));
    static std::atomic<int> launches{0};
    tensorc_rt_set_launch_hook(
        round % 2 ? nullptr
                  : [](void *user,
                       const tensorc_rt_launch_record
                           *) { ++*static_cast<std::atomic<int> *>(user); },
        &launches);
    break;
  }
  default:
    tensorc_rt_module_retain(module);
    tensorc_rt_stream_retain(stream);
    EXPECT_EQ(take(tensorc_rt_stream_wait(stream, event)), "");
    tensorc_rt_memory_stats memory;
    tensorc_rt_run_stats runs;
    tensorc_rt_device_memory(cpu(), &memory);
    tensorc_rt_device_run_stats(cpu(), &runs);
    (void)tensorc_rt_stream_query(stream);
    (void)tensorc_rt_event_query(event);
    tensorc_rt_stream_release(stream);
    tensorc_rt_module_release(module);
  }
}

TEST(Stress, ThreadsDoEverythingAtOnce) {
  tensorc_rt_module *module = loaded(busyPackage());
  tensorc_rt_stream *stream = nullptr;
  tensorc_rt_event *event = nullptr;
  ASSERT_EQ(take(tensorc_rt_stream_create(cpu(), &stream)), "");
  ASSERT_EQ(take(tensorc_rt_event_create(cpu(), &event)), "");
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([=] {
      for (int round = 0; round < 200; ++round)
        act(t + round, round, module, stream, event);
    });
  for (std::thread &thread : threads)
    thread.join();
  tensorc_rt_set_launch_hook(nullptr, nullptr);
  tensorc_rt_device_set_memory_limit(cpu(), 0);
  tensorc_rt_set_num_threads(0);
  tensorc_rt_event_release(event);
  tensorc_rt_stream_release(stream);
  tensorc_rt_module_release(module);
  tensorc_rt_memory_stats memory;
  tensorc_rt_device_memory(cpu(), &memory);
  EXPECT_EQ(memory.allocated, 0u);
}
