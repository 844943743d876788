// The shapes that travel between memlab and this process.

/** Arguments of one operation; each operation documents its own. */
export type Args = Record<string, any>;

export interface Request {
  id?: unknown;
  op: string;
  /** Path of the bank's SQLite file, absolute. */
  db?: string;
  bank?: string;
  /** Defaults: session = bank, channel = session. */
  session?: string;
  channel?: string;
  author_id?: string | null;
  author_type?: string | null;
  /** ISO instant at which the clock stands still during this request; absent: the real clock. */
  now?: string | null;
  /** Take back everything that the operation wrote. */
  undo?: boolean;
  /** Close the bank after the operation. */
  transient?: boolean;
  /** Answer also with the counters of the bank after the operation. */
  after?: boolean;
  args?: Args;
}

export interface Failure {
  name: string;
  message: string;
  errors: { name: string; message: string }[];
}

/** One operation: it gets the arguments and the request they came in. */
export type Operation = (args: Args, request: Request) => unknown;

/** Thrown where memlab, not the engine, refuses. */
export class BridgeError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** An error as plain data; the parts of an aggregate are listed. */
export function failure(error: unknown): Failure {
  const known = error instanceof Error;
  const parts = error instanceof AggregateError ? error.errors : [];
  return {
    name: known ? error.name : "Error",
    message: known ? error.message : String(error),
    errors: parts.map((part: unknown) => {
      const { name, message } = failure(part);
      return { name, message };
    }),
  };
}
