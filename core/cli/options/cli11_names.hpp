// Declares CLI11's classes. Each source file that includes CLI11's own header constructs CLI11's
// validators when the program starts. So only files that use the classes include that header.
#pragma once

// The library's name. NOLINTNEXTLINE(readability-identifier-naming)
namespace CLI {

class App;
class Option;
class ParseError;

}  // namespace CLI
