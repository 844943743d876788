// The clock of one request. Import this module first: the engine has no clock of
// its own to set, it reads the global Date whenever it needs the time.

const RealDate = Date;
let instant: number | null = null;

/** Stops the clock at an ISO instant, or lets it run again with null. */
export function setClock(iso: string | null): void {
  if (iso === null) {
    instant = null;
    return;
  }
  const at = RealDate.parse(iso);
  if (Number.isNaN(at)) throw new RangeError(`now is not an instant: ${iso}`);
  instant = at;
}

globalThis.Date = new Proxy(RealDate, {
  construct(target, args, newTarget) {
    if (args.length > 0 || instant === null) return Reflect.construct(target, args, newTarget);
    return Reflect.construct(target, [instant], newTarget);
  },
  apply() {
    return new Date().toString();
  },
  get(target, key) {
    if (key === "now" && instant !== null) return () => instant as number;
    return Reflect.get(target, key);
  },
});
