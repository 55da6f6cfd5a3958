/* Exits with status 0 and does nothing else. Uses no C library: the system call is exit_group. */
void _start(void);

void _start(void) {
#if defined(__x86_64__)
  __asm__ volatile("syscall" : : "a"(231), "D"(0) : "rcx", "r11", "memory");
#elif defined(__aarch64__)
  register long number __asm__("x8") = 94;
  register long status __asm__("x0") = 0;
  __asm__ volatile("svc 0" : : "r"(number), "r"(status) : "memory");
#else
#error "exit_group for this processor is missing"
#endif
  for (;;) {
  }
}
