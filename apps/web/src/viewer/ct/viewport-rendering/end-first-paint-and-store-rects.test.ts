import { beforeEach, expect, it, vi } from "vitest";

const storage = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (key: string) => storage.get(key) ?? null,
  setItem: (key: string, text: string) => void storage.set(key, text),
});
vi.stubGlobal("location", { pathname: "/CT3DWebView" });
const setWindowSize = (width: number, height: number) => {
  vi.stubGlobal("innerWidth", width);
  vi.stubGlobal("innerHeight", height);
};
const { loadViewportRects: firstPlaces } = await import("../../first-paint/stored-viewport-rects.ts");
const { transferFromFirstPaint: handOver } = await import("./end-first-paint-and-store-rects.ts");

const viewport = (name: string, left: number) =>
  ({ name, size: { left, top: 200, width: 400, height: 700 } as DOMRect }) as const;
beforeEach(() => {
  storage.clear();
  setWindowSize(1440, 900);
});

it("places the next first paint at the viewports of the layout, with the layout's close-up", () => {
  handOver("jaw", "endo", [viewport("axial", 210), viewport("coronal", 620), viewport("sagittal", 1030)]);
  expect(firstPlaces("jaw")).toEqual({
    axial: [210, 200, 400, 700],
    coronal: [620, 200, 400, 700],
    sagittal: [1030, 200, 400, 700],
    closeUp: 400 / 30,
  });
  handOver("jaw", "mpr", [viewport("axial", 210), viewport("coronal", 620), viewport("sagittal", 1030)]);
  expect(firstPlaces("jaw")).not.toHaveProperty("closeUp");
});

it("shows no plane if the layout starts with planes through a joint", () => {
  handOver("jaw", "tmj", [viewport("rightSagittal", 210), viewport("axial", 620), viewport("leftSagittal", 1030)]);
  expect(firstPlaces("jaw")).not.toHaveProperty("axial");
});

it("guesses the viewports in a window of another size only for the default layout", () => {
  expect(firstPlaces("jaw")).toHaveProperty("panorama");
  handOver("jaw", "endo", [viewport("axial", 210)]);
  setWindowSize(1024, 700);
  expect(firstPlaces("jaw")).toEqual({});
  handOver("jaw", "implant", [viewport("axial", 210)]);
  setWindowSize(1440, 900);
  expect(firstPlaces("jaw")).toHaveProperty("panorama");
});

it("guesses the panorama over two thirds of the default layout, and the axial plane below its first half", () => {
  const { panorama = [], axial = [], coronal } = firstPlaces("jaw");
  expect([panorama[0], panorama[2], axial[0], axial[2]]).toEqual([0, 960, 0, 480]);
  expect(axial[1]).toBe((panorama[1] ?? 0) + (panorama[3] ?? 0));
  expect(coronal).toBeUndefined();
});

it("keeps the viewports of a volume of a few teeth apart, whose default shows three planes", () => {
  handOver("jaw", "implant", [viewport("axial", 210)]);
  expect(firstPlaces("teeth")).toHaveProperty("sagittal");
});
