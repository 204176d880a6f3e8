//===- Events.cpp - Events of PJRT ----------------------------------------===//

#include "pjrt/Table.h"

namespace tensorc::pjrt {

Event *doneEvent() {
  auto *event = new Event{std::make_shared<Completion>()};
  event->completion->finish();
  return event;
}

static Error *eventIsReady(EventIsReady &args) {
  args.isReady = args.event->completion->isFinished();
  return nullptr;
}

static Error *eventError(EventError &args) {
  if (!args.event->completion->isFinished())
    return fail(Code::FailedPrecondition, "the event has not happened yet");
  return args.event->completion->wait();
}

static Error *eventAwait(EventAwait &args) {
  return args.event->completion->wait();
}

static Error *eventOnReady(EventOnReady &args) {
  // The callback may destroy the event.
  std::shared_ptr<Completion> completion = args.event->completion;
  completion->onFinish(args.callback, args.userArg);
  return nullptr;
}

static Error *eventCreate(EventCreate &args) {
  args.event = new Event{std::make_shared<Completion>()};
  return nullptr;
}

static Error *eventSet(EventSet &args) {
  std::optional<Failure> failure;
  if (args.errorCode != Code{})
    failure =
        Failure{args.errorCode, {args.errorMessage, args.errorMessageSize}};
  args.event->completion->finish(std::move(failure));
  return nullptr;
}

void addEvents(Table table) {
  table.set<destroy<&EventDestroy::event>, eventIsReady, eventError, eventAwait,
            eventOnReady, eventCreate, eventSet>();
}

} // namespace tensorc::pjrt
