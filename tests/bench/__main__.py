"""``python -m tests.bench [NAME]...``: run the named benches, or all, and print their figures."""

import importlib
import pkgutil
import sys

from tests import bench

PREFIX = "bench_"


def shown(value: float) -> str:
    """Return a number with about four figures that matter."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def main(names: list[str]) -> int:
    known = sorted(
        module.name.removeprefix(PREFIX)
        for module in pkgutil.iter_modules(bench.__path__)
        if module.name.startswith(PREFIX)
    )
    unknown = sorted(set(names) - set(known))
    if unknown:
        sys.stderr.write(f"there is no bench {', '.join(unknown)}; there are: {', '.join(known)}\n")
        return 2
    for name in names or known:
        for figure in importlib.import_module(f"{bench.__name__}.{PREFIX}{name}").run():
            sys.stdout.write(f"{name}: {figure.name:<44} {shown(figure.value):>14} {figure.unit}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
