"""cargo cprof where processes are numbered anew and clocks begin anew (namespaces(7)), as in containers."""

import os
import subprocess
import time
import unittest

from suite import SOURCE, measured, run
from recordings import exec_command, folded, number
from targets import BUSY, TargetTest, children_of, name_of, wait_for

OUTSIDE = "[outside of this container]"
MANY = 200  # of the 997 of a second: there are fewer where others have the processor, too


def skip_without_mounts(test):
    """Within a chroot, in which packages are built, the root is no mount point, and stays what it is."""
    if run(["unshare", "--mount", "true"], test.folder).code != 0:
        test.skipTest("no mount namespaces may be made here")


@unittest.skipUnless(os.getuid() == 0, "takes root to make namespaces")
class NamespaceTest(TargetTest):
    """With two programs, whose functions inside_work and outside_work are at the same address."""

    unshare = ()

    def setUp(self):
        super().setUp()
        if run([*self.unshare, "true"], self.folder).code != 0:
            self.skipTest("no namespaces may be made here")

    def place(self, name):
        path = os.path.join(self.folder, name)
        source = os.path.join(SOURCE, "tests", "e2e", "stacks", "place.c")
        flags = ["-O1", "-g", "-fno-omit-frame-pointer", "-static", "-no-pie"]
        subprocess.run(["cc", *flags, f"-DPLACE={name}_work", "-o", path, source], check=True)
        return path

    def start_inside(self, *command):
        return self.start([*self.unshare, *command])

    def stacks(self):
        return folded(os.path.join(self.folder, "out.folded"))


class AmongProcessesOfItsOwn(NamespaceTest):
    unshare = ("unshare", "--pid", "--fork", "--kill-child", "--mount-proc")

    def watch_all(self, *options):
        """Records all processes, one of each program among them, which begin meanwhile."""
        script = 'echo watched; read line; echo go | "$0"; exit 4'
        command = exec_command("--all-cpus", *options, "-o", "out.folded", "--", "sh", "-c", script, self.place("inside"))
        process = self.start_inside(*command)
        if process.stdout.readline() != b"watched\n":
            self.assertIn("the system refuses perf events", process.stderr.read().decode())
            self.skipTest("the machine may not be watched")
        outside = self.start([self.place("outside")])
        self.tell(outside, "go", "done")
        return self.finish(process)

    @measured
    def test_processes_outside_are_told_as_such_and_nobody_has_their_code(self):
        said = self.watch_all()
        inside = [(names[0], count) for names, count in self.stacks() if "inside_work" in names]
        self.assertEqual({name for name, _ in inside}, {"inside"})
        self.assertGreater(sum(count for _, count in inside), MANY, said)
        outside = [(names, count) for names, count in self.stacks() if OUTSIDE in names]
        self.assertEqual({names[0] for names, _ in outside}, {OUTSIDE})
        self.assertGreater(sum(count for _, count in outside), MANY, said)
        self.assertFalse([names for names, _ in self.stacks() if "outside_work" in names])
        self.assertRegex(said, r"\n  cut: [\d,]+ of processes outside of this container\n")
        self.assertRegex(said, r"\n  no name: .* record on the host, or .*--pid=host\)\n")
        self.assertNotIn("made at run time", said)

    @measured
    def test_frame_pointers_of_theirs_are_not_missed(self):
        said = self.watch_all("--call-graph", "fp")
        self.assertGreater(sum(count for names, count in self.stacks() if names[0] == OUTSIDE), MANY, said)
        self.assertFalse([names for names, _ in self.stacks() if "outside_work" in names])
        self.assertNotIn("no frame pointers", said)


class WithTheNumbersOfOthers(NamespaceTest):
    """Processes are numbered anew, and /proc has the numbers of the namespace outside."""

    unshare = ("unshare", "--pid", "--fork", "--kill-child")
    OTHERS = "/proc is that of another PID namespace"

    def inside(self, script, *arguments):
        """Runs a script of the shell, "$@" being the arguments; what it leaves behind ends with it."""
        return run([*self.unshare, "sh", "-c", script, "sh", *arguments], self.folder)

    def test_what_runs_already_is_not_looked_for_by_numbers_of_others(self):
        for which in ("--pid $!", "--all-cpus", "--cpu 0"):
            result = self.inside(f'sleep 60 & "$@" {which} -d 0.1', *exec_command("-o", "out.folded"))
            self.assert_fails(result, 1, self.OTHERS, "unshare --mount-proc cargo cprof")
        self.assertEqual(os.listdir(self.folder), [])

    def test_with_a_proc_of_its_own_it_is_found(self):
        skip_without_mounts(self)
        own = 'sleep 60 & unshare --mount-proc "$@" --pid $! -d 0.1'
        result = self.inside(own, *exec_command("-o", "out.folded"))
        self.assertEqual(result.code, 0, result)
        self.assertNotIn(self.OTHERS, result.err)

    def test_a_program_is_recorded_with_its_names(self):
        result = self.inside('echo go | "$@"', *exec_command("-o", "out.folded", "--", self.place("inside")))
        self.assertIn(self.OTHERS, result.err)
        self.assertGreater(sum(count for names, count in self.stacks() if "inside_work" in names), MANY, result)

    def test_what_was_started_ends_with_its_time(self):
        program = f"sh -c 'trap \"\" TERM; {BUSY}' & sh -c '{BUSY}' & wait"
        command = exec_command("-q", "-o", "out.folded", "-d", "0.3", "--", "sh", "-c", program)
        process = self.start_inside("sh", "-c", '"$@"; echo ended $?; read line', "sh", *command)
        self.assertEqual(process.stdout.readline(), b"ended 0\n")
        (first,) = children_of(process.pid)
        self.assertEqual(children_of(first), [])


class WithAClockOfItsOwn(NamespaceTest):
    """The clock that only goes forward is eleven days ahead of the kernel's."""

    unshare = ("unshare", "--time", "--monotonic", "1000000", "--fork", "--kill-child")

    def test_a_delay_leaves_out_no_more_than_what_was_before(self):
        command = exec_command("--delay", "0.5", "-o", "out.folded", "--", self.place("inside"))
        process = self.start_inside(*command)
        process.stdin.write(b"go\nend\n")
        process.stdin.close()
        said = process.stderr.read().decode()
        self.assertEqual(process.wait(), 0, said)
        kept = sum(count for names, count in self.stacks() if "inside_work" in names)
        self.assertGreater(kept, 50, said)  # of half of a second and more

    def test_the_time_that_a_program_ran_is_told(self):
        began = time.monotonic()
        result = run([*self.unshare, *exec_command("-o", "out.folded", "--", "sleep", "0.3")], self.folder)
        elapsed = time.monotonic() - began
        self.assertTrue(0.3 <= number(r" in ([\d.]+) s", result.err) <= elapsed + 0.01, (elapsed, result))

    @measured
    def test_a_process_that_runs_is_watched(self):
        target = self.start_inside(self.place("inside"))
        wait_for(lambda: children_of(target.pid), "unshare")
        (inside,) = children_of(target.pid)
        wait_for(lambda: name_of(inside) == "inside", "inside")
        command = exec_command("-o", "out.folded", "--pid", str(inside), "--", "sh", "-c", "echo watched; read line; exit 4")
        process = self.start_inside(*command)
        self.assertEqual(process.stdout.readline(), b"watched\n")
        self.tell(target, "go", "done")
        said = self.finish(process)
        self.assertGreater(sum(count for names, count in self.stacks() if "inside_work" in names), MANY, said)


@unittest.skipUnless(os.getuid() == 0, "takes root to give a program a root folder of its own")
class InAContainer(TargetTest):
    """A program whose path leads us to another one, neither with a build id."""

    def setUp(self):
        super().setUp()
        self.path = os.path.join(self.folder, "place")
        self.root = os.path.join(self.folder, "root")
        inside = self.root + self.path
        os.makedirs(os.path.dirname(inside))
        for path, name in ((self.path, "outside_work"), (inside, "inside_work")):
            source = os.path.join(SOURCE, "tests", "e2e", "stacks", "place.c")
            command = ["cc", "-O1", "-g", "-static", "-Wl,--build-id=none", f"-DPLACE={name}", "-o", path, source]
            subprocess.run(command, check=True)

    def assert_is_the_one_inside(self, said):
        stacks = folded(os.path.join(self.folder, "out.folded"))
        inside = sum(count for names, count in stacks if "inside_work" in names)
        self.assertGreater(inside, MANY, said)
        self.assertFalse([names for names, _ in stacks if "outside_work" in names])

    def test_a_process_that_runs_has_the_names_of_its_own_file(self):
        target = self.start(["chroot", self.root, self.path], stderr=None)
        wait_for(lambda: os.path.exists(f"/proc/{target.pid}/root{self.path}") and self.is_started(target), "chroot")
        process = self.attach("--pid", str(target.pid))
        self.tell(target, "go", "done")
        self.assert_is_the_one_inside(self.finish(process))

    def is_started(self, target):
        with open(f"/proc/{target.pid}/comm", encoding="utf-8") as file:
            return file.read() == "place\n"

    def test_so_has_a_program_that_is_started_and_gone(self):
        command = exec_command("-o", "out.folded", "--", "chroot", self.root, self.path)
        process = self.start(command)
        _, said = process.communicate(b"go\nend\n")
        self.assertEqual(process.returncode, 0, said)
        self.assert_is_the_one_inside(said)


@unittest.skipUnless(os.getuid() == 0, "takes root to give a program a root folder of its own")
class WithDebugFilesOfItsOwn(TargetTest):
    """A stripped program, which has ended when names are looked for, in a root folder that has its debug file."""

    def assert_whole(self, source, functions, build_id, place, *options):
        root = os.path.join(self.folder, "root")
        program = os.path.join(root, "bin", "app")
        debug = os.path.join(root, place)
        for path in (program, debug):
            os.makedirs(os.path.dirname(path), exist_ok=True)
        flags = ["-g", "-static", f"-Wl,--build-id={build_id}", *options]
        subprocess.run(["cc", *flags, "-o", program, os.path.join(SOURCE, "tests", "e2e", "stacks", source)], check=True)
        subprocess.run(["objcopy", "--only-keep-debug", program, debug], check=True)
        subprocess.run(["objcopy", "--strip-all", f"--add-gnu-debuglink={debug}", program], check=True)
        process = self.start(exec_command("-o", "out.folded", "--", "chroot", root, "/bin/app"))
        _, said = process.communicate(b"go\nend\n")
        self.assertEqual(process.returncode, 0, said)
        stacks = folded(os.path.join(self.folder, "out.folded"))
        inside = [(names[: names.index(functions[-1]) + 1], count) for names, count in stacks if functions[-1] in names]
        whole = sum(count for names, count in inside if names[-len(functions):] == functions)
        self.assertGreater(whole, 40, said)
        self.assertGreater(whole, 0.98 * sum(count for _, count in inside), said)

    def test_names_are_found_by_its_link(self):
        for place in ("usr/lib/debug/bin/app.debug", "bin/.debug/app.debug"):
            with self.subTest(place):
                self.assert_whole("place.c", ["main", "call", "app_work"], "none", place, "-O1", "-DPLACE=app_work")
                os.remove(os.path.join(self.folder, "root", place))

    def test_they_are_found_by_its_build_id(self):
        place = "usr/lib/debug/.build-id/ab/cdef.debug"
        self.assert_whole("place.c", ["main", "call", "app_work"], "0xabcdef", place, "-O1", "-DPLACE=app_work")

    def test_one_that_is_of_no_use_is_told_by_its_path_there(self):
        root = os.path.join(self.folder, "root")
        program = os.path.join(root, "bin", "app")
        os.makedirs(os.path.dirname(program))
        source = os.path.join(SOURCE, "tests", "e2e", "stacks", "inlined_parts.c")
        subprocess.run(["cc", "-O1", "-g", "-static", "-Wl,--build-id=none", "-o", program, source], check=True)
        subprocess.run(["objcopy", "--only-keep-debug", program, program + ".debug"], check=True)
        subprocess.run(["objcopy", "--strip-all", f"--add-gnu-debuglink={program}.debug", program], check=True)
        self.write("root/bin/app.debug", "no ELF")
        result = run(exec_command("-o", "out.folded", "--", "chroot", root, "/bin/app", "100000000"), self.folder)
        self.assertIn("its debug file was not taken: /bin/app.debug: not an ELF file", result.err)
        self.assertNotIn("/proc/self/fd", result.err)

    def test_so_is_what_was_split_off_where_it_was_built(self):
        root = os.path.join(self.folder, "root")
        built = os.path.join(root, "build")
        os.makedirs(os.path.join(root, "bin"))
        os.makedirs(built)
        source = os.path.join(SOURCE, "tests", "e2e", "stacks", "inlined_parts.c")
        flags = ["-O1", "-g", "-gsplit-dwarf", f"-fdebug-prefix-map={root}="]
        subprocess.run(["cc", *flags, "-c", "-o", "parts.o", source], cwd=built, check=True)
        subprocess.run(["cc", "-static", "-o", "../bin/app", "parts.o"], cwd=built, check=True)
        self.assertTrue(os.path.exists(os.path.join(built, "parts.dwo")))
        result = run(exec_command("-o", "out.folded", "--", "chroot", root, "/bin/app", "200000000"), self.folder)
        self.assertEqual(result.code, 0, result)
        inlined = [names for names, _ in folded(os.path.join(self.folder, "out.folded")) if "part" in names]
        self.assertTrue(inlined, result)
        for names in inlined:
            self.assertEqual(names[names.index("part") - 1], "host", result)

    def test_so_is_call_frame_information(self):
        """Without, frames that are aligned are left for their callers alone."""
        options = ["-O2", "-fno-asynchronous-unwind-tables", "-fno-exceptions", "-fno-optimize-sibling-calls"]
        functions = ["main", "calls_aligned", "aligned", "in_aligned"]
        self.assert_whole("moved_stack.c", functions, "none", "usr/lib/debug/bin/app.debug", *options)


@unittest.skipUnless(os.getuid() == 0, "takes root to change the root folder")
class ProgramThatChangesItsRoot(TargetTest):
    """What it maps before leads elsewhere, or nowhere, from its new root."""

    def setUp(self):
        super().setUp()
        self.root = os.path.join(self.folder, "root")
        self.path = os.path.join(self.folder, "new_root")
        os.mkdir(self.root)

    def assert_whole_stacks(self, build_id, *arguments):
        source = os.path.join(SOURCE, "tests", "e2e", "stacks", "new_root.c")
        flags = ["-O1", "-g", f"-Wl,--build-id={build_id}"]
        subprocess.run(["cc", *flags, "-o", self.path, source], check=True)
        command = exec_command("-o", "out.folded", "--", self.path, self.root, *arguments)
        result = run(command, self.folder)
        self.assertEqual(result.code, 0, result)
        stacks = folded(os.path.join(self.folder, "out.folded"))
        work = [(names, count) for names, count in stacks if "confined_work" in names]
        whole = sum(count for names, count in work if "_start" in names and "main" in names)
        total = sum(count for _, count in work)
        self.assertGreater(total, 50, result)
        self.assertGreater(whole, total * 0.95, result)

    def test_its_libraries_are_read_after_chroot(self):
        self.assert_whole_stacks("sha1")

    def test_so_is_a_program_without_a_build_id(self):
        self.assert_whole_stacks("none")

    def test_its_libraries_are_read_after_pivot_root(self):
        skip_without_mounts(self)
        self.assert_whole_stacks("sha1", "pivot")

    def test_so_is_one_without_a_build_id_after_pivot_root(self):
        skip_without_mounts(self)
        self.assert_whole_stacks("none", "pivot")


if __name__ == "__main__":
    unittest.main(verbosity=1)
