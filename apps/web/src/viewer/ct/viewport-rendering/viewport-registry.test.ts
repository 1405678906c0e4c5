import { expect, it } from "vitest";
import { ViewportRegistry } from "./viewport-registry.ts";

it("waits for finer images before it states which viewports stay coarse", async () => {
  const viewports = new ViewportRegistry();
  viewports.setCoarseness("axial", "rough");
  viewports.setCoarseness("coronal", "partlyCoarse");
  setTimeout(() => viewports.setCoarseness("axial", "reduced"), 30);
  expect(await viewports.waitUntilFinal(5000)).toEqual(["reduced", "partlyCoarse"]);
});

it("states that a viewport is still rough if no finer image comes in time", async () => {
  const viewports = new ViewportRegistry();
  viewports.setCoarseness("axial", "rough");
  expect(await viewports.waitUntilFinal(20)).toEqual(["rough"]);
});
