// bench-parse-toml FILE: parses it with toml++ and nothing else.
#include <toml++/toml.h>

int main(int argc, char** argv) {
  if (argc != 2) return 64;
  return toml::parse_file(argv[1]).empty() ? 65 : 0;
}
