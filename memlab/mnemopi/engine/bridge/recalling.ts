// Operations that read a bank. The engine counts what it recalls, so these write too.
import type { BankOperation } from "./banks";

export const reading: Record<string, BankOperation> = {
  // The facade, as an agent calls it; it drops the options it does not know.
  recall: (bank, a) => bank.recall(a.query, a.topK ?? 5, a.options ?? {}),
  recallEnhanced: (bank, a) => bank.recallEnhanced(a.query, a.topK ?? 5, a.options ?? {}),
  // The level below, with every option; without a vector it recalls by words.
  beamRecall: (bank, a) =>
    bank.beam.recall(a.query, a.topK ?? 40, { queryEmbedding: null, ...a.options }),
  beamRecallEnhanced: (bank, a) =>
    bank.beam.recallEnhanced(a.query, a.topK ?? 40, { queryEmbedding: null, ...a.options }),
  factRecall: (bank, a) => bank.beam.factRecall(a.query, a.topK ?? 30),
  polyphonicRecall: async (bank, a) => {
    const { polyphonicRecall } = await import("@oh-my-pi/pi-mnemopi/core/polyphonic-recall");
    return polyphonicRecall(bank.beam, a.query, a.topK ?? 10, a.options ?? {});
  },
  formatContext: (bank, a) => bank.beam.formatContext(a.results, a.format ?? "bullet"),
  get: (bank, a) => bank.get(a.memoryId),
  getContext: (bank, a) => bank.getContext(a.limit ?? 10),
  getStats: bank => bank.getStats(),
};
