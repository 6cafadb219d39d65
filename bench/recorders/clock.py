"""The clock of all measurements."""

import sys
from time import perf_counter, process_time

# Of a process only its own work counts, so that others who use the machine disturb less. A browser tells no such time.
now = perf_counter if sys.platform == "emscripten" else process_time
