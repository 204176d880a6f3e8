//===- Execution.cpp - Execution of programs ------------------------------===//
//
// A program runs asynchronously in the queue of its device, unless it takes
// less time than queueing would. A program with several ranks has a job in the
// queue of each device. On a device with work of its own, such as a GPU, the job
// only starts this work, and a second queue waits for it.
//
//===----------------------------------------------------------------------===//

#include "pjrt/Compiled.h"
#include "pjrt/Table.h"

#include "tensorc/communicator.h"

#include <utility>

namespace tensorc::pjrt {

namespace {
/// A run of one rank of a program.
class Run {
public:
  Run(std::shared_ptr<Compiled> code, size_t rank)
      : code(std::move(code)), rank(rank) {}
  Run(const Run &) = delete;
  Run &operator=(const Run &) = delete;
  ~Run() { tensorc_rt_communicator_release(communicator); }

  Device &device() const { return *code->request.devices[rank]; }
  /// Takes the arguments from the buffers.
  Error *take(const LoadedExecutableExecute &args);
  /// Computes the results and gives the arguments back.
  Error *compute();
  /// Computes the results on the thread of a queue, with the run's communicator
  /// set for this thread. Returns the reason of a failure.
  std::optional<Failure> settle();
  /// Finishes the completion when the device has done the work of this run.
  Error *finishAfterWork(std::shared_ptr<Completion> ready) const;

  std::vector<std::shared_ptr<Value>> results;
  tensorc_rt_communicator *communicator = nullptr; // null for a single rank

private:
  std::shared_ptr<Compiled> code;
  size_t rank;
  std::vector<std::shared_ptr<Value>> arguments;
  // One flag per argument
  std::vector<uint8_t> donated, isElsewhere;
};
} // namespace

Error *Run::take(const LoadedExecutableExecute &args) {
  donated = code->signature.donated;
  size_t count = donated.size();
  if (args.numArgs != count)
    return fail(Code::InvalidArgument,
                "the program takes " + std::to_string(count) +
                    " arguments, got " + std::to_string(args.numArgs));
  for (size_t i = 0; i < args.options->numNonDonatableInputIndices; ++i)
    if (int64_t index = args.options->nonDonatableInputIndices[i];
        index >= 0 && index < static_cast<int64_t>(count))
      donated[index] = false;
  for (size_t i = 0; i < count; ++i) {
    Buffer &buffer = *args.argumentLists[rank][i];
    std::shared_ptr<Value> value = donated[i] ? buffer.take() : nullptr;
    if (!value) {
      value = buffer.get();
      if (donated[i]) // the address is in use
        buffer.erase();
      donated[i] = false;
    }
    if (!value)
      return fail(Code::InvalidArgument, "argument " + std::to_string(i) +
                                             " has been deleted or donated");
    arguments.push_back(std::move(value));
    isElsewhere.push_back(buffer.memory->place != device().device);
  }
  return nullptr;
}

static Error *copyOf(tensorc_tensor *tensor, tensorc_tensor *&copy) {
  tensorc_tensor_retain(copy = tensor);
  return fail(tensorc_copy_forwarded(&tensor, 1, &copy, 1));
}

Error *Run::compute() {
  Error *error = nullptr;
  for (size_t i = 0; i < arguments.size() && !error; ++i)
    error = arguments[i]->wait();
  std::vector<tensorc_tensor *> tensors;
  for (size_t i = 0; i < arguments.size() && !error; ++i) {
    Value &value = *arguments[i];
    // Another run, or a view that the host holds, may still read a donated
    // value.
    donated[i] = donated[i] && arguments[i].use_count() == 1;
    // All reads by others happened before they released the value.
    if (donated[i])
      std::atomic_thread_fence(std::memory_order_acquire);
    if (isElsewhere[i])
      error = moveTo(value.tensor, device().device, tensors.emplace_back());
    else if (value.isBorrowed && code->signature.donated[i])
      // Others may read the memory, and donated memory has to be aligned.
      error = copyOf(value.tensor, tensors.emplace_back());
    else if (donated[i])
      tensors.push_back(std::exchange(value.tensor, nullptr));
    else
      tensorc_tensor_retain(tensors.emplace_back(value.tensor));
  }
  arguments.clear();
  if (error) {
    for (tensorc_tensor *tensor : tensors)
      tensorc_tensor_release(tensor);
    return error;
  }
  std::vector<tensorc_tensor *> outputs;
  error = code->run(rank, tensors, donated, outputs);
  if (error)
    return error;
  for (size_t i = 0; i < outputs.size(); ++i) {
    results[i]->tensor = outputs[i];
    tensorc_rt_device *place = code->resultMemory(rank, i)->place;
    if (!error && place != device().device) {
      error = moveTo(outputs[i], place, results[i]->tensor);
      tensorc_tensor_release(outputs[i]);
    }
  }
  return error;
}

/// Sets the communicator for runs of this thread; null for none.
static Error *useCommunicator(tensorc_rt_communicator *communicator) {
  tensorc_rt_run_options options{};
  options.struct_size = sizeof options;
  options.communicator = communicator;
  return fail(tensorc_rt_set_run_options(&options));
}

std::optional<Failure> Run::settle() {
  if (!communicator)
    return pjrt::settle([&] { return compute(); });
  std::optional<Failure> failure = pjrt::settle([&] {
    Error *error = useCommunicator(communicator);
    return error ? error : compute();
  });
  delete useCommunicator(nullptr);
  if (failure) // other ranks may wait for this one
    tensorc_rt_communicator_abort(communicator, failure->message.c_str());
  return failure;
}

Error *Run::finishAfterWork(std::shared_ptr<Completion> ready) const {
  tensorc_rt_event *event = nullptr;
  if (auto *failed = tensorc_rt_event_create(device().device, &event))
    return fail(failed);
  std::shared_ptr<tensorc_rt_event> work(event, tensorc_rt_event_release);
  if (auto *failed = tensorc_rt_event_record(event, nullptr))
    return fail(failed);
  // The job does not keep the results, so a later run may take their memory.
  device().waits.post([work, ready = std::move(ready)] {
    ready->finish(pjrt::settle(
        [&] { return fail(tensorc_rt_event_synchronize(work.get())); }));
  });
  return nullptr;
}

/// Runs a program in a job. `ready` may be the same as `made`.
static void runJob(Run &run, const std::shared_ptr<Completion> &made,
                   const std::shared_ptr<Completion> &ready) {
  std::optional<Failure> failure = run.settle();
  if (!failure && ready != made) {
    run.device().waits.waitForRoom();
    failure = settle([&] { return run.finishAfterWork(ready); });
  }
  made->finish(failure);
  if (failure)
    ready->finish(std::move(failure));
}

/// Returns true if a program for one device runs on the caller's thread. If the
/// program calls the host, first waits until the device's queue is empty.
static bool runsAtOnce(const Compiled &code, Device &device) {
  if (Queue::isWithinJob()) // called by a host function that waits for results
    return true;
  if (code.callsHost) {
    // The host's function may wait for arrays, and its effects must keep their
    // order.
    device.queue.drain();
    return true;
  }
  // A run that takes less time than this is not worth a switch of threads
  // (about 10 us for each run, and 30 us if the thread has fallen asleep).
  constexpr std::chrono::microseconds least(100);
  return code.lastRun.load() < least && device.queue.isIdle();
}

static Error *check(const LoadedExecutableExecute &args) {
  if (args.executable->isDeleted)
    return fail(Code::FailedPrecondition, "the executable has been deleted");
  const std::vector<Device *> &devices = args.executable->devices;
  if (args.numDevices != devices.size())
    return fail(Code::InvalidArgument,
                "the program runs on " + std::to_string(devices.size()) +
                    " devices, not on " + std::to_string(args.numDevices));
  if (args.executeDevice && args.executeDevice != devices.front())
    return fail(Code::Unimplemented, "the program was compiled for " +
                                         devices.front()->description.name +
                                         ", not for " +
                                         args.executeDevice->description.name);
  return nullptr;
}

/// Connects the ranks of one execution. A failure then ends only this
/// execution.
static Error *connect(const std::vector<std::shared_ptr<Run>> &runs) {
  std::vector<tensorc_rt_device *> devices;
  for (const std::shared_ptr<Run> &run : runs)
    devices.push_back(run->device().device);
  std::vector<tensorc_rt_communicator *> ranks(runs.size());
  if (auto *failed = tensorc_rt_communicator_create_local(
          devices.data(), static_cast<int32_t>(devices.size()), ranks.data()))
    return fail(failed);
  for (size_t i = 0; i < runs.size(); ++i)
    runs[i]->communicator = ranks[i];
  return nullptr;
}

static Error *execute(LoadedExecutableExecute &args) {
  if (Error *error = check(args))
    return error;
  const std::shared_ptr<Compiled> &code = args.executable->code;
  const Signature &signature = code->signature;
  std::vector<std::shared_ptr<Run>> runs;
  for (size_t rank = 0; rank < args.numDevices; ++rank) {
    runs.push_back(std::make_shared<Run>(code, rank));
    if (Error *error = runs.back()->take(args))
      return error;
  }
  if (runs.size() > 1)
    if (Error *error = connect(runs))
      return error;
  if (runs.size() > 1 && Queue::isWithinJob())
    return fail(Code::FailedPrecondition,
                "a function that a program calls cannot run a program for "
                "several devices");
  const bool isAtOnce =
      runs.size() == 1 && runsAtOnce(*code, runs.front()->device());
  // Ranks of several executions must have the same order in the queues of all
  // devices. Otherwise two executions would wait for each other's ranks.
  static std::mutex order;
  std::unique_lock lock(order, std::defer_lock);
  if (runs.size() > 1)
    lock.lock();
  for (size_t rank = 0; rank < runs.size(); ++rank) {
    const std::shared_ptr<Run> &run = runs[rank];
    std::shared_ptr<Completion> made, ready;
    if (!isAtOnce)
      ready = made = std::make_shared<Completion>();
    if (!run->device().isHost)
      ready = std::make_shared<Completion>();
    for (size_t i = 0; i < signature.resultTypes.size(); ++i)
      run->results.push_back(std::make_shared<Value>(made, ready));
    std::vector<std::shared_ptr<Value>> results = run->results;
    if (!Queue::isWithinJob())
      (isAtOnce ? run->device().waits : run->device().queue).waitForRoom();
    if (!isAtOnce)
      run->device().queue.post(
          [run, made, ready] { runJob(*run, made, ready); });
    else if (Error *error = run->compute())
      return error;
    else if (ready)
      if (Error *late = run->finishAfterWork(ready))
        return late;
    for (size_t i = 0; i < results.size(); ++i)
      args.outputLists[rank][i] =
          new Buffer(code->resultMemory(rank, i), signature.resultTypes[i],
                     signature.resultDims[i], std::move(results[i]));
    if (args.deviceCompleteEvents)
      args.deviceCompleteEvents[rank] = ready ? new Event{ready} : doneEvent();
  }
  return nullptr;
}

void addExecution(Table table) { table.set<execute>(); }

} // namespace tensorc::pjrt
