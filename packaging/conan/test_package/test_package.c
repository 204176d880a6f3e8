/* Prints the runtime's version and the number of its devices. */
#include <stdio.h>
#include <tensorc/runtime.h>

int main(void) {
  int devices = (int)tensorc_rt_device_count();
  printf("tensorc runtime %s, devices: %d\n", tensorc_rt_version(), devices);
  return devices == 0;
}
