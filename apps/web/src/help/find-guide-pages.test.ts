import { expect, it } from "vitest";
import { guidePageNames } from "@arcada/contract/help/user-guide";
import { findGuidePages } from "./find-guide-pages.ts";

const pages = Object.fromEntries(
  guidePageNames.map((name) => [name, { title: name.replaceAll("-", " "), searchText: name.replaceAll("-", " ") }]),
) as Parameters<typeof findGuidePages>[0];
pages["add-a-patient"].searchText += " order 发送订单";

it("puts pages with the word in their title before pages that only mention it", () => {
  const found = findGuidePages(pages, "Order");
  expect(found[0]).toBe("order-a-crown");
  expect(found.at(-1)).toBe("add-a-patient");
});

it("finds pages that contain all words, and Chinese text without spaces", () => {
  expect(findGuidePages(pages, "order crown")).toEqual(["order-a-crown"]);
  expect(findGuidePages(pages, "订单")).toEqual(["add-a-patient"]);
});

it("finds nothing for an empty text", () => {
  expect(findGuidePages(pages, "  ")).toEqual([]);
});
