//===- StreamThread.h - threads that run streams' work ----------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_STREAMS_STREAMTHREAD_H
#define TENSORC_RUNTIME_CORE_STREAMS_STREAMTHREAD_H

namespace tensorc::rt {

/// True if the calling thread executes the work of a stream, so that it must
/// not wait for a stream.
bool isStreamThread();
/// Makes isStreamThread() true for the calling thread until it ends.
void becomeStreamThread();

} // namespace tensorc::rt

#endif
