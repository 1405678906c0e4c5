import type { FastifyReply } from "fastify";

const rules = { step: 256 * 1024, most: 4 * 1024 * 1024, kept: 16 } as const;
const kept: Buffer[] = [];

/**
 * Bytes for an answer, which the next answer gets again. New ones for every frame would make collecting them a third of
 * all work: memory outside the heap counts against it.
 */
export function lentBytes({ raw }: FastifyReply, length: number): Buffer {
  const size = Math.ceil(length / rules.step) * rules.step;
  if (size > rules.most) return Buffer.allocUnsafe(length);
  const place = kept.findIndex((one) => one.length === size);
  const whole = kept.splice(place, place < 0 ? 0 : 1)[0] ?? Buffer.allocUnsafeSlow(size);
  // "finish" means that the operating system has taken every byte. After a broken connection it never comes, and the
  // buffers are not lent again.
  raw.once("finish", () => {
    kept.push(whole);
    if (kept.length > rules.kept) kept.shift();
  });
  return whole.subarray(0, length);
}
