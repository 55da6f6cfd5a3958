/* A program instead of a shared library. */
int main(void) { return 0; }
