import { expect, it } from "vitest";
import { roleNames } from "@arcada/contract/kernel/roles";
import { listSearchableScreens } from "../screen-lists.ts";
import { loadPinyin, createSearchIndex } from "./page-search-index.ts";
import type { SearchEntry } from "./page-search-index.ts";

const chinese: SearchEntry[] = [
  { name: "patientList", title: "患者管理", trail: "" },
  { name: "orderList", title: "订单管理", trail: "" },
  { name: "relationWeb", title: "关系网", trail: "患者管理" },
  { name: "member", title: "成员管理", trail: "患者管理" },
];
const english: SearchEntry[] = [
  { name: "patientList", title: "Patients", trail: "" },
  { name: "orderList", title: "Orders", trail: "" },
  { name: "relationWeb", title: "Relationships", trail: "Patients" },
  { name: "iconList", title: "Icons", trail: "Patients" },
];
const first = (found: SearchEntry[]) => found[0]?.name;

it("finds a screen by part of its title, by a misspelt one, and shows all before anything is typed", () => {
  const search = createSearchIndex(english, null);
  expect(first(search("rela"))).toBe("relationWeb");
  expect(first(search("ordrs"))).toBe("orderList");
  expect(first(search("icns"))).toBe("iconList");
  expect(search("zzzz")).toEqual([]);
  expect(search(" ")).toHaveLength(4);
});
it("finds a Chinese title by its pinyin, in full and by initials, when the switch is on", async () => {
  const search = createSearchIndex(chinese, await loadPinyin());
  expect(first(search("huanzhe"))).toBe("patientList");
  expect(first(search("ddgl"))).toBe("orderList");
  expect(first(search("guanxi"))).toBe("relationWeb");
  expect(first(search("成员"))).toBe("member");
  expect(createSearchIndex(chinese, null)("ddgl")).toEqual([]);
});
it("offers to each role its own screens alone, and none that shows a record", () => {
  expect(listSearchableScreens("factoryMember")).toEqual([
    "today",
    "orderList",
    "relationWeb",
    "member",
    "shareList",
    "profile",
    "iconList",
  ]);
  for (const role of roleNames) expect(listSearchableScreens(role)).not.toContain("patientDetail");
  expect(listSearchableScreens("newUser")).toEqual(["profile"]);
});
