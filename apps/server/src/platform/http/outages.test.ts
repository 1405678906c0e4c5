import { open } from "node:fs/promises";
import { expect, it } from "vitest";
import { findOutage } from "./outages.ts";

// The first page of the memory of a process is never mapped: Linux answers EIO.
it.skipIf(process.platform !== "linux").each([
  ["write", "unavailable"],
  ["read", null],
] as const)("a disk that answers EIO to a %s is the outage %s", async (call, outage) => {
  const memory = await open("/proc/self/mem", "r+");
  const bytes = Buffer.alloc(8);
  const used = call === "write" ? memory.write(bytes, 0, 8, 0) : memory.read(bytes, 0, 8, 0);
  const fault = await used.catch((error: unknown) => error);
  await memory.close();
  expect(fault).toMatchObject({ code: "EIO", syscall: call });
  expect(findOutage(fault)).toBe(outage);
});
