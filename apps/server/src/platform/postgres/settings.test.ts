import { describe, expect, it } from "vitest";
import { databaseSettings } from "./settings.ts";

const gibi = 2 ** 30;

describe("what the embedded database keeps in memory", () => {
  it.each([
    [1, "128MB"],
    [8, "512MB"],
    [64, "1024MB"],
  ])("is a sixteenth of %d GiB, from 128 MB to 1 GB: %s", (memory, kept) => {
    expect(databaseSettings(18, memory * gibi).shared_buffers).toBe(kept);
  });

  it("is read without another process where the version lets it be said", () => {
    expect(databaseSettings(18).io_method).toBe("sync");
    expect(databaseSettings(17)).not.toHaveProperty("io_method");
  });
});
