/* A program where a shared library should be. */
int main(void) { return 0; }
