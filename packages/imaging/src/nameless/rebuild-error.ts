/** A file that cannot be rebuilt from the known parts of its format; it is not sent. */
export class RebuildError extends Error {
  override name = "RebuildError";
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** @throws RebuildError where it does not hold */
export function demand(holds: boolean, what: string): void {
  if (!holds) throw new RebuildError(what);
}

/** Characters of one byte each. */
export const letters = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (letter) => letter.charCodeAt(0));
export const textOf = (bytes: Uint8Array): string => new TextDecoder("latin1").decode(bytes);
