//===- StreamRecords.cpp - what a stream must remember --------------------===//
#include "runtime/drivers/gpu/StreamRecords.h"

#include <algorithm>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Maximum number of launches that an error names. The latest ones are named.
static constexpr ptrdiff_t maxRecent = 16;

void RecentLaunches::add(std::span<const LaunchSite> added) {
  std::lock_guard lock(mutex);
  if (std::ssize(added) > maxRecent)
    added = added.last(maxRecent);
  for (const LaunchSite &launch : added) {
    std::erase(launches, launch);
    launches.push_back(launch);
  }
  if (std::ssize(launches) > maxRecent)
    launches.erase(launches.begin(), launches.end() - maxRecent);
}

void RecentLaunches::addTo(std::vector<LaunchSite> &all) {
  std::lock_guard lock(mutex);
  for (const LaunchSite &launch : launches)
    if (std::find(all.begin(), all.end(), launch) == all.end())
      all.push_back(launch);
}

void RecentLaunches::clear() {
  std::lock_guard lock(mutex);
  launches.clear();
}

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

void RetiredReferences::collect(Stream_t stream, RetiredList &done, bool wait) {
  std::lock_guard lock(mutex);
  if (wait && !retired.empty())
    (void)library.streams.drain(stream);
  while (!retired.empty()) {
    Retired &first = retired.front();
    if (!wait && library.events.query(first.event) == resultNotReady)
      return;
    events.give(first.event);
    done.splice(done.end(), retired, retired.begin());
  }
}

void RetiredReferences::add(RetiredList &&added) {
  std::lock_guard lock(mutex);
  retired.splice(retired.end(), added);
}

void RetiredReferences::takeAll(RetiredList &out) {
  std::lock_guard lock(mutex);
  out.splice(out.end(), retired);
}

//===----------------------------------------------------------------------===//
// All streams
//===----------------------------------------------------------------------===//

void StreamRegistry::add(StreamRecords &stream) {
  std::lock_guard lock(mutex);
  streams.push_back(&stream);
  ++count;
}

void StreamRegistry::remove(StreamRecords &stream) {
  std::lock_guard lock(mutex);
  std::erase(streams, &stream);
  --count;
}

void StreamRegistry::addRecent(std::vector<LaunchSite> &launches) {
  std::lock_guard lock(mutex);
  for (StreamRecords *stream : streams)
    stream->recent.addTo(launches);
}

void StreamRegistry::collect(RetiredList &done, bool wait) {
  std::lock_guard lock(mutex);
  for (StreamRecords *stream : streams)
    stream->retired.collect(stream->stream, done, wait);
}
