"""For each rule, the rule's check finds a plug-in that breaks it."""

import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import kit

FAULTY = kit.BAD_PLUGINS / "faulty_plugin.toml"

# {value of SLIPWAY_FAULT: the check that must find it}
FAULTS = {
    "prints": "load.quiet",
    "starts_a_thread": "load.no_threads",
    "leaves_a_thread": "load.no_threads",
    "throws_at_load": "load.entry",
    "exits_at_load": "load.entry",
    "crashes_in_create": "load.create",
    "unreadable_extension": "load.create",
    "unreadable_message": "load.create",
    "unreadable_device": "load.create",
    "starts_once": "load.init_twice",
    "frees_in_first_deinit": "load.init_twice",
    "changes_sigint": "load.process_state",
    "changes_directory": "load.process_state",
    "changes_umask": "load.process_state",
    "lacks_a_function": "provider.functions",
    "silent_about_config": "provider.config",
    "details_are_no_json": "provider.config",
    "writes_error": "provider.no_error_wanted",
    "needs_services": "provider.poor_host",
    "wants_its_own_size": "provider.newer_host",
    "wants_its_own_minor": "provider.newer_host",
    "wants_calls_of_its_own_size": "provider.newer_host",
    "plans_orders_of_its_own_size": "provider.newer_host",
    "has_every_extension": "provider.extension",
    "shares_state": "provider.two_threads",
    "leaks_object": "provider.leaks",
    "default_of_another_type": "scheduler.run_opts",
    "required_option_with_default": "scheduler.run_opts",
    "two_workspace_options": "scheduler.run_opts",
    "invents_a_field": "scheduler.app_fields",
    "dryrun_fails_internally": "scheduler.dryrun",
    "half_json": "scheduler.request_print",
    "text_without_line_end": "scheduler.request_print",
    "dryrun_writes": "scheduler.dryrun_is_dry",
    "throws_on_empty_app": "scheduler.empty_app",
    "throws_system_error": "scheduler.empty_app",
    "refuses_without_message": "scheduler.empty_app",
    "ignores_stop": "scheduler.stop",
    "takes_any_patch": "scheduler.patch",
    "describe_fails": "scheduler.describe_unknown",
    "invents_apps": "scheduler.describe_unknown",
    "cancel_fails": "scheduler.cancel_unknown",
    "delete_fails": "scheduler.delete_unknown",
    "opens_anything": "scheduler.open_unknown",
    "expects_nul": "scheduler.guarded",
    "indexes_without_stride": "scheduler.stride",
    "keeps_view": "scheduler.inputs_vanish",
    "traps_on_unknown": "scheduler.unknown_orders",
    "guesses_unknown": "scheduler.unknown_orders",
    "guesses_mounts": "scheduler.unknown_orders",
    "refuses_unknown_options": "scheduler.unknown_options",
    "refuses_unknown_options_by_a_finding": "scheduler.unknown_options",
    "refuses_image_without_message": "images.names",
    "resolve_writes": "images.resolve_is_dry",
    "fetches_elsewhere": "images.same_place",
    "reads_roles_by_index": "images.roles",
    "removes_any_directory": "images.remove_unknown",
    "lists_used_images": "images.remove_used",
    "removes_used_images": "images.remove_used",
    "traps_on_unknown_mounts": "images.roles",
    "fetches_roles_elsewhere": "images.fetch_role",
    "holds_no_lock": "images.use_lock",
    "lock_is_relative": "images.use_lock",
    "wants_roles_of_its_own_size": "images.newer_host",
    "capabilities_are_text": "resources.list",
    "lists_twice": "resources.list",
    "finds_anything": "resources.get",
    "resources_ignore_stop": "resources.stop",
    "required_with_default": "components.list",
    "builds_nothing": "components.build",
    "builds_every_second_time": "components.build",
    "builds_anything": "components.unknown",
    "builds_orders_of_its_own_size": "components.newer_host",
    "invents_files": "components.files",
    "plans_anything": "workspaces.unknown",
    "plan_writes": "workspaces.plan_is_dry",
    "builds_elsewhere": "workspaces.same_image",
    "copies_orders_of_its_own_size": "workspaces.newer_host",
    "discards_anything": "workspaces.discard",
    "refuses_every_app": "app.runs",
    "schedule_unavailable": "app.runs",
    "failed_schedule_leaves_files": "app.unknown_flag",
    "failed_schedule_leaves_a_process": "app.unknown_flag",
    "ends_as_a_failure": "app.runs",
    "submitted_in_seconds": "app.runs",
    "replica_times_in_milliseconds": "app.runs",
    "names_the_job": "app.runs",
    "counts_restarts_down": "app.runs",
    "counts_app_restarts_down": "app.runs",
    "counts_replicas_down": "app.runs",
    "replicas_without_size": "app.runs",
    "attempts_without_size": "app.runs",
    "attempts_exit_with_minus_one": "app.runs",
    "description_without_size": "app.runs",
    "details_are_words": "app.runs",
    "url_is_no_utf8": "app.runs",
    "id_has_a_slash": "app.runs",
    "loses_a_replica": "app.runs",
    "memory_only": "app.other_process",
    "describes_twice": "app.describe",
    "merges_unasked": "app.describe",
    "merges_negative_ids": "app.describe",
    "merges_ids_beyond_int32": "app.describe",
    "hides_active_apps": "app.active",
    "list_ignores_stop": "app.list",
    "lists_oldest_first": "app.list",
    "ignores_targets": "app.logs",
    "reads_reserved_words": "app.newer_host",
    "deletes_running_app": "app.delete",
    "keeps_logs": "app.delete_logs",
    "ignores_grace": "app.grace",
    "never_kills": "app.grace_end",
    "keeps_macros": "app.arguments",
    "drops_env": "app.environment",
    # It also refuses a second app, by which the kit would see whether it runs programs.
    "drops_env_of_its_only_app": "app.environment",
    "runs_one_program": "app.two_roles",
    "reverses_roles": "app.runs",
    "reverses_replicas": "app.runs",
    "splits_a_role": "app.runs",
    "invents_a_role": "app.runs",
    "keeps_strays": "app.nothing_left",
    "hides_exit_codes": "app.failure",
    "hides_failures": "app.failure",
    "forgets_times": "app.times",
    "describes_another_app": "app.definition",
    "loses_stderr": "app.streams",
    "delivers_first_replica": "app.log_replicas",
    "log_fails_for_ever": "app.logs",
    "log_is_temporary_for_ever": "app.logs",
    "invents_a_state": "app.runs",
    "writes_to_a_broken_pipe": "app.cancel",
    "forgets_sessions": "app.sessions",
    "takes_over_sessions": "app.sessions",
    "schedule_changes_directory": "app.process",
    "schedule_prints": "app.process",
    "events_drain_prints": "app.process",
    "opens_without_cloexec": "app.process",
    "reaps_any_child": "app.process",
    "supervisor_keeps_descriptors": "app.process",
    "reads_deadline_as_realtime": "provider.deadline",
    "wraps_the_time_left": "provider.deadline",
    "ignores_cancel": "provider.call_cancel",
    "prints_any_format": "scheduler.unknown_format",
    "ignores_flags": "app.unknown_flag",
    "opens_any_stream": "app.unknown_stream",
    "shares_its_iterators": "app.two_threads",
    "shares_its_subscriptions": "app.two_threads",
    "lists_options_in_a_thread": "provider.callbacks",
    "run_opts_prints": "provider.quiet",
    "dryrun_warns": "provider.quiet",
    "request_print_warns": "provider.quiet",
    "resources_list_prints": "provider.quiet",
    "resolves_in_a_thread": "provider.callbacks",
    "describes_in_a_thread": "app.runs",
    "reads_logs_in_a_thread": "app.logs",
    "ignores_timeout": "app.log_timeout",
    "ignores_log_cancel": "app.log_cancel",
    "cancels_once": "app.cancel",
    "loses_early_cancel": "app.early_cancel",
    "ignores_now": "app.cancel_now",
    "keeps_stdin": "app.input",
    "cuts_lines": "app.streams",
    "ends_too_early": "app.runs",
    "forgets_the_callback": "app.stays",
    "ignores_owner": "app.owner",
    "goes_back": "app.forward",
    "running_replicas_have_ended": "app.running",
    "cancels_ended_apps": "app.final",
    "reports_signals_as_a_shell": "app.killed",
    "replicas_inherit_owner_fd": "app.owner_fd",
    "ignores_log_times": "app.log_times",
    "follow_loses_last_line": "app.last_line",
    "silent_events": "app.events",
    "signals_anything": "scheduler.signal_unknown",
    "signal_cancels": "app.signal",
    "signals_ended_app": "app.signal",
    "signals_without_results": "app.signal",
}

# Faults of functions that ignore the cancellation or the deadline of their call.
for function in ("create", "submit_dryrun", "app_fields", "exists", "delete_app", "events_open", "log_open", "resolve",
                 "fetch", "resources_list", "resources_get", "components_list", "components_build", "workspace_plan",
                 "workspace_build", "discard"):
    FAULTS[f"{function}_ignores_cancel"] = "provider.call_cancel"
for function in ("log_open", "fetch", "resources_list", "components_build", "workspace_build"):
    FAULTS[f"{function}_ignores_deadline"] = "provider.deadline"

# {library of tests/bad_plugins with a fault that shows when it is loaded: the check that must find it}
LIBRARIES = {
    "wrong_magic": "load.descriptor",
    "major_2": "load.descriptor",
    "newer_minor": "load.descriptor",
    "other_draft": "load.descriptor",
    "small_descriptor": "load.descriptor",
    "broken_providers": "load.descriptor",
    "empty_descriptor": "load.descriptor",
    "misspelt_kind": "load.descriptor",
    "small_provider": "load.descriptor",
    "undefined_symbol": "load.entry",
    "needs_library": "load.entry",
    "silent_init": "load.create",
    "no_symbol": "load.entry",
    "exports_v2": "load.entry",
    "extra_export": "load.symbols",
    "clashing_static": "load.symbols",
    "program_no_pie": "load.file",
    "object": "load.file",
}


class Faults(unittest.TestCase):
    def assert_found(self, done, check):
        """Asserts that the check has failed, and that its report names the rule and what the kit saw."""
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        failures = [r for r in kit.verdicts(done)[check] if r["verdict"] == "failed"]
        self.assertTrue(failures, done.stdout)
        for failure in failures:
            self.assertTrue(failure["rule"] and failure["seen"], failure)
            self.assertFalse(failure["seen"].endswith("\n"), failure)

    def test_plugin_without_a_fault_passes(self):
        done = kit.run("--json", "--app", kit.APP, FAULTY)
        self.assertEqual(done.returncode, 0, done.stdout)
        report = kit.verdicts(done)
        self.assertIn("app.runs", report)
        skipped = [r["check"] for results in report.values() for r in results if r["verdict"] == "skipped"]
        self.assertEqual(skipped, [])

    def test_a_crash_is_no_hang_if_a_process_of_the_plugin_continues(self):
        done = kit.run("--json", "--app", kit.APP, "--only", "app.runs", FAULTY, fault="crashes_beside_its_supervisor")
        self.assert_found(done, "app.runs")
        self.assertEqual(kit.verdicts(done)["app.runs"][0]["seen"],
                         "the process was ended by Segmentation fault in describe")

    def test_lack_of_threads_is_no_defect_of_the_plugin(self):
        # A thread gets a stack as large as the limit of the stack, which is larger than all the memory allowed.
        launcher = ("prlimit", "--stack=8589934592", "--as=4294967296")
        for check in ("provider.two_threads", "app.log_cancel", "app.two_threads"):
            done = kit.run("--json", "--app", kit.APP, "--only", check, FAULTY, launcher=launcher)
            results = kit.verdicts(done)[check]
            self.assertEqual({r["verdict"] for r in results}, {"skipped"}, done.stdout)
            self.assertIn("this machine lacks resources for the check: no thread", results[0]["seen"])

    def test_private_states_are_read_as_a_host_reads_them(self):
        # The first state is SLIPWAY_STATE_PRIVATE | 1, which hosts read as UNKNOWN (slipway/abi/app.h).
        done = kit.run("--json", "--app", kit.APP, "--only", "app.runs", FAULTY, fault="has_a_private_state")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_what_the_rules_allow_passes(self):
        for behaviour, check in {"required_option_with_null_default": "scheduler.run_opts",
                                 "required_with_null_default": "components.list",
                                 "refuses_mounts_by_a_finding": "scheduler.unknown_orders"}.items():
            with self.subTest(behaviour):
                done = kit.run("--json", "--only", check, FAULTY, fault=behaviour)
                self.assertEqual(kit.verdicts(done)[check][0]["verdict"], "passed", done.stdout)

    def test_checks_of_inputs_that_may_be_refused_are_skipped_if_every_app_is(self):
        for fault in ("refuses_every_app", "refuses_every_app_by_a_finding"):
            for check in ("scheduler.unknown_orders", "scheduler.unknown_options"):
                with self.subTest(fault, check=check):
                    done = kit.run("--json", "--only", check, FAULTY, fault=fault)
                    result = kit.verdicts(done)[check][0]
                    self.assertEqual(result["verdict"], "skipped", done.stdout)
                    self.assertIn("the scheduler refuses the kit's app", result["seen"])

    def test_keys_of_json_objects_may_have_another_order(self):
        with tempfile.TemporaryDirectory() as directory:
            app = Path(directory, "app.toml")
            app.write_text("name = 'app'\n[[roles]]\nname = 'w'\nimage = '/tmp'\nentrypoint = 'true'\n"
                           "metadata = { n = 1, deep = { b = 2, a = 3 } }\n")
            done = kit.run("--json", "--app", app, "--only", "app.definition", FAULTY, fault="sorts_metadata")
            self.assertEqual(done.returncode, 0, done.stdout)
            app.write_text(app.read_text().replace("n = 1", "n = 2"))
            done = kit.run("--json", "--app", app, "--only", "app.definition", FAULTY, fault="sorts_metadata")
            self.assert_found(done, "app.definition")

    def test_each_broken_rule_is_found(self):
        def find(fault):
            return kit.run("--json", "--limit", "8", "--app", kit.APP, "--only", FAULTS[fault], FAULTY, fault=fault)

        # Most of the time, the kit waits for a plug-in that hangs.
        with ThreadPoolExecutor(4) as threads:
            for fault, done in zip(FAULTS, threads.map(find, FAULTS)):
                with self.subTest(fault):
                    self.assert_found(done, FAULTS[fault])

    def test_every_check_has_a_fault_that_it_finds(self):
        names = {line.split()[0] for line in kit.run("--list").stdout.splitlines()}
        proven = set(FAULTS.values()) | set(LIBRARIES.values())
        self.assertEqual(names - proven, {"load.manifest"}, "test_command.py tests this check")

    def test_each_broken_library_is_found(self):
        for name, check in LIBRARIES.items():
            with self.subTest(name):
                self.assert_found(kit.run("--json", kit.BAD_PLUGINS / f"{name}.so"), check)

    def test_a_small_provider_is_named_by_checks_that_run_alone(self):
        done = kit.run("--json", "--only", "load.create", kit.BAD_PLUGINS / "small_provider.so")
        self.assertEqual(kit.verdicts(done)["load.create"][0]["seen"],
                         'the provider "small" has a struct_size smaller than 1.0\'s')

    def test_a_selected_check_that_cannot_run_is_explained_by_the_load_checks(self):
        for only in ("app.runs", "provider"):
            done = kit.run("--json", "--app", kit.APP, "--only", only, kit.BAD_PLUGINS / "other_draft.so")
            self.assert_found(done, "load.descriptor")


if __name__ == "__main__":
    unittest.main()
