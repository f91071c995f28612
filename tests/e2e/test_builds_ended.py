"""What a signal to a command leaves of the build that it waits for: nothing."""

import os
import signal
import subprocess
import unittest

from suite import ProjectTest, environment
from targets import is_there, parent_of, wait_for

MANIFEST = '[package]\nname = "slow"\nversion = "0.1.0"\nedition = "2021"\n'
# A build script is to cargo as a compiler is, and one that never ends is not too fast for the test.
BUILD = """
fn main() {
    let path = std::env::var("SCRIPT_PID").unwrap();
    std::fs::write(format!("{path}.new"), std::process::id().to_string()).unwrap();
    std::fs::rename(format!("{path}.new"), path).unwrap();

    loop { std::thread::park(); }
}
"""
COMMANDS = {"bloatc": [], "llvmlines": [], "cprof": ["-o", "target/out.folded"]}


class BuildsEnded(ProjectTest):
    def start(self, command, **options):
        """It, cargo below it, and the build script, which runs by now."""
        path = os.path.join(self.folder, f"{command}.pid")
        process = subprocess.Popen(
            [f"cargo-{command}", command, *COMMANDS[command], "--target-dir", f"target/{command}"],
            cwd=self.folder,
            env=environment(SCRIPT_PID=path),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **options,
        )
        wait_for(lambda: os.path.exists(path) or process.poll() is not None, "the build script starts")
        self.assertIsNone(process.poll())
        with open(path, encoding="ascii") as file:
            script = int(file.read())
        self.addCleanup(self.end, process, script)
        return process, parent_of(script), script

    def end(self, process, script):
        if process.poll() is None:
            process.kill()
            process.wait()
        if is_there(script):
            os.kill(script, signal.SIGKILL)

    def assert_ends(self, command, number, **options):
        process, cargo, script = self.start(command, **options)
        process.send_signal(number)
        self.assertIn(process.wait(timeout=60), (-number, 128 + number))
        self.assertFalse(is_there(cargo))
        wait_for(lambda: not is_there(script), "the build script ends")

    def test_each_command_ends_what_it_builds(self):
        self.project(MANIFEST, build_rs=BUILD, src__main_rs="fn main() {}\n")
        for command in COMMANDS:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                with self.subTest(command=command, signal=number):
                    path = os.path.join(self.folder, f"{command}.pid")
                    if os.path.exists(path):
                        os.remove(path)
                    self.assert_ends(command, number)

    def test_a_signal_that_the_caller_ignores_ends_nothing(self):
        self.project(MANIFEST, build_rs=BUILD, src__main_rs="fn main() {}\n")
        ignore = lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
        process, cargo, script = self.start("bloatc", preexec_fn=ignore)
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=60), -signal.SIGTERM)
        self.assertFalse(is_there(cargo))
        wait_for(lambda: not is_there(script), "the build script ends")


if __name__ == "__main__":
    unittest.main()
