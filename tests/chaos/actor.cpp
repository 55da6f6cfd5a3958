// The program that replicas of the chaos test run. It writes numbered lines, and records what it
// did in files that survive a SIGKILL. The test compares the scheduler's status with them.
//
// actor DIRECTORY ROLE REPLICA key=value...
//
// The files in DIRECTORY:
//   ROLE.K.starts   a line per start of the replica: `pid`
//   ROLE.K.ends     a line before it ends itself: `pid exit N` or `pid signal N`
//   ROLE.K.lock     locked while an attempt of the replica runs
//   doubled         a line per replica whose other attempt was still running
//   writer.*        a WriterRecord per writing process, descendants included
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int kBroken = 99;  // exit status of an actor that cannot work; no test expects it

/// Counts the lines of stdout and stderr that the process began and finished. The file is mapped,
/// so a store survives any kill.
struct WriterRecord {
  std::atomic<std::uint32_t> begun[2];
  std::atomic<std::uint32_t> done[2];
};

/// What the command line orders the replica to do.
struct Behaviour {
  std::string directory;
  std::string key;   // ROLE.K
  int lines = 0;     // of each process, on both streams together
  int width = 0;     // every payload of a line is shorter than this; 0: no payload
  int pause_us = 0;  // after each line
  bool ignores_term = false;
  // Children to start: `fork`, `setsid` (in its own session) or `double` (in its own session, and
  // its parent has ended).
  std::vector<std::string> children;
  // The ends of the first attempt, the second…: an exit code, `sN` for signal N, or `hang`. Further
  // attempts repeat the last one.
  std::vector<std::string> ends;
};

[[noreturn]] void broken(const char* what) {
  std::perror(what);
  ::_exit(kBroken);
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    parts.emplace_back(text.substr(0, comma));
    text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
  }
  return parts;
}

Behaviour read_behaviour(int argc, char** argv) {
  if (argc < 4) ::_exit(kBroken);
  Behaviour behaviour;
  behaviour.directory = argv[1];
  behaviour.key = std::string(argv[2]) + '.' + argv[3];
  for (int i = 4; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const std::size_t equals = argument.find('=');
    const std::string_view name = argument.substr(0, equals);
    const std::string value(argument.substr(equals + 1));
    if (name == "lines") behaviour.lines = std::atoi(value.c_str());
    if (name == "width") behaviour.width = std::atoi(value.c_str());
    if (name == "pause_us") behaviour.pause_us = std::atoi(value.c_str());
    if (name == "ignore_term") behaviour.ignores_term = value == "1";
    if (name == "children") behaviour.children = split(value);
    if (name == "ends") behaviour.ends = split(value);
  }
  return behaviour;
}

/// Appends a line in one piece.
void note(const Behaviour& behaviour, const std::string& file, const std::string& line) {
  const std::string path = behaviour.directory + '/' + file;
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  const std::string text = line + '\n';
  if (fd < 0 || ::write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    broken(file.c_str());
  ::close(fd);
}

int count_lines(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  char buffer[4096];
  int lines = 0;
  for (ssize_t n = 0; fd >= 0 && (n = ::read(fd, buffer, sizeof buffer)) > 0;) {
    for (ssize_t i = 0; i < n; ++i) lines += buffer[i] == '\n' ? 1 : 0;
  }
  if (fd >= 0) ::close(fd);
  return lines;
}

/// Takes a lock that this process holds until it ends; children do not inherit such locks. Writes
/// to `doubled` if another attempt still holds the lock.
void lock_or_record_double(const Behaviour& behaviour) {
  const int fd = ::open((behaviour.directory + '/' + behaviour.key + ".lock").c_str(),
                        O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  struct flock whole {};
  whole.l_type = F_WRLCK;
  if (fd < 0 || ::fcntl(fd, F_SETLK, &whole) != 0) note(behaviour, "doubled", behaviour.key);
}

void sleep_us(int us) {
  const timespec pause{us / 1'000'000, us % 1'000'000 * 1000L};
  if (us > 0) ::nanosleep(&pause, nullptr);
}

/// Writes the lines. Line n of a writer is `<writer stream n payload>`; the payload follows from n.
void write_lines(const Behaviour& behaviour) {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  const std::string writer = behaviour.key + '.' + std::to_string(::getpid()) + '.' +
                             std::to_string(now.tv_sec * 1'000'000'000 + now.tv_nsec);
  const std::string path = behaviour.directory + "/writer." + writer;
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0 || ::ftruncate(fd, sizeof(WriterRecord)) != 0) broken("writer");
  void* map = ::mmap(nullptr, sizeof(WriterRecord), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED) broken("mmap");
  ::close(fd);
  auto* record = static_cast<WriterRecord*>(map);
  for (int i = 0; i < behaviour.lines; ++i) {
    const unsigned stream = i % 3 == 2 ? 1 : 0;
    const std::uint32_t n = record->begun[stream].load();
    const auto length = static_cast<std::size_t>(
        behaviour.width == 0 ? 0 : n * 37 % static_cast<unsigned>(behaviour.width));
    std::string line = '<' + writer + (stream == 0 ? " o " : " e ") + std::to_string(n) + ' ';
    line.append(length, static_cast<char>('a' + n % 26)).append(">\n");
    record->begun[stream].store(n + 1);
    if (::write(static_cast<int>(stream) + 1, line.data(), line.size()) !=
        static_cast<ssize_t>(line.size()))
      broken("write");
    record->done[stream].store(n + 1);
    sleep_us(behaviour.pause_us);
  }
}

[[noreturn]] void wait_for_the_kill() {
  for (;;) ::pause();
}

void start_child(const Behaviour& behaviour, const std::string& kind) {
  const pid_t child = ::fork();
  if (child < 0) broken("fork");
  if (child > 0) {
    if (kind == "double") ::waitpid(child, nullptr, 0);
    return;
  }
  if (kind != "fork") ::setsid();
  if (kind == "double" && ::fork() != 0) ::_exit(0);
  write_lines(behaviour);
  wait_for_the_kill();
}

/// Records the end that `ends` has for this attempt, counted from 0, and ends so.
[[noreturn]] void end(const Behaviour& behaviour, int attempt) {
  const auto at = static_cast<std::size_t>(attempt);
  const std::string& how =
      behaviour.ends[at < behaviour.ends.size() ? at : behaviour.ends.size() - 1];
  if (how == "hang") wait_for_the_kill();
  const bool by_signal = how.front() == 's';
  const int number = std::atoi(how.c_str() + (by_signal ? 1 : 0));
  note(behaviour, behaviour.key + ".ends",
       std::to_string(::getpid()) + (by_signal ? " signal " : " exit ") + std::to_string(number));
  if (by_signal) {
    ::signal(number, SIG_DFL);
    ::kill(::getpid(), number);
  }
  ::_exit(number);
}

}  // namespace

int main(int argc, char** argv) {
  const Behaviour behaviour = read_behaviour(argc, argv);
  if (behaviour.ends.empty()) return kBroken;
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int attempt = count_lines(behaviour.directory + '/' + behaviour.key + ".starts");
  note(behaviour, behaviour.key + ".starts", std::to_string(::getpid()));
  lock_or_record_double(behaviour);
  if (behaviour.ignores_term) ::signal(SIGTERM, SIG_IGN);
  for (const std::string& kind : behaviour.children) start_child(behaviour, kind);
  write_lines(behaviour);
  end(behaviour, attempt);
}
