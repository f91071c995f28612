"""cargo cprof on a terminal: what the keys that end programs do to the program and to the recording."""

import fcntl
import os
import pty
import signal
import subprocess
import sys
import termios
import unittest

from suite import environment
from recordings import cpu_seconds, exec_command, folded
from targets import BUSY, TargetTest, is_there, state_of, wait_for, watches

CTRL_C, CTRL_BACKSLASH, CTRL_Z = b"\x03", b"\x1c", b"\x1a"

# Counts the times that it is interrupted, and works on.
STUBBORN = f"n=0; trap 'n=$((n+1)); echo caught $n' INT; echo ready; {BUSY}"

# Dies of what its child takes time to clean up after.
LEAVING = """
import os, signal
def clean_up(*_):
    for _ in range(3000000): pass
    print("cleaned up", flush=True)
    os._exit(0)
if os.fork() == 0:
    signal.signal(signal.SIGINT, clean_up)
    print(os.getppid(), os.getpid(), "ready", flush=True)
else:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
while True: pass
"""


def switches_of(pid):
    """How often the process has waited for something."""
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
        return int(file.read().split("voluntary_ctxt_switches:")[1].split()[0])


class OnATerminal(TargetTest):
    def start_on_terminal(self, *arguments, shell=()):
        """Starts it, or a shell that does, in the foreground of a terminal of its own, whose other end is ours."""
        self.terminal, inner = pty.openpty()
        self.addCleanup(self.hang_up)
        os.set_blocking(self.terminal, True)

        def take_terminal():
            # Ignored signals are inherited: what is started in the background (&, nohup) ignores some of these.
            for ended_by in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
                signal.signal(ended_by, signal.SIG_DFL)
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        process = subprocess.Popen(
            [*shell, *exec_command("-o", "out.folded", *arguments)],
            cwd=self.folder,
            env=environment(),
            stdin=inner,
            stdout=inner,
            stderr=inner,
            preexec_fn=take_terminal,
        )
        os.close(inner)
        self.addCleanup(self.end, process)
        self.shown = b""
        return process

    def hang_up(self):
        if self.terminal is not None:
            os.close(self.terminal)
            self.terminal = None

    def wait_until_shown(self, text):
        while text not in self.shown:
            self.shown += os.read(self.terminal, 65536)

    def end_of(self, process):
        """The exit code. What is shown meanwhile is read: nobody writes to a terminal that is full."""
        try:
            while True:
                more = os.read(self.terminal, 65536)
                if not more:
                    break
                self.shown += more
        except OSError:  # nobody has it open any more
            pass
        return process.wait()

    def assert_recorded(self):
        self.assertGreater(sum(count for _, count in folded(os.path.join(self.folder, "out.folded"))), 0)

    def work(self, pid):
        """Waits until a process has used some CPU time."""
        started = cpu_seconds(pid)
        wait_for(lambda: cpu_seconds(pid) > started + 0.2, "the process gets on")

    def test_ctrl_c_is_the_programs_and_its_own_answer_is_the_exit_code(self):
        process = self.start_on_terminal("--", "sh", "-c", f"trap 'exit 7' INT; echo $$ ready; {BUSY}")
        self.wait_until_shown(b"ready")
        self.work(int(self.shown.split()[0]))
        os.write(self.terminal, CTRL_C)
        self.assertEqual(self.end_of(process), 7, self.shown)
        self.assert_recorded()

    def test_the_keys_end_what_does_not_care_with_their_signal(self):
        for key, number in ((CTRL_C, signal.SIGINT), (CTRL_BACKSLASH, signal.SIGQUIT)):
            with self.subTest(number):
                process = self.start_on_terminal("--", "sh", "-c", f"ulimit -c 0; echo $$ ready; {BUSY}")
                self.wait_until_shown(b"ready")
                self.work(int(self.shown.split()[0]))
                os.write(self.terminal, key)
                self.assertEqual(self.end_of(process), 128 + number, self.shown)
                self.assert_recorded()
                self.hang_up()

    def test_once_is_the_programs_and_twice_stops_everything(self):
        process = self.start_on_terminal("--", "sh", "-c", f"echo $$; {STUBBORN}")
        self.wait_until_shown(b"ready")
        pid = int(self.shown.split()[0])
        os.write(self.terminal, CTRL_C)
        self.wait_until_shown(b"caught 1")
        self.work(pid)
        self.assertIsNone(process.poll())
        os.write(self.terminal, CTRL_C)
        self.assertEqual(self.end_of(process), 128 + signal.SIGKILL, self.shown)
        self.assertFalse(is_there(pid))
        self.assert_recorded()

    def test_what_the_program_leaves_behind_as_it_dies_of_the_first_cleans_up(self):
        """Also where we only get to see both at once."""
        process = self.start_on_terminal("--", sys.executable, "-c", LEAVING)
        self.wait_until_shown(b"ready")
        program = int(self.shown.split()[0])
        os.kill(process.pid, signal.SIGSTOP)
        wait_for(lambda: state_of(process.pid) == "T", "the recorder is stopped")
        os.write(self.terminal, CTRL_C)
        wait_for(lambda: state_of(program) == "Z", "the program has died")
        os.kill(process.pid, signal.SIGCONT)
        self.assertEqual(self.end_of(process), 128 + signal.SIGINT, self.shown)
        self.assertIn(b"cleaned up", self.shown)
        self.assert_recorded()

    def test_ctrl_c_ends_an_attached_recording_and_the_process_goes_on(self):
        target = self.start(["sh", "-c", BUSY], start_new_session=True)
        process = self.start_on_terminal("--pid", str(target.pid))
        wait_for(lambda: watches(process.pid), "the process is watched")
        self.work(target.pid)
        os.write(self.terminal, CTRL_C)
        self.assertEqual(self.end_of(process), 0, self.shown)
        self.assertTrue(is_there(target.pid))
        self.assert_recorded()

    def test_it_ends_who_waits_for_somebody_to_read_an_output(self):
        os.mkfifo(os.path.join(self.folder, "pipe.folded"))
        process = self.start_on_terminal("-o", "pipe.folded", "--", "true")
        wait_for(lambda: os.path.exists(os.path.join(self.folder, "out.folded")), "the first output")

        def ends():
            os.write(self.terminal, CTRL_C)
            return process.poll() is not None

        wait_for(ends, "it ends")
        code = self.end_of(process)
        self.assertIn(code, (1, -signal.SIGINT), self.shown)  # the latter where a second one came on the way
        if code == 1:
            self.assertIn(b"write pipe.folded: ended by a signal while nobody read it", self.shown)
        self.assertEqual(sorted(os.listdir(self.folder)), ["out.folded", "pipe.folded"])

    def test_a_program_that_stops_is_a_stopped_job_that_goes_on_when_told_to(self):
        """With SIGSTOP, which is no terminal's, it takes the key."""
        jobs = ["bash", "-m", "-c", '"$@"; echo stopped $?; fg; echo ended $?', "bash"]
        for stop in ("STOP", "TSTP"):
            with self.subTest(stop):
                program = f"echo $$; kill -{stop} $$; echo gone on; n=0; while [ $n -lt 100000 ]; do n=$((n+1)); done; exit 7"
                process = self.start_on_terminal("--", "sh", "-c", program, shell=jobs)
                self.wait_until_shown(b"\n")
                if stop == "STOP":
                    pid = int(self.shown.split()[0])
                    wait_for(lambda: state_of(pid) == "T", "it is stopped")
                    os.write(self.terminal, CTRL_Z)
                self.assertEqual(self.end_of(process), 0, self.shown)
                said = self.shown.decode()
                self.assertIn(f"stopped {128 + signal.SIGTSTP}", said)
                self.assertIn("gone on", said.split("stopped ")[1])
                self.assertIn("ended 7", said.split("gone on")[1])
                self.assert_recorded()
                self.hang_up()

    def test_a_program_that_others_stop_and_let_go_on_is_recorded_on(self):
        """They know nothing of the recorder, which would never be told to go on."""
        program = "echo $$ ready; n=0; while [ $n -lt 500000 ]; do n=$((n+1)); done; exit 7"
        process = self.start_on_terminal("--", "sh", "-c", program)
        self.wait_until_shown(b"ready")
        pid = int(self.shown.split()[0])
        os.kill(pid, signal.SIGSTOP)
        wait_for(lambda: state_of(pid) == "T", "it is stopped")
        before = switches_of(process.pid)
        wait_for(lambda: switches_of(process.pid) >= before + 10, "the recorder has looked at it, again and again")
        os.kill(pid, signal.SIGCONT)
        self.assertEqual(self.end_of(process), 7, self.shown)
        self.assert_recorded()

    def test_a_program_that_a_signal_ends_leaves_the_terminal_as_it_was(self):
        for end, is_restored in (("kill -KILL $$", True), ("exit 3", False)):
            with self.subTest(end):
                program = f"read line; stty raw -echo; {BUSY.replace(':', 'test $((n=n+1)) -lt 100000', 1)}; {end}"
                process = self.start_on_terminal("--", "sh", "-c", program)
                before = termios.tcgetattr(self.terminal)
                os.write(self.terminal, b"go\n")
                self.assertNotEqual(self.end_of(process), 0)
                self.assertEqual(termios.tcgetattr(self.terminal) == before, is_restored, self.shown)
                self.hang_up()

    def test_a_terminal_that_is_closed_leaves_a_profile_and_no_process(self):
        process = self.start_on_terminal("--", "sh", "-c", f"echo $$ ready; {BUSY}")
        self.wait_until_shown(b"ready")
        pid = int(self.shown.split()[0])
        self.work(pid)
        self.hang_up()
        self.assertEqual(process.wait(), 128 + signal.SIGHUP)
        self.assertFalse(is_there(pid))
        self.assert_recorded()


if __name__ == "__main__":
    unittest.main(verbosity=1)
