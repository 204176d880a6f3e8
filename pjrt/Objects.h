//===- Objects.h - Objects behind the host's opaque pointers --------------===//
#ifndef TENSORC_PJRT_OBJECTS_H
#define TENSORC_PJRT_OBJECTS_H

#include "pjrt/Abi.h"
#include "pjrt/Completion.h"
#include "pjrt/Queue.h"

#include "tensorc/devices.h"

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace tensorc::pjrt {

/// The name of the platform, which users give to JAX_PLATFORMS.
inline constexpr char platformName[] = "tensorc";

//===----------------------------------------------------------------------===//
// Errors and events
//===----------------------------------------------------------------------===//

struct Error {
  Code code;
  std::string message;
};

Error *fail(Code code, std::string message);
/// Converts a status to an error and frees the status. Returns null for null.
Error *fail(tensorc_status *status);
/// Converts an error to the failure of a completion and frees the error. Returns
/// nullopt for null.
std::optional<Failure> failureOf(Error *error);

/// A reference to a completion. The host destroys the event.
struct Event {
  std::shared_ptr<Completion> completion;
};

/// Returns an event that has already happened.
Event *doneEvent();

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

struct DeviceDescription {
  int32_t id;
  std::string kind; // the hardware's name
  std::string text; // a description for programmers
  std::string name; // tensorc's name, "cpu:0"
};

/// The kinds of memory that each device has, in the order of Device::memories.
/// The first is the default one. JAX's CPU backend has the same.
inline constexpr std::string_view memoryKinds[] = {"device", "pinned_host",
                                                   "unpinned_host"};

struct Memory {
  int32_t id;
  int32_t kindId;
  std::string_view kind;
  std::string text;
  Device *device;
  tensorc_rt_device *place;      // on which the tensors of this memory are
  bool isHost;                   // true if the host can read the memory
  std::vector<Device *> devices; // devices that can address it
};

struct Device {
  DeviceDescription description;
  tensorc_rt_device *device;
  bool isHost; // true if its default memory is the host's memory
  std::vector<std::unique_ptr<Memory>> owned;
  std::vector<Memory *> memories;
  /// Jobs that wait for work on the device and then run the host's callbacks.
  /// They must not wait for room in a queue: jobs of `queue` wait for room in
  /// this one, and a callback may post to it. Not used for the host's memory,
  /// where work is done when the call that starts it returns.
  Queue waits; // declared before `queue`, so destroyed after it
  Queue queue;
};

struct Topology {
  std::string platformVersion;
  std::vector<DeviceDescription *> descriptions;
};

struct Client {
  std::vector<std::unique_ptr<Device>> owned;
  std::vector<Device *> devices;
  std::vector<Memory *> memories;
  Topology topology;
};

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// A tensor that already exists or is made by a job in a queue.
struct Value {
  /// Takes over a reference.
  explicit Value(tensorc_tensor *tensor, bool isBorrowed = false)
      : tensor(tensor), isBorrowed(isBorrowed) {}
  /// The tensor is made before its elements are there, if a device computes
  /// them asynchronously.
  Value(std::shared_ptr<Completion> made, std::shared_ptr<Completion> ready)
      : made(std::move(made)), ready(std::move(ready)) {}
  Value(const Value &) = delete;
  Value &operator=(const Value &) = delete;
  ~Value();

  bool isReady() const { return !ready || ready->isFinished(); }
  /// Waits for the tensor. Returns the error of its computation, or null.
  Error *wait() const { return made ? made->wait() : nullptr; }
  /// Returns an event that happens when the elements have been computed.
  Event *event() const { return ready ? new Event{ready} : doneEvent(); }

  tensorc_tensor *tensor = nullptr; // must not be read before it is made
  bool isBorrowed = false;          // the memory is another library's
  // Null if there is nothing to wait for.
  std::shared_ptr<Completion> made;
  std::shared_ptr<Completion> ready;
};

/// An array in the memory of a device. Its value never changes, so several
/// buffers may share memory.
struct Buffer {
  Memory *memory;
  ElementType type;
  std::vector<int64_t> dims;

  Buffer(Memory *memory, ElementType type, std::vector<int64_t> dims,
         std::shared_ptr<Value> value);

  /// Returns the value; null if the buffer was deleted or donated.
  std::shared_ptr<Value> get();
  /// Removes the value from the buffer and returns it, so that it can be
  /// donated. Returns null if there is no value, or if the address of its
  /// memory is in use (pin).
  std::shared_ptr<Value> take();
  void erase();
  bool isErased();
  /// Mark the address of the memory as in use, or as no longer in use. Pinned
  /// memory stays alive.
  void pin();
  void unpin();

private:
  std::mutex mutex;
  std::shared_ptr<Value> value; // null if deleted or donated
  std::shared_ptr<Value> pinned;
  unsigned pins = 0;
};

/// Returns in `moved` the value of the tensor on another device.
Error *moveTo(const tensorc_tensor *tensor, tensorc_rt_device *place,
              tensorc_tensor *&moved);

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

struct Compiled;

/// The code of an executable. It is shared, because the host destroys the
/// executable and the loaded executable independently.
struct Executable {
  std::shared_ptr<Compiled> code;
};

struct LoadedExecutable {
  std::shared_ptr<Compiled> code;
  std::vector<Device *> devices;
  bool isDeleted = false;
};

struct ExecuteContext {};

/// Bytes that are passed to the host, together with a deleter that frees them.
struct SerializedBytes {
  std::string bytes;
};
inline void deleteBytes(SerializedBytes *bytes) { delete bytes; }
/// Returns the bytes to the host, and the object that owns them.
template <class Args>
SerializedBytes *giveBytes(std::string bytes, Args &args) {
  auto *owner = new SerializedBytes{std::move(bytes)};
  args.serializedBytes = owner->bytes.data();
  args.serializedBytesSize = owner->bytes.size();
  return owner;
}

struct MemoryLayout {
  std::string text;
};
/// Returns the layout of a dense row-major array.
MemoryLayout rowMajor(size_t rank);

} // namespace tensorc::pjrt

#endif // TENSORC_PJRT_OBJECTS_H
