import type { Lend } from "./files.ts";

interface Piece {
  memory: Buffer;
  /** Free again when so many bytes are gone. */
  until: number;
}

/**
 * Lends memory for what is read and sent piece by piece: `given` bytes left us so far, and of these `gone` are with the
 * system. Whoever asks again has given away what it got last. Memory of which something has not gone is not lent again,
 * so that a slow reader has more of it and never other bytes.
 */
export function openLender(fresh: Lend, sent: { given: () => number; gone: () => number }): Lend {
  const pieces: Piece[] = [];
  let last: Piece | undefined;
  return () => {
    if (last) last.until = sent.given();
    const gone = sent.gone();
    last = pieces.find(({ until }) => until <= gone) ?? { memory: fresh(), until: 0 };
    if (!pieces.includes(last)) pieces.push(last);
    last.until = Number.POSITIVE_INFINITY;
    return last.memory;
  };
}
