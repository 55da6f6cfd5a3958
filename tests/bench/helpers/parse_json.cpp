// bench-parse-json FILE: reads FILE with only Boost.JSON.
#include <boost/json.hpp>
#include <fstream>
#include <iterator>
#include <string>

int main(int argc, char** argv) {
  if (argc != 2) return 64;
  std::ifstream file(argv[1], std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  return boost::json::parse(text).as_object().empty() ? 65 : 0;
}
