// A hello world that is linked as `slipway` is: what starting such a program costs at least.
#include <iostream>

int main() { std::cout << "hello\n"; }
