"use strict";
// A worker that runs one command line of a program built for WASI, whose files are in memory: what it writes is told
// in pieces, then how it ended. Of WASI there is what a program that reads files and writes text asks for.

const OK = 0, BADF = 8, NOENT = 44, NOSYS = 52, ROFS = 69;
const DIRECTORY = 3, REGULAR = 4, ROOT = 3, CREATES = 1;

class Exit extends Error {
  constructor(status) {
    super(`exit ${status}`);
    this.status = status;
  }
}

function wasi(args, files, memory, tell) {
  const open = new Map();
  let next = ROOT + 1;
  const view = () => new DataView(memory().buffer);
  const bytes = (at, n) => new Uint8Array(memory().buffer, at, n);
  const text = (at, n) => new TextDecoder().decode(bytes(at, n));
  const set32 = (at, value) => { view().setUint32(at, value, true); return OK; };
  const set64 = (at, value) => { view().setBigUint64(at, BigInt(value), true); return OK; };
  const words = args.map(word => new TextEncoder().encode(`${word}\0`));

  // The pieces of memory that a list of (address, length) names.
  function* pieces(list, n) {
    for (let i = 0; i < n; i++)
      yield bytes(view().getUint32(list + 8 * i, true), view().getUint32(list + 8 * i + 4, true));
  }
  function read(file, from, list, n) {
    let done = 0;
    for (const piece of pieces(list, n)) {
      const part = file.subarray(from + done, from + done + piece.length);
      piece.set(part);
      done += part.length;
    }
    return done;
  }
  function stat(at, type, size) {
    bytes(at, 64).fill(0);
    view().setUint8(at + 16, type);
    return set64(at + 32, size);
  }

  return {
    args_sizes_get: (n, size) => { set32(n, words.length); return set32(size, words.reduce((sum, word) => sum + word.length, 0)); },
    args_get(list, at) {
      words.forEach((word, i) => { set32(list + 4 * i, at); bytes(at, word.length).set(word); at += word.length; });
      return OK;
    },
    environ_sizes_get: (n, size) => { set32(n, 0); return set32(size, 0); },
    environ_get: () => OK,
    clock_time_get: (id, precision, at) => set64(at, Math.round((performance.timeOrigin * (id === 0) + performance.now()) * 1e6)),
    sched_yield: () => OK,
    proc_exit(status) { throw new Exit(status); },

    fd_prestat_get: (fd, at) => fd === ROOT ? set64(at, 1n << 32n) : BADF,
    fd_prestat_dir_name: (fd, at) => { bytes(at, 1)[0] = 47; return OK; },
    fd_fdstat_get(fd, at) {
      if (fd >= next) return BADF;
      bytes(at, 24).fill(0);
      view().setUint8(at, fd === ROOT ? DIRECTORY : REGULAR);
      set64(at + 8, 0xffffffffffffffffn);
      return set64(at + 16, 0xffffffffffffffffn);
    },
    fd_filestat_get: (fd, at) => stat(at, fd === ROOT ? DIRECTORY : REGULAR, open.get(fd)?.file.length ?? 0),
    path_filestat_get(fd, flags, at, n, out) {
      const file = files[text(at, n)];
      return file ? stat(out, REGULAR, file.length) : NOENT;
    },
    path_open(fd, follow, at, n, how, rights, inherited, flags, out) {
      const file = files[text(at, n)];
      if (!file) return how & CREATES ? ROFS : NOENT;
      open.set(next, { file, at: 0 });
      return set32(out, next++);
    },
    fd_close: fd => open.delete(fd) || fd <= ROOT ? OK : BADF,
    fd_seek(fd, offset, whence, out) {
      const it = open.get(fd);
      if (!it) return BADF;
      it.at = Number(offset) + [0, it.at, it.file.length][whence];
      return set64(out, it.at);
    },
    fd_read(fd, list, n, out) { // standard input is at its end
      const it = open.get(fd);
      const done = it ? read(it.file, it.at, list, n) : 0;
      if (it) it.at += done;
      return set32(out, done);
    },
    fd_pread(fd, list, n, offset, out) {
      const it = open.get(fd);
      return it ? set32(out, read(it.file, Number(offset), list, n)) : BADF;
    },
    fd_write(fd, list, n, out) {
      let done = 0;
      for (const piece of pieces(list, n)) {
        tell(fd, piece.slice());
        done += piece.length;
      }
      return set32(out, done);
    },
  };
}

onmessage = async ({ data: { module, args, files } }) => {
  try {
    let instance = null;
    const system = wasi(args, files, () => instance.exports.memory, (fd, piece) => postMessage({ fd, piece }));
    const imports = {};
    for (const { name } of WebAssembly.Module.imports(module))
      imports[name] = system[name] ?? (() => NOSYS);
    instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: imports });
    instance.exports._start();
    postMessage({ status: 0 });
  } catch (error) {
    if (error instanceof Exit) postMessage({ status: error.status });
    else postMessage({ status: -1, error: String(error) });
  }
};
