"""Runs one of the clients beside this file for the tests, in a process of its own.

The first line of standard input has what is asked of all clients; each further one is a call, answered by one line:
`{"call": NAME, "access": {...}, "question": {...}}`, then `{"value": ...}` or `{"failure": {...}}`.
"""

import importlib
import json
import sys


def main() -> None:
    client = importlib.import_module(sys.argv[1])
    scenes = json.loads(sys.stdin.readline())
    for line in sys.stdin:
        order = json.loads(line)
        try:
            call = getattr(client, order["call"])
            answer = {"value": call(order["access"], order["question"], scenes)}
        except client.errors as error:
            answer = {"failure": client.describe_error(error)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
