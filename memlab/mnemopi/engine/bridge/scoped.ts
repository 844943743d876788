// The agent's recall over several banks, and its writing: its real session state over real files.
// args: config {dbPath, bank, globalBank, retainBank, recallBanks, scoping, recallLimit, ...}, cwd,
// breakBanks [names whose recall shall fail], vectors {query: vector that its embedder gives},
// and the operation's own.
import * as state from "../agent/mnemopi/state";
import { undone } from "./banks";
import type { Args, Operation, Request } from "./request";

/** The agent's settings as it ships them, without vectors and without a model. */
const DEFAULTS = {
  autoRecall: true, autoRetain: false, polyphonicRecall: false, enhancedRecall: false,
  proactiveLinking: false, retainEveryNTurns: 4, recallLimit: 8, recallContextTurns: 3,
  recallMaxQueryChars: 4000, injectionTokenLimit: 5000, debug: false, llmMode: "none",
  providerOptions: { noEmbeddings: true, llm: false },
};

const opened = new Map<string, any>();

async function open(a: Args): Promise<{ key: string; session: any }> {
  const key = JSON.stringify([a.config, a.cwd ?? null]);
  let session = opened.get(key);
  if (session === undefined) {
    await state.loadMnemopi();
    await state.loadMnemopiCore();
    const host: any = {
      sessionManager: { getEntries: () => [], getCwd: () => a.cwd ?? "/" },
      subscribe: () => () => {},
      refreshBaseSystemPrompt: async () => {},
    };
    const config: any = { ...DEFAULTS, ...a.config };
    session = new state.MnemopiSessionState({ sessionId: "memlab", config, session: host });
    opened.set(key, session);
  }
  return { key, session };
}

/** The engine objects of a session, each once. */
function memories(session: any): any[] {
  const targets = [session.getScopedRetainTarget(), ...session.getScopedRecallTargets()].map(t => t.memory);
  return [...new Set([...targets, ...(session.globalMemory ? [session.globalMemory] : [])])];
}

function breakBanks(session: any, names: string[]): void {
  for (const target of session.getScopedRecallTargets()) {
    if (!names.includes(target.bank)) continue;
    target.memory.recallEnhanced = async () => {
      throw new Error(`broken ${target.bank}`);
    };
  }
}

/** Lets every bank embed its queries by a table: a query that is not in it has no vector. */
function embedBy(session: any, vectors: Record<string, number[]>): void {
  for (const memory of memories(session)) {
    const recall = memory.recallEnhanced;
    memory.recallEnhanced = (query: string, limit: number, options: object) =>
      recall.call(memory, query, limit, { ...options, queryEmbedding: vectors[query] ?? null });
  }
}

function mendBanks(session: any): void {
  for (const memory of memories(session)) delete memory.recallEnhanced;
}

async function onScope(request: Request, work: (session: any, a: Args) => any): Promise<unknown> {
  const a = request.args ?? {};
  const { key, session } = await open(a);
  try {
    if (a.vectors) embedBy(session, a.vectors);
    breakBanks(session, a.breakBanks ?? []);
    const run = async () => await work(session, a);
    return request.undo ? await undone(memories(session).map(memory => memory.db), run) : await run();
  } finally {
    mendBanks(session);
    if (request.transient) close(key);
  }
}

async function recallText(session: any, a: Args) {
  const results = await session.collectScopedRecallResults(a.query);
  return {
    results,
    withIds: session.formatScopedRecallWithIds(results),
    context: session.formatContextScoped(results),
    json: session.formatContextScoped(results, "json"),
  };
}

export const scoped: Record<string, Operation> = {
  scopedRecall: (_, request) => onScope(request, (s, a) => s.collectScopedRecallResults(a.query)),
  scopedRecallText: (_, request) => onScope(request, recallText),
  scopedContext: (_, request) => onScope(request, (s, a) => s.recallForContext(a.query)),
  scopedGet: (_, request) => onScope(request, (s, a) => s.getScopedMemory(a.memoryId)),
  scopedRemember: (_, request) => onScope(request, (s, a) => s.rememberScoped(a.content, a.options ?? {})),
  scopedEdit: (_, request) => onScope(request, (s, a) => s.editScopedMemory(a.edit, a.memoryId, a.options ?? {})),
};

function close(key: string): void {
  for (const memory of memories(opened.get(key))) memory.close();
  opened.delete(key);
}

/** Closes the sessions with a bank whose file begins with a path; all of them without one. */
export function closeScopes(prefix = ""): void {
  for (const [key, session] of [...opened]) {
    if (memories(session).some(memory => (memory.dbPath ?? "").startsWith(prefix))) close(key);
  }
}
