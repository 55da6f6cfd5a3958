#include "core/registry/libraries/preflight.hpp"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstring>

#include "tests/unit/registry/registry_fixture.hpp"

namespace slipway::registry {
namespace {

using test::bad_plugin;
using test::contains;
using test::error_of;
using test::TempTree;

Error refusal(const std::string& path) {
  const TrustPolicy trust = TrustPolicy::of_process(/*elevated=*/false);
  return error_of([&] { preflight(path, Origin::kFlag, trust); });
}

void check(const Error& error, Code code, std::string_view message, std::string_view hint = {}) {
  BOOST_TEST(static_cast<int>(error.code()) == static_cast<int>(code), error.message());
  BOOST_TEST(contains(error.message(), message), error.message());
  BOOST_TEST(contains(error.hint(), hint), error.hint());
}

// Returns the error for a copy of the good plug-in whose header `change` has changed.
template <class Change>
Error refusal_of_header(Change&& change) {
  const TempTree tree;
  std::string bytes = TempTree::contents(bad_plugin("good"));
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  change(header);
  std::memcpy(bytes.data(), &header, sizeof header);
  return refusal(tree.write("patched.so", bytes));
}

BOOST_AUTO_TEST_SUITE(Preflight)

BOOST_AUTO_TEST_CASE(accepts_a_good_library) {
  BOOST_CHECK_NO_THROW(
      preflight(bad_plugin("good"), Origin::kFlag, TrustPolicy::of_process(/*elevated=*/false)));
}

BOOST_AUTO_TEST_CASE(truncated_copies_are_refused) {
  const TempTree tree;
  const std::string whole = TempTree::contents(bad_plugin("good"));
  BOOST_REQUIRE(whole.size() > 4096);
  // Around the ends of the ELF identification (16 bytes) and header (64), and further behind.
  std::vector<std::size_t> lengths = {
      0, 4, 15, 16, 20, 63, 64, 100, 4096, whole.size() / 2, whole.size() - 1};
  // An odd step, so that the cuts have every alignment.
  for (std::size_t length = 0; length < whole.size(); length += 509) lengths.push_back(length);
  for (const std::size_t length : lengths) {
    const Error error = refusal(tree.write("cut.so", std::string_view(whole).substr(0, length)));
    BOOST_TEST((error.code() == Code::kUnavailable), length << " bytes: " << error.message());
  }
}

BOOST_AUTO_TEST_CASE(a_cut_segment_means_a_cut_file) {
  const TempTree tree;
  const std::string whole = TempTree::contents(bad_plugin("good"));
  check(refusal(tree.write("cut.so", std::string_view(whole).substr(0, 4096))), Code::kUnavailable,
        "is truncated: segment", "was the copy or download interrupted?");
}

BOOST_AUTO_TEST_CASE(a_cut_section_table_means_a_cut_file) {
  const TempTree tree;
  const std::string whole = TempTree::contents(bad_plugin("good"));
  check(refusal(tree.write("cut.so", std::string_view(whole).substr(0, whole.size() - 1))),
        Code::kUnavailable, "the section table ends beyond the");
}

BOOST_AUTO_TEST_CASE(names_the_kind_of_file_that_is_not_a_library) {
  const TempTree tree;
  const struct {
    std::string_view bytes;
    const char* hint;
  } files[] = {
      {"", "the file is empty"},
      {"#!/bin/sh\nexit 0\n", "this is a script"},
      {"MZ\x90 and more bytes than sixteen", "Windows DLL"},
      {"!<arch>\nsome object files here", "static archive"},
      {"\xcf\xfa\xed\xfe and more bytes than sixteen", "macOS library"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "git lfs pull"},
      {"/* GNU ld script */ INPUT(x.so.1)", "linker script"},
      {"\x7f"
       "ELF",
       "interrupted"},
      {"just some text that is long enough", ""},
  };
  for (const auto& file : files) {
    check(refusal(tree.write("odd.so", file.bytes)), Code::kUnavailable, "is not a shared library",
          file.hint);
  }
}

BOOST_AUTO_TEST_CASE(a_library_for_another_machine_is_named) {
#if defined(__x86_64__)
  const Elf64_Half other = EM_AARCH64;
  const char* message = "is built for aarch64; this host is x86-64";
#else
  const Elf64_Half other = EM_X86_64;
  const char* message = "is built for x86-64; this host is aarch64";
#endif
  check(refusal_of_header([&](Elf64_Ehdr& header) { header.e_machine = other; }),
        Code::kUnavailable, message);
}

BOOST_AUTO_TEST_CASE(class_byte_order_and_type_are_checked) {
  check(refusal_of_header([](Elf64_Ehdr& h) { h.e_ident[EI_CLASS] = ELFCLASS32; }),
        Code::kUnavailable, "is a 32-bit library");
  check(refusal_of_header([](Elf64_Ehdr& h) { h.e_ident[EI_DATA] = ELFDATA2MSB; }),
        Code::kUnavailable, "byte order");
  check(refusal_of_header([](Elf64_Ehdr& h) { h.e_type = ET_CORE; }), Code::kUnavailable,
        "core dump");
  check(refusal_of_header([](Elf64_Ehdr& h) { h.e_type = 77; }), Code::kUnavailable,
        "is not a shared library");
}

BOOST_AUTO_TEST_CASE(impossible_offsets_and_sizes_are_refused) {
  check(refusal_of_header([](Elf64_Ehdr& h) { h.e_phoff = ~0ull - 8; }), Code::kUnavailable,
        "truncated inside its program headers");
  check(refusal_of_header([](Elf64_Ehdr& h) { h.e_shoff = ~0ull - 8; }), Code::kUnavailable,
        "section table");
  check(refusal_of_header([](Elf64_Ehdr& h) { h.e_phnum = 0; }), Code::kUnavailable,
        "no usable program headers");
  check(refusal_of_header([](Elf64_Ehdr& h) { h.e_phentsize = 1; }), Code::kUnavailable,
        "no usable program headers");
}

BOOST_AUTO_TEST_CASE(executables_and_objects_are_refused) {
  check(refusal(bad_plugin("program_pie")), Code::kUnavailable, "is an executable (PIE)");
  check(refusal(bad_plugin("program_no_pie")), Code::kUnavailable, "is an executable, not");
  check(refusal(bad_plugin("object")), Code::kUnavailable, "is an object file (.o)");
}

BOOST_AUTO_TEST_CASE(a_fifo_does_not_block) {
  const TempTree tree;
  const std::string fifo = tree.path("fifo.so");
  BOOST_REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  check(refusal(fifo), Code::kUnavailable, "is not a regular file");
}

BOOST_AUTO_TEST_CASE(wrong_path_is_refused_with_its_reason) {
  const TempTree tree;
  tree.write("plain.toml", "x");
  check(refusal(tree.path("")), Code::kUnavailable, "is a directory", "must name the .so file");
  check(refusal(tree.path("nothing.so")), Code::kUnavailable, "does not exist",
        "check `library` in the manifest");
  check(refusal(tree.path("plain.toml/x.so")), Code::kUnavailable, "does not exist");
  check(refusal("relative.so"), Code::kConfig, "is not an absolute path");
  check(refusal(""), Code::kConfig, "is not an absolute path");
  check(refusal(std::string("/tmp/a\0b", 8)), Code::kConfig, "NUL");
}

BOOST_AUTO_TEST_CASE(a_world_writable_library_or_directory_is_refused) {
  const TempTree tree;
  const std::string library = tree.copy(bad_plugin("good"), "open/good.so");
  BOOST_REQUIRE(chmod(library.c_str(), 0777) == 0);
  check(refusal(library), Code::kDenied, "plug-in library " + library + " is world-writable",
        "chmod o-w " + library);
  BOOST_REQUIRE(chmod(library.c_str(), 0755) == 0);
  BOOST_REQUIRE(chmod(tree.path("open").c_str(), 0777) == 0);
  check(refusal(library), Code::kDenied,
        "its directory " + tree.path("open") + " is world-writable");
  // In a sticky directory, no other user can replace the file.
  BOOST_REQUIRE(chmod(tree.path("open").c_str(), 01777) == 0);
  BOOST_CHECK_NO_THROW(
      preflight(library, Origin::kFlag, TrustPolicy::of_process(/*elevated=*/false)));
}

BOOST_AUTO_TEST_CASE(a_link_into_a_world_writable_directory_is_refused) {
  const TempTree tree;
  const std::string library = tree.copy(bad_plugin("good"), "open/good.so");
  const std::string link = tree.path("link.so");
  BOOST_REQUIRE(symlink(library.c_str(), link.c_str()) == 0);
  BOOST_REQUIRE(chmod(tree.path("open").c_str(), 0777) == 0);
  check(refusal(link), Code::kDenied, "is world-writable");
}

BOOST_AUTO_TEST_CASE(a_file_of_another_user_is_refused,
                     *boost::unit_test::precondition([](auto) { return geteuid() == 0; })) {
  const TempTree tree;
  const std::string library = tree.copy(bad_plugin("good"), "good.so");
  BOOST_REQUIRE(chown(library.c_str(), 65534, 65534) == 0);
  check(refusal(library), Code::kDenied, "is owned by uid 65534", "chown root " + library);
}

BOOST_AUTO_TEST_CASE(elevated_process_trusts_only_root) {
  BOOST_TEST(TrustPolicy::of_process(/*elevated=*/true).user == 0u);
  BOOST_TEST(TrustPolicy::of_process(/*elevated=*/false).user == geteuid());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::registry
