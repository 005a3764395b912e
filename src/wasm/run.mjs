// node src/wasm/run.mjs PROGRAM.wasm [ARGUMENT...]: runs a program that was built for WASI, with this machine's files.
import fs from 'node:fs';
import path from 'node:path';
import v8 from 'node:v8';
import { WASI } from 'node:wasi';

// Calls of WASI by node 20's short road corrupt its heap when memory grows ("unreachable code" in ProcessMarkingWorklist).
v8.setFlagsFromString('--no-turbo-fast-api-calls');

const [program, ...args] = process.argv.slice(2);
const wasi = new WASI({
  version: 'preview1',
  args: [program, ...args],
  env: { ...process.env, PWD: process.cwd(), WASM_PROGRAM: path.resolve(program) },
  preopens: { '/': '/' },
  returnOnExit: true,
});
const module = await WebAssembly.compile(fs.readFileSync(program));
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance);
