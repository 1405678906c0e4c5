import { describe, expect, it, vi } from "vitest";

vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => {} });
const {
  findPageAfterClosing: afterClosing,
  addVisitedPage: visited,
  listNamedRecords,
  removeTab: without,
} = await import("./page-tabs.ts");

const open = (...hrefs: string[]) => hrefs.reduce(visited, []);

describe("the tabs bar", () => {
  it("keeps one tab for a list, with its last filters, and one for each patient", () => {
    const tags = open(
      "/orderList?state=pending",
      "/patientDetail/page?id=1",
      "/patientDetail/page?id=2",
      "/orderList?state=draft",
    );
    expect(tags.map(({ href }) => href)).toEqual([
      "/orderList?state=draft",
      "/patientDetail/page?id=1",
      "/patientDetail/page?id=2",
    ]);
  });
  it("asks for the names of patients and orders alone, not of lists and studies", () => {
    const tags = open(
      "/orderList?state=draft",
      "/CT3DWebView?study=7",
      "/patientDetail/page?id=1",
      "/sendPage/page?id=2",
    );
    expect(listNamedRecords(tags)).toEqual([
      { screen: "patientDetail", id: "1" },
      { screen: "sendPage", id: "2" },
    ]);
  });
  it("keeps the last twenty tabs", () => {
    expect(open(...Array.from({ length: 25 }, (_, at) => `/patientDetail/page?id=${at}`))).toHaveLength(20);
  });
  it("opens the last remaining tab, else home, when the current tab is closed, and stays when another is", () => {
    const tags = open("/orderList", "/member/page");
    const left = without(tags, "/member/page");
    expect(afterClosing(left, "/member/page", "/member/page", "/patientList")).toBe("/orderList");
    expect(afterClosing([], "/orderList", "/orderList", "/patientList")).toBe("/patientList");
    expect(afterClosing(left, "/member/page", "/orderList", "/patientList")).toBeNull();
  });
});
