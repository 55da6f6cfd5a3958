"""A SlipwayCase with a terminal, for commands that people start and interrupt there."""

import fcntl
import os
import select
import signal
import termios

from slipway_case import LIMIT_S, SlipwayCase


class TerminalCase(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.master, self.slave = os.openpty()
        self.addCleanup(lambda: [os.close(fd) for fd in (self.master, self.slave)])

    @staticmethod
    def take_terminal():
        """Makes standard input the controlling terminal of this process."""
        fcntl.ioctl(0, termios.TIOCSCTTY, 1)

    def start_on_terminal(self, *arguments, **options):
        """Starts a command as the foreground job of the terminal. `options` of Popen replace the streams."""
        options = {"stdin": self.slave, "stdout": self.slave, "stderr": self.slave, **options}
        process = self.start(*arguments, preexec_fn=lambda: (os.setsid(), self.take_terminal()), **options)
        self.eventually(lambda: self.blocks(process.pid, signal.SIGINT), "the command waits for signals")
        return process

    @staticmethod
    def blocks(pid, number):
        """Returns whether the process blocks a signal: a command does so before it reads its signals."""
        with open(f"/proc/{pid}/status", encoding="ascii") as status:
            masks = dict(line.split(":\t") for line in status if line.startswith("SigBlk"))
        return bool(int(masks["SigBlk"], 16) & 1 << number - 1)

    def type(self, keys, shows):
        """Types keys, and waits until the terminal shows the text `shows`."""
        os.write(self.master, keys)
        seen = b""
        while shows.encode() not in seen:
            self.assertTrue(select.select([self.master], [], [], LIMIT_S)[0], f"{shows} was not shown, but {seen}")
            seen += os.read(self.master, 65536)
