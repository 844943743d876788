// Operations that build and edit a bank. They may create the file.
import type { BankOperation } from "./banks";

/** SQLite text, numbers and null as they are; bytes as {"$hex": "..."}, both ways. */
function fromWire(value: any): any {
  return value !== null && typeof value === "object" ? Buffer.from(value.$hex, "hex") : value;
}

function toWire(row: Record<string, unknown>): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    plain[name] = value instanceof Uint8Array ? { $hex: Buffer.from(value).toString("hex") } : value;
  }
  return plain;
}

export const writing: Record<string, BankOperation> = {
  remember: (bank, a) => bank.remember(a.content, a.options ?? {}),
  // Like remember, but it also takes options.memoryId, so that ids can be fixed.
  beamRemember: (bank, a) => bank.beam.remember(a.content, a.options ?? {}),
  rememberBatch: (bank, a) => bank.beam.rememberBatch(a.items, a.options ?? {}),
  update: (bank, a) => bank.update(a.memoryId, a.content ?? null, a.importance ?? null),
  forget: (bank, a) => bank.forget(a.memoryId),
  invalidate: (bank, a) => bank.beam.invalidate(a.memoryId, a.replacementId ?? null),
  sleep: (bank, a) => bank.sleep(a.dryRun ?? false),
  sleepAllSessions: (bank, a) => bank.sleepAllSessions(a.dryRun ?? false),
  degradeEpisodic: (bank, a) => bank.beam.degradeEpisodic(a.dryRun ?? false),
  consolidateToEpisodic: (bank, a) =>
    bank.beam.consolidateToEpisodic(
      a.summary, a.sourceIds ?? [], a.source ?? "consolidation", a.importance ?? 0.6,
    ),
  extractAndStoreFacts: (bank, a) =>
    bank.beam.extractAndStoreFacts(a.content, a.messageIdx ?? 0, a.sourceMemoryId ?? null),
  // vector: numbers, or a text that is stored as it is.
  putEmbedding: (bank, a) => {
    bank.db.run(
      "INSERT OR REPLACE INTO memory_embeddings(memory_id, embedding_json, model) VALUES (?, ?, ?)",
      [a.memoryId, typeof a.vector === "string" ? a.vector : JSON.stringify(a.vector), a.model ?? "memlab"],
    );
    return true;
  },
  // One statement; with many, once per parameter list and in one transaction.
  sql: (bank, a) => {
    if (a.many === undefined) return bank.db.query(a.sql).all(...(a.params ?? []).map(fromWire)).map(toWire);
    const statement = bank.db.prepare(a.sql);
    bank.db.transaction(() => a.many.forEach((params: any[]) => statement.run(...params.map(fromWire))))();
    return a.many.length;
  },
};
