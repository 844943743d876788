// The real engine behind JSON lines: one request line in, one answer line out, in order.
//
//   {"id": 1, "op": "recallEnhanced", "db": "/x/copy.db", "bank": "heron",
//    "now": "2026-03-01T12:00:00.000Z", "undo": true, "args": {"query": "deploy", "topK": 8}}
//   {"id": 1, "op": "recallEnhanced", "ok": true, "result": [...]}
//   {"id": 2, "op": "recall", "ok": false, "error": {"name": "TypeError", "message": "...", "errors": []}}
import { setClock } from "./clock";
import "./ids";
import { readFileSync, rmSync, writeSync } from "node:fs";
import { basename, join } from "node:path";
import { Database } from "bun:sqlite";
import { agent } from "./agent";
import { closeBanks, onBank } from "./banks";
import { hindsight } from "./hindsight";
import { reading } from "./recalling";
import { BridgeError, failure, type Operation, type Request } from "./request";
import { closeScopes, scoped } from "./scoped";
import { texts } from "./texts";
import { writing } from "./writing";

function installedVersion(...path: string[]): string {
  return JSON.parse(readFileSync(join(import.meta.dir, "..", ...path, "package.json"), "utf8")).version;
}

function version() {
  const memory = new Database(":memory:");
  const { v } = memory.query("SELECT sqlite_version() AS v").get() as { v: string };
  memory.close();
  return {
    mnemopi: installedVersion("node_modules", "@oh-my-pi", "pi-mnemopi"),
    agent: installedVersion("agent"),
    bun: Bun.version,
    sqlite: v,
    icu: process.versions.icu,
    unicode: process.versions.unicode,
    timezone: process.env.TZ ?? null,
  };
}

function closeAll(prefix?: string): boolean {
  closeBanks(prefix);
  closeScopes(prefix);
  return true;
}

const own: Record<string, Operation> = { version, close: a => closeAll(a.prefix) };
const plain: Record<string, Operation> = { ...own, ...texts, ...agent, ...scoped, ...hindsight };

async function run(request: Request): Promise<{ result: unknown; after?: unknown }> {
  const { op } = request;
  if (Object.hasOwn(plain, op)) return { result: await plain[op](request.args ?? {}, request) };
  if (Object.hasOwn(reading, op)) return await onBank(request, reading[op], false);
  if (Object.hasOwn(writing, op)) return await onBank(request, writing[op], true);
  throw new BridgeError("UnknownOperation", `The bridge has no operation ${op}`);
}

const recalls = (op: string) => Object.hasOwn(reading, op) || Object.hasOwn(scoped, op);

/** What JSON has no word for, where a stored row may hold it: numbers without end, and bytes. */
function told(_name: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) return { $number: String(value) };
  return value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString("hex") } : value;
}

async function answer(line: string): Promise<string> {
  let request: Request | undefined;
  try {
    request = JSON.parse(line) as Request;
    setClock(request.now ?? null);
    const { result, after } = await run(request);
    const counted = after === undefined ? {} : { after };
    const whole = { id: request.id, op: request.op, ok: true, result: result ?? null, ...counted };
    return JSON.stringify(whole, recalls(request.op) ? told : undefined);
  } catch (error) {
    const { id = null, op = null } = request ?? {};
    return JSON.stringify({ id, op, ok: false, error: failure(error) });
  } finally {
    setClock(null);
  }
}

/** Writes a whole line, also where the pipe takes only a part of it. */
function emit(text: string): void {
  let rest: Uint8Array = Buffer.from(text + "\n", "utf8");
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error: any) {
      if (error.code !== "EAGAIN") throw error;
      Bun.sleepSync(1);
    }
  }
}

async function serve(): Promise<void> {
  const decoder = new TextDecoder();
  let pending: string[] = [];
  for await (const chunk of Bun.stdin.stream()) {
    const parts = decoder.decode(chunk, { stream: true }).split("\n");
    for (const part of parts.slice(0, -1)) {
      emit(await answer(pending.join("") + part));
      pending = [];
    }
    pending.push(parts[parts.length - 1]);
  }
}

/** Removes the private home with all copies in it: whoever made it may have been killed. */
function leaveHome(): void {
  const home = process.env.HOME ?? "";
  if (basename(home).startsWith("memlab-engine-")) rmSync(home, { recursive: true, force: true });
}

// Standard output carries answers alone.
console.log = console.info = console.debug = console.error;
try {
  await serve();
} catch (error: any) {
  if (error.code !== "EPIPE") throw error; // else nobody is left to answer to
}
closeAll();
leaveHome();
