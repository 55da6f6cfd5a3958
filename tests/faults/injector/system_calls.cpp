#include "tests/faults/injector/system_calls.hpp"

#include <sys/syscall.h>

#include <array>

namespace slipway::faults {
namespace {

struct Entry {
  std::string_view name;
  long number;
};

#define SLIPWAY_CALL(name) \
  Entry { #name, SYS_##name }

// The calls that Slipway, its helpers and the C library under them make.
constexpr std::array kCalls{
    SLIPWAY_CALL(accept),
    SLIPWAY_CALL(accept4),
    SLIPWAY_CALL(access),
    SLIPWAY_CALL(arch_prctl),
    SLIPWAY_CALL(bind),
    SLIPWAY_CALL(brk),
    SLIPWAY_CALL(chdir),
    SLIPWAY_CALL(chmod),
    SLIPWAY_CALL(clock_gettime),
    SLIPWAY_CALL(clock_nanosleep),
    SLIPWAY_CALL(clone),
    SLIPWAY_CALL(clone3),
    SLIPWAY_CALL(close),
    SLIPWAY_CALL(close_range),
    SLIPWAY_CALL(connect),
    SLIPWAY_CALL(copy_file_range),
    SLIPWAY_CALL(dup),
    SLIPWAY_CALL(dup2),
    SLIPWAY_CALL(dup3),
    SLIPWAY_CALL(epoll_create1),
    SLIPWAY_CALL(epoll_ctl),
    SLIPWAY_CALL(epoll_pwait),
    SLIPWAY_CALL(epoll_pwait2),
    SLIPWAY_CALL(epoll_wait),
    SLIPWAY_CALL(eventfd2),
    SLIPWAY_CALL(execve),
    SLIPWAY_CALL(exit),
    SLIPWAY_CALL(exit_group),
    SLIPWAY_CALL(faccessat),
    SLIPWAY_CALL(faccessat2),
    SLIPWAY_CALL(fadvise64),
    SLIPWAY_CALL(fallocate),
    SLIPWAY_CALL(fchdir),
    SLIPWAY_CALL(fchmod),
    SLIPWAY_CALL(fchmodat),
    SLIPWAY_CALL(fchown),
    SLIPWAY_CALL(fcntl),
    SLIPWAY_CALL(fdatasync),
    SLIPWAY_CALL(fgetxattr),
    SLIPWAY_CALL(flock),
    SLIPWAY_CALL(fork),
    SLIPWAY_CALL(fstat),
    SLIPWAY_CALL(fstatfs),
    SLIPWAY_CALL(fsync),
    SLIPWAY_CALL(ftruncate),
    SLIPWAY_CALL(futex),
    SLIPWAY_CALL(getcwd),
    SLIPWAY_CALL(getdents64),
    SLIPWAY_CALL(getegid),
    SLIPWAY_CALL(geteuid),
    SLIPWAY_CALL(getgid),
    SLIPWAY_CALL(getpeername),
    SLIPWAY_CALL(getpgrp),
    SLIPWAY_CALL(getpid),
    SLIPWAY_CALL(getppid),
    SLIPWAY_CALL(getrandom),
    SLIPWAY_CALL(getrlimit),
    SLIPWAY_CALL(getsid),
    SLIPWAY_CALL(getsockname),
    SLIPWAY_CALL(getsockopt),
    SLIPWAY_CALL(gettid),
    SLIPWAY_CALL(getuid),
    SLIPWAY_CALL(inotify_add_watch),
    SLIPWAY_CALL(inotify_init1),
    SLIPWAY_CALL(inotify_rm_watch),
    SLIPWAY_CALL(ioctl),
    SLIPWAY_CALL(kill),
    SLIPWAY_CALL(link),
    SLIPWAY_CALL(linkat),
    SLIPWAY_CALL(listen),
    SLIPWAY_CALL(lseek),
    SLIPWAY_CALL(lstat),
    SLIPWAY_CALL(madvise),
    SLIPWAY_CALL(mkdir),
    SLIPWAY_CALL(mkdirat),
    SLIPWAY_CALL(mmap),
    SLIPWAY_CALL(mount),
    SLIPWAY_CALL(mprotect),
    SLIPWAY_CALL(mremap),
    SLIPWAY_CALL(msync),
    SLIPWAY_CALL(munmap),
    SLIPWAY_CALL(nanosleep),
    SLIPWAY_CALL(newfstatat),
    SLIPWAY_CALL(open),
    SLIPWAY_CALL(openat),
    SLIPWAY_CALL(openat2),
    SLIPWAY_CALL(pidfd_open),
    SLIPWAY_CALL(pidfd_send_signal),
    SLIPWAY_CALL(pipe),
    SLIPWAY_CALL(pipe2),
    SLIPWAY_CALL(poll),
    SLIPWAY_CALL(ppoll),
    SLIPWAY_CALL(prctl),
    SLIPWAY_CALL(pread64),
    SLIPWAY_CALL(preadv),
    SLIPWAY_CALL(prlimit64),
    SLIPWAY_CALL(pwrite64),
    SLIPWAY_CALL(pwritev),
    SLIPWAY_CALL(read),
    SLIPWAY_CALL(readlink),
    SLIPWAY_CALL(readlinkat),
    SLIPWAY_CALL(readv),
    SLIPWAY_CALL(recvfrom),
    SLIPWAY_CALL(recvmsg),
    SLIPWAY_CALL(rename),
    SLIPWAY_CALL(renameat),
    SLIPWAY_CALL(renameat2),
    SLIPWAY_CALL(restart_syscall),
    SLIPWAY_CALL(rmdir),
    SLIPWAY_CALL(rseq),
    SLIPWAY_CALL(rt_sigaction),
    SLIPWAY_CALL(rt_sigpending),
    SLIPWAY_CALL(rt_sigprocmask),
    SLIPWAY_CALL(rt_sigreturn),
    SLIPWAY_CALL(rt_sigtimedwait),
    SLIPWAY_CALL(sched_getaffinity),
    SLIPWAY_CALL(sched_setaffinity),
    SLIPWAY_CALL(sched_yield),
    SLIPWAY_CALL(sendfile),
    SLIPWAY_CALL(sendmsg),
    SLIPWAY_CALL(sendto),
    SLIPWAY_CALL(set_robust_list),
    SLIPWAY_CALL(set_tid_address),
    SLIPWAY_CALL(setgroups),
    SLIPWAY_CALL(setns),
    SLIPWAY_CALL(setpgid),
    SLIPWAY_CALL(setpriority),
    SLIPWAY_CALL(setrlimit),
    SLIPWAY_CALL(setsid),
    SLIPWAY_CALL(setsockopt),
    SLIPWAY_CALL(shutdown),
    SLIPWAY_CALL(signalfd4),
    SLIPWAY_CALL(socket),
    SLIPWAY_CALL(socketpair),
    SLIPWAY_CALL(splice),
    SLIPWAY_CALL(stat),
    SLIPWAY_CALL(statfs),
    SLIPWAY_CALL(statx),
    SLIPWAY_CALL(symlink),
    SLIPWAY_CALL(symlinkat),
    SLIPWAY_CALL(tgkill),
    SLIPWAY_CALL(timerfd_create),
    SLIPWAY_CALL(timerfd_settime),
    SLIPWAY_CALL(truncate),
    SLIPWAY_CALL(umask),
    SLIPWAY_CALL(umount2),
    SLIPWAY_CALL(uname),
    SLIPWAY_CALL(unlink),
    SLIPWAY_CALL(unlinkat),
    SLIPWAY_CALL(unshare),
    SLIPWAY_CALL(utimensat),
    SLIPWAY_CALL(vfork),
    SLIPWAY_CALL(wait4),
    SLIPWAY_CALL(waitid),
    SLIPWAY_CALL(write),
    SLIPWAY_CALL(writev),
};

#undef SLIPWAY_CALL

}  // namespace

long call_number(std::string_view name) {
  for (const Entry& each : kCalls) {
    if (each.name == name) return each.number;
  }
  return -1;
}

std::string call_name(std::uint64_t number) {
  for (const Entry& each : kCalls) {
    if (static_cast<std::uint64_t>(each.number) == number) return std::string(each.name);
  }
  return "call_" + std::to_string(number);
}

}  // namespace slipway::faults
