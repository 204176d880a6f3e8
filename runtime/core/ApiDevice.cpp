//===- ApiDevice.cpp - C interface: devices, memory, streams, events ------===//
#include "runtime/core/Api.h"
#include "runtime/core/check/Faults.h"
#include "runtime/core/streams/Event.h"
#include "tensorc/memory.h"

#include <cstdlib>
#include <cstring>

using namespace tensorc::rt;

/// Maximum number of blocks that a memory record keeps, about 60 MB.
static constexpr uint32_t maxRecordedBlocks = 1 << 20;

static Event *unwrap(tensorc_rt_event *event) {
  return static_cast<Event *>(event);
}

const char *tensorc_rt_version(void) { return TENSORC_RT_VERSION; }

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

int32_t tensorc_rt_device_count(void) try {
  return static_cast<int32_t>(allDevices().size());
} catch (const std::bad_alloc &) {
  return 0; // tensorc_rt_device_find reports the reason
}

tensorc_rt_device *tensorc_rt_device_get(int32_t index) {
  bool valid = index >= 0 && index < tensorc_rt_device_count();
  return valid ? allDevices()[static_cast<size_t>(index)] : nullptr;
}

tensorc_rt_status *tensorc_rt_device_find(const char *name,
                                          tensorc_rt_device **out) {
  return guardOut(out, [&]() -> Status {
    Device *device = nullptr;
    TENSORC_RT_TRY(findDevice(name, device));
    *out = device;
    return Status();
  });
}

void tensorc_rt_device_get_properties(const tensorc_rt_device *device,
                                      tensorc_rt_device_properties *out) {
  if (!out)
    return;
  *out = {};
  out->name = out->description = out->target = out->driver = "";
  if (!device)
    return;
  unwrap(device)->properties(*out);
  out->name = unwrap(device)->name();
  out->host_visible = unwrap(device)->hostVisible();
}

int32_t tensorc_rt_device_accepts(const tensorc_rt_device *device,
                                  const char *target) {
  return device && target ? unwrap(device)->accepts(target) : 0;
}

void tensorc_rt_device_memory(const tensorc_rt_device *device,
                              tensorc_rt_memory_stats *out) {
  if (!out)
    return;
  *out = {};
  if (!device)
    return;
  auto *of = const_cast<Device *>(unwrap(device));
  *out = of->allocator.stats();
  // Reports 0 if the driver cannot report the memory.
  if (!of->memoryInfo(out->free, out->total).ok())
    out->free = out->total = 0;
}

void tensorc_rt_device_set_memory_limit(tensorc_rt_device *device,
                                        uint64_t limit) {
  if (device)
    unwrap(device)->allocator.setLimit(limit);
}

tensorc_rt_status *tensorc_rt_device_record_memory(tensorc_rt_device *device,
                                                   uint32_t blocks) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(needs(device, "no device"));
    if (blocks > maxRecordedBlocks)
      return error(TENSORC_RT_INVALID_ARGUMENT,
                   "record_memory: %u blocks are more than %u", blocks,
                   maxRecordedBlocks);
    unwrap(device)->allocator.recordReleases(blocks);
    return Status();
  });
}

tensorc_rt_status *tensorc_rt_device_memory_snapshot(tensorc_rt_device *device,
                                                     char **out) {
  return guardOut(out, [&]() -> Status {
    TENSORC_RT_TRY(needs(device, "no device"));
    Device &of = *unwrap(device);
    std::string json = of.allocator.snapshot().toJson(of.name());
    *out = static_cast<char *>(std::malloc(json.size() + 1));
    if (!*out)
      return outOfMemory();
    std::memcpy(*out, json.c_str(), json.size() + 1);
    return Status();
  });
}

void tensorc_rt_device_reset_peak(tensorc_rt_device *device) {
  if (device)
    unwrap(device)->allocator.resetPeak();
}

void tensorc_rt_device_trim(tensorc_rt_device *device) {
  if (!device)
    return;
  unwrap(device)->allocator.trim();
  unwrap(device)->hostAllocator.trim();
}

tensorc_rt_status *tensorc_rt_device_synchronize(tensorc_rt_device *device) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(needs(device, "no device"));
    return unwrap(device)->synchronize();
  });
}

tensorc_rt_stream *
tensorc_rt_device_default_stream(tensorc_rt_device *device) try {
  return device ? &unwrap(device)->defaultStream() : nullptr;
} catch (const std::exception &) {
  return nullptr; // there is no memory or no thread for the stream
}

void tensorc_rt_device_run_stats(const tensorc_rt_device *device,
                                 tensorc_rt_run_stats *out) {
  if (!out)
    return;
  *out = {};
  if (!device)
    return;
  const RunCounters &counters = unwrap(device)->counters;
  *out = {counters.runs, counters.launches, counters.copies,
          counters.copiedBytes, counters.customCalls};
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

tensorc_rt_status *tensorc_rt_stream_create(tensorc_rt_device *device,
                                            tensorc_rt_stream **out) {
  return guardOut(out, [&]() -> Status {
    TENSORC_RT_TRY(needs(device, "no device"));
    Stream *stream = nullptr;
    TENSORC_RT_TRY(unwrap(device)->createStream(stream));
    *out = stream;
    return Status();
  });
}

tensorc_rt_status *tensorc_rt_stream_wrap(tensorc_rt_device *device,
                                          void *native,
                                          tensorc_rt_stream **out) {
  return guardOut(out, [&]() -> Status {
    TENSORC_RT_TRY(needs(device, "no device"));
    Stream *stream = nullptr;
    TENSORC_RT_TRY(unwrap(device)->wrapStream(native, stream));
    *out = stream;
    return Status();
  });
}

void *tensorc_rt_stream_native(tensorc_rt_stream *stream) {
  return stream ? unwrap(stream)->native() : nullptr;
}

void tensorc_rt_stream_retain(tensorc_rt_stream *stream) {
  if (stream)
    unwrap(stream)->retain();
}

void tensorc_rt_stream_release(tensorc_rt_stream *stream) {
  if (stream)
    unwrap(stream)->release();
}

tensorc_rt_status *tensorc_rt_stream_synchronize(tensorc_rt_stream *stream) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(needs(stream, "no stream"));
    return unwrap(stream)->synchronize();
  });
}

int32_t tensorc_rt_stream_query(tensorc_rt_stream *stream) {
  return stream && unwrap(stream)->idle();
}

tensorc_rt_status *tensorc_rt_stream_wait(tensorc_rt_stream *stream,
                                          tensorc_rt_event *event) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(needs(stream && event, "no stream or no event"));
    std::shared_ptr<Mark> mark = unwrap(event)->latest();
    return mark ? unwrap(stream)->wait(std::move(mark)) : Status();
  });
}

tensorc_rt_device *tensorc_rt_stream_device(const tensorc_rt_stream *stream) {
  return stream ? &static_cast<const Stream *>(stream)->device : nullptr;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

tensorc_rt_status *tensorc_rt_event_create(tensorc_rt_device *device,
                                           tensorc_rt_event **out) {
  return guardOut(out, [&]() -> Status {
    TENSORC_RT_TRY(needs(device, "no device"));
    *out = new Event(*unwrap(device));
    return Status();
  });
}

void tensorc_rt_event_retain(tensorc_rt_event *event) {
  if (event)
    unwrap(event)->retain();
}

void tensorc_rt_event_release(tensorc_rt_event *event) {
  if (event)
    unwrap(event)->release();
}

tensorc_rt_status *tensorc_rt_event_record(tensorc_rt_event *event,
                                           tensorc_rt_stream *stream) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(needs(event, "no event"));
    Stream *on = nullptr;
    TENSORC_RT_TRY(chooseStream(stream, unwrap(event)->device, on));
    std::shared_ptr<Mark> mark;
    TENSORC_RT_TRY(on->record(mark));
    unwrap(event)->replace(std::move(mark));
    return Status();
  });
}

tensorc_rt_status *tensorc_rt_event_synchronize(tensorc_rt_event *event) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(needs(event, "no event"));
    std::shared_ptr<Mark> mark = unwrap(event)->latest();
    return mark ? mark->wait() : Status();
  });
}

int32_t tensorc_rt_event_query(tensorc_rt_event *event) {
  if (!event)
    return 0;
  std::shared_ptr<Mark> mark = unwrap(event)->latest();
  return !mark || mark->reached();
}

tensorc_rt_status *tensorc_rt_event_elapsed(tensorc_rt_event *start,
                                            tensorc_rt_event *stop,
                                            int64_t *out) {
  return guardOut(out, [&]() -> Status {
    TENSORC_RT_TRY(needs(start && stop, "no event"));
    std::shared_ptr<Mark> from = unwrap(start)->latest();
    std::shared_ptr<Mark> to = unwrap(stop)->latest();
    TENSORC_RT_TRY(needs(from && to && from->reached() && to->reached(),
                         "an event is not reached yet"));
    *out = to->since(*from);
    return Status();
  });
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

void tensorc_rt_report_faults(void) { reportFaults(); }
