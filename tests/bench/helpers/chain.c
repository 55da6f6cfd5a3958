/* bench-chain PROGRAM [ARGUMENT...]: the lower bound for waiting for another process's child. A
 * second process starts PROGRAM and reaps it, then notifies the first one through a socket, which
 * prints a word and exits. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int run_and_notify(int socket, char** program) {
  int status = 0;
  pid_t child = fork();
  if (child < 0) return 71;
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execv(program[0], program);
    _exit(127);
  }
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return 71;
  }
  return write(socket, "x", 1) == 1 && status == 0 ? 0 : 74;
}

int main(int argc, char** argv) {
  int ends[2];
  char byte;
  if (argc < 2) return 64;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 71;
  pid_t second = fork();
  if (second < 0) return 71;
  if (second == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(ends[0]);
    _exit(run_and_notify(ends[1], argv + 1));
  }
  close(ends[1]);
  if (read(ends[0], &byte, 1) != 1) return 74;
  _exit(write(1, "ended\n", 6) == 6 ? 0 : 74);
}
