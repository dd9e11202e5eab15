# SPDX-License-Identifier: Apache-2.0
"""python3 -m fractalray.bake: see command.py."""

import sys

from .command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
