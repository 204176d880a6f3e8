//===- FakeGpu.cpp - what the fake libcuda and libamdhip64 share ----------===//
#include "FakeGpu.h"

#include "runtime/core/HostMemory.h"
#include "runtime/core/images/NativeImage.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <thread>

using namespace tensorc;
using namespace tensorc::fakes;

/// The devices of a fake library are not the runtime's.
void rt::waitForDevices() {}

static uint64_t numberFrom(const char *variable, uint64_t usual) {
  const char *text = std::getenv(variable);
  return text && *text ? std::strtoull(text, nullptr, 0) : usual;
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

static constinit std::array<std::atomic<uint64_t>, 10> counts = {};

void fakes::count(Count what) { ++counts[static_cast<size_t>(what)]; }

uint64_t fakes::counted(Count what) {
  return counts[static_cast<size_t>(what)];
}

[[gnu::destructor]] static void printCounts() {
  if (numberFrom("TENSORC_FAKE_STATS", 0))
    std::fprintf(stderr,
                 "%s: %llu launches, %llu graphs made, %llu graph launches, "
                 "%llu allocations, %llu host calls, %llu transforms, "
                 "%llu allocations of a pool\n",
                 flavour.library, (unsigned long long)counts[0],
                 (unsigned long long)counts[1], (unsigned long long)counts[2],
                 (unsigned long long)counts[3], (unsigned long long)counts[4],
                 (unsigned long long)counts[5], (unsigned long long)counts[6]);
}

//===----------------------------------------------------------------------===//
// Devices and memory
//===----------------------------------------------------------------------===//

static constexpr uint64_t usualMemory = uint64_t(4) << 30;
/// Numbers of SimMemory's devices that the simulator's own do not have.
static constexpr uint32_t firstMemory = 64;

FakeDevice::FakeDevice(int index)
    : Device("fake:" + std::to_string(index)), index(index),
      total(numberFrom("TENSORC_FAKE_MEMORY", usualMemory)),
      memory(firstMemory + static_cast<uint32_t>(index)),
      inlineStream(*this, memory) {}

std::vector<FakeDevice *> &fakes::devices() {
  static auto *list = [] {
    auto *made = new std::vector<FakeDevice *>;
    for (uint64_t i = 0; i < numberFrom("TENSORC_FAKE_DEVICES", 1); ++i)
      made->push_back(new FakeDevice(static_cast<int>(i)));
    return made;
  }();
  return *list;
}

Result FakeDevice::allocate(void **out, size_t bytes) {
  static std::atomic<uint64_t> calls{0};
  count(Count::Allocations);
  if (++calls == numberFrom("TENSORC_FAKE_FAIL_ALLOCATION", 0))
    return fakes::outOfMemory;
  if (!bytes)
    return invalidValue;
  std::lock_guard lock(mutex);
  if (used + bytes > total)
    return fakes::outOfMemory;
  *out = memory.allocate(bytes);
  if (!*out)
    return fakes::outOfMemory;
  used += bytes;
  sizes[*out] = bytes;
  return success;
}

Result FakeDevice::release(void *data) {
  std::lock_guard lock(mutex);
  auto found = sizes.find(data);
  if (found == sizes.end())
    return invalidValue;
  memory.free(data, found->second);
  used -= found->second;
  sizes.erase(found);
  return success;
}

FakeStream *FakeDevice::newStream() {
  count(Count::StreamsMade);
  auto *stream = new FakeStream(*this);
  std::lock_guard lock(mutex);
  streams.push_back(stream);
  return stream;
}

void FakeDevice::destroy(FakeStream *stream) {
  count(Count::StreamsDestroyed);
  {
    std::lock_guard lock(mutex);
    std::erase(streams, stream);
  }
  delete stream;
}

void FakeDevice::synchronize() {
  std::vector<FakeStream *> all;
  {
    std::lock_guard lock(mutex);
    all = streams;
  }
  for (FakeStream *stream : all)
    (void)stream->worker.synchronize();
}

namespace {
/// Memory of the host that copies may use at any time.
struct Pinned {
  std::mutex mutex;
  std::map<const char *, size_t> blocks;
  bool holds(const void *data, size_t size) {
    auto *at = static_cast<const char *>(data);
    std::lock_guard lock(mutex);
    auto next = blocks.upper_bound(at);
    if (next == blocks.begin())
      return false;
    auto &[begin, bytes] = *std::prev(next);
    return at + size <= begin + bytes;
  }
};
} // namespace

static Pinned &pinned() {
  static auto *blocks = new Pinned;
  return *blocks;
}

Result fakes::allocatePinned(void **out, size_t bytes) {
  *out = rt::allocateHostMemory(bytes);
  if (!*out)
    return fakes::outOfMemory;
  std::lock_guard lock(pinned().mutex);
  pinned().blocks[static_cast<char *>(*out)] = bytes;
  return success;
}

Result fakes::freePinned(void *data) {
  std::lock_guard lock(pinned().mutex);
  auto found = pinned().blocks.find(static_cast<char *>(data));
  if (found == pinned().blocks.end())
    return invalidValue;
  rt::freeHostMemory(data, found->second);
  pinned().blocks.erase(found);
  return success;
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

void FakeStream::enqueue(Task task) {
  if (capturing)
    return capturing->push_back(std::move(task));
  (void)worker.call([&owner = device, task = std::move(task)] {
    if (owner.sticky == success)
      task();
    return rt::Status();
  });
}

/// What goes wrong on the device shows in a later call.
static void settle(FakeDevice &device, rt::Status status) {
  if (status.ok())
    return;
  const char *message = tensorc_rt_status_message(status.get());
  std::fprintf(stderr, "%s: %s\n", flavour.library, message);
  bool isAddress = std::strstr(message, "not memory") ||
                   std::strstr(message, "bytes at byte");
  device.fail(isAddress ? illegalAddress : launchFailed);
}

/// TENSORC_FAKE_DELAY: microseconds that every kernel takes at least.
static void delay() {
  if (uint64_t time = numberFrom("TENSORC_FAKE_DELAY", 0))
    std::this_thread::sleep_for(std::chrono::microseconds(time));
}

unsigned fakes::staticShared() {
  return static_cast<unsigned>(numberFrom("TENSORC_FAKE_STATIC_SHARED", 0));
}

/// TENSORC_FAKE_STICKY=NAME: that kernel reads where nothing is.
static bool isBroken(const std::string &kernel) {
  const char *name = std::getenv("TENSORC_FAKE_STICKY");
  return name && kernel == name;
}

Result fakes::launch(FakeFunction &function, unsigned blocks, unsigned threads,
                     unsigned shared, FakeStream &stream, void **parameters) {
  const rt::SimKernel &kernel = *function.kernel;
  if (threads != kernel.blockThreads || !blocks ||
      shared > function.allowedShared)
    return invalidValue;
  const FakeModule &module = *function.module;
  if (std::memcmp(module.bytes, module.first.data(), module.first.size()))
    return invalidImage;
  if (!stream.capturing)
    count(Count::Launches);
  std::vector<rt::Word> words;
  for (uint32_t i = 0; i < kernel.buffers + kernel.scalars; ++i)
    words.push_back(*static_cast<const rt::Word *>(parameters[i]));
  std::vector<rt::TensorMap> maps;
  for (uint32_t i = 0; i < kernel.tensorMaps; ++i) {
    FakeTensorMap map;
    std::memcpy(&map, parameters[words.size() + i], sizeof(map));
    if (!map.magic) { // of an empty window: no kernel copies from it
      maps.push_back({});
      continue;
    }
    uint32_t argument = 0;
    while (argument < kernel.buffers &&
           words[argument] != reinterpret_cast<rt::Word>(map.buffer))
      ++argument;
    if (map.magic != FakeTensorMap::isMap || argument == kernel.buffers)
      return invalidValue;
    maps.push_back(map.unpack(argument));
  }
  stream.enqueue([&device = stream.device, &kernel, blocks, threads, shared,
                  words, maps, name = function.name,
                  isSilent = module.computesNothing] {
    delay();
    if (isBroken(name))
      return device.fail(illegalAddress);
    if (isSilent)
      return;
    rt::Launch launch = {&kernel,
                         name.c_str(),
                         words.data(),
                         static_cast<uint32_t>(words.size()),
                         blocks,
                         1,
                         0,
                         threads,
                         nullptr};
    launch.shape.sharedBytes = shared;
    launch.maps = maps;
    settle(device, device.inlineStream.launch(launch));
  });
  return success;
}

/// Bytes that are not pinned are read before this returns.
Result fakes::copyToDevice(void *to, const void *from, size_t size,
                           FakeStream &on) {
  auto copy = [&device = on.device, to, size](const void *bytes) {
    settle(device, device.inlineStream.copy(to, bytes, size,
                                            rt::CopyKind::HostToDevice));
  };
  if (pinned().holds(from, size)) {
    on.enqueue([=] { copy(from); });
    return success;
  }
  if (on.capturing)
    return captureUnsupported;
  auto *bytes = static_cast<const char *>(from);
  on.enqueue([=, taken = std::vector<char>(bytes, bytes + size)] {
    copy(taken.data());
  });
  return success;
}

/// Bytes that are not pinned are written before this returns.
Result fakes::copyToHost(void *to, const void *from, size_t size,
                         FakeStream &on) {
  bool isPinned = pinned().holds(to, size);
  if (on.capturing && !isPinned)
    return captureUnsupported;
  on.enqueue([&device = on.device, to, from, size] {
    settle(device, device.inlineStream.copy(to, from, size,
                                            rt::CopyKind::DeviceToHost));
  });
  if (!isPinned)
    (void)on.worker.synchronize();
  return success;
}

Result fakes::copyBetween(FakeDevice &toDevice, void *to,
                          FakeDevice &fromDevice, const void *from, size_t size,
                          FakeStream &on) {
  on.enqueue([&, to, from, size] {
    char *target = toDevice.memory.host(to, size);
    char *source = fromDevice.memory.host(from, size);
    if (!target || !source)
      return on.device.fail(illegalAddress);
    std::memmove(target, source, size);
  });
  return success;
}

Result fakes::fill(void *to, uint64_t pattern, uint32_t width, size_t size,
                   FakeStream &on) {
  if (reinterpret_cast<uintptr_t>(to) % width)
    return invalidValue;
  on.enqueue([=, &device = on.device] {
    settle(device, device.inlineStream.fill(to, pattern, width, size));
  });
  return success;
}

Result fakes::record(FakeEvent &event, FakeStream &on) {
  if (on.capturing)
    return captureUnsupported;
  std::shared_ptr<rt::Mark> mark;
  (void)on.worker.record(mark);
  std::lock_guard lock(event.mutex);
  event.mark = std::move(mark);
  return success;
}

Result fakes::elapsed(float *milliseconds, FakeEvent &from, FakeEvent &to) {
  auto begin = from.get(), end = to.get();
  if (!begin || !end)
    return invalidHandle;
  if (!begin->reached() || !end->reached())
    return notReady;
  *milliseconds =
      static_cast<float>(static_cast<double>(end->since(*begin)) * 1e-6);
  return success;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Where the text behind an image begins: PTX is text itself, an ELF image
/// says how long it is.
static const char *behindImage(const char *image) {
  if (std::memcmp(image, ELFMAG, SELFMAG))
    return image;
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof(header));
  return image + header.e_shoff +
         static_cast<size_t>(header.e_shentsize) * header.e_shnum;
}

static std::vector<char> decodeBase64(const char *text) {
  static constexpr char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<char> bytes;
  uint32_t bits = 0;
  int have = 0;
  for (; *text && *text != '\n' && *text != '='; ++text) {
    bits =
        bits << 6 | static_cast<uint32_t>(std::strchr(digits, *text) - digits);
    if ((have += 6) < 8)
      continue;
    have -= 8;
    bytes.push_back(static_cast<char>(bits >> have & 0xff));
  }
  return bytes;
}

/// TENSORC_FAKE_BROKEN=wgmma: kernels of modules whose text has this
/// instruction write nothing. Several names are separated by commas.
static bool hasBrokenCode(std::string_view text) {
  const char *value = std::getenv("TENSORC_FAKE_BROKEN");
  for (std::string_view names = value ? value : ""; !names.empty();) {
    size_t comma = names.find(',');
    if (text.find(names.substr(0, comma)) != text.npos)
      return true;
    names.remove_prefix(comma == names.npos ? names.size() : comma + 1);
  }
  return false;
}

/// TENSORC_FAKE_FAIL_LOAD: which load fails, counted from 1.
Result fakes::loadModule(const char *image, FakeModule *&out,
                         std::string &log) {
  count(Count::Loads);
  if (counted(Count::Loads) == numberFrom("TENSORC_FAKE_FAIL_LOAD", 0))
    return invalidImage;
  const char *text = std::strstr(behindImage(image), rt::simulatedMark);
  if (!text) {
    log = "a fake GPU runs only what was compiled with "
          "TENSORC_EMBED_SIMULATED=1";
    return invalidImage;
  }
  std::vector<char> bytes = decodeBase64(text + sizeof(rt::simulatedMark) - 1);
  auto module = std::make_unique<FakeModule>();
  rt::Status status = rt::loadNativeImage(bytes, {}, module->image);
  if (!status.ok()) {
    log = tensorc_rt_status_message(status.get());
    return invalidImage;
  }
  module->computesNothing = hasBrokenCode({image, text});
  module->bytes = image;
  std::memcpy(module->first.data(), image, module->first.size());
  out = module.release();
  return success;
}

/// TENSORC_FAKE_FAIL_FUNCTION: the result of looking up a kernel.
Result fakes::getFunction(FakeFunction *&out, FakeModule &module,
                          const char *name) {
  if (uint64_t code = numberFrom("TENSORC_FAKE_FAIL_FUNCTION", success))
    return static_cast<Result>(code);
  const void *kernel = rt::findNativeKernel(*module.image, name);
  if (!kernel)
    return notFound;
  FakeFunction &function = module.functions[name];
  function.module = &module;
  function.kernel = static_cast<const rt::SimKernel *>(kernel);
  function.name = name;
  if (function.kernel->version != rt::simVersion)
    return invalidImage;
  out = &function;
  return success;
}
