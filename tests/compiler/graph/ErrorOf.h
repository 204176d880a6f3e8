//===- ErrorOf.h - The message of an expected error -----------------------===//
#ifndef TENSORC_TESTS_UNIT_GRAPH_ERROROF_H
#define TENSORC_TESTS_UNIT_GRAPH_ERROROF_H

#include "tensorc/tensorc.hpp"

#include <string>

/// Returns the message of the tensorc::Error that fn throws.
template <typename Fn> std::string errorOf(Fn fn) {
  try {
    fn();
  } catch (const tensorc::Error &error) {
    return error.what();
  }
  return "no error";
}

/// Returns true if a message states a location only once, at its end.
inline bool namesOnly(const std::string &message, const char *file,
                      unsigned line) {
  std::string place = "  at " + std::string(file) + ":" + std::to_string(line);
  size_t first = message.find("  at ");
  return first != message.npos && message.substr(first) == place;
}

/// An error of that line.
#define EXPECT_PLACE(...)                                                      \
  EXPECT_TRUE(                                                                 \
      namesOnly(errorOf([&] { (void)(__VA_ARGS__); }), __FILE__, __LINE__))    \
      << errorOf([&] { (void)(__VA_ARGS__); })

/// A message of that line.
#define EXPECT_ERROR(message, expression)                                      \
  EXPECT_EQ(errorOf([&] { (void)(expression); }),                              \
            std::string(message) + "  at " + __FILE__ + ":" +                  \
                std::to_string(__LINE__))

/// A message with that text in it.
#define EXPECT_ERROR_WITH(text, ...)                                           \
  EXPECT_NE(errorOf([&] { __VA_ARGS__; }).find(text), std::string::npos)       \
      << errorOf([&] { __VA_ARGS__; })

#endif // TENSORC_TESTS_UNIT_GRAPH_ERROROF_H
