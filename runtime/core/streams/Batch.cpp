//===- Batch.cpp - calls that are passed to a stream together -------------===//
#include "runtime/core/streams/Batch.h"

#include "runtime/core/HostMemory.h"

using namespace tensorc::rt;

namespace {
enum class Call : uint32_t { Launch, Copy, Fill };
} // namespace

/// Number of words in a batch before a launch's arguments.
static constexpr size_t launchHead = 11;
static constexpr size_t mapWords = sizeof(TensorMap) / sizeof(Word);

template <typename T> static Word toWord(T *pointer) {
  return reinterpret_cast<Word>(pointer);
}

static Word pair(uint32_t low, uint32_t high) { return low | Word(high) << 32; }

static Word head(Call call, uint32_t count) {
  return pair(static_cast<uint32_t>(call), count);
}

static LaunchShape shapeOf(const Word *at) {
  auto low = [](Word word) { return static_cast<uint32_t>(word); };
  return {low(at[0]), low(at[0] >> 32), low(at[1]), low(at[1] >> 32),
          low(at[2])};
}

void Batch::launch(const Launch &launch) {
  list.insert(list.end(),
              {head(Call::Launch, launch.arity), toWord(launch.kernel),
               toWord(launch.name), static_cast<Word>(launch.extent),
               static_cast<Word>(launch.grain),
               static_cast<Word>(launch.scratch),
               pair(launch.block, launch.buffers),
               pair(launch.shape.gridY, launch.shape.gridZ),
               pair(launch.shape.blockY, launch.shape.blockZ),
               launch.shape.sharedBytes, launch.maps.size()});
  list.insert(list.end(), launch.args, launch.args + launch.arity);
  for (uint32_t i = 0; i < launch.arity; ++i)
    list.push_back(launch.sizes ? launch.sizes[i] : 0);
  auto *maps = reinterpret_cast<const Word *>(launch.maps.data());
  list.insert(list.end(), maps, maps + launch.maps.size() * mapWords);
  launched.push_back(launch.site());
  ++calls;
}

void Batch::copy(void *target, const void *source, size_t size) {
  list.insert(list.end(),
              {head(Call::Copy, 0), toWord(target), toWord(source), size});
  ++calls;
}

void Batch::fill(void *target, uint64_t pattern, uint32_t width, size_t size) {
  list.insert(list.end(),
              {head(Call::Fill, width), toWord(target), pattern, size});
  ++calls;
}

void Batch::clear() {
  list.clear();
  launched.clear();
  calls = 0;
}

Status Batch::replay(const std::vector<Word> &words,
                     std::span<const LaunchSite> sites, Sink &sink) {
  auto site = sites.begin();
  auto pointer = [](Word word) { return reinterpret_cast<void *>(word); };
  for (const Word *at = words.data(), *end = at + words.size(); at != end;) {
    auto count = static_cast<uint32_t>(at[0] >> 32);
    switch (static_cast<Call>(at[0] & 0xffffffff)) {
    case Call::Launch: {
      const Word *args = at + launchHead, *sizes = args + count;
      Launch launch = {
          pointer(at[1]),
          static_cast<const char *>(pointer(at[2])),
          args,
          count,
          static_cast<int64_t>(at[3]),
          static_cast<int64_t>(at[4]),
          static_cast<int64_t>(at[5]),
          static_cast<uint32_t>(at[6]),
          sizes,
          shapeOf(at + 7),
          {reinterpret_cast<const TensorMap *>(sizes + count), at[10]},
          static_cast<uint32_t>(at[6] >> 32)};
      if (site != sites.end()) {
        launch.file = site->file;
        launch.line = site->line;
        ++site;
      }
      TENSORC_RT_TRY(sink.launch(launch));
      at = sizes + count + at[10] * mapWords;
      break;
    }
    case Call::Copy:
      TENSORC_RT_TRY(sink.copy(pointer(at[1]), pointer(at[2]), at[3]));
      at += 4;
      break;
    case Call::Fill:
      TENSORC_RT_TRY(sink.fill(pointer(at[1]), at[2], count, at[3]));
      at += 4;
      break;
    }
  }
  return Status();
}

std::string LaunchSite::text() const {
  std::string text = "'" + std::string(kernel) + "'";
  if (file)
    text += " (" + std::string(file) + ":" + std::to_string(line) + ")";
  return text;
}

//===----------------------------------------------------------------------===//
// Defaults of streams and devices
//===----------------------------------------------------------------------===//

namespace {
class OneByOne final : public Batch::Sink {
public:
  explicit OneByOne(Stream &stream) : stream(stream) {}
  Status launch(const Launch &launch) override { return stream.launch(launch); }
  Status copy(void *target, const void *source, size_t size) override {
    return stream.copy(target, source, size, CopyKind::DeviceToDevice);
  }
  Status fill(void *target, uint64_t pattern, uint32_t width,
              size_t size) override {
    return stream.fill(target, pattern, width, size);
  }

private:
  Stream &stream;
};
} // namespace

Status Stream::submit(const Batch &batch) {
  OneByOne calls(*this);
  return batch.replay(calls);
}

Status Stream::write(void *target, const void *source, size_t size) {
  TENSORC_RT_TRY(copy(target, source, size, CopyKind::HostToDevice));
  return synchronize();
}

Status Stream::read(void *target, const void *source, size_t size) {
  TENSORC_RT_TRY(copy(target, source, size, CopyKind::DeviceToHost));
  return synchronize();
}

Status Stream::copyFrom(Device &from, void *, const void *, size_t) {
  return error(TENSORC_RT_UNSUPPORTED, "cannot copy from %s to %s directly",
               from.name(), device.name());
}

Status Device::memoryInfo(uint64_t &free, uint64_t &total) {
  total = hostMemorySize();
  free = hostMemoryAvailable();
  return Status();
}
