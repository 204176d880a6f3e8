//===- DLPackOnGpusTest.cpp - Arrays of other frameworks on GPUs ----------===//
//
// On the libraries of tests/runtime/fakes. The other framework is played by
// their entry points: streams that wait for a gate, and copies behind it.
//
//===----------------------------------------------------------------------===//

#include "compiler/api/DLPackAbi.h"
#include "runtime/drivers/gpu/GpuApi.h"
#include "tensorc/dlpack.hpp"
#include "tensorc/package.hpp"
#include "tensorc/tensorc.hpp"
#include "tests/compiler/graph/ErrorOf.h"

#include <gtest/gtest.h>

#include <atomic>
#include <dlfcn.h>
#include <thread>

using namespace tensorc;
using namespace tensorc::rt::gpu;

namespace {
// DLPack's numbers of devices.
constexpr int32_t kDLCUDA = 2, kDLCUDAHost = 3, kDLROCM = 10, kDLROCMHost = 11;

struct Kind {
  const char *name, *library;
  int32_t type, pinnedType; // DLPack's
  const char *copy, *hostFunction;
};
constexpr Kind kinds[] = {{"cuda", "libcuda.so.1", kDLCUDA, kDLCUDAHost,
                           "cuMemcpyDtoDAsync_v2", "cuLaunchHostFunc"},
                          {"rocm", "libamdhip64.so", kDLROCM, kDLROCMHost,
                           "hipMemcpyDtoDAsync", "hipLaunchHostFunc"}};

/// Work of a stream does not go on before it is opened.
struct Gate {
  std::atomic<bool> isOpen{false};
  ~Gate() { isOpen = true; }
  static void pass(void *gate) {
    while (!static_cast<Gate *>(gate)->isOpen)
      std::this_thread::yield();
  }
};

class DLPackOnGpus : public testing::TestWithParam<Kind> {
protected:
  void SetUp() override {
    library = dlopen(GetParam().library, RTLD_NOW);
    ASSERT_TRUE(library) << dlerror();
    Stream opened(device(0)); // initializes the library
    if (GetParam().type == kDLROCM) {
      ASSERT_EQ(entry<Result(int)>("hipSetDevice")(0), success);
      return;
    }
    void *context = nullptr;
    ASSERT_EQ(entry<Result(void **, Ordinal)>("cuDevicePrimaryCtxRetain")(
                  &context, 0),
              success);
    ASSERT_EQ(entry<Result(void *)>("cuCtxPushCurrent_v2")(context), success);
  }
  std::string device(int index = 0) const {
    return GetParam().name + (":" + std::to_string(index));
  }
  template <typename F> F *entry(const char *name) const {
    return reinterpret_cast<F *>(dlsym(library, name));
  }
  /// What other frameworks do with a stream.
  void hold(const Stream &stream, Gate &gate) const {
    auto *call =
        entry<Result(Stream_t, HostFunction, void *)>(GetParam().hostFunction);
    EXPECT_EQ(call(static_cast<Stream_t>(stream.native()), Gate::pass, &gate),
              success);
  }
  void copy(void *to, const void *from, size_t size,
            const Stream &stream) const {
    auto *call =
        entry<Result(void *, const void *, size_t, Stream_t)>(GetParam().copy);
    EXPECT_EQ(call(to, from, size, static_cast<Stream_t>(stream.native())),
              success);
  }
  /// The value's memory, to be written behind tensorc's back.
  static void *dataOf(const Tensor &x) {
    tensorc_rt_buffer *buffer = nullptr;
    detail::check(tensorc_tensor_buffer(x.raw(), &buffer));
    void *data = tensorc_rt_buffer_data(buffer);
    tensorc_rt_buffer_release(buffer);
    return data;
  }
  Tensor filled(float value) const {
    Tensor x = full({count}, value, {.device = device()}) + 0;
    return x.eval();
  }

  static constexpr int64_t count = 1000;
  static constexpr size_t bytes = count * sizeof(float);
  void *library = nullptr;
};

/// An array of another framework over memory that stays.
struct Foreign {
  int64_t shape = 1000;
  DLManagedTensorVersioned managed = {};
  int deleted = 0;

  Foreign(void *data, int32_t type, int32_t index) {
    managed.version = {1, 0};
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensorVersioned *self) {
      ++static_cast<Foreign *>(self->manager_ctx)->deleted;
    };
    managed.dl_tensor = {data,   {type, index}, 1, {kDLFloat, 32, 1},
                         &shape, nullptr,       0};
  }
};
} // namespace

TEST_P(DLPackOnGpus, SharesMemory) {
  DeviceGuard guard(device(1));
  Tensor x = arange(6, f32).reshape({2, 3}) + 1;
  DLManagedTensorVersioned *array = to_dlpack(x);
  const DLTensor &given = array->dl_tensor;
  EXPECT_EQ(given.device.device_type, GetParam().type);
  EXPECT_EQ(given.device.device_id, 1);
  EXPECT_EQ(given.data, dataOf(x));
  Tensor y = from_dlpack(array);
  EXPECT_EQ(y.device().name, device(1));
  EXPECT_EQ(dataOf(y), dataOf(x));
  EXPECT_EQ((y * 2).to_vector<float>(),
            (std::vector<float>{2, 4, 6, 8, 10, 12}));
  DLManagedTensor *older = to_dlpack_unversioned(x);
  EXPECT_NE(older->dl_tensor.data, dataOf(x));
  EXPECT_EQ(older->dl_tensor.device.device_id, 1);
  EXPECT_EQ(from_dlpack(older).to_vector<float>(), x.to_vector<float>());
}

TEST_P(DLPackOnGpus, NamesDevicesByNumbers) {
  tensorc_rt_device *found = nullptr;
  detail::check(tensorc_dlpack_find_device(GetParam().type, 1, &found));
  EXPECT_EQ(Device(found).name, device(1));
  int32_t type = 0, id = 0;
  tensorc_dlpack_device(found, &type, &id);
  EXPECT_EQ(type, GetParam().type);
  EXPECT_EQ(id, 1);
  detail::check(tensorc_dlpack_find_device(GetParam().pinnedType, 1, &found));
  EXPECT_EQ(Device(found).name, "cpu:0");
}

TEST_P(DLPackOnGpus, ReadersWaitForTheProducer) {
  DeviceGuard guard(device());
  Tensor memory = filled(0), ones = filled(1);
  Foreign array(dataOf(memory), GetParam().type, 0);
  Stream stream(device());
  Gate gate;
  hold(stream, gate);
  copy(dataOf(memory), dataOf(ones), bytes, stream);
  {
    Tensor x =
        from_dlpack(&array.managed, Stream::wrap(device(), stream.native()));
    Tensor y = x + 1;
    y.eval();
    EXPECT_FALSE(y.is_ready());
    gate.isOpen = true;
    EXPECT_EQ(y.to_vector<float>(), std::vector<float>(count, 2));
    EXPECT_EQ(array.deleted, 0);
  }
  synchronize();
  EXPECT_EQ(array.deleted, 1);
}

TEST_P(DLPackOnGpus, TheReceiverWaitsForTheValue) {
  DeviceGuard guard(device());
  Tensor result = filled(0), base = filled(6);
  Stream theirs(device());
  Gate gate;
  hold(current_stream(device()), gate);
  DLManagedTensorVersioned *array =
      to_dlpack(base + 1, Stream::wrap(device(), theirs.native()));
  EXPECT_FALSE(gate.isOpen) << "it did not wait";
  copy(dataOf(result), array->dl_tensor.data, bytes, theirs);
  EXPECT_FALSE(theirs.query());
  gate.isOpen = true;
  theirs.synchronize();
  EXPECT_EQ(result.to_vector<float>(), std::vector<float>(count, 7));
  array->deleter(array);
}

TEST_P(DLPackOnGpus, MemoryIsKeptFromOthersUntilTheReceiverIsDone) {
  DeviceGuard guard(device());
  Tensor result = filled(0);
  Stream theirs(device());
  DLManagedTensorVersioned *array =
      to_dlpack(filled(7), Stream::wrap(device(), theirs.native()));
  theirs.synchronize();
  Gate gate;
  hold(theirs, gate);
  copy(dataOf(result), array->dl_tensor.data, bytes, theirs);
  array->deleter(array);
  for (int i = 0; i < 4; ++i)
    filled(9); // takes memory of this size
  gate.isOpen = true;
  theirs.synchronize();
  EXPECT_EQ(result.to_vector<float>(), std::vector<float>(count, 7));
}

TEST_P(DLPackOnGpus, AStreamIsHeldUntilTheDeleter) {
  DeviceGuard guard(device());
  Tensor result = filled(0);
  Gate gate;
  DLManagedTensorVersioned *array = nullptr;
  {
    Stream theirs(device());
    array = to_dlpack(filled(7), theirs);
    theirs.synchronize();
    hold(theirs, gate);
    copy(dataOf(result), array->dl_tensor.data, bytes, theirs);
  } // does not wait: the array holds the stream
  EXPECT_FALSE(gate.isOpen);
  gate.isOpen = true;
  array->deleter(array);
  synchronize();
  EXPECT_EQ(result.to_vector<float>(), std::vector<float>(count, 7));
}

TEST_P(DLPackOnGpus, WithoutAStreamTheDeleterAsksNone) {
  DeviceGuard guard(device());
  Tensor result = filled(0);
  DLManagedTensorVersioned *array = to_dlpack(filled(7));
  {
    Stream theirs(device());
    copy(dataOf(result), array->dl_tensor.data, bytes, theirs);
    theirs.synchronize();
  }
  array->deleter(array);
  EXPECT_EQ(result.to_vector<float>(), std::vector<float>(count, 7));
}

TEST_P(DLPackOnGpus, Refusals) {
  Tensor x = filled(1);
  Foreign missing(dataOf(x), GetParam().type, 7);
  std::string refusal = errorOf([&] { from_dlpack(&missing.managed); });
  EXPECT_NE(refusal.find(device(7)), std::string::npos) << refusal;
  EXPECT_EQ(missing.deleted, 1);
  Foreign odd(static_cast<char *>(dataOf(x)) + 2, GetParam().type, 0);
  EXPECT_NE(errorOf([&] {
              from_dlpack(&odd.managed);
            }).find("not aligned to its elements"),
            std::string::npos);
  Foreign array(dataOf(x), GetParam().type, 0);
  Stream other(device(1));
  EXPECT_ERROR("from_dlpack: the stream is of " + device(1) +
                   ", the array is on " + device(0),
               from_dlpack(&array.managed, other));
  EXPECT_EQ(array.deleted, 1);
  EXPECT_ERROR("to_dlpack: the stream is of " + device(1) +
                   ", the array is on " + device(0),
               to_dlpack(x, other));
  EXPECT_NE(errorOf([] {
              Stream::wrap("cpu", nullptr);
            }).find("cpu:0 has no streams of another library"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Fakes, DLPackOnGpus, testing::ValuesIn(kinds),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });
