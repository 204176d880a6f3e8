//===- main.cpp - Devices as in PyTorch programs --------------------------===//
//
//   build/bin/devices [SECOND]
//
// Line by line what a program of libtorch does with devices; comments show its
// own lines. SECOND is a second device: the simulated GPU without one.
//
//===----------------------------------------------------------------------===//

#include "tensorc/tensorc.hpp"

#include <iostream>

using namespace tensorc;

/// Returns the first of these kinds of devices that is available.
static Device best() {
  // torch::cuda::is_available() ? torch::kCUDA : torch::mps::is_available() ...
  return is_available("cuda")  ? "cuda"
         : is_available("mps") ? "mps"
         : is_available("xpu") ? "xpu"
                               : "cpu";
}

static void create(const Device &device) {
  // auto x = torch::ones({2, 3}, torch::device(device).dtype(torch::kFloat32));
  Tensor x = ones({2, 3}, {.dtype = f32, .device = device});
  // auto y = torch::tensor({{1., 2., 3.}, {4., 5., 6.}}, device);
  Tensor y =
      tensor({{1.0f, 2.0f, 3.0f}, {4.0f, 5.0f, 6.0f}}, {.device = device});
  Tensor z = zeros_like(x);
  std::cout << "created on " << x.device().type() << ": " << sum(x + y + z)
            << ", index " << x.get_device() << "\n";
}

static void convert(const Device &device) {
  Tensor x = arange(4).to(f32);
  // x.to(device), x.to(device, torch::kFloat64), x.to(other), x.cpu()
  Tensor moved = x.to(device), both = x.to(device, f64), back = moved.cpu();
  Tensor like = x.to(both);
  std::cout << "moved to " << moved.device().type() << ", "
            << name(both.dtype()) << " on " << both.device().type() << ", "
            << name(like.dtype()) << " on " << like.device().type()
            << ", back on " << back.device().type() << ": " << equal(back, x)
            << "\n";
  // if (torch::cuda::is_available()) x = x.cuda();
  if (is_available("cuda"))
    x = x.cuda();
  std::cout << "is_cuda: " << (x.is_cuda() == is_available("cuda")) << "\n";
}

static void guard(const Device &device) {
  Device before = current_device();
  {
    // c10::DeviceGuard guard(device);
    DeviceGuard guard(device);
    Tensor x = zeros({2});
    std::cout << "within the guard on " << x.device().type() << "\n";
    {
      DeviceGuard inner("cpu");
      std::cout << "within another one on " << zeros({2}).device().type()
                << "\n";
    }
  }
  std::cout << "behind the guards as before: " << (current_device() == before)
            << "\n";
}

static void mix(const Device &device) {
  Tensor x = ones({2}, {.device = "cpu"}), y = ones({2}, {.device = device});
  try {
    Tensor z = x + y;
    std::cout << "added on " << z.device() << "\n";
  } catch (const Error &error) {
    // "Expected all tensors to be on the same device, but found at least two"
    std::cout << error.what() << "\n";
  }
  std::cout << "moved first: " << x.to(device) + y << "\n";
}

static void time(const Device &device) {
  DeviceGuard guard(device);
  Tensor x = arange(1 << 16, f32);
  // torch::Event start(kind), end(kind); start.record(stream); ...
  Event start, end;
  start.record(current_stream(device));
  Tensor y = sqrt(x);
  y.eval();
  end.record(current_stream(device));
  end.synchronize();
  std::cout << "between two events: " << (start.elapsed_ms(end) >= 0)
            << ", done: " << end.query() << "\n";
}

static void nameDevices() {
  for (const char *text : {"cpu", "cpu:0", "cuda:1", "mps", "cuda:-1"})
    try {
      Device device(text);
      std::cout << text << ": type " << device.type() << ", index "
                << device.index() << ", available " << is_available(device)
                << "\n";
    } catch (const Error &error) {
      std::cout << text << ": " << error.what() << "\n";
    }
}

int main(int argc, char **argv) {
  try {
    Device second = argc > 1 ? argv[1] : is_available("cuda") ? "cuda" : "sim";
    std::cout << "the best is one that computes: " << is_available(best())
              << ", an unknown one does not: " << is_available("toaster")
              << "\n";
    for (const Device &device : {Device("cpu"), second}) {
      create(device);
      convert(device);
      guard(device);
      time(device);
    }
    mix(second);
    nameDevices();
    return 0;
  } catch (const std::exception &error) {
    std::cerr << "devices: " << error.what() << "\n";
    return 1;
  }
}
