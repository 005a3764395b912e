"use strict";
const at = id => document.getElementById(id);
const embedded = async id => new Uint8Array(await (await fetch(`data:application/octet-stream;base64,${at(id).textContent.trim()}`)).arrayBuffer());
const source = URL.createObjectURL(new Blob([at("worker").textContent], { type: "text/javascript" }));
// The program is compiled once, for all its runs.
const ready = Promise.all([embedded("program").then(bytes => WebAssembly.compile(bytes)), embedded("model")])
  .then(([module, model]) => ({ module, model }));

// Runs `inferno ARGUMENT...` with the file model.gguf. heard(text) is called with what it writes, as it does; the result has
// its exit status and all it wrote. `stopper` (an AbortSignal) ends it, with the status null.
async function run(args, heard = () => {}, stopper = null) {
  const { module, model } = await ready;
  return new Promise((done, failed) => {
    const worker = new Worker(source);
    const decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
    const result = { status: null, out: "", err: "" };
    const end = () => { worker.terminate(); done(result); };
    stopper?.addEventListener("abort", end);
    worker.onerror = error => { worker.terminate(); failed(new Error(error.message)); };
    worker.onmessage = ({ data }) => {
      if (data.piece) {
        const text = decoders[data.fd].decode(data.piece, { stream: true });
        result[data.fd === 1 ? "out" : "err"] += text;
        if (data.fd === 1) heard(text);
        return;
      }
      result.status = data.status;
      if (data.error) result.err += data.error;
      end();
    };
    worker.postMessage({ module, args: ["inferno", ...args], files: { "model.gguf": model } });
  });
}
// For the console: await inferno("inspect", "model.gguf")
window.inferno = (...args) => run(args);

let stopper = null;

function told({ status, err }) {
  const n = err.match(/n=(\d+)/), rate = err.match(/decode_tokens_per_second: ([\d.]+)/);
  if (status === null) return "stopped";
  if (status !== 0) return err.trim() || `ended with ${status}`;
  return n && rate ? `${n[1]} tokens, ${Number(rate[1]).toFixed(0)} a second` : "";
}

async function tell(event) {
  event?.preventDefault();
  if (stopper) return;
  stopper = new AbortController();
  at("tell").disabled = true;
  at("stop").disabled = false;
  at("said").textContent = at("prompt").value;
  at("story").textContent = "";
  at("state").textContent = "thinking";
  at("state").className = "";
  const args = ["generate", "model.gguf", "-p", at("prompt").value, "--backend", at("backend").value, "--metrics", "--quiet"];
  if (at("most").value) args.push("-n", at("most").value);
  try {
    const result = await run(args, text => at("story").append(text), stopper.signal);
    at("state").textContent = told(result);
    at("state").className = result.status ? "error" : "";
  } catch (error) {
    at("state").textContent = error.message;
    at("state").className = "error";
  }
  stopper = null;
  at("tell").disabled = false;
  at("stop").disabled = true;
  at("prompt").focus();
}

at("form").addEventListener("submit", tell);
at("stop").addEventListener("click", () => stopper?.abort());
addEventListener("keydown", event => {
  if (event.key === "Escape") stopper?.abort();
  if (event.key === "Enter" && !event.shiftKey && event.target === at("prompt")) tell(event);
});
run(["--version"]).then(({ out }) => { at("version").textContent = out.split("\n")[0]; }, () => {});
