//===- StreamThread.h - threads that run streams' work ----------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_STREAMS_STREAMTHREAD_H
#define TENSORC_RUNTIME_CORE_STREAMS_STREAMTHREAD_H

namespace tensorc::rt {

/// True if the calling thread runs the work of a stream, and so must not wait
/// for one.
bool isStreamThread();
/// Makes isStreamThread() true for the calling thread until it ends.
void becomeStreamThread();

} // namespace tensorc::rt

#endif
