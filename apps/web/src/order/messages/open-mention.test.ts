import { expect, it } from "vitest";
import { findOpenMention, matchPeople } from "./open-mention.ts";

it("a mention begins with an @ that does not belong to an email address", () => {
  expect(findOpenMention("Dear @Am")).toEqual({ start: 5, query: "Am" });
  expect(findOpenMention("请@王")).toEqual({ start: 1, query: "王" });
  expect(findOpenMention("write to lab@ex")).toBeNull();
  expect(findOpenMention("@Amelia\nnext line")).toBeNull();
});

it("people are found by the beginning of their name or of a word in it, the other side first", () => {
  const people = [
    { id: "1", name: "Anna Berg", mine: true },
    { id: "2", name: "Bernd Ott", mine: false },
    { id: "3", name: "Carl", mine: false },
  ];
  expect(matchPeople(people, "ber").map(({ id }) => id)).toEqual(["2", "1"]);
  expect(matchPeople(people, "Carl ").map(({ id }) => id)).toEqual([]);
});
