"""Runs a module in a process of `pipeline.workflow.job_server` if there is one, otherwise in a Python of its own.

    python -S -P job_client.py MODULE ARGUMENT ...

It stands between the workflow's shell commands and their modules, so it imports nothing from the package. The words,
the environment, the folder and the three standard streams are sent to the server, and the status comes back. If the
client is killed, its process ends too.
"""

import json
import os
import socket
import sys

VARIABLE = "GAIT_JOBS"
"""Environment variable with the path of the server's socket."""


def main() -> int:
    """Run the module; returns its exit status, or 128 plus the number of the signal that ended it."""
    words = sys.argv[1:]
    status = status_from_server(os.environ.get(VARIABLE, ""), words)
    if status is None:
        os.execv(sys.executable, [sys.executable, "-P", "-m", *words])
    return status


def status_from_server(path: str, words: list[str]) -> int | None:
    """Status of a job of the server once it has ended; None if there is no server, as for jobs of a cluster."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        try:
            connection.connect(path)
        except OSError:
            return None
        request = json.dumps({"words": words, "folder": os.getcwd(), "environment": dict(os.environ)}).encode()
        socket.send_fds(connection, [len(request).to_bytes(8)], [0, 1, 2])
        connection.sendall(request)
        answer = connection.recv(4)
    if not answer:
        print("The process that runs the workflow's jobs has ended", file=sys.stderr)
        return 1
    return int.from_bytes(answer)


if __name__ == "__main__":
    sys.exit(main())
