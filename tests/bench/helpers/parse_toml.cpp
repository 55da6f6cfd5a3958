// bench-parse-toml FILE...: parses the files with only toml++.
#include <toml++/toml.h>

int main(int argc, char** argv) {
  if (argc < 2) return 64;
  for (int i = 1; i < argc; ++i) {
    if (toml::parse_file(argv[i]).empty()) return 65;
  }
  return 0;
}
