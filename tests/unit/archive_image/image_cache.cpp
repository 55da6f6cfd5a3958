#include "plugins/archive_image/image_cache.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <chrono>
#include <thread>
#include <vector>

#include "plugins/archive_image/system_error.hpp"
#include "tests/unit/archive_image/temporary_directory.hpp"
#include "tests/unit/descriptor_limit.hpp"

namespace slipway::archive_image {
namespace {

constexpr std::int64_t kFarFuture = std::int64_t{1} << 62;  // every use was earlier

struct Cache {
  // Returns an unpacker that creates one read-only file.
  ImageCache::Unpack one_file() {
    return [this](int dir_fd) {
      ++unpacked;
      const OwnedFd file(::openat(dir_fd, "file", O_WRONLY | O_CREAT | O_CLOEXEC, 0444));
      BOOST_REQUIRE(file);
      ::fchmod(dir_fd, 0555);
    };
  }
  OwnedFd ensure(ImageCache& in, const ImageCache::Unpack& unpack) {
    return in.ensure(
        digest, unpack, /*on_wait=*/[] {}, Call());
  }
  // Returns the names in the cache's directory except `.locks` and `.digests`.
  std::vector<std::string> entries() const {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(root)) {
      const std::string name = entry.path().filename();
      if (name != ".locks" && name != ".digests") out.push_back(name);
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  test::TemporaryDirectory home;
  std::string root = (home.path / "cache" / "images").string();
  std::string digest = std::string(64, 'a');
  int unpacked = 0;
  ImageCache cache{root};
};

BOOST_FIXTURE_TEST_SUITE(Images, Cache)

BOOST_AUTO_TEST_CASE(an_image_is_unpacked_once) {
  BOOST_TEST(!cache.holds(digest));
  ensure(cache, one_file());
  ImageCache other(root);
  ensure(other, one_file());
  BOOST_TEST(unpacked == 1);
  BOOST_TEST(std::filesystem::exists(cache.image_dir(digest) + "/file"));
  BOOST_TEST((entries() == std::vector{digest}));
}

BOOST_AUTO_TEST_CASE(a_failed_unpacking_leaves_nothing) {
  const auto fail = [&](int dir_fd) {
    one_file()(dir_fd);
    throw Error(Code::kInvalid, "broken");
  };
  BOOST_TEST(test::throws(Code::kInvalid, [&] { ensure(cache, fail); }));
  BOOST_TEST(!cache.holds(digest));
  BOOST_TEST(entries().empty());
}

BOOST_AUTO_TEST_CASE(shortage_of_descriptors_is_temporary) {
  const DescriptorLimit none(0);
  BOOST_TEST(test::throws(Code::kTemporary, [&] { ensure(cache, one_file()); }));
}

BOOST_AUTO_TEST_CASE(full_disk_is_an_output_that_cannot_be_created) {
  const auto fail = [](int) { throw system_error("write the file", ENOSPC); };
  BOOST_TEST(test::throws(Code::kCantCreate, [&] { ensure(cache, fail); }));
}

BOOST_AUTO_TEST_CASE(image_is_invisible_while_it_is_unpacked) {
  ensure(cache, [&](int dir_fd) {
    BOOST_TEST(!cache.holds(digest));
    one_file()(dir_fd);
  });
  BOOST_TEST(cache.holds(digest));
}

BOOST_AUTO_TEST_CASE(one_of_many_threads_unpacks_and_all_get_the_image) {
  constexpr int kThreads = 8;
  constexpr auto kLimit = std::chrono::minutes(2);
  std::atomic<int> count = 0;
  std::atomic<int> waiting = 0;
  std::atomic<int> failures = 0;
  const auto unpack_when_all_wait = [&](int) {
    ++count;
    const auto end = std::chrono::steady_clock::now() + kLimit;
    while (waiting < kThreads - 1 && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      ImageCache mine(root);
      try {
        mine.ensure(
            digest, unpack_when_all_wait, [&] { ++waiting; }, Call());
        if (!mine.holds(digest)) ++failures;
      } catch (const Error&) {
        ++failures;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(count == 1);
  BOOST_TEST(waiting == kThreads - 1);
  BOOST_TEST(failures == 0);
}

BOOST_AUTO_TEST_CASE(an_unused_image_is_removed_and_a_used_one_is_not) {
  {
    const OwnedFd use = ensure(cache, one_file());
    BOOST_TEST(cache.sweep(kFarFuture) == 0);
    BOOST_TEST(cache.holds(digest));
  }
  BOOST_TEST(cache.sweep(0) == 0);  // used too recently
  BOOST_TEST(cache.holds(digest));
  BOOST_TEST(cache.sweep(kFarFuture) == 1);
  BOOST_TEST(entries().empty());
  BOOST_TEST(std::filesystem::is_empty(root + "/.locks"));
  ensure(cache, one_file());
  BOOST_TEST(unpacked == 2);
}

BOOST_AUTO_TEST_CASE(the_lock_file_alone_keeps_an_image) {
  ensure(cache, one_file());
  const OwnedFd supervisor(::open(cache.lock_file(digest).c_str(), O_RDONLY | O_CLOEXEC));
  BOOST_REQUIRE(::flock(supervisor.get(), LOCK_SH) == 0);
  BOOST_TEST(cache.sweep(kFarFuture) == 0);
  BOOST_TEST(cache.holds(digest));
}

BOOST_AUTO_TEST_CASE(only_unused_images_are_listed_and_removed_on_demand) {
  BOOST_TEST(cache.unused().empty());
  BOOST_TEST(!std::filesystem::exists(root));
  {
    const OwnedFd use = ensure(cache, one_file());
    BOOST_TEST(cache.unused().empty());
    BOOST_TEST(test::throws(Code::kPrecondition, [&] { cache.remove(cache.image_dir(digest)); }));
    BOOST_TEST(cache.holds(digest));
    const timespec long_ago[2] = {{5, 0}, {5, 0}};
    BOOST_REQUIRE(::futimens(use.get(), long_ago) == 0);
  }
  const std::vector<UnusedImage> unused = cache.unused();
  BOOST_REQUIRE(unused.size() == 1u);
  BOOST_TEST(unused[0].root == cache.image_dir(digest));
  BOOST_TEST(unused[0].last_used_at.value() == 5'000'000'000);
  cache.remove(unused[0].root);
  BOOST_TEST(entries().empty());
  cache.remove(unused[0].root);
  BOOST_TEST(std::filesystem::is_empty(root + "/.locks"));
}

BOOST_AUTO_TEST_CASE(only_directories_of_images_are_removed) {
  ensure(cache, one_file());
  home.write("precious", "x");
  std::filesystem::create_directories(home.path / digest);
  for (const std::string& other :
       {(home.path / "precious").string(), (home.path / digest).string(), root, root + "/",
        root + "/.locks", digest, std::string(), root + "/../images/" + digest})
    cache.remove(other);
  BOOST_TEST(std::filesystem::exists(home.path / "precious"));
  BOOST_TEST(std::filesystem::exists(home.path / digest));
  BOOST_TEST((entries() == std::vector{digest}));
}

BOOST_AUTO_TEST_CASE(a_sweep_counts_a_locked_image_as_used_at_this_time) {
  constexpr std::int64_t kLater = 1'000'000'000'000;  // 1000 s, so long_ago is before it
  ensure(cache, one_file());
  const timespec long_ago[2] = {{1, 0}, {1, 0}};
  const OwnedFd app(::open(cache.lock_file(digest).c_str(), O_RDONLY | O_CLOEXEC));
  BOOST_REQUIRE(::flock(app.get(), LOCK_SH) == 0 && ::futimens(app.get(), long_ago) == 0);
  BOOST_TEST(cache.sweep(kLater) == 0);
  ::flock(app.get(), LOCK_UN);
  // The first sweep has recorded the use.
  BOOST_TEST(cache.sweep(kLater) == 0);
  BOOST_TEST(cache.holds(digest));
}

BOOST_AUTO_TEST_CASE(leftovers_of_a_killed_process_are_removed) {
  ensure(cache, one_file());
  const std::string other(64, 'b');
  const std::string half = root + "/." + other + ".x1";
  std::filesystem::create_directories(half + "/sub/below");
  ::chmod((half + "/sub").c_str(), 0);
  BOOST_TEST(cache.sweep(0) == 0);
  BOOST_TEST((entries() == std::vector{digest}));
}

BOOST_AUTO_TEST_CASE(image_that_another_process_unpacks_is_kept) {
  ensure(cache, [&](int dir_fd) {
    ImageCache other(root);
    other.sweep(kFarFuture);
    one_file()(dir_fd);
  });
  BOOST_TEST(std::filesystem::exists(cache.image_dir(digest) + "/file"));
}

BOOST_AUTO_TEST_CASE(removal_does_not_follow_links) {
  home.write("precious", "x");
  ensure(cache, [&](int dir_fd) { ::symlinkat(home.path.c_str(), dir_fd, "link"); });
  BOOST_TEST(cache.sweep(kFarFuture) == 1);
  BOOST_TEST(std::filesystem::exists(home.path / "precious"));
}

BOOST_AUTO_TEST_CASE(a_directory_that_others_may_write_to_is_refused) {
  std::filesystem::create_directories(root);
  ::chmod(root.c_str(), 0777);
  BOOST_TEST(test::throws(Code::kDenied, [&] { ensure(cache, one_file()); }));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::archive_image
