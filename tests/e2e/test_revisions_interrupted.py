"""Commands that check a revision out, interrupted."""

import os
import signal
import subprocess
import time
import unittest

from repositories import BUSY_MAIN, COMPARISONS, MANIFEST, RepositoryTest, picture
from suite import environment, run


class Interrupted(RepositoryTest):
    def test_ctrl_c_leaves_everything_as_it_was(self):
        started = os.path.join(self.folder, "started")
        go_on = os.path.join(self.folder, "go-on")
        script = ('use std::path::Path; fn main() { std::fs::write("%s", "x").unwrap(); '
                  'while !Path::new("%s").exists() { std::thread::sleep(std::time::Duration::from_millis(20)); } }')
        self.start_repository(build_rs=script % (started, go_on), Cargo_toml=MANIFEST)
        self.put(build_rs="fn main() {}\n")
        run(["cargo", "generate-lockfile", "--offline"], self.repository, **self.variables())
        before = picture(self.repository)
        for words in COMPARISONS:
            with self.subTest(words), subprocess.Popen(
                    ["cargo", *words], cwd=self.repository, start_new_session=True, env=environment(**self.variables()),
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                while not os.path.exists(started):
                    self.assertIsNone(process.poll())
                    time.sleep(0.05)
                os.killpg(process.pid, signal.SIGINT)
                self.assertNotEqual(process.wait(60), 0)
                os.unlink(started)
                self.assertEqual(picture(self.repository), before)
        # The next run goes on from there.
        with open(go_on, "w", encoding="utf-8"):
            pass
        self.assertEqual(self.diff("--diff", "main")[0], {})

    @unittest.skipUnless(os.geteuid() == 0, "mounting needs root")
    def test_a_full_disk_costs_only_the_comparison(self):
        self.start_repository(src__main_rs=BUSY_MAIN)
        os.makedirs(self.cache)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", self.cache], check=False)
        if mounted.returncode != 0:
            self.skipTest("cannot mount a small file system here")
        try:
            with open(os.path.join(self.repository, "large.bin"), "wb") as file:
                file.write(os.urandom(200000))
            self.commit()
            owns = ("section size", "app::parts::kept", "By time in the function itself", "the working tree alone, in 1 run")
            for (verb, *words), own in zip(COMPARISONS, owns):
                with self.subTest(verb):
                    result = self.cargo(*words, verb=verb)
                    self.assertEqual(result.code, 1, result)
                    self.assertRegex(result.err, r"error: no comparison: main \([0-9a-f]{7}\): .*No space left on device")
                    self.assertIn(own, result.out + result.err)
        finally:
            subprocess.run(["umount", self.cache], check=True)


if __name__ == "__main__":
    unittest.main(verbosity=1)
