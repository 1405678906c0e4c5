import type { Socket } from "node:net";
import { PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { encodeFragment, pduTypes } from "./pdu.ts";
import { readPdus } from "./pdu-reader.ts";

it("frees the memory of what arrived once it is copied, and passes on the same bytes", async () => {
  const data = Buffer.alloc(90_000, 7);
  const unit = encodeFragment(3, data, { isCommand: false, isLast: true });
  const chunks = [unit.subarray(0, 50_000), unit.subarray(50_000)].map((part) =>
    Buffer.from(Uint8Array.from(part).buffer),
  );
  const socket = new PassThrough();
  const units = readPdus(socket as unknown as Socket, 100_000, { firstMs: 9000, betweenMs: 9000, withinMs: 9000 });
  const first = units.next();
  for (const chunk of chunks) {
    socket.write(chunk);
    await nextTurn();
  }
  const { value } = await first;
  expect(value).toMatchObject({ type: pduTypes.data });
  expect(unit.subarray(6).equals(Buffer.from(value?.body ?? []))).toBe(true);
  expect(chunks.map(({ length }) => length)).toEqual([0, 0]);
  socket.destroy();
});
