// The agent's HTTP client for Hindsight, its scope rule and its mental models.
import * as bank from "../agent/hindsight/bank";
import * as client from "../agent/hindsight/client";
import * as models from "../agent/hindsight/mental-models";
import type { Args, Operation } from "./request";

/** {baseUrl, apiKey?, timeouts?, method, args: [...]}: {ok: result} or {error: {...}}, both are answers. */
async function hindsightCall(a: Args) {
  const api: any = new client.HindsightApi({ baseUrl: a.baseUrl, apiKey: a.apiKey, timeouts: a.timeouts });
  try {
    return { ok: (await api[a.method](...(a.args ?? []))) ?? null };
  } catch (error: any) {
    const statusCode = error.statusCode ?? null;
    const details = statusCode === null ? null : (error.details ?? null);
    return { error: { name: error.name, message: error.message, statusCode, details } };
  }
}

/** {baseUrl, config, banks: ids in the order asked, done?: ids}: the ids that count as made afterwards. */
async function ensureBanks(a: Args): Promise<string[]> {
  const api = new client.HindsightApi({ baseUrl: a.baseUrl });
  const done = new Set<string>(a.done ?? []);
  for (const id of a.banks) await bank.ensureBankExists(api, id, a.config, done);
  return [...done];
}

export const hindsight: Record<string, Operation> = {
  hindsightCall,
  hindsightScope: a => bank.computeBankScope(a.config, a.directory),
  ensureBanks,
  mentalModelSeeds: a => models.resolveSeedsForScope(a.scope, a.scoping),
  mentalModelsBlock: a => models.renderMentalModelsBlock(a.models, a.budgetChars),
};
