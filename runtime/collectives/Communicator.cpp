//===- Communicator.cpp - one rank of a communicator ----------------------===//
#include "runtime/collectives/Communicator.h"

#include "runtime/collectives/HostBlock.h"
#include "runtime/core/OutOfMemory.h"
#include "runtime/core/Types.h"
#include "runtime/memory/Readiness.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>

using namespace tensorc::rt;

static constexpr std::chrono::seconds usualTimeout{300};

std::chrono::milliseconds tensorc::rt::defaultTimeout() {
  const char *text = secure_getenv("TENSORC_COMMUNICATOR_TIMEOUT");
  int32_t seconds = 0;
  if (!text)
    return usualTimeout;
  const char *end = text + std::strlen(text);
  auto [rest, failure] = std::from_chars(text, end, seconds);
  bool isGood = failure == std::errc() && rest == end && seconds >= 1;
  return isGood ? std::chrono::seconds(seconds) : usualTimeout;
}

/// Performs the collective. Without memory, makes it fail on the other ranks.
static Status performOn(Channel &channel, uint64_t number,
                        Collective &collective) {
  try {
    return performCalls(collective, [&](size_t done, const Collective &call,
                                        bool &isFirstOnly) {
      return channel.perform(number + done, call, isFirstOnly);
    });
  } catch (const std::bad_alloc &) {
    channel.abort(outOfMemory());
    return outOfMemory();
  }
}

namespace {
/// A collective that was queued on a stream. If the stream skips it because
/// earlier work failed, the destructor makes it fail on the other ranks.
class Queued {
public:
  Queued(std::shared_ptr<Channel> channel, uint64_t number,
         Collective collective)
      : channel(std::move(channel)), number(number),
        collective(std::move(collective)) {}
  Queued(const Queued &) = delete;
  ~Queued() {
    if (!isPerformed)
      channel->abort(error(TENSORC_RT_DEVICE_ERROR,
                           "%s: earlier work of its stream failed",
                           collective.title().c_str()));
  }
  Status perform() {
    isPerformed = true;
    return performOn(*channel, number, collective);
  }

private:
  std::shared_ptr<Channel> channel;
  uint64_t number;
  Collective collective;
  bool isPerformed = false;
};
} // namespace

/// Checks that a buffer has `size` bytes of whole elements at the offset.
static Status addressOf(const Collective &collective, const char *what,
                        const Device &device,
                        const tensorc_rt_buffer_part &given, size_t size,
                        char *&out) {
  out = nullptr;
  if (!given.buffer)
    return size == 0 ? Status()
                     : error(TENSORC_RT_INVALID_ARGUMENT, "%s: no %s buffer",
                             collective.title().c_str(), what);
  const Buffer &buffer = *unwrap(given.buffer);
  size_t offset = given.offset;
  if (buffer.device != &device)
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "%s: the %s buffer is on %s, the communicator on %s",
                 collective.title().c_str(), what, buffer.device->name(),
                 device.name());
  if (offset > buffer.size || size > buffer.size - offset)
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "%s: %zu bytes at %zu are outside the %s buffer of %zu",
                 collective.title().c_str(), size, offset, what, buffer.size);
  size_t width = std::max<size_t>(bitsOf(collective.dtype) / 8, 1);
  if (size && offset % width)
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "%s: the %s buffer's offset %zu is not a multiple of an "
                 "element's %zu bytes",
                 collective.title().c_str(), what, offset, width);
  out = static_cast<char *>(buffer.data) + offset;
  return Status();
}

/// Refuses an overlap of input and output in which bytes would be read after
/// they were overwritten.
static Status checkOverlap(const Collective &collective, const char *input,
                           size_t inputSize, const char *output,
                           size_t outputSize) {
  if (!inputSize || !outputSize || input + inputSize <= output ||
      output + outputSize <= input)
    return Status();
  bool isInPlace = false;
  if (collective.kind == TENSORC_RT_ALL_REDUCE ||
      collective.kind == TENSORC_RT_BROADCAST)
    isInPlace = input == output;
  if (collective.kind == TENSORC_RT_ALL_GATHER)
    isInPlace = input == output + static_cast<size_t>(collective.group.own) *
                                      collective.piece;
  return isInPlace ? Status()
                   : error(TENSORC_RT_INVALID_ARGUMENT,
                           "%s: the input and the output overlap",
                           collective.title().c_str());
}

Status Channel::queue(Collective &collective, Stream &) {
  return error(TENSORC_RT_UNSUPPORTED, "%s: %s works on host memory",
               collective.title().c_str(), backend());
}

uint64_t Communicator::count(const Collective &collective) {
  bytesSent.fetch_add(collective.bytesSent(), std::memory_order_relaxed);
  started.fetch_add(1, std::memory_order_relaxed);
  return nextNumber.fetch_add(collective.numCalls(), std::memory_order_relaxed);
}

/// Queues the collective on memory that the host can use.
Status Communicator::queue(Collective collective, char *input, char *output,
                           Stream &stream) {
  uint64_t number = count(collective);
  if (channel->takesDeviceMemory()) {
    collective.input = input;
    collective.output = output;
    return channel->queue(collective, stream);
  }
  size_t inputSize = collective.inputPieces() * collective.piece;
  size_t outputSize = collective.outputPieces() * collective.piece;
  std::shared_ptr<HostBlock> in, out; // null on devices that use host memory
  if (!device.hostVisible()) {
    in = std::make_shared<HostBlock>(inputSize);
    out = std::make_shared<HostBlock>(outputSize);
    if (!in->data || !out->data)
      return outOfMemory();
  }
  collective.input = in ? in->data : input;
  collective.output = out ? out->data : output;
  auto queued =
      std::make_shared<Queued>(channel, number, std::move(collective));
  if (in && inputSize && input)
    TENSORC_RT_TRY(
        stream.copy(in->data, input, inputSize, CopyKind::DeviceToHost));
  if (channel->isConcurrent()) {
    // The call uses both blocks, whatever fails after this.
    TENSORC_RT_TRY(
        stream.call([queued, in, out] { return queued->perform(); }));
  } else {
    TENSORC_RT_TRY(stream.synchronize());
    TENSORC_RT_TRY(queued->perform());
  }
  if (!out || !outputSize)
    return Status();
  Status status = catchBadAlloc([&] {
    return stream.copy(output, out->data, outputSize, CopyKind::HostToDevice);
  });
  stream.retire({}, out); // A part of the copy may have begun.
  return status;
}

void Communicator::abort(Status why) {
  try {
    channel->abort(std::move(why));
  } catch (const std::bad_alloc &) {
    channel->abort(outOfMemory());
  }
}

Status Communicator::perform(Collective &collective) {
  return performOn(*channel, count(collective), collective);
}

Status Communicator::start(const tensorc_rt_collective &given, Stream &stream) {
  bool isValid = true;
  Status status = catchBadAlloc([&] {
    Collective collective{};
    Status made = makeCollective(given, rank, size, collective);
    isValid = made.ok();
    return isValid ? startChecked(given, std::move(collective), stream)
                   : std::move(made);
  });
  if (!status.ok() && isValid) // The other ranks may already have started it.
    abort(status.clone());
  return status;
}

Status Communicator::startChecked(const tensorc_rt_collective &given,
                                  Collective collective, Stream &stream) {
  size_t inputSize = collective.inputPieces() * collective.piece;
  size_t outputSize = collective.outputPieces() * collective.piece;
  // A broadcast reads only the root's input.
  bool isRead = collective.kind != TENSORC_RT_BROADCAST ||
                collective.root == collective.group.own || given.input.buffer;
  char *input = nullptr, *output = nullptr;
  TENSORC_RT_TRY(addressOf(collective, "input", device, given.input,
                           isRead ? inputSize : 0, input));
  TENSORC_RT_TRY(addressOf(collective, "output", device, given.output,
                           outputSize, output));
  TENSORC_RT_TRY(checkOverlap(collective, input, input ? inputSize : 0, output,
                              outputSize));
  std::vector<Buffer *> kept;
  for (tensorc_rt_buffer *buffer : {given.input.buffer, given.output.buffer})
    if (buffer)
      kept.push_back(unwrap(buffer));
  if (given.input.buffer)
    TENSORC_RT_TRY(awaitReady(stream, *unwrap(given.input.buffer)));
  std::optional<Overwrite> overwrite;
  if (given.output.buffer) {
    overwrite.emplace(*unwrap(given.output.buffer), given.output.offset,
                      outputSize);
    TENSORC_RT_TRY(overwrite->begin(stream));
  }
  for (Buffer *buffer : kept)
    buffer->retain();
  Status status = catchBadAlloc([&] {
    TENSORC_RT_TRY(queue(std::move(collective), input, output, stream));
    return overwrite ? overwrite->end(stream) : Status();
  });
  stream.retire(std::move(kept), nullptr);
  return status;
}

void Communicator::setTimeout(int64_t milliseconds) {
  channel->timeout = milliseconds < 1 ? defaultTimeout().count() : milliseconds;
}

void Communicator::release() {
  if (refs.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete this;
}
