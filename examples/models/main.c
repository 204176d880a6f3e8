/* Runs the network on three images: no framework, no runtime, no allocation but
 * here. */
#include "net.h"

#include <stdio.h>
#include <stdlib.h>

int main(void) {
  enum { count = 3, pixels = 28 * 28, classes = 10 };
  static float images[count * pixels], probabilities[count * classes];
  net_inputs in;
  net_outputs out;
  void *workspace;
  int status, i;

  for (i = 0; i < count * pixels; ++i)
    images[i] = (float)(i % 17) / 17;
  in.image = images;
  in.n = count;
  out.probabilities = probabilities;
  workspace = malloc((size_t)net_workspace_size(count));
  status = net_run(&in, &out, workspace);
  free(workspace);
  if (status) {
    fprintf(stderr, "%s\n", net_error(status));
    return 1;
  }
  for (i = 0; i < count; ++i) {
    const float *row = probabilities + i * classes;
    int best = 0, k;
    for (k = 1; k < classes; ++k)
      if (row[k] > row[best])
        best = k;
    printf("image %d: class %d, probability %.3f\n", i, best, row[best]);
  }
  return 0;
}
