//===- LogTopics.h - The topics of TENSORC_LOG ------------------*- C++ -*-===//
//
// TENSORC_LOG is a list of topics, separated by commas; 1 and all mean every
// topic. Messages go to stderr, one line each.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_LOG_LOGTOPICS_H
#define TENSORC_COMPILER_LOG_LOGTOPICS_H

namespace tensorc {

enum class LogTopic {
  Compile,   // each compilation: what, why and how long
  Cache,     // what the disk cache cannot use, once per process
  Placement, // devices that `auto` does not use
  Devices,   // why the runtime does not use a driver or a device
};

/// Returns true if TENSORC_LOG contains the topic. Thread-safe. The variable is
/// read once; words in it that are no topics are then reported on stderr.
bool isLogged(LogTopic topic);

} // namespace tensorc

#endif // TENSORC_COMPILER_LOG_LOGTOPICS_H
