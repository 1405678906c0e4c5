import { expect, it } from "vitest";
import { newId } from "./ids-and-secrets.ts";

it("makes ids that are UUIDs version 7: their time, version, variant, and random bits of their own", () => {
  const instant = Date.UTC(2031, 4, 2, 9, 30);
  const made = Array.from({ length: 200 }, () => newId(instant));
  // RFC 9562, 5.7: 48 bits of Unix time in milliseconds, version 7, variant 10.
  for (const id of made) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(made.map((id) => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)))).toEqual(
    new Set([instant]),
  );
  expect(new Set(made.map((id) => id.slice(15))).size).toBe(200);
});
