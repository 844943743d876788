// What the agent does around the engine: bank names, scopes, queries, transcripts, blocks, secrets.
import * as config from "../agent/mnemopi/config";
import * as content from "../agent/hindsight/content";
import * as redact from "../agent/memory-backend/redact";
import * as state from "../agent/mnemopi/state";
import type { Args, Operation } from "./request";

const names = (config as any).__revealed;
const inner = (state as any).__revealed;

function prepareTranscripts(a: Args) {
  return {
    transcript: content.prepareRetentionTranscript(a.messages, true),
    user: content.prepareUserRetentionTranscript(a.messages),
    embed: content.prepareEmbeddableRetentionTranscript(a.messages),
  };
}

export const agent: Record<string, Operation> = {
  projectBankSegment: a => config.projectBankSegment(a.root),
  bankScope: a => config.computeMnemopiBankScope(a.configured ?? undefined, a.cwd, a.scoping),
  sanitizeBankName: a => names.sanitizeBankName(a.name),
  limitBankName: a => names.limitBankName(a.name),
  legacyBanks: a => config.extendRecallWithLegacyBanks(a.resolved, a.dbPath, a.cwd),
  truncateApproxTokens: a => config.truncateApproxTokens(a.text, a.tokenLimit),
  fallbackQuery: a => inner.deriveSharedRecallFallbackQuery(a.query, a.projectBank, a.sharedBank),
  compareRecallResults: a => inner.compareRecallResults(a.left, a.right),
  formatRecallBlock: a => inner.formatRecallBlock(a.results),
  retainedTurnCursor: a => inner.deriveRetainedTurnCursor(a.rows, a.sessionId),
  composeRecallQuery: a => content.composeRecallQuery(a.latest, a.messages, a.turns),
  truncateRecallQuery: a => content.truncateRecallQuery(a.query, a.latest, a.maxChars),
  stripMemoryTags: a => content.stripMemoryTags(a.content),
  stripRetentionProtocolMarkers: a => content.stripRetentionProtocolMarkers(a.content),
  prepareTranscripts,
  redactSecrets: a => redact.redactMemorySecrets(a.text),
};
