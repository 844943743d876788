// Opened banks: one engine object per file and identity, kept open between requests.
import { existsSync } from "node:fs";
import { Mnemopi } from "@oh-my-pi/pi-mnemopi";
import { BridgeError, type Args, type Request } from "./request";

export type BankOperation = (bank: any, args: Args) => unknown;

/** Where the engine keeps the counters that a recall writes. */
const COUNTED = { working: "working_memory", episodic: "episodic_memory" };

const opened = new Map<string, Mnemopi>();

function identity(request: Request) {
  const bank = request.bank ?? "default";
  const sessionId = request.session ?? bank;
  return {
    dbPath: request.db as string,
    bank,
    sessionId,
    channelId: request.channel ?? sessionId,
    authorId: request.author_id ?? null,
    authorType: request.author_type ?? null,
  };
}

function open(request: Request, mayCreate: boolean): { key: string; bank: Mnemopi } {
  if (typeof request.db !== "string") throw new BridgeError("BridgeError", `${request.op} needs db`);
  // The engine would make an empty bank here, and an empty bank has "no memories".
  if (!mayCreate && !existsSync(request.db)) {
    throw new BridgeError("BankNotFound", `There is no bank at ${request.db}`);
  }
  const who = identity(request);
  const key = JSON.stringify(who);
  let bank = opened.get(key);
  if (bank === undefined) {
    bank = new Mnemopi({ ...who, noEmbeddings: true, llm: false, proactiveLinking: false });
    opened.set(key, bank);
  }
  return { key, bank };
}

/** recall_count and last_recalled of every row that was ever recalled, by "tier:id". */
export function counters(db: any): Record<string, [number, string | null]> {
  const found: Record<string, [number, string | null]> = {};
  for (const [tier, table] of Object.entries(COUNTED)) {
    const rows = db
      .query(`SELECT id, recall_count, last_recalled FROM ${table} WHERE recall_count > 0 ORDER BY id`)
      .all();
    for (const row of rows) found[`${tier}:${row.id}`] = [row.recall_count, row.last_recalled];
  }
  return found;
}

/** Runs work inside one transaction per database and takes everything back afterwards. */
export async function undone<T>(databases: any[], work: () => T | Promise<T>): Promise<T> {
  const begun: any[] = [];
  try {
    for (const db of databases) {
      db.run("BEGIN");
      begun.push(db);
    }
    return await work();
  } finally {
    for (const db of begun) if (db.inTransaction) db.run("ROLLBACK");
  }
}

/** Runs one operation on the bank of a request: the result, and the counters if asked for. */
export async function onBank(request: Request, operation: BankOperation, mayCreate: boolean) {
  const { key, bank } = open(request, mayCreate);
  const work = async () => {
    const result = await operation(bank, request.args ?? {});
    return request.after ? { result, after: counters(bank.db) } : { result };
  };
  try {
    return request.undo ? await undone([bank.db], work) : await work();
  } finally {
    if (request.transient) close(key);
  }
}

function close(key: string): void {
  opened.get(key)?.close();
  opened.delete(key);
}

/** Closes the banks whose file begins with a path; all of them without one. */
export function closeBanks(prefix = ""): void {
  for (const [key, bank] of [...opened]) if ((bank.dbPath ?? "").startsWith(prefix)) close(key);
}
