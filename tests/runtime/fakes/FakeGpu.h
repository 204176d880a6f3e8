//===- FakeGpu.h - what the fake libcuda and libamdhip64 share --*- C++ -*-===//
//
// GPUs that the simulator plays, behind the vendors' own entry points. Work is
// done by a thread per stream, so that what a program does not wait for is not
// done yet. The environment asks for trouble; docs/gpu.md lists the variables.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_TESTS_RUNTIME_FAKES_FAKEGPU_H
#define TENSORC_TESTS_RUNTIME_FAKES_FAKEGPU_H

#include "runtime/core/streams/Event.h"
#include "runtime/core/streams/WorkerStream.h"
#include "runtime/drivers/gpu/cudalike/EntryPoints.h"
#include "runtime/drivers/sim/SimStream.h"

#include <array>
#include <map>

namespace tensorc::fakes {

using rt::gpu::Result;
using rt::gpu::success;

// Results, the same numbers in both libraries.
constexpr Result invalidValue = 1, outOfMemory = 2, invalidDevice = 101;
constexpr Result invalidImage = 200, invalidContext = 201, invalidHandle = 400;
constexpr Result notFound = 500, notReady = 600, illegalAddress = 700;
constexpr Result peerAlreadyEnabled = 704, launchFailed = 719;
constexpr Result captureUnsupported = 900;

/// The vendor's names, set once by its library.
struct Flavour {
  const char *library;    // "libcuda"
  const char *chip;       // "sm_90a"
  unsigned dynamicShared; // that any launch may ask for
};
extern const Flavour flavour;

struct FakeStream;

/// A device; lives as long as the process.
class FakeDevice final : public rt::Device {
public:
  explicit FakeDevice(int index);

  // The members of rt::Device that the simulator needs.
  void properties(tensorc_rt_device_properties &) const override {}
  int32_t accepts(const char *) const override { return 0; }
  rt::Status loadImage(std::span<const char>, std::span<const std::string>,
                       std::unique_ptr<rt::Image> &) override {
    return rt::Status();
  }
  rt::Status createStream(rt::Stream *&) override { return rt::Status(); }
  rt::Stream &defaultStream() override { return inlineStream; }
  bool hostVisible() const override { return false; }
  void *allocateMemory(size_t) override { return nullptr; }
  void freeMemory(void *, size_t) override {}

  Result allocate(void **out, size_t bytes);
  Result release(void *data);
  FakeStream *newStream();
  void destroy(FakeStream *stream);
  /// Waits for all streams.
  void synchronize();
  /// Ends all work: every further call returns this result.
  void fail(Result result) { sticky = result; }

  const int index;
  const size_t total;
  std::atomic<size_t> used{0};
  std::atomic<Result> sticky{success};
  rt::sim::SimMemory memory;
  rt::sim::SimStream inlineStream;
  std::mutex mutex;
  std::map<void *, size_t> sizes;
  std::vector<FakeStream *> streams;
};

/// All devices: TENSORC_FAKE_DEVICES of them, 1 unless set.
std::vector<FakeDevice *> &devices();

/// The fake library's content of the 128 bytes of a tensor map, which only it
/// reads.
struct FakeTensorMap {
  static constexpr uint64_t isMap = 0x70616d726f736e65;
  uint64_t magic = isMap;
  void *buffer = nullptr;
  uint64_t strides[4] = {};
  uint32_t sizes[5] = {}, box[5] = {};
  uint16_t elementBytes = 0, swizzle = 0, rank = 0, reserved = 0;

  rt::TensorMap unpack(uint32_t argument) const {
    rt::TensorMap map;
    map.buffer = argument;
    map.elementBytes = elementBytes;
    map.swizzle = swizzle;
    map.rank = rank;
    for (uint32_t d = 0; d < rank; ++d) {
      map.box[d] = box[d];
      map.sizes[d] = sizes[d];
      if (d + 1u < rank)
        map.strides[d] = static_cast<int64_t>(strides[d]);
    }
    return map;
  }
};
static_assert(sizeof(FakeTensorMap) <= 128);

struct FakeModule;

/// TENSORC_FAKE_STATIC_SHARED: bytes of shared memory that every kernel
/// declares.
unsigned staticShared();

struct FakeFunction {
  const FakeModule *module = nullptr;
  const rt::SimKernel *kernel = nullptr;
  std::string name;
  /// Maximum dynamic shared memory of a launch.
  std::atomic<unsigned> allowedShared{flavour.dynamicShared - staticShared()};
};

struct FakeModule {
  std::unique_ptr<rt::Image> image;
  std::map<std::string, FakeFunction> functions;
  /// The caller's bytes, which HIP reads again when a kernel is used, and what
  /// they were.
  const char *bytes = nullptr;
  std::array<char, 32> first = {};
  bool computesNothing = false;
};

using Task = std::function<void()>;
using FakeGraph = std::vector<Task>;

struct FakeStream {
  explicit FakeStream(FakeDevice &device)
      : device(device), worker(device.inlineStream) {}
  /// Executes a function in stream order, unless the device has failed by then;
  /// during a capture, records it.
  void enqueue(Task task);

  FakeDevice &device;
  rt::WorkerStream worker;
  std::unique_ptr<FakeGraph> capturing;
};

struct FakeEvent {
  std::mutex mutex;
  std::shared_ptr<rt::Mark> mark;
  std::shared_ptr<rt::Mark> get() {
    std::lock_guard lock(mutex);
    return mark;
  }
};

// Calls. `device` is the thread's own.
Result loadModule(const char *image, FakeModule *&out, std::string &log);
Result getFunction(FakeFunction *&out, FakeModule &module, const char *name);
Result launch(FakeFunction &function, unsigned blocks, unsigned threads,
              unsigned shared, FakeStream &stream, void **parameters);
Result copyToDevice(void *to, const void *from, size_t size, FakeStream &on);
Result copyToHost(void *to, const void *from, size_t size, FakeStream &on);
Result copyBetween(FakeDevice &toDevice, void *to, FakeDevice &fromDevice,
                   const void *from, size_t size, FakeStream &on);
Result fill(void *to, uint64_t pattern, uint32_t width, size_t size,
            FakeStream &on);
Result allocatePinned(void **out, size_t bytes);
Result freePinned(void *data);
Result record(FakeEvent &event, FakeStream &on);
Result elapsed(float *milliseconds, FakeEvent &from, FakeEvent &to);

/// Counts a call, for TENSORC_FAKE_STATS=1, which prints the counts at exit.
enum class Count {
  Launches,
  GraphsMade,
  GraphLaunches,
  Allocations,
  HostCalls,
  Transforms,
  PoolAllocations,
  StreamsMade,
  StreamsDestroyed,
  Loads
};
void count(Count what);
uint64_t counted(Count what);

} // namespace tensorc::fakes

#endif
