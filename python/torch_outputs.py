#!/usr/bin/env python3
"""torch_outputs.py DIR PRECISION: multiplies the matrices of exported cases by torch and saves the products.

`inferno conform export DIR --op matmul` writes DIR. This program adds out.got.npy to each case, and `inferno conform
judge DIR` then judges the products. PRECISION is highest, high or medium, as torch.set_float32_matmul_precision takes
it, or tf32: torch first rounds both matrices to TF32, to nearest, ties to even, and then multiplies at highest. Needs
torch and numpy.
"""

import re
import sys
from pathlib import Path

import numpy
import torch


def to_tf32(x):
    """Rounds x to the 11 significant bits of TF32; infinities and NaN stay as they are."""
    bits = x.contiguous().view(torch.int32)
    rounded = (bits + 0xFFF + ((bits >> 13) & 1)) & ~0x1FFF
    return torch.where(torch.isfinite(x), rounded, bits).view(torch.float32)


def matrix_of(path):
    return torch.from_numpy(numpy.atleast_2d(numpy.load(path)))


def main():
    if len(sys.argv) != 3 or sys.argv[2] not in ("highest", "high", "medium", "tf32"):
        sys.exit("usage: torch_outputs.py DIR highest|high|medium|tf32")
    folder, precision = Path(sys.argv[1]), sys.argv[2]
    torch.set_num_threads(1)
    torch.set_float32_matmul_precision("highest" if precision == "tf32" else precision)
    case = re.compile(r'^    folder: "([0-9]+)"$\s+op: (\w+)$.*?^    dims: \{m: ([0-9]+), n: ([0-9]+), p: ([0-9]+)', re.M | re.S)
    for number, op, m, n, p in case.findall((folder / "index.yaml").read_text()):
        if op != "matmul":
            sys.exit(f"torch_outputs.py: found {op}, expected matmul alone")
        at = folder / number
        a = matrix_of(at / "a.npy").reshape(int(m), int(n))
        b = matrix_of(at / "b.npy").reshape(int(n), int(p))
        if precision == "tf32":
            a, b = to_tf32(a), to_tf32(b)
        out = (a @ b).numpy().reshape(numpy.load(at / "out.truth.npy").shape)
        numpy.save(at / "out.got.npy", out)


if __name__ == "__main__":
    main()
