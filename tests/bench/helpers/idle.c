/* Does nothing until a signal ends it. Uses no C library: the system call is pause, or ppoll on
 * aarch64, which has no pause. */
void _start(void);

void _start(void) {
  for (;;) {
#if defined(__x86_64__)
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(34) : "rcx", "r11", "memory");
#elif defined(__aarch64__)
    register long number __asm__("x8") = 73;
    register long first __asm__("x0") = 0;
    register long second __asm__("x1") = 0;
    register long third __asm__("x2") = 0;
    register long fourth __asm__("x3") = 0;
    __asm__ volatile("svc 0"
                     : "+r"(first)
                     : "r"(number), "r"(second), "r"(third), "r"(fourth)
                     : "memory");
#else
#error "pause for this processor is missing"
#endif
  }
}
