/* bench-stamp FIFO FILE: waits until another process has opened and closed FIFO, writes the time of
 * CLOCK_MONOTONIC in nanoseconds to FILE as eight bytes, and exits at once. */
#define _POSIX_C_SOURCE 200809L

#include <fcntl.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char** argv) {
  char byte;
  struct timespec now;
  int64_t nanoseconds;
  if (argc != 3) return 64;
  int out = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  int fifo = open(argv[1], O_RDONLY | O_CLOEXEC);
  if (out < 0 || fifo < 0 || read(fifo, &byte, 1) != 0) return 66;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 71;
  nanoseconds = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
  if (write(out, &nanoseconds, sizeof nanoseconds) != (ssize_t)sizeof nanoseconds) return 74;
  _exit(0);
}
