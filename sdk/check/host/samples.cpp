#include "sdk/check/host/samples.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>

namespace slipway::check {

AppDef built_in_app(const std::string& image) {
  Role trainer("trainer");
  trainer.runs("true", {"--epochs", "3", "${replica_id}", ""}).on(image).replicas(2);
  trainer.with_env("GREETING", "hello, world").with_env("EMPTY", "");
  Resource small;
  small.cpu = 1;
  small.gpu = 0;
  small.mem_mb = 64;
  trainer.require(small).retries(1, RetryPolicy::kRole).port("http", 0);
  Role ps("ps");
  ps.runs("true", {"${app_id}"}).on(image).replicas(1);
  ps.require(small);
  AppDef app("check");
  app.of(trainer).of(ps);
  app.metadata = {{"made_by", "slipway-plugin-check"}};
  return app;
}

std::string sample_image(const Trial& trial) {
  return trial.options.image.empty() ? trial.directory : trial.options.image;
}

Mount sample_mount(const std::string& directory) {
  return {MountKind::kBind, directory, "/slipway-plugin-check", true};
}

Value sample_value(ValueType type) {
  switch (type) {
    case ValueType::kInt: return std::int64_t{1};
    case ValueType::kFloat: return 1.0;
    case ValueType::kBool: return false;
    case ValueType::kList: return StrList{"check"};
    case ValueType::kDict: return StrDict{{"check", "check"}};
    default: return std::string("check");
  }
}

std::string sample_workspace(const std::string& directory) {
  namespace fs = std::filesystem;
  const fs::path path = fs::path(directory) / "workspace";
  fs::create_directories(path / "inside");
  std::ofstream(path / "train.py") << "print('hello')\n";
  std::ofstream(path / "inside" / "data") << "1 2 3\n";
  return path.string();
}

}  // namespace slipway::check
