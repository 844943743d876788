// What the engine does with words, times and numbers, asked without a bank.
import * as intent from "@oh-my-pi/pi-mnemopi/core/query-intent";
import * as mmr from "@oh-my-pi/pi-mnemopi/core/mmr";
import * as recall from "@oh-my-pi/pi-mnemopi/core/beam/recall";
import * as synonyms from "@oh-my-pi/pi-mnemopi/core/synonyms";
import * as temporal from "@oh-my-pi/pi-mnemopi/core/temporal-parser";
import type { Args, Operation } from "./request";

// Functions that the engine keeps to itself; the installer reveals them (package.json, "reveal").
const inner = (recall as any).__revealed;

const withSynonyms = (a: Args) => a.useSynonyms !== false;

function lexicalGroupRelevance(a: Args): number {
  const groups = inner.expandedTokenGroups(a.query, withSynonyms(a));
  return inner.lexicalGroupRelevance(groups, a.content, synonyms.normalizeQuery(a.query).toLowerCase());
}

/** The positions of a.items in the order of the reranking; js: by the engine's script, not its library. */
function mmrRerank(a: Args): number[] {
  const items = a.items.map((item: object, position: number) => ({ ...item, position }));
  const similarity = a.js ? (x: string, y: string) => mmr.jaccardSimilarity(x, y) : undefined;
  return mmr.mmrRerank(items, a.lambda ?? 0.7, a.topK ?? 10, similarity).map((item: any) => item.position);
}

export const texts: Record<string, Operation> = {
  tokenize: a => inner.tokenize(a.text),
  expandedTokens: a => inner.expandedTokens(a.query, withSynonyms(a)),
  expandedTokenGroups: a => inner.expandedTokenGroups(a.query, withSynonyms(a)),
  factExpandedTokenGroups: a => inner.factExpandedTokenGroups(a.query, a.content),
  lexicalGroupRelevance,
  ftsQuery: a => inner.ftsQuery(a.query, withSynonyms(a)),
  queryAsksCurrent: a => inner.queryAsksCurrent(a.query),
  currentContentAdjustment: a => inner.currentContentAdjustment(a.content, a.currentSensitive ?? true),
  normalizeQuery: a => synonyms.normalizeQuery(a.query),
  getSynonyms: a => synonyms.getSynonyms(a.word),
  extractTemporal: a => temporal.extractTemporal(a.text, a.reference ?? undefined),
  classifyIntent: a => intent.classifyIntent(a.query),
  adjustWeights: a =>
    intent.adjustWeights(a.vec ?? 0.5, a.fts ?? 0.3, a.importance ?? 0.2, intent.classifyIntent(a.query)),
  mmrRerank,
  jaccard: a => mmr.jaccardSimilarity(a.a, a.b),
  clip: a => recall.clipRecallContent(a.content, a.limit ?? 500),
  dateParse: a => Date.parse(a.text),
  localeCompare: a => a.a.localeCompare(a.b),
  toFixed1: a => a.x.toFixed(1),
  round4: a => inner.round4(a.x),
  bunHash: a => Bun.hash(a.text).toString(),
  bunHash36: a => Bun.hash(a.text).toString(36),
};
