import { describe, expect, it } from "vitest";
import { redactError } from "./redact-error.ts";

describe("the log", () => {
  it("keeps of a database's error which rule was broken, and none of the row's values", () => {
    const error = Object.assign(new Error('duplicate key: "13800138000"\nsecond line'), {
      severity: "ERROR",
      code: "23505",
      table: "contact",
      constraint: "contact_kind_value_key",
      detail: "Key (kind, value)=(phone, 13800138000) already exists.",
      where: "13800138000",
    });
    const kept = redactError(error);
    expect(kept).toMatchObject({ message: "23505 contact contact_kind_value_key" });
    expect(kept.stack).toMatch(/^ {4}at /);
    expect(JSON.stringify(kept)).not.toContain("13800138000");
  });
});
