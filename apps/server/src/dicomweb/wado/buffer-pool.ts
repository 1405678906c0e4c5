import type { FastifyReply } from "fastify";

const poolRules = { step: 256 * 1024, most: 4 * 1024 * 1024, kept: 16 } as const;
const freeBuffers: Buffer[] = [];

/**
 * Bytes for an answer, which the next answer gets again. New ones for every frame would make collecting them a third of
 * all work: memory outside the heap counts against it.
 */
export function borrowBuffer({ raw }: FastifyReply, length: number): Buffer {
  const size = Math.ceil(length / poolRules.step) * poolRules.step;
  if (size > poolRules.most) return Buffer.allocUnsafe(length);
  const index = freeBuffers.findIndex((one) => one.length === size);
  const buffer = freeBuffers.splice(index, index < 0 ? 0 : 1)[0] ?? Buffer.allocUnsafeSlow(size);
  // "finish" means that the operating system has taken every byte. After a broken connection it never comes, and the
  // buffers are not lent again.
  raw.once("finish", () => {
    freeBuffers.push(buffer);
    if (freeBuffers.length > poolRules.kept) freeBuffers.shift();
  });
  return buffer.subarray(0, length);
}
