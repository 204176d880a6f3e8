//===- BufferTest.cpp - conformance: buffers and memory -------------------===//
#include "runtime/cts/Conformance.h"

#include <cstring>

using namespace tensorc::rt::cts;

TEST_P(Conformance, BuffersAreAligned) {
  for (size_t size : {0, 1, 63, 64, 65, 1000, 1025, 4097, 100000, 3 << 20}) {
    tensorc_rt_buffer *b = buffer(size);
    EXPECT_EQ(tensorc_rt_buffer_size(b), size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensorc_rt_buffer_data(b)) % 64, 0u);
    EXPECT_EQ(tensorc_rt_buffer_device(b), device);
    EXPECT_EQ(tensorc_rt_buffer_references(b), 1u);
  }
}

TEST_P(Conformance, WritesReadBack) {
  if (!properties.computes)
    GTEST_SKIP() << "the device does not keep data";
  std::vector<int32_t> in(1000), out(1000);
  std::iota(in.begin(), in.end(), 0);
  tensorc_rt_buffer *b = buffer(4000);
  ASSERT_OK(tensorc_rt_buffer_write(b, 0, in.data(), 4000, nullptr));
  ASSERT_OK(tensorc_rt_buffer_read(b, 0, out.data(), 4000, nullptr));
  EXPECT_EQ(in, out);
  ASSERT_OK(tensorc_rt_buffer_read(b, 400, out.data(), 4, nullptr));
  EXPECT_EQ(out[0], 100);
}

TEST_P(Conformance, ResultsThatAreNotComputedAreZeros) {
  if (properties.computes)
    GTEST_SKIP() << "the device computes";
  // Small blocks and mapped blocks, which are written in place and read on both
  // kinds of streams.
  for (size_t size : {size_t(4000), size_t(4) << 20}) {
    std::string ones(size, '\1'), out(size, '\2');
    tensorc_rt_buffer *b = buffer(size);
    for (tensorc_rt_stream *on :
         {static_cast<tensorc_rt_stream *>(nullptr), stream()}) {
      ASSERT_OK(tensorc_rt_buffer_write(b, 0, ones.data(), size, on));
      ASSERT_OK(tensorc_rt_buffer_read(b, 0, out.data(), size, on));
      EXPECT_EQ(out, std::string(size, '\0'));
    }
    EXPECT_EQ(std::memcmp(tensorc_rt_buffer_data(b), out.data(), size), 0);
  }
}

TEST_P(Conformance, CopiesParts) {
  if (!properties.computes)
    GTEST_SKIP() << "the device does not keep data";
  std::vector<int32_t> in(64), out(64);
  std::iota(in.begin(), in.end(), 0);
  tensorc_rt_buffer *a = buffer(256), *b = buffer(256);
  ASSERT_OK(tensorc_rt_buffer_write(a, 0, in.data(), 256, nullptr));
  ASSERT_OK(tensorc_rt_buffer_copy(b, 128, a, 64, 64, nullptr));
  ASSERT_OK(tensorc_rt_buffer_read(b, 0, out.data(), 256, nullptr));
  EXPECT_EQ(out[32], 16);
  EXPECT_EQ(out[47], 31);
}

TEST_P(Conformance, RangesOutsideAreRefused) {
  tensorc_rt_buffer *a = buffer(100), *b = buffer(50);
  char bytes[100] = {};
  constexpr size_t huge = SIZE_MAX - 10;
  EXPECT_NE(take(tensorc_rt_buffer_copy(b, 0, a, 0, 100, nullptr)), "");
  EXPECT_NE(take(tensorc_rt_buffer_copy(b, 50, a, 0, 1, nullptr)), "");
  EXPECT_NE(take(tensorc_rt_buffer_copy(b, huge, a, 0, 20, nullptr)), "");
  EXPECT_NE(take(tensorc_rt_buffer_write(b, 1, bytes, 50, nullptr)), "");
  EXPECT_NE(take(tensorc_rt_buffer_read(b, huge, bytes, 50, nullptr)), "");
  EXPECT_EQ(take(tensorc_rt_buffer_copy(b, 50, a, 100, 0, nullptr)), "");
  tensorc_rt_buffer *view = nullptr;
  EXPECT_NE(take(tensorc_rt_buffer_view(a, 64, 37, &view)), "");
  EXPECT_NE(take(tensorc_rt_buffer_view(a, huge, 64, &view)), "");
  EXPECT_NE(take(tensorc_rt_buffer_view(a, 32, 8, &view)), "");
  EXPECT_EQ(view, nullptr);
}

TEST_P(Conformance, ViewsKeepTheWholeAlive) {
  tensorc_rt_buffer *whole = nullptr, *view = nullptr;
  ASSERT_OK(tensorc_rt_buffer_allocate(device, 256, &whole));
  ASSERT_OK(tensorc_rt_buffer_view(whole, 64, 128, &view));
  EXPECT_EQ(tensorc_rt_buffer_references(whole), 2u);
  EXPECT_EQ(tensorc_rt_buffer_size(view), 128u);
  EXPECT_EQ(tensorc_rt_buffer_data(view),
            static_cast<char *>(tensorc_rt_buffer_data(whole)) + 64);
  uint64_t before = memory().allocated;
  tensorc_rt_buffer_release(whole);
  EXPECT_EQ(memory().allocated, before);
  tensorc_rt_buffer_release(view);
  EXPECT_LT(memory().allocated, before);
}

TEST_P(Conformance, WrappedMemoryIsGivenBackOnce) {
  if (!properties.host_visible)
    GTEST_SKIP() << "the device cannot use the host's memory";
  alignas(64) static char bytes[192];
  int deleted = 0;
  auto count = [](void *user, void *data) {
    EXPECT_EQ(data, bytes);
    ++*static_cast<int *>(user);
  };
  tensorc_rt_buffer *b = nullptr, *view = nullptr;
  ASSERT_OK(tensorc_rt_buffer_wrap(device, bytes, 192, count, &deleted, &b));
  EXPECT_EQ(tensorc_rt_buffer_data(b), bytes);
  ASSERT_OK(tensorc_rt_buffer_view(b, 128, 64, &view));
  tensorc_rt_buffer_retain(b);
  tensorc_rt_buffer_release(b);
  tensorc_rt_buffer_release(b);
  EXPECT_EQ(deleted, 0);
  tensorc_rt_buffer_release(view);
  EXPECT_EQ(deleted, 1);
  // Devices that share the host's memory accept any address, because their
  // kernels can access elements at any address.
  auto countOnly = [](void *user, void *) { ++*static_cast<int *>(user); };
  ASSERT_OK(
      tensorc_rt_buffer_wrap(device, bytes + 4, 8, countOnly, &deleted, &b));
  EXPECT_EQ(tensorc_rt_buffer_data(b), bytes + 4);
  tensorc_rt_buffer_release(b);
  EXPECT_EQ(deleted, 2);
}

TEST_P(Conformance, MemoryIsCountedAndCached) {
  if (freesAtOnce())
    GTEST_SKIP() << "nothing is kept under TENSORC_CHECK=memory";
  tensorc_rt_device_trim(device);
  tensorc_rt_device_reset_peak(device);
  tensorc_rt_memory_stats start = memory();
  EXPECT_EQ(start.cached, 0u);
  tensorc_rt_buffer *b = nullptr;
  ASSERT_OK(tensorc_rt_buffer_allocate(device, 100000, &b));
  EXPECT_GE(memory().allocated, start.allocated + 100000);
  EXPECT_LE(memory().allocated, start.allocated + 100000 * 9 / 8 + 64);
  tensorc_rt_buffer_release(b);
  EXPECT_EQ(memory().allocated, start.allocated);
  EXPECT_GE(memory().peak, start.allocated + 100000);
  EXPECT_GE(memory().cached, 100000u);
  ASSERT_OK(tensorc_rt_buffer_allocate(device, 99000, &b));
  EXPECT_EQ(memory().cache_hits, start.cache_hits + 1);
  tensorc_rt_buffer_release(b);
  tensorc_rt_device_trim(device);
  EXPECT_EQ(memory().cached, 0u);
}

TEST_P(Conformance, EverySizeIsServed) {
  for (size_t size = 1; size < (size_t(1) << 23); size += 1 + size / 7) {
    tensorc_rt_buffer *b = nullptr;
    ASSERT_OK(tensorc_rt_buffer_allocate(device, size, &b));
    if (properties.host_visible)
      std::memset(tensorc_rt_buffer_data(b), 0xab, size);
    tensorc_rt_buffer_release(b);
  }
  tensorc_rt_device_trim(device);
}

TEST_P(Conformance, TheLimitHolds) {
  tensorc_rt_device_set_memory_limit(device, memory().allocated + 100000);
  tensorc_rt_buffer *b = nullptr, *c = nullptr;
  ASSERT_OK(tensorc_rt_buffer_allocate(device, 60000, &b));
  tensorc_rt_status *status = tensorc_rt_buffer_allocate(device, 60000, &c);
  EXPECT_EQ(tensorc_rt_status_code(status), TENSORC_RT_OUT_OF_MEMORY);
  EXPECT_EQ(c, nullptr);
  tensorc_rt_status_free(status);
  tensorc_rt_buffer_release(b);
  ASSERT_OK(tensorc_rt_buffer_allocate(device, 60000, &c));
  tensorc_rt_buffer_release(c);
}

TEST_P(Conformance, ImpossibleSizesAreAnError) {
  for (size_t size : {SIZE_MAX, SIZE_MAX / 2, size_t(1) << 60}) {
    tensorc_rt_buffer *b = nullptr;
    tensorc_rt_status *status = tensorc_rt_buffer_allocate(device, size, &b);
    EXPECT_EQ(tensorc_rt_status_code(status), TENSORC_RT_OUT_OF_MEMORY);
    EXPECT_EQ(b, nullptr);
    tensorc_rt_status_free(status);
  }
}
