//===- ValidateSpirv.cpp - spirv-val for many files -----------------------===//
//
// Reads lines "ENVIRONMENT FILE", and answers each with a line: "ok", or what is
// wrong. The program spirv-val would be a process per file.
//
//===----------------------------------------------------------------------===//
#include <spirv-tools/libspirv.hpp>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

static std::string validate(const std::string &environment,
                            const std::string &path) {
  spv_target_env env;
  if (!spvParseTargetEnv(environment.c_str(), &env))
    return "unknown environment " + environment;
  std::ifstream file(path, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
  std::copy_n(bytes.data(), words.size() * sizeof(uint32_t),
              reinterpret_cast<char *>(words.data()));
  std::string wrong;
  spvtools::SpirvTools tools(env);
  tools.SetMessageConsumer([&](spv_message_level_t, const char *,
                               const spv_position_t &, const char *message) {
    wrong.append(wrong.empty() ? "" : "; ").append(message);
  });
  bool isValid = !words.empty() && tools.Validate(words);
  std::replace(wrong.begin(), wrong.end(), '\n', ' ');
  return isValid && wrong.empty() ? "ok" : "invalid: " + wrong;
}

int main() {
  std::string environment, path;
  while (std::cin >> environment >> std::ws && std::getline(std::cin, path))
    std::cout << validate(environment, path) << std::endl;
}
