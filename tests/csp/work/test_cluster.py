"""Clusters that are started for a call are private, and those that run already are reached with their keys."""

import json
import os
import stat
import subprocess
import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path

import psutil
import pytest

from jigsat.csp.base.errors import EngineError, InstanceError, UsageError
from jigsat.csp.work import cluster
from jigsat.csp.work.cluster import cluster_client

distributed = pytest.importorskip("distributed", reason="dask is an extra")

#: Connects to ports: PORT KIND [CERTIFICATE KEY], with kinds plain, http, nameless (TLS without a certificate) and own
#: (TLS with another certificate); prints a line for each with what the listener sends.
INTRUDER = """
import json, socket, ssl, sys
for port, kind, *keys in json.loads(sys.argv[1]):
    try:
        connection = socket.create_connection(("127.0.0.1", port), timeout=10)
        if kind in ("nameless", "own"):
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            if keys:
                context.load_cert_chain(*keys)
            connection = context.wrap_socket(connection)
        connection.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n" if kind == "http" else b"hello" * 100)
        said = connection.recv(100)
    except (OSError, ssl.SSLError) as error:
        said = b""
    print(port, kind, "let in" if said else "refused")
"""


def intruded(visits):
    """What another user, where this one may become one, reaches at these ports; by (port, kind)."""
    other = {"user": 65534, "group": 65534, "extra_groups": []} if os.getuid() == 0 else {}
    command = [sys.executable, "-c", INTRUDER, json.dumps(visits)]
    try:
        done = subprocess.run(command, cwd="/", stdout=subprocess.PIPE, text=True, check=True, **other)
    except PermissionError:  # this Python is for its owner only
        done = subprocess.run(command, cwd="/", stdout=subprocess.PIPE, text=True, check=True)
    return {(int(port), kind): "".join(rest) for port, kind, *rest in map(str.split, done.stdout.splitlines())}


def listening():
    """The addresses where this process and its children listen."""
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
    found = [one.laddr for process in processes for one in process.net_connections() if one.status == "LISTEN"]
    return {(address.ip, address.port) for address in found}


@contextmanager
def scheduler(keys, scheme="tls"):
    """The address of a scheduler in this process, without workers."""
    with distributed.LocalCluster(
        n_workers=0,
        processes=False,
        host="127.0.0.1",
        protocol=f"{scheme}://",
        security=keys,
        scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
        dashboard_address=None,
        silence_logs=50,
    ) as found:
        yield found.scheduler_address


def reach(address, *how, **options):
    """Become a client of a cluster."""
    with cluster_client(distributed, address, *how, **options):
        pass


def written(folder, keys):
    """The files with the certificate of the cluster, and with the one and the key of its clients."""
    folder.mkdir()
    for name in ("tls_ca_file", "tls_client_cert", "tls_client_key"):
        (folder / f"{name}.pem").write_text(getattr(keys, name))
    return {name: f"{name}.pem" for name in ("tls_ca_file", "tls_client_cert", "tls_client_key")}


def test_another_user_is_refused_at_every_port(tmp_path):
    """Also with certificates of their own, and everything listens on this machine only."""
    tmp_path.chmod(0o755)
    for folder in tmp_path.parents[:2]:
        folder.chmod(0o755)
    own = [str(tmp_path / "keys" / f"tls_client_{name}.pem") for name in ("cert", "key")]
    written(tmp_path / "keys", distributed.Security.temporary())
    before = listening()
    with cluster_client(distributed, "local:2") as client:
        client.wait_for_workers(2)
        opened = listening() - before
        # The scheduler, two workers and the processes that watch over them: no web server.
        assert len(opened) == 5
        assert {host for host, _ in opened} == {"127.0.0.1"}
        visits = [[port, kind] for _, port in opened for kind in ("plain", "http", "nameless")]
        found = intruded([*visits, *([port, "own", *own] for _, port in opened)])
        assert len(found) == 20
        assert set(found.values()) == {"refused"}
        assert_folders_are_private(client)


def test_a_cluster_without_tls_lets_everyone_in_and_a_warning_says_so():
    """So the intruder of the test above notices if it is let in."""
    with scheduler(None, "tcp") as address:
        port = int(address.rpartition(":")[2])
        assert intruded([[port, "plain"]]) == {(port, "plain"): "letin"}
        with pytest.warns(UserWarning, match="has no TLS, so everyone"):
            reach(address)


def assert_folders_are_private(client):
    """Dask puts its working folders on Python's path, in this process, too; others must not write there."""
    theirs = client.run(lambda dask_worker: dask_worker.local_directory)
    for folder in (*theirs.values(), *(path for path in sys.path if "dask-scratch-space" in path)):
        [private] = [parent for parent in Path(folder).parents if parent.name.startswith("jigsat-cluster-")]
        status = private.stat()
        assert (stat.S_IMODE(status.st_mode), status.st_uid) == (0o700, os.getuid())


@pytest.mark.parametrize("layout", ["parameters", "configuration", "json"])
def test_a_cluster_with_tls_is_reached_with_its_keys(tmp_path, layout):
    keys = distributed.Security.temporary()
    names = written(tmp_path / "keys", keys)
    path = tmp_path / "keys" / "security.yaml"
    own = {"key": names["tls_client_key"], "cert": names["tls_client_cert"]}
    texts = {
        "parameters": "\n".join(f"{name}: {file}" for name, file in names.items()),
        "configuration": "distributed:\n  comm:\n    tls:\n      ca-file: tls_ca_file.pem\n      client: "
        + json.dumps(own),
        "json": json.dumps({name: getattr(keys, name) for name in names}),
    }
    path.write_text(texts[layout])
    with scheduler(keys) as address, cluster_client(distributed, address, str(path)) as client:
        assert client.scheduler_info()["address"] == address


def test_other_keys_and_no_keys_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "_CONNECT_SECONDS", 1)
    path = tmp_path / "keys" / "security.json"
    names = written(tmp_path / "keys", distributed.Security.temporary())
    path.write_text(json.dumps(names))
    with scheduler(distributed.Security.temporary()) as address:
        for given in (str(path), None):
            with pytest.raises(EngineError, match="no answer to these keys"):
                reach(address, given)
    with scheduler(None, "tcp") as address, pytest.raises(EngineError, match="has no TLS, but your keys ask for it"):
        reach(address, str(path))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "names with values are expected"),
        ("tls_client_key: x", "tls_ca_file is missing"),
        ("tls_ca_file: a.pem\ntls_client_cert: b.pem", "No such file"),
        ("tls_ca_file: 1\ntls_client_cert: 2", "text is expected"),
        ("password: 1", "password"),
        ("distributed: 7", "tls_ca_file is missing|object"),
        ("a: *b", "undefined alias"),
        ("!!python/object/apply:os.system ['true']", "could not determine a constructor"),
        (None, "No such file"),
    ],
)
def test_a_file_without_keys_is_refused(tmp_path, text, reason):
    path = tmp_path / "keys.yaml"
    if text is not None:
        path.write_text(text)
    with pytest.raises((EngineError, InstanceError), match=reason) as refusal:
        reach("tls://127.0.0.1:1", str(path))
    assert str(refusal.value).startswith(f"{path}: ")
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "somewhere", "foo://127.0.0.1:1", ""])
def test_an_address_where_nobody_answers_is_refused(address, monkeypatch):
    monkeypatch.setattr(cluster, "_CONNECT_SECONDS", 0.5)
    with pytest.raises(EngineError) as refusal:
        reach(address)
    assert "no answer; a dask scheduler is expected there" in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("address", "options", "missing", "refused"),
    [
        ("local:1", {"security": "keys.yaml"}, "", "cluster_security: is for clusters that run already"),
        ("tcp://127.0.0.1:1", {"dashboard": 8787}, "", "cluster_dashboard: is for local:N"),
        ("local:1", {"dashboard": 8787}, "bokeh", "cluster_dashboard: needs bokeh: pip install"),
        ("local:1", {}, "cryptography", "cluster local:N needs cryptography: pip install"),
        ("local:0", {}, "", "cluster 'local:0': a number of processes is expected, as in local:4"),
        ("local:1.5", {}, "", "cluster 'local:1.5': a number of processes is expected, as in local:4"),
    ],
)
def test_what_cannot_be_a_cluster_is_refused(monkeypatch, address, options, missing, refused):
    monkeypatch.setattr(cluster, "find_spec", lambda name: None if name == missing else nullcontext())
    with pytest.raises((EngineError, UsageError)) as refusal:
        reach(address, **options)
    assert str(refusal.value).startswith(refused)
