const preambleBytes = 128;
const headBytes = preambleBytes + 4;

/**
 * Returns a file's bytes with an empty preamble: a program may execute a preamble after the file is saved, and DICOM
 * gives it no meaning (PS3.10 7.1). A file without a preamble is not changed.
 */
export async function* blankPreamble(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array | null = new Uint8Array();
  for await (const chunk of source) {
    if (held === null) {
      yield chunk;
      continue;
    }
    held = Buffer.concat([held, chunk]);
    if (held.length < headBytes) continue;
    yield blankPreambleBytes(held);
    held = null;
  }
  if (held !== null) yield held;
}

function blankPreambleBytes(bytes: Uint8Array): Uint8Array {
  if (Buffer.from(bytes.subarray(preambleBytes, headBytes)).toString("latin1") === "DICM")
    bytes.fill(0, 0, preambleBytes);
  return bytes;
}
