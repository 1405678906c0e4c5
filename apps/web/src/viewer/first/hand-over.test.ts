import { beforeEach, expect, it, vi } from "vitest";

const kept = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, text: string) => void kept.set(key, text),
});
vi.stubGlobal("location", { pathname: "/CT3DWebView" });
const window = (width: number, height: number) => {
  vi.stubGlobal("innerWidth", width);
  vi.stubGlobal("innerHeight", height);
};
const { firstPlaces } = await import("./first-places.ts");
const { handOver } = await import("./hand-over.ts");

const pane = (name: string, left: number) =>
  ({ name, size: { left, top: 200, width: 400, height: 700 } as DOMRect }) as const;
beforeEach(() => {
  kept.clear();
  window(1440, 900);
});

it("begins the next look where the panes of the layout stand, as close as the layout shows them", () => {
  handOver("endo", [pane("axial", 210), pane("coronal", 620), pane("sagittal", 1030)]);
  expect(firstPlaces()).toEqual({
    axial: [210, 200, 400, 700],
    coronal: [620, 200, 400, 700],
    sagittal: [1030, 200, 400, 700],
    closeUp: 400 / 30,
  });
  handOver("mpr", [pane("axial", 210), pane("coronal", 620), pane("sagittal", 1030)]);
  expect(firstPlaces()).not.toHaveProperty("closeUp");
});

it("shows no plane where the layout begins with planes through a joint", () => {
  handOver("tmj", [pane("rightSagittal", 210), pane("axial", 620), pane("leftSagittal", 1030)]);
  expect(firstPlaces()).not.toHaveProperty("axial");
});

it("guesses in a window of another size only how the usual layout stands there", () => {
  expect(firstPlaces()).toHaveProperty("coronal");
  handOver("endo", [pane("axial", 210)]);
  window(1024, 700);
  expect(firstPlaces()).toEqual({});
  handOver("mpr", [pane("axial", 210)]);
  window(1440, 900);
  expect(firstPlaces()).toHaveProperty("coronal");
});
