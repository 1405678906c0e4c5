import { expect, it } from "vitest";
import { pickColumns } from "./camel-case-columns.ts";

it("renames columns to camel case and leaves out the others", () => {
  const row = { id: "1", serial_number: "A-7", last_4_digits: 42, secret: "x" };
  expect(pickColumns(row, "id", "serial_number", "last_4_digits")).toEqual({
    id: "1",
    serialNumber: "A-7",
    last4Digits: 42,
  });
});
