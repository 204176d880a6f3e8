// Packages called with tensors, one of them with a function of the program.
//   package_test SOFTMAX CUSTOM
#include "tensorc/tensorc.hpp"

#include <cmath>
#include <cstdio>
#include <string>

using namespace tensorc;

static int failures = 0;
static void expect(bool holds, const char *what) {
  if (!holds)
    std::printf("not %s\n", what), ++failures;
}
#define EXPECT(condition) expect(condition, #condition)

static std::string errorOf(const std::string &path, Module *module, Tensor x) {
  try {
    if (module)
      (*module)(x, 0.5f);
    else
      load(path);
  } catch (const Error &error) {
    return error.what();
  }
  return "no error";
}

int main(int, char **argv) {
  Tensor x = arange(128, f32).reshape({2, 64}) * 0.01f;
  Tensor b = zeros({64});
  Module softmax = load(argv[1]);
  Tensor y = to_tensor(softmax(x, 2.0f, b));
  Tensor difference = sum(abs(y - tensorc::softmax(x * 2.0f)));
  EXPECT(difference.item<float>() < 1e-5f);
  // Two results of [n, 4] and a scalar by value; known only once registered.
  std::string missing = errorOf(argv[2], nullptr, x);
  EXPECT(missing.find("calls 'app.f', which is not registered") !=
         std::string::npos);
  CustomOp f("app.f", [](const CustomCall &call) {
    Type x = call.input_type(0);
    if (x.shape.at(0) == 3)
      throw std::runtime_error("three rows");
    for (int64_t i = 0; i < x.shape[0]; ++i)
      call.output<int64_t>(0)[i] = static_cast<int64_t>(
          call.input<float>(0)[4 * i] * *call.input<float>(1));
    call.output<float>(1)[0] = call.config()[2] - '0';
    call.output<float>(1)[1] = static_cast<float>(x.shape.size());
  });
  Module custom = load(argv[2]);
  Results results = custom(full({2, 4}, 3), 0.5f);
  EXPECT(results[0].to_vector<int64_t>() == (std::vector<int64_t>{-4, -4}));
  EXPECT(results[1].to_vector<float>() == (std::vector<float>{3, 2}));
  std::string thrown = errorOf("", &custom, full({3, 4}, 3));
  EXPECT(thrown.find("app.f: three rows") != std::string::npos);
  std::printf("%d failures: %s\n", failures, thrown.c_str());
  return failures != 0;
}
