//===- Fixture.h - a package that uses most of the runtime ------*- C++ -*-===//
#ifndef TENSORC_TESTS_UNIT_RUNTIME_FIXTURE_H
#define TENSORC_TESTS_UNIT_RUNTIME_FIXTURE_H

#include "runtime/cts/TestPackage.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace tensorc::rt::test {

using cts::take;

/// The CPU, or the end of the test program.
inline tensorc_rt_device *cpu() {
  tensorc_rt_device *device = nullptr;
  if (!take(tensorc_rt_device_find("cpu", &device)).empty())
    std::abort();
  return device;
}

/// The kernel `through_scratch`, and a program's beginning: words for its
/// launch, and buffers 1 and 2 of 1000 numbers, the first filled.
inline cts::TestPackage busyParts() {
  cts::TestPackage package;
  std::ifstream file(TENSORC_TEST_KERNELS, std::ios::binary);
  package.image.assign(std::istreambuf_iterator<char>(file), {});
  package.kernels = {"through_scratch"};
  package.arities = {2};
  package.words = 8;
  package.add(Op::Const, {0, 1000, 0});
  package.add(Op::Const, {1, 4000, 0});
  package.add(Op::Const, {2, 64, 0});
  package.add(Op::Const, {3, 16, 0});
  package.add(Op::Const, {4, 0, 0});
  package.add(Op::Const, {5, 41, 0});
  package.add(Op::Alloc, {1, 1});
  package.add(Op::Alloc, {2, 1});
  package.add(Op::Fill, {1, 5, 4});
  return package;
}

/// A program that fills 1000 numbers, adds 1 to each in a kernel on several
/// threads, with scratch, and copies four of them to its argument. With a name
/// it makes a custom call in between.
inline std::string busyPackage(const std::string &customCall = "") {
  cts::TestPackage package = busyParts();
  package.strings = {customCall, ""};
  package.add(Op::Launch, {0, 0, 3, 2, 0, 2, 0, 0, 1, 2, 0, 0, 0});
  if (!customCall.empty())
    package.add(Op::CustomCall, {0, 1, 0, 1, 0, 2});
  package.add(Op::View, {3, 2, 4, 3});
  package.add(Op::Copy, {3, 0});
  package.add(Op::Return, {0, 0});
  return package.bytes();
}

inline tensorc_rt_module *loaded(const std::string &bytes) {
  tensorc_rt_module *module = nullptr;
  if (!take(tensorc_rt_load_bytes(cpu(), bytes.data(), bytes.size(),
                                  TENSORC_RT_COPY, nullptr, nullptr, &module))
           .empty())
    std::abort();
  return module;
}

/// Runs the program and waits; returns "" if the results are right.
inline std::string runBusy(const tensorc_rt_module *module,
                           tensorc_rt_stream *stream) {
  tensorc_rt_buffer *x = nullptr;
  std::string message = take(
      tensorc_rt_buffer_allocate(tensorc_rt_module_device(module), 16, &x));
  int64_t four = 4;
  tensorc_rt_arg arg = {x, 0, &four, 1, TENSORC_RT_F32};
  int32_t values[4] = {};
  if (message.empty())
    message = take(tensorc_rt_run(tensorc_rt_module_entry(module, 0), &arg, 1,
                                  nullptr, 0, stream));
  if (message.empty())
    message = take(tensorc_rt_buffer_read(x, 0, values, 16, stream));
  tensorc_rt_buffer_release(x);
  for (int32_t value : values)
    if (message.empty() && value != 42)
      message = "computed " + std::to_string(value);
  return message;
}

/// Loads, runs, and uses streams and events; returns "" on success.
inline std::string useEverything() {
  tensorc_rt_module *module = loaded(busyPackage());
  std::string message = runBusy(module, nullptr);
  tensorc_rt_stream *stream = nullptr;
  tensorc_rt_event *event = nullptr;
  for (tensorc_rt_status *status : {tensorc_rt_stream_create(cpu(), &stream),
                                    tensorc_rt_event_create(cpu(), &event)})
    message += take(status);
  if (message.empty())
    message = runBusy(module, stream);
  if (message.empty())
    message = take(tensorc_rt_event_record(event, stream));
  if (message.empty())
    message = take(tensorc_rt_event_synchronize(event));
  tensorc_rt_event_release(event);
  tensorc_rt_stream_release(stream);
  tensorc_rt_module_release(module);
  return message;
}

} // namespace tensorc::rt::test

#endif
