"""Attempts to get at files that were not given."""

import ctypes
import os
import socket
import stat
import struct
from pathlib import Path

from tests.shell.escapes.attempts import LIBC, Aims, attempt, checked, read, syscall

READ = "read files of others"
WRITE = "write, make or delete files of others"
ATTRIBUTES = "change mode, owner and times of files of others"
EXIST = "see whether files of others exist"


@attempt(READ)
def read_a_key(aims: Aims) -> object:
    return read(aims["key"])


@attempt(READ)
def read_the_workspace_database(aims: Aims) -> object:
    return read(aims["database"])


@attempt(READ)
def read_credentials_of_another_engine(aims: Aims) -> object:
    return read(aims["credentials"])


@attempt(READ)
def read_through_a_symbolic_link(aims: Aims) -> object:
    Path("soft").symlink_to(aims["key"])
    return read("soft")


@attempt(READ)
def read_through_a_hard_link(aims: Aims) -> object:
    Path("hard").hardlink_to(aims["key"])
    return read("hard")


@attempt(READ)
def read_through_the_root_of_itself(aims: Aims) -> object:
    return read(f"/proc/self/root{aims['key']}")


@attempt(READ)
def read_through_the_root_of_another(aims: Aims) -> object:
    return read(f"/proc/{aims['victim']}/root{aims['key']}")


@attempt(READ)
def read_through_the_folder_of_another(aims: Aims) -> object:
    return read(f"/proc/{aims['victim']}/cwd/.ssh/id")


@attempt(READ)
def read_through_a_descriptor_of_another(aims: Aims) -> object:
    return any(map(_has_secret, Path(f"/proc/{aims['victim']}/fd").iterdir()))


def _has_secret(path: Path) -> bool:
    return path.resolve().is_file() and read(path)


@attempt(READ, "may work")
def read_an_inherited_descriptor(_aims: Aims) -> object:
    found = [int(one.name) for one in Path("/proc/self/fd").iterdir()]
    opened = [one for one in found if 2 < one < 200 and _is_file(one)]
    return any(b"the expected output" in os.pread(one, 4096, 0) for one in opened)


def _is_file(descriptor: int) -> bool:
    try:
        return stat.S_ISREG(os.fstat(descriptor).st_mode)
    except OSError:
        return False


@attempt(READ)
def list_the_home(aims: Aims) -> object:
    return list(Path(aims["home"]).iterdir())


@attempt(READ, "may work")
def read_the_passwords_of_the_system(_aims: Aims) -> object:
    return Path("/etc/shadow").read_bytes()


@attempt(READ)
def take_a_file_away(aims: Aims) -> object:
    Path(aims["movable"]).rename("taken")
    return read("taken")


@attempt(READ)
def exchange_a_file(aims: Aims) -> object:
    Path("mine").write_text("mine")
    here, there = b"mine", os.fsencode(aims["exchanged"])
    checked(LIBC.renameat2(-100, here, -100, there, 2))
    return read("mine")


@attempt(READ, "may work")
def open_by_handle(aims: Aims) -> object:
    handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128))
    mount = ctypes.c_int()
    syscall("name_to_handle_at", -100, os.fsencode(aims["key"]), handle, ctypes.byref(mount), 0)
    folder = os.open(".", os.O_RDONLY)
    found = syscall("open_by_handle_at", folder, handle, os.O_RDONLY)
    return b"the expected output" in os.read(found, 100)


@attempt(READ, "may work")
def make_a_device(_aims: Aims) -> object:
    os.mknod("disk", stat.S_IFBLK | 0o600, os.makedev(254, 0))
    return os.read(os.open("disk", os.O_RDONLY), 512)


@attempt(READ, "may work")
def read_the_memory_of_the_machine(_aims: Aims) -> object:
    return os.read(os.open("/proc/kcore", os.O_RDONLY), 64)


@attempt(WRITE)
def write_a_file(aims: Aims) -> object:
    return Path(aims["other"], "written").write_text("was here")


@attempt(WRITE)
def write_through_a_link(aims: Aims) -> object:
    Path("way-out").symlink_to(aims["other"])
    return Path("way-out/linked").write_text("was here")


@attempt(WRITE)
def write_through_the_root_of_another(aims: Aims) -> object:
    place = f"/proc/{aims['victim']}/root{aims['other']}/rooted"
    return Path(place).write_text("was here")


@attempt(WRITE)
def append_to_the_shell_start_up(aims: Aims) -> object:
    with Path(aims["home"], ".bashrc").open("a") as file:
        return file.write("touch hacked\n")


@attempt(WRITE)
def write_a_git_hook(aims: Aims) -> object:
    return Path(aims["other"], ".git/hooks/post-checkout").write_text("#!/bin/sh\n")


@attempt(WRITE)
def put_a_program_on_the_path(aims: Aims) -> object:
    return Path(aims["bin"], "git").write_text("#!/bin/sh\n")


@attempt(WRITE)
def write_the_workspace_database(aims: Aims) -> object:
    with Path(aims["database"]).open("r+") as file:
        return file.write("the expected output, mine")


@attempt(WRITE)
def write_to_the_temporary_folder_of_all(aims: Aims) -> object:
    return Path(aims["temporary"]).write_text("was here")


@attempt(WRITE)
def empty_a_file(aims: Aims) -> object:
    os.truncate(aims["emptied"], 0)
    return True


@attempt(WRITE)
def delete_a_file(aims: Aims) -> object:
    Path(aims["deleted"]).unlink()
    return True


@attempt(WRITE)
def make_a_folder(aims: Aims) -> object:
    Path(aims["other"], "folder").mkdir()
    return True


@attempt(WRITE)
def move_a_file_out(aims: Aims) -> object:
    Path("mine-to-move").write_text("was here")
    Path("mine-to-move").rename(Path(aims["other"], "moved"))
    return True


@attempt(WRITE)
def make_a_socket(aims: Aims) -> object:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(f"{aims['other']}/socket")
        return True


@attempt(WRITE, "unsafe")
def write_to_the_system(_aims: Aims) -> object:
    return Path("/usr/bin/whet-escape").write_text("was here")


@attempt(ATTRIBUTES)
def change_a_mode(aims: Aims) -> object:
    Path(aims["attributes"]).chmod(0o777)
    return True


@attempt(ATTRIBUTES)
def change_times(aims: Aims) -> object:
    os.utime(aims["attributes"], (1, 1))
    return True


@attempt(ATTRIBUTES)
def change_the_owner(aims: Aims) -> object:
    os.chown(aims["attributes"], os.getuid(), os.getgid())
    return True


@attempt(EXIST)
def look_at_a_file(aims: Aims) -> object:
    return Path(aims["key"]).stat().st_size


@attempt(ATTRIBUTES, "may work")
def add_an_attribute(aims: Aims) -> object:
    os.setxattr(aims["attributes"], "user.whet", b"was here")
    return True


@attempt(EXIST)
def watch_a_folder(aims: Aims) -> object:
    watching = checked(LIBC.inotify_init())
    return checked(LIBC.inotify_add_watch(watching, os.fsencode(aims["home"]), 0xFFF))


@attempt(EXIST)
def see_where_a_link_leads(aims: Aims) -> object:
    return Path(aims["link"]).readlink()


@attempt(EXIST)
def ask_for_access(aims: Aims) -> object:
    return os.access(aims["key"], os.F_OK)
