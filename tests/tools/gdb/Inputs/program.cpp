#include "tensorc/tensorc.hpp"

using namespace tensorc;

void stop() {}

int main() {
  Tensor none;
  Tensor x = tensor({{1.0f, 2.0f}, {3.0f, 4.0f}});
  Tensor y = astype(x, i32) * 2;
  Tensor z = (x + 1).eval(); // a debugger reads the kernel when it is mapped
  stop();
  return x.rank() + y.rank() + z.rank() == 6 && !none.raw() ? 0 : 1;
}
