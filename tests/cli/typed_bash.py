"""A real bash on a pseudo terminal: types keys, and reads the resulting command line."""

import os
import pty
import select
import subprocess
import time

PROMPT = b"typed> "
# ^Xt writes the line to the file $TYPED, ^Xa inserts every candidate, and readline asks no question before it shows
# many candidates.
SETUP = """PS1='typed> ' PS2='' HISTFILE=
bind 'set enable-bracketed-paste off'
bind 'set bell-style none'
bind 'set completion-query-items 0'; bind 'set page-completions off'
bind -x '"\\C-xt": printf "%s" "$READLINE_LINE" > "$TYPED.new"; mv "$TYPED.new" "$TYPED"'
bind '"\\C-xa": insert-completions'
"""


class TypedBash:
    """Runs bash, which first executes the commands in `setup`, until close()."""

    def __init__(self, setup, scratch, cwd, env, limit_s):
        self.limit_s = limit_s
        self.typed = scratch / "typed"
        rc = scratch / "bashrc"
        rc.write_text(SETUP + setup + "\n")
        self.master, slave = pty.openpty()
        self.shell = subprocess.Popen(["bash", "--noprofile", "--rcfile", rc, "-i"], stdin=slave, stdout=slave,
                                      stderr=slave, cwd=cwd, env={**env, "TYPED": str(self.typed)},
                                      start_new_session=True)
        os.close(slave)
        # The terminal, not the shell, would handle keys that precede the prompt.
        self._read_until(lambda screen: PROMPT in screen, "with a prompt")

    def line_after(self, keys):
        """Types `keys` into an empty line. Returns the resulting line."""
        self.typed.unlink(missing_ok=True)
        # ^E and ^U empty the line.
        os.write(self.master, b"\x05\x15" + keys.encode() + b"\x18t")
        self._read_until(lambda screen: self.typed.exists(), repr(keys))
        return self.typed.read_text()

    def _read_until(self, done, what):
        end = time.monotonic() + self.limit_s
        screen = b""
        while not done(screen):
            if select.select([self.master], [], [], 0.02)[0]:
                screen += os.read(self.master, 65536)
            if time.monotonic() > end:
                raise AssertionError(f"bash did not answer {what}; the screen: {screen!r}")

    def close(self):
        self.shell.kill()
        self.shell.wait()
        os.close(self.master)
