//===- StreamThread.cpp - threads that run streams' work ------------------===//
#include "runtime/core/streams/StreamThread.h"

using namespace tensorc::rt;

static thread_local bool onStreamThread = false;

bool tensorc::rt::isStreamThread() { return onStreamThread; }

void tensorc::rt::becomeStreamThread() { onStreamThread = true; }
