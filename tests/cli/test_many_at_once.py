"""Many runs at once, each of which prunes all finished apps: cache_size=0."""

import unittest

from slipway_case import SlipwayCase


class ManyAtOnce(SlipwayCase):
    def test_app_is_not_pruned_before_the_run_that_started_it_has_read_its_end(self):
        app = self.app("exit 0")
        processes = [self.start("run", "-q", "--no-log", "-c", "cache_size=0", app) for _ in range(20)]
        results = [self.finish(process) for process in processes]
        self.assertEqual([r.status for r in results], [0] * 20, [r.stderr for r in results if r.status])


if __name__ == "__main__":
    unittest.main()
