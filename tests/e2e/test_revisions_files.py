"""--diff against files that cargo built: of which target they are, and for which machine."""

import os
import unittest

from repositories import BUSY_MAIN, MANIFEST, RepositoryTest
from suite import run


class FilesOfTargets(RepositoryTest):
    def setUp(self):
        super().setUp()
        self.start_repository(Cargo_toml=MANIFEST.replace("[workspace]", 'default-run = "app"\n[[bench]]\nname = "speed"\nharness = false\n[workspace]'),
                              src__lib_rs="pub mod parts;\n#[test]\nfn inside() {}\n",
                              src__bin__other_rs=BUSY_MAIN.replace("mod parts;", "use app::parts;"),
                              tests__whole_rs="#[test]\nfn one() { assert_eq!(app::parts::kept(1), 7); }\n",
                              benches__speed_rs='fn main() { println!("{}", app::parts::kept(9)); }\n',
                              examples__shown_rs='fn main() { println!("{}", app::parts::kept(8)); }\n')

    def test_files_for_unlike_machines_are_compared_with_a_warning(self):
        run(["cargo", "build", "--offline", "--release"], self.repository, **self.variables())
        program = os.path.join(self.repository, "target/release/app")
        with open(program, "rb") as file:
            content = file.read()
        self.write("work/app/other-machine", "")
        with open(os.path.join(self.repository, "other-machine"), "wb") as file:
            file.write(content[:18] + (243).to_bytes(2, "little") + content[20:])  # RISC-V
        said = "the target differs: "
        for head, base in (([], "other-machine"), (["target/release/app"], "other-machine"), (["other-machine"], "target/release/app")):
            _, report, result = self.diff(*head, "--diff", f"./{base}", *([] if head else ["--release"]))
            (warning,) = [line for line in report["warnings"] if said in line]
            self.assertRegex(warning, r"^\S.* against \./\S+: the target differs: \w+( with \w+)?, now \w+( with \w+)?$")
            self.assertIn(f"cargo-bloatc: warning: {warning}\n", result.err)
            self.assertIn("riscv64", warning)
        for head in [], ["target/release/app"]:
            self.assertNotIn(said, self.cargo(*head, "--diff", "./target/release/app", *([] if head else ["--release"])).err)


if __name__ == "__main__":
    unittest.main(verbosity=1)
