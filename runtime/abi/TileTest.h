//===- TileTest.h - a product that tests matrix instructions ----*- C++ -*-===//
//
// The layouts of tiles in registers and in shared memory were taken from
// manuals and tested only on our own simulator. A device that uses other
// layouts would silently compute wrong numbers. Therefore a product of small
// integers, whose sums are exact in every order, is computed first. It has rows
// beyond the last full tile, and more slices of K than a pipeline has stages.
// The compiler tests a device for which it compiles; the runtime tests a
// package's code with the test program that is stored beside it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_ABI_TILETEST_H
#define TENSORC_RUNTIME_ABI_TILETEST_H

#include "runtime/include/tensorc/runtime.h"

#include <bit>
#include <cstdlib>
#include <utility>
#include <vector>

namespace tensorc::rt::tiletest {

/// Sizes of the product [M, K] x [K, N]. The program has a symbol for M,
/// because the skeletons for large products do not check symbolic sizes.
inline constexpr int64_t numRows = 136, numColumns = 256, numSteps = 320;

/// Returns the bits of an integer of at most 11 bits as f16.
inline uint16_t toHalf(int value) {
  if (!value)
    return 0;
  auto magnitude = static_cast<unsigned>(std::abs(value));
  auto exponent = static_cast<unsigned>(std::bit_width(magnitude)) - 1;
  unsigned mantissa = magnitude << (10 - exponent) & 0x3ff;
  return static_cast<uint16_t>(unsigned{value < 0} << 15 |
                               (exponent + 15) << 10 | mantissa);
}

/// Returns `count` integers from -2 to 2.
inline std::vector<int> makeNumbers(int64_t count, uint32_t state) {
  std::vector<int> numbers;
  for (int64_t i = 0; i < count; ++i) {
    state = state * 1664525 + 1013904223;
    numbers.push_back(static_cast<int>((state >> 16) % 5) - 2);
  }
  return numbers;
}

/// Returns the exact product. Its elements are below 2048, so f16 represents
/// them.
inline std::vector<uint16_t> multiplyExactly(const std::vector<int> &x,
                                             const std::vector<int> &y) {
  std::vector<int> sums(numRows * numColumns);
  for (int64_t i = 0; i < numRows; ++i)
    for (int64_t k = 0; k < numSteps; ++k)
      for (int64_t j = 0; j < numColumns; ++j)
        sums[static_cast<size_t>(i * numColumns + j)] +=
            x[static_cast<size_t>(i * numSteps + k)] *
            y[static_cast<size_t>(k * numColumns + j)];
  std::vector<uint16_t> halves;
  for (int sum : sums)
    halves.push_back(toHalf(sum));
  return halves;
}

/// Releases the buffers of a run.
struct Buffers {
  ~Buffers() {
    for (tensorc_rt_buffer *buffer : all)
      tensorc_rt_buffer_release(buffer);
  }
  std::vector<tensorc_rt_buffer *> all;
};

/// Runs the test program, and sets the number of wrong elements. Returns null
/// or an error, which the caller frees.
inline tensorc_rt_status *countWrong(tensorc_rt_device *device,
                                     const tensorc_rt_entry *entry,
                                     int64_t &wrong) {
  const std::vector<int> x = makeNumbers(numRows * numSteps, 1),
                         y = makeNumbers(numSteps * numColumns, 2);
  const int64_t dims[2][2] = {{numRows, numSteps}, {numSteps, numColumns}};
  Buffers buffers;
  std::vector<tensorc_rt_arg> arguments;
  for (const std::vector<int> *numbers : {&x, &y}) {
    std::vector<uint16_t> halves;
    for (int number : *numbers)
      halves.push_back(toHalf(number));
    size_t bytes = halves.size() * sizeof(uint16_t);
    tensorc_rt_buffer *buffer = nullptr;
    if (tensorc_rt_status *status =
            tensorc_rt_buffer_allocate(device, bytes, &buffer))
      return status;
    buffers.all.push_back(buffer);
    if (tensorc_rt_status *status =
            tensorc_rt_buffer_write(buffer, 0, halves.data(), bytes, nullptr))
      return status;
    arguments.push_back({buffer, 0, dims[arguments.size()], 2, TENSORC_RT_F16});
  }
  tensorc_rt_output output{};
  // Without the thread's deadline, which says nothing about the device.
  tensorc_rt_run_options options{};
  options.struct_size = sizeof(options);
  if (tensorc_rt_status *status = tensorc_rt_run_with(
          entry, arguments.data(), 2, &output, 1, nullptr, &options))
    return status;
  buffers.all.push_back(output.buffer);
  const std::vector<uint16_t> expected = multiplyExactly(x, y);
  std::vector<uint16_t> actual(expected.size());
  if (tensorc_rt_status *status =
          tensorc_rt_buffer_read(output.buffer, 0, actual.data(),
                                 actual.size() * sizeof(uint16_t), nullptr))
    return status;
  wrong = 0;
  // An exact sum may be -0 if all products are -0.
  for (size_t i = 0; i < expected.size(); ++i)
    wrong +=
        actual[i] != expected[i] && !(expected[i] == 0 && actual[i] == 0x8000);
  return nullptr;
}

} // namespace tensorc::rt::tiletest

#endif
