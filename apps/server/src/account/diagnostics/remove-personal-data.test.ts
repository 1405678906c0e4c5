import { describe, expect, it } from "vitest";
import { pathWithoutPersonalData, removePersonalData } from "./remove-personal-data.ts";

describe("a report of an error", () => {
  it.each([
    ["Cannot read properties of undefined (reading 'name')", "Cannot read properties of undefined (reading 'name')"],
    ['Unexpected token in "王伟, 1980"', 'Unexpected token in "…"'],
    ["no patient called 王伟", "no patient called …"],
    ["mail to li.na@clinic.test failed", "mail to (address) failed"],
    ["call 13812345678", "call #"],
    ["at https://arcada.clinic.test/assets/app-1a.js?v=3:10:22", "at /assets/app-1a.js:10:22"],
    ["order 0190a3c2-1111-7222-8333-444455556666 is gone", "order (id) is gone"],
    ["“Mary Smith” is not valid", "… is not valid"],
    ["“Mary Smith is not valid\nat once", "…\nat once"],
    ["from @li or li@clinic to li@clinic.test.", "from @li or li@clinic to (address)"],
  ])("replaces %s by %s", (said, kept) => expect(removePersonalData(said)).toBe(kept));

  it("keeps the path of a page without its query", () => {
    expect(pathWithoutPersonalData("/patientDetail/page?id=0190a3c2&name=王伟#x")).toBe("/patientDetail/page");
  });
});
