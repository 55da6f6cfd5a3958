#include "named_resources/host/machine.hpp"

#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "named_resources/host/host_sizes.hpp"

namespace slipway::host_resources {
namespace {

// A simulated machine made of files.
class FakeMachine {
 public:
  FakeMachine() {
    std::string name = (std::filesystem::temp_directory_path() / "slipway_host_XXXXXX").string();
    BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
    root_ = name;
    file("/proc/meminfo", "MemTotal:       65536000 kB\nMemFree: 1 kB\n");
  }
  FakeMachine(const FakeMachine&) = delete;
  FakeMachine& operator=(const FakeMachine&) = delete;
  ~FakeMachine() { std::filesystem::remove_all(root_); }

  void file(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }
  void tool(const std::string& name, const std::string& script) const {
    file("/bin/" + name, "#!/bin/sh\n" + script + "\n");
    chmod((root_ + "/bin/" + name).c_str(), 0755);
  }
  Machine read(std::int32_t cpus = 64, int timeout_ms = 60'000) const {
    MachinePlaces places;
    places.root = root_;
    places.path = "relative:" + root_ + "/bin";  // a relative directory is skipped
    places.allowed_cpus = cpus;
    places.tool_timeout_ms = timeout_ms;
    return read_machine(places);
  }
  const std::string& root() const { return root_; }

 private:
  std::string root_;
};

BOOST_AUTO_TEST_SUITE(Machines)

BOOST_AUTO_TEST_CASE(machine_without_limits_is_used_completely) {
  const FakeMachine fake;
  fake.file("/sys/devices/system/node/has_memory", "0-1,3\n");
  const Machine machine = fake.read();
  BOOST_TEST(machine.cpus == 64);
  BOOST_TEST(machine.mem_mb == 64000);
  BOOST_TEST(machine.numa_nodes == 3);
  BOOST_TEST(machine.gpus == 0);
}

BOOST_AUTO_TEST_CASE(tightest_limit_of_the_control_group_and_its_parents_applies) {
  const FakeMachine fake;
  fake.file("/proc/self/cgroup", "0::/jobs/mine\n");
  fake.file("/sys/fs/cgroup/jobs/cpu.max", "800000 100000\n");
  fake.file("/sys/fs/cgroup/jobs/mine/cpu.max", "max 100000\n");
  fake.file("/sys/fs/cgroup/jobs/mine/memory.max", "1073741824\n");
  fake.file("/sys/fs/cgroup/jobs/memory.max", "max\n");
  Machine machine = fake.read();
  BOOST_TEST(machine.cpus == 8);
  BOOST_TEST(machine.mem_mb == 1024);
  // A quota of half a CPU counts as one CPU.
  fake.file("/sys/fs/cgroup/jobs/mine/cpu.max", "50000 100000\n");
  BOOST_TEST(fake.read().cpus == 1);
}

BOOST_AUTO_TEST_CASE(control_groups_of_version_1_also_limit) {
  const FakeMachine fake;
  fake.file("/proc/self/cgroup", "4:memory:/box\n3:cpu,cpuacct:/\n0::/\n");
  fake.file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "400000\n");
  fake.file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  // The container mounts only the directory above the group's own.
  fake.file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "2147483648\n");
  const Machine machine = fake.read();
  BOOST_TEST(machine.cpus == 4);
  BOOST_TEST(machine.mem_mb == 2048);
  fake.file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  BOOST_TEST(fake.read().mem_mb == 64000);
}

BOOST_AUTO_TEST_CASE(invalid_limits_are_ignored) {
  const FakeMachine fake;
  fake.file("/proc/meminfo", "MemTotal:");
  fake.file("/proc/self/cgroup", "nonsense\n1:\n:::\n0::relative\n0::/x\n");
  fake.file("/sys/fs/cgroup/x/cpu.max", "a b\n");
  fake.file("/sys/devices/system/node/has_memory", "3-1,x");
  const Machine machine = fake.read(2);
  BOOST_TEST(machine.cpus == 2);
  BOOST_TEST(machine.mem_mb == 0);
  BOOST_TEST(machine.numa_nodes == 1);
}

BOOST_AUTO_TEST_CASE(the_drivers_tools_count_gpus) {
  const FakeMachine fake;
  fake.tool("nvidia-smi",
            "[ \"$1\" = -L ] || exit 1; echo 'GPU 0: A'; echo '  MIG 1g'; echo 'GPU 1: B'");
  BOOST_TEST(fake.read().gpus == 2);
  fake.tool("rocm-smi", "echo device,GPU ID; echo card0,0x1; echo card1,0x1; echo card2,0x1");
  BOOST_TEST(fake.read().gpus == 5);
}

BOOST_AUTO_TEST_CASE(kernels_list_is_used_without_a_tool) {
  const FakeMachine fake;
  fake.file("/proc/driver/nvidia/gpus/0000:01:00.0/information", "");
  fake.file("/sys/class/kfd/kfd/topology/nodes/0/gpu_id", "0\n");  // a CPU
  fake.file("/sys/class/kfd/kfd/topology/nodes/1/gpu_id", "4156\n");
  // read() fails here, as for a GPU that the control group may not use.
  fake.file("/sys/class/kfd/kfd/topology/nodes/2/gpu_id/directory", "");
  BOOST_TEST(fake.read().gpus == 2);
  // The output of a tool that fails does not count.
  fake.tool("nvidia-smi", "echo 'GPU 0: A'; echo 'GPU 1: B'; exit 9");
  BOOST_TEST(fake.read().gpus == 2);
}

BOOST_AUTO_TEST_CASE(a_tool_that_hangs_is_ended_with_its_children) {
  const FakeMachine fake;
  fake.file("/proc/driver/nvidia/gpus/0000:01:00.0/information", "");
  // The two GPUs that it prints do not count: the kernel's list has one.
  fake.tool("nvidia-smi",
            "sleep 1000 & echo $! > " + fake.root() + "/child; echo 'GPU 0:'; echo 'GPU 1:'; wait");
  BOOST_TEST(fake.read(4, 500).gpus == 1);
  std::ifstream child(fake.root() + "/child");
  pid_t pid = 0;
  BOOST_REQUIRE(child >> pid);
  // The process dies a moment after the kill. A zombie that init has not reaped counts as dead.
  const int process = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (process < 0) return;
  pollfd ended{process, POLLIN, 0};
  BOOST_TEST(poll(&ended, 1, 60'000) == 1);
  close(process);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(HostSizes)

const Machine kMachine{12, 48000, 4, 2};  // CPUs, MB of memory, GPUs, NUMA nodes

BOOST_AUTO_TEST_CASE(machine_is_divided_into_parts) {
  const Dict<Resource> sizes = host_sizes(kMachine);
  std::string names;
  for (const auto& [name, resource] : sizes) names += name + " ";
  BOOST_TEST(names ==
             "host.full host.half host.quarter host.numa host.gpu host.1 host.2 host.4 host.8 ");
  const Resource& quarter = *find(sizes, "host.quarter");
  BOOST_TEST(quarter.cpu.whole() == 3);
  BOOST_TEST(quarter.gpu == 1);
  BOOST_TEST(quarter.mem_mb == 12000);
  const Resource& numa = *find(sizes, "host.numa");
  BOOST_TEST(numa.cpu.whole() == 6);
  BOOST_TEST(numa.gpu == 2);
}

BOOST_AUTO_TEST_CASE(every_number_of_cpus_has_a_name) {
  const auto machine = []() -> const Machine& { return kMachine; };
  const auto five = host_size("host.5", machine);
  BOOST_REQUIRE(five.has_value());
  BOOST_TEST(five->cpu.whole() == 5);
  BOOST_TEST(five->gpu == 0);
  BOOST_TEST(five->mem_mb == 20000);
  for (const char* none : {"host.0", "host.13", "host.05", "host.-1", "host.", "host.two", "gpu.1"})
    BOOST_TEST(!host_size(none, machine).has_value(), none);
}

BOOST_AUTO_TEST_CASE(other_name_does_not_measure_the_machine) {
  const auto machine = []() -> const Machine& {
    BOOST_FAIL("the machine was counted");
    return kMachine;
  };
  BOOST_TEST(!host_size("cpu.small", machine).has_value());
}

BOOST_AUTO_TEST_CASE(each_part_of_one_cpu_has_one_cpu) {
  const Machine tiny{1, 0, 0, 1};
  const Dict<Resource> sizes = host_sizes(tiny);
  BOOST_TEST(find(sizes, "host.quarter")->cpu.whole() == 1);
  BOOST_TEST(find(sizes, "host.quarter")->mem_mb == -1);
  BOOST_TEST((find(sizes, "host.gpu") == nullptr));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::host_resources
