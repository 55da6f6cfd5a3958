// A plug-in with one provider of each kind.
#include "slipway/plugin.hpp"

#include "components.hpp"
#include "images.hpp"
#include "resources.hpp"
#include "scheduler.hpp"
#include "workspaces.hpp"

SLIPWAY_PLUGIN("org.example.kept", "1.0.0", SLIPWAY_PROVIDER(kept::Scheduler, "kept", "notes apps"),
               SLIPWAY_PROVIDER(kept::Images, "kept", "directories"),
               SLIPWAY_PROVIDER(kept::Resources, "kept", "two sizes"),
               SLIPWAY_PROVIDER(kept::Components, "kept", "one component"),
               SLIPWAY_PROVIDER(kept::Workspaces, "kept", "copies of files"))
