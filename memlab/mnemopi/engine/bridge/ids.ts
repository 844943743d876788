// The engine salts the ids it makes with random numbers drawn once at its start.
// Where banks have to come out the same in every run, they are drawn as zeros.

if (process.env.MEMLAB_REPEATABLE === "1") {
  crypto.getRandomValues = <T extends ArrayBufferView | null>(array: T): T => {
    if (array !== null) new Uint8Array(array.buffer, array.byteOffset, array.byteLength).fill(0);
    return array;
  };
}
