import { expect, it } from "vitest";
import { guidePageNames } from "@arcada/contract/help/user-guide";
import { findGuidePages } from "./find-guide-pages.ts";

const pages = Object.fromEntries(
  guidePageNames.map((name) => [
    name,
    { title: name.replaceAll("-", " "), keywords: "", searchText: name.replaceAll("-", " ") },
  ]),
) as Parameters<typeof findGuidePages>[0];
pages["add-a-patient"].searchText += " crown 发送订单";
pages["review-a-design"].keywords = "approve crown";

it("puts the title before words of the interface, and these before the rest of the text", () => {
  expect(findGuidePages(pages, "Crown")).toEqual(["order-a-crown", "review-a-design", "add-a-patient"]);
});

it("finds pages that contain all words, and Chinese text without spaces", () => {
  expect(findGuidePages(pages, "order crown")).toEqual(["order-a-crown"]);
  expect(findGuidePages(pages, "订单")).toEqual(["add-a-patient"]);
});

it("finds nothing for an empty text", () => {
  expect(findGuidePages(pages, "  ")).toEqual([]);
});
