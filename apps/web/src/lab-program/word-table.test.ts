import { expect, it } from "vitest";
import { completeWords } from "./word-table.tsx";

const known = { list: "kinds", word: "Crown", means: "crown" } as const;

it("a new word is not complete before its meaning was chosen, which may be that it is left out", () => {
  const added = { list: "kinds", word: "Splint" } as const;
  expect(completeWords([known, added])).toBeNull();
  expect(completeWords([known, { ...added, means: null }])).toEqual([known, { ...added, means: null }]);
});

it("a word without its text is not complete", () => {
  expect(completeWords([{ ...known, word: " " }])).toBeNull();
});
