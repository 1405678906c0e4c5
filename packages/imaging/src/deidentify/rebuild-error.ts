/** A file that cannot be rebuilt from the known parts of its format; it is not sent. */
export class RebuildError extends Error {
  override name = "RebuildError";
}

export const toDataView = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** @throws RebuildError where it does not hold */
export function assertFormat(condition: boolean, message: string): void {
  if (!condition) throw new RebuildError(message);
}

/** Characters of one byte each. */
export const latin1Bytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (letter) => letter.charCodeAt(0));
export const decodeLatin1 = (bytes: Uint8Array): string => new TextDecoder("latin1").decode(bytes);
