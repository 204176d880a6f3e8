//===- VulkanStream.cpp - work in order on a shared queue -----------------===//
#include "runtime/drivers/vulkan/VulkanStream.h"

#include "runtime/core/streams/StreamThread.h"

#include <algorithm>
#include <utility>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;
using namespace tensorc::rt::vulkan;

//===----------------------------------------------------------------------===//
// Timelines
//===----------------------------------------------------------------------===//

Timeline::~Timeline() {
  std::lock_guard lock(opened.semaphores->mutex);
  if (semaphore)
    opened.semaphores->unused.push_back(semaphore);
}

Result Timeline::open(uint64_t &start) {
  start = 0;
  {
    std::lock_guard lock(opened.semaphores->mutex);
    std::vector<Semaphore> &unused = opened.semaphores->unused;
    if (!unused.empty()) {
      semaphore = unused.back();
      unused.pop_back();
    } else {
      // Room for all semaphores, because the destructor must not throw.
      unused.reserve(opened.semaphores->numCreated + 1);
      ++opened.semaphores->numCreated;
    }
  }
  if (semaphore)
    return translate(
        opened.call.GetSemaphoreCounterValue(opened.device, semaphore, &start));
  SemaphoreTypeCreateInfo type;
  SemaphoreCreateInfo info;
  info.next = &type;
  return translate(
      opened.call.CreateSemaphore(opened.device, &info, nullptr, &semaphore));
}

Result Timeline::wait(uint64_t value) {
  if (known.load(std::memory_order_acquire) >= value)
    return success;
  SemaphoreWaitInfo info;
  info.semaphores = &semaphore;
  info.values = &value;
  constexpr uint64_t forEver = UINT64_MAX;
  int32_t code = opened.call.WaitSemaphores(opened.device, &info, forEver);
  if (code == vkSuccess)
    known.store(value, std::memory_order_release);
  return translate(code);
}

Result Timeline::query(uint64_t value) {
  if (known.load(std::memory_order_acquire) >= value)
    return success;
  uint64_t now = 0;
  if (int32_t code =
          opened.call.GetSemaphoreCounterValue(opened.device, semaphore, &now))
    return translate(code);
  known.store(now, std::memory_order_release);
  return now >= value ? success : resultNotReady;
}

Result Timeline::signal(uint64_t value) {
  SemaphoreSignalInfo info;
  info.semaphore = semaphore;
  info.value = value;
  return translate(opened.call.SignalSemaphore(opened.device, &info));
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

RecordedGraph::~RecordedGraph() {
  for (void *each : arguments)
    hostMemory.free(each);
  if (pool)
    opened.call.DestroyCommandPool(opened.device, pool, nullptr);
}

Result RecordedGraph::begin(uint32_t family) {
  CommandPoolCreateInfo info;
  info.family = family;
  if (int32_t code =
          opened.call.CreateCommandPool(opened.device, &info, nullptr, &pool))
    return translate(code);
  CommandBufferAllocateInfo one;
  one.pool = pool;
  if (int32_t code =
          opened.call.AllocateCommandBuffers(opened.device, &one, &commands))
    return translate(code);
  CommandBufferBeginInfo often;
  often.flags = CommandBufferBeginInfo::submittedOften;
  return translate(opened.call.BeginCommandBuffer(commands, &often));
}

Result
RecordedGraph::add(const std::function<gpu::Result(Slot &slot)> &record) {
  Slot slot;
  slot.commands = commands;
  Result result = record(slot);
  if (slot.arguments)
    arguments.push_back(slot.arguments);
  MemoryBarrier all;
  opened.call.CmdPipelineBarrier(commands, allCommands, allCommands, 0, 1, &all,
                                 0, nullptr, 0, nullptr);
  return result;
}

Result RecordedGraph::end() {
  return translate(opened.call.EndCommandBuffer(commands));
}

//===----------------------------------------------------------------------===//
// Command buffers of a stream
//===----------------------------------------------------------------------===//

Result CommandSlots::open(uint32_t family) {
  CommandPoolCreateInfo info;
  info.family = family;
  return translate(
      opened.call.CreateCommandPool(opened.device, &info, nullptr, &pool));
}

CommandSlots::~CommandSlots() {
  for (Slot &slot : slots)
    if (slot.arguments)
      hostMemory.free(slot.arguments);
  if (pool)
    opened.call.DestroyCommandPool(opened.device, pool, nullptr);
}

/// Takes the slot that was returned first if its work is done, otherwise makes
/// a new one. Begins its command buffer.
Result CommandSlots::take(Slot &slot) {
  if (!slots.empty() && timeline.query(slots.front().value) == success) {
    slot = slots.front();
    slots.pop_front();
  } else {
    CommandBufferAllocateInfo info;
    info.pool = pool;
    if (int32_t code = opened.call.AllocateCommandBuffers(opened.device, &info,
                                                          &slot.commands))
      return translate(code);
  }
  CommandBufferBeginInfo info;
  return translate(opened.call.BeginCommandBuffer(slot.commands, &info));
}

void CommandSlots::give(Slot slot, uint64_t value) {
  slot.value = value;
  if (value)
    slots.push_back(slot);
  else
    slots.push_front(slot);
}

void CommandSlots::keep(std::shared_ptr<RecordedGraph> graph, uint64_t value) {
  while (!graphs.empty() && timeline.query(graphs.front().first) == success)
    graphs.pop_front();
  graphs.emplace_back(value, std::move(graph));
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

/// Maximum number of commands in flight, about as many as CUDA's streams hold.
static constexpr uint64_t commandsAhead = 512;

Result VulkanStream::open() {
  Result result = slots.open(queue.family);
  return result == success ? timeline->open(ordered) : result;
}

/// Submits the commands after all earlier work of the stream, and after the
/// points that it waits for. Waiting for a semaphore also makes memory visible.
Result VulkanStream::send(CommandBuffer commands, uint64_t value) {
  std::vector<Semaphore> semaphores = {timeline->semaphore};
  std::vector<uint64_t> values = {value - 1};
  for (const Point &point : awaited) {
    semaphores.push_back(point.timeline->semaphore);
    values.push_back(point.value);
  }
  std::vector<uint32_t> stages(values.size(), allCommands);
  auto count = static_cast<uint32_t>(values.size());
  TimelineSemaphoreSubmitInfo times;
  times.waitCount = count;
  times.waits = values.data();
  times.signalCount = 1;
  times.signals = &value;
  SubmitInfo info;
  info.next = &times;
  info.waitCount = count;
  info.waits = semaphores.data();
  info.waitStages = stages.data();
  info.commandCount = 1;
  info.commands = &commands;
  info.signalCount = 1;
  info.signals = &timeline->semaphore;
  std::lock_guard lock(queue.mutex);
  int32_t code = opened.call.QueueSubmit(queue.queue, 1, &info, 0);
  if (code == vkSuccess)
    awaited.clear();
  return translate(code);
}

/// Records and submits a command. The lock is held.
Result VulkanStream::submit(const Record &record, uint64_t value) {
  Slot slot;
  Result result = slots.take(slot);
  if (result == success)
    result = record(slot);
  if (result == success)
    result = translate(opened.call.EndCommandBuffer(slot.commands));
  if (result == success)
    result = send(slot.commands, value);
  if (slot.commands)
    slots.give(slot, result == success ? value : 0);
  return result;
}

/// Submits at once, or lets the thread submit after deferred work.
Result VulkanStream::order(Submit submit, uint64_t *out) {
  host.waitForRoom();
  uint64_t value;
  bool isSubmitted = false;
  {
    std::lock_guard lock(mutex);
    value = ordered + 1;
    if (deferred == 0) {
      Result result = submit(value);
      if (result != success)
        return result;
      isSubmitted = true;
    } else {
      defer([this, value, submit = std::move(submit)] {
        std::lock_guard lock(mutex);
        Result result = submit(value);
        if (result == success)
          return;
        if (failure == success)
          failure = result;
        (void)timeline->wait(value - 1); // Later work continues after an error.
        (void)timeline->signal(value);
      });
    }
    ordered = value;
  }
  if (out)
    *out = value;
  return isSubmitted ? throttle(value) : success;
}

Result VulkanStream::enqueue(Record record, uint64_t *value) {
  {
    std::lock_guard lock(mutex);
    if (capture)
      return capture->add(record);
  }
  return order([this, record = std::move(record)](
                   uint64_t at) { return submit(record, at); },
               value);
}

/// Lets the thread call the function, after the work deferred so far. The lock
/// is held.
void VulkanStream::defer(std::function<void()> function) {
  host.add([this, function = std::move(function)] {
    function();
    std::lock_guard lock(mutex);
    --deferred;
  });
  ++deferred;
}

/// Waits if too many commands are in flight, because drivers do not support
/// long queues.
Result VulkanStream::throttle(uint64_t value) {
  if (value <= commandsAhead || isStreamThread())
    return success;
  return timeline->wait(value - commandsAhead);
}

void VulkanStream::addOnHost(std::function<void()> function,
                             const Point *point) {
  std::lock_guard lock(mutex);
  uint64_t value = ordered + 1;
  std::vector<Point> points;
  if (point)
    points.push_back(*point);
  defer([this, value, points, function = std::move(function)] {
    (void)timeline->wait(value - 1);
    function();
    std::lock_guard lock(mutex);
    awaited.insert(awaited.end(), points.begin(), points.end());
    (void)timeline->signal(value);
  });
  ordered = value;
}

Result VulkanStream::beginCapture() {
  auto graph = std::make_shared<RecordedGraph>(opened, hostMemory);
  Result result = graph->begin(queue.family);
  std::lock_guard lock(mutex);
  if (result == success)
    capture = std::move(graph);
  return result;
}

std::shared_ptr<RecordedGraph> VulkanStream::endCapture() {
  std::lock_guard lock(mutex);
  return std::exchange(capture, nullptr);
}

Result VulkanStream::launch(std::shared_ptr<RecordedGraph> graph) {
  return order(
      [this, graph = std::move(graph)](uint64_t value) {
        slots.keep(graph, value);
        return send(graph->commands, value);
      },
      nullptr);
}

Result VulkanStream::callHost(HostFunction function, void *argument) {
  host.waitForRoom();
  addOnHost([function, argument] { function(argument); }, nullptr);
  return success;
}

Result VulkanStream::waitFor(const Point &point) {
  if (!point.timeline || point.timeline == timeline)
    return success;
  if (point.query() == success) {
    std::lock_guard lock(mutex);
    // Waiting also makes the writes before the point visible.
    awaited.push_back(point);
    return success;
  }
  host.waitForRoom();
  addOnHost([point] { (void)point.wait(); }, &point);
  return success;
}

Result VulkanStream::drain() {
  if (host.isCalling())
    return resultNotSupported; // The stream would wait for itself.
  return last().wait();
}

Result VulkanStream::synchronize() {
  Result result = drain();
  if (result == resultNotSupported)
    return result;
  std::lock_guard lock(mutex);
  Result first = std::exchange(failure, success);
  return result == success ? first : result;
}

Result VulkanStream::query() { return last().query(); }

Point VulkanStream::last() {
  std::lock_guard lock(mutex);
  return {timeline, ordered};
}
