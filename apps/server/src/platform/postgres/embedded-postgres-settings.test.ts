import { describe, expect, it } from "vitest";
import { databaseSettings } from "./embedded-postgres-settings.ts";

const gibi = 2 ** 30;

describe("the embedded database's settings", () => {
  it.each([
    [1, "128MB"],
    [8, "512MB"],
    [64, "1024MB"],
  ])("reserve a sixteenth of %d GiB for shared buffers, from 128 MB to 1 GB: %s", (memory, kept) => {
    expect(databaseSettings(18, memory * gibi).shared_buffers).toBe(kept);
  });

  it("disable input and output workers if the version has that setting", () => {
    expect(databaseSettings(18).io_method).toBe("sync");
    expect(databaseSettings(17)).not.toHaveProperty("io_method");
  });
});
