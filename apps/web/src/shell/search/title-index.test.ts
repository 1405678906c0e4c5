import { expect, it } from "vitest";
import { roleNames } from "@arcada/contract/kernel/roles";
import { listSearchableScreens } from "../screen-lists.ts";
import { loadPinyin, createTitleIndex } from "./title-index.ts";

const chinese = [
  { name: "patientList", title: "患者管理", detail: "" },
  { name: "orderList", title: "订单管理", detail: "" },
  { name: "relationWeb", title: "关系网", detail: "患者管理" },
  { name: "member", title: "成员管理", detail: "患者管理" },
];
const english = [
  { name: "patientList", title: "Patients", detail: "" },
  { name: "orderList", title: "Orders", detail: "" },
  { name: "relationWeb", title: "Relationships", detail: "Patients" },
  { name: "iconList", title: "Icons", detail: "Patients" },
];
const first = (found: { name: string }[]) => found[0]?.name;

it("finds a screen by part of its title, by a misspelt one, and shows all before anything is typed", () => {
  const search = createTitleIndex(english, null);
  expect(first(search("rela"))).toBe("relationWeb");
  expect(first(search("ordrs"))).toBe("orderList");
  expect(first(search("icns"))).toBe("iconList");
  expect(search("zzzz")).toEqual([]);
  expect(search(" ")).toHaveLength(4);
});
it("finds no misspelt title for a text that names a record", () => {
  const search = createTitleIndex(english, null);
  expect(search("ordrs", true)).toEqual([]);
  expect(first(search("rela", true))).toBe("relationWeb");
});
it("finds a Chinese title by its pinyin, in full and by initials, when the switch is on", async () => {
  const search = createTitleIndex(chinese, await loadPinyin());
  expect(first(search("huanzhe"))).toBe("patientList");
  expect(first(search("ddgl"))).toBe("orderList");
  expect(first(search("guanxi"))).toBe("relationWeb");
  expect(first(search("成员"))).toBe("member");
  expect(createTitleIndex(chinese, null)("ddgl")).toEqual([]);
});
it("offers to each role its own screens alone, and none that shows a record", () => {
  expect(listSearchableScreens("factoryMember")).toEqual([
    "today",
    "orderList",
    "dashboard",
    "relationWeb",
    "member",
    "shareList",
    "labPrograms",
    "profile",
    "iconList",
  ]);
  for (const role of roleNames) expect(listSearchableScreens(role)).not.toContain("patientDetail");
  expect(listSearchableScreens("newUser")).toEqual(["profile"]);
});
