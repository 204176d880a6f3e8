//===- LogTopics.h - what TENSORC_LOG asks for ------------------*- C++ -*-===//
//
// TENSORC_LOG names topics with commas between them; 1 and all name every one.
// What is logged goes to stderr, a line at a time.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_LOG_LOGTOPICS_H
#define TENSORC_COMPILER_LOG_LOGTOPICS_H

namespace tensorc {

enum class LogTopic {
  Compile,   // each compilation: what, why and how long
  Cache,     // what the disk cache cannot use, once per process
  Placement, // devices that `auto` does not use
};

/// Returns true if TENSORC_LOG contains the topic. Thread-safe. The variable is
/// read once; words in it that are no topics are then reported on stderr.
bool isLogged(LogTopic topic);

} // namespace tensorc

#endif // TENSORC_COMPILER_LOG_LOGTOPICS_H
