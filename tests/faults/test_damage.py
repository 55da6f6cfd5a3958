"""Tests the damages: where files are cut."""

import re
import tempfile
import unittest
from pathlib import Path

from damage import BORDERS, Damage

ENGINE = Path(__file__).parents[2] / "plugins" / "local" / "engine"


class Damages(unittest.TestCase):
    def test_files_are_cut_at_the_size_of_each_struct(self):
        sizes = {}
        for name in ("state_layout.hpp", "finished_index.cpp"):
            sizes |= {struct: int(size) for struct, size in
                      re.findall(r"sizeof\((\w+)\) == (\d+)", (ENGINE / name).read_text())}
        self.assertEqual(sizes.keys(), {"StateFixed", "StateHeader", "ReplicaHead", "ReplicaTail", "IndexHead",
                                        "IndexEntry"})
        sizes["kEntryBytes"] = sizes["ReplicaHead"] + sizes["ReplicaTail"]
        self.assertEqual({name: size for name, size in sizes.items() if size not in BORDERS}, {})

    def test_a_cut_makes_no_file_longer(self):
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "file"
            path.write_bytes(b"abc")
            Damage("running", "file", "cut", 8).apply(path)
            self.assertEqual(path.read_bytes(), b"abc")
            Damage("running", "file", "cut", 1).apply(path)
            self.assertEqual(path.read_bytes(), b"a")


if __name__ == "__main__":
    unittest.main()
