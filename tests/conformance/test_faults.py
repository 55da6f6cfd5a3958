"""For each rule, the rule's check finds a plug-in that breaks it."""

import unittest

import kit

FAULTY = kit.BAD_PLUGINS / "faulty_plugin.toml"

# {value of SLIPWAY_FAULT: the check that must find it}
FAULTS = {
    "prints": "load.quiet",
    "starts_a_thread": "load.no_threads",
    "throws_at_load": "load.descriptor",
    "exits_at_load": "load.descriptor",
    "starts_once": "load.init_twice",
    "changes_sigint": "load.process_state",
    "changes_directory": "load.process_state",
    "lacks_a_function": "provider.functions",
    "silent_about_config": "provider.config",
    "details_are_no_json": "provider.config",
    "reads_error": "provider.no_error_wanted",
    "needs_services": "provider.poor_host",
    "wants_its_own_size": "provider.newer_host",
    "wants_its_own_minor": "provider.newer_host",
    "wants_calls_of_its_own_size": "provider.newer_host",
    "has_every_extension": "provider.extension",
    "shares_state": "provider.two_threads",
    "leaks_object": "provider.leaks",
    "default_of_another_type": "scheduler.run_opts",
    "two_workspace_options": "scheduler.run_opts",
    "invents_a_field": "scheduler.app_fields",
    "half_json": "scheduler.request_print",
    "dryrun_writes": "scheduler.dryrun_is_dry",
    "throws_on_empty_app": "scheduler.empty_app",
    "refuses_in_silence": "scheduler.empty_app",
    "ignores_stop": "scheduler.stop",
    "takes_any_patch": "scheduler.patch",
    "describe_fails": "scheduler.describe_unknown",
    "cancel_fails": "scheduler.cancel_unknown",
    "delete_fails": "scheduler.delete_unknown",
    "opens_anything": "scheduler.open_unknown",
    "expects_nul": "scheduler.guarded",
    "indexes_without_stride": "scheduler.stride",
    "keeps_view": "scheduler.inputs_vanish",
    "traps_on_unknown": "scheduler.unknown_orders",
    "guesses_unknown": "scheduler.unknown_orders",
    "refuses_unknown_options": "scheduler.unknown_options",
    "image_in_silence": "images.names",
    "resolve_writes": "images.resolve_is_dry",
    "fetches_elsewhere": "images.same_place",
    "reads_roles_by_index": "images.roles",
    "capabilities_are_text": "resources.list",
    "lists_twice": "resources.list",
    "finds_anything": "resources.get",
    "resources_ignore_stop": "resources.stop",
    "required_with_default": "components.list",
    "builds_nothing": "components.build",
    "builds_anything": "components.unknown",
    "plans_anything": "workspaces.unknown",
    "plan_writes": "workspaces.plan_is_dry",
    "builds_elsewhere": "workspaces.same_image",
    "discards_anything": "workspaces.discard",
    "ends_as_a_failure": "app.runs",
    "id_has_a_slash": "app.runs",
    "loses_a_replica": "app.runs",
    "memory_only": "app.other_process",
    "describes_twice": "app.describe",
    "merges_unasked": "app.describe",
    "hides_active_apps": "app.active",
    "list_goes_on": "app.list",
    "ignores_targets": "app.logs",
    "reads_reserved_words": "app.newer_host",
    "deletes_what_runs": "app.delete",
    "ignores_timeout": "app.log_timeout",
    "ignores_log_cancel": "app.log_cancel",
    "cancels_once": "app.cancel",
    "ignores_owner": "app.owner",
    "silent_events": "app.events",
    "signals_anything": "scheduler.signal_unknown",
    "signal_cancels": "app.signal",
    "signals_what_has_ended": "app.signal",
    "signals_in_silence": "app.signal",
}

# Libraries of tests/bad_plugins that cannot be loaded correctly.
LIBRARIES = {
    "wrong_magic": "load.descriptor",
    "major_2": "load.descriptor",
    "newer_minor": "load.descriptor",
    "other_draft": "load.descriptor",
    "small_descriptor": "load.descriptor",
    "broken_providers": "load.descriptor",
    "empty_descriptor": "load.descriptor",
    "undefined_symbol": "load.descriptor",
    "needs_library": "load.descriptor",
    "silent_init": "load.init_twice",
    "no_symbol": "load.symbols",
    "exports_v2": "load.symbols",
    "extra_export": "load.symbols",
    "program_no_pie": "load.file",
    "object": "load.file",
}


class Faults(unittest.TestCase):
    def assert_found(self, done, check):
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        failures = [r for r in kit.verdicts(done)[check] if r["verdict"] == "failed"]
        self.assertTrue(failures, done.stdout)
        for failure in failures:
            self.assertTrue(failure["rule"] and failure["seen"], failure)

    def test_plugin_without_a_fault_passes(self):
        done = kit.run("--json", "--app", kit.APP, FAULTY)
        self.assertEqual(done.returncode, 0, done.stdout)
        report = kit.verdicts(done)
        skipped = [r["check"] for results in report.values() for r in results if r["verdict"] == "skipped"]
        self.assertEqual(skipped, [])

    def test_each_broken_rule_is_found(self):
        for fault, check in FAULTS.items():
            with self.subTest(fault):
                done = kit.run("--json", "--limit", "8", "--app", kit.APP, "--only", check, FAULTY, fault=fault)
                self.assert_found(done, check)

    def test_every_check_has_a_fault_that_it_finds(self):
        names = {line.split()[0] for line in kit.run("--list").stdout.splitlines()}
        proven = set(FAULTS.values()) | set(LIBRARIES.values())
        self.assertEqual(names - proven, {"load.manifest"}, "test_command.py tests this check")

    def test_each_broken_library_is_found(self):
        for name, check in LIBRARIES.items():
            with self.subTest(name):
                self.assert_found(kit.run("--json", kit.BAD_PLUGINS / f"{name}.so"), check)


if __name__ == "__main__":
    unittest.main()
