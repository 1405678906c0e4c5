import { expect, it } from "vitest";
import { BrickCache } from "./brick-cache.ts";

const always = () => true;
/** Places everything that can be placed, as "brick@slot". */
function placeAll(cache: BrickCache, isReady: (brick: number) => boolean = always): string[] {
  const placed: string[] = [];
  for (let next = cache.placeNext(isReady); next; next = cache.placeNext(isReady))
    placed.push(`${next.brick}@${next.slot}${next.evicted === null ? "" : ` instead of ${next.evicted}`}`);
  return placed;
}

it("places the bricks of a viewport in their order, and those of the latest viewport first", () => {
  const cache = new BrickCache(4);
  cache.want("axial", [7, 3]);
  cache.want("sagittal", [9, 7]);
  expect(cache.getState("axial")).toBe("uploading");
  expect(placeAll(cache)).toEqual(["9@0", "7@1", "3@2"]);
  expect([cache.getState("axial"), cache.getState("sagittal")]).toEqual(["complete", "complete"]);
});

it("evicts the least recently shown brick, never one that a viewport shows", () => {
  const cache = new BrickCache(3);
  cache.want("axial", [1]);
  cache.want("sagittal", [2]);
  placeAll(cache);
  cache.want("sagittal", [3]);
  placeAll(cache);
  // Shown again for a moment, brick 2 is younger than brick 3.
  cache.want("sagittal", [2]);
  cache.want("sagittal", [4]);
  expect(placeAll(cache)).toEqual(["4@2 instead of 3"]);
  cache.want("sagittal", [4, 5, 6]);
  expect(placeAll(cache)).toEqual(["5@0 instead of 2"]);
  expect([cache.getState("axial"), cache.getState("sagittal")]).toEqual(["complete", "partial"]);
});

it("waits for bricks that have not arrived, and goes on when they are wanted again", () => {
  const cache = new BrickCache(4);
  cache.want("axial", [1, 2, 3]);
  expect(placeAll(cache, (brick) => brick !== 2)).toEqual(["1@0", "3@1"]);
  expect(cache.getState("axial")).toBe("waiting");
  cache.want("axial", [1, 2, 3]);
  expect(placeAll(cache)).toEqual(["2@2"]);
  expect(cache.getState("axial")).toBe("complete");
});

it("gives the slots of closed viewports away, and none once it is closed", () => {
  const cache = new BrickCache(1);
  cache.want("axial", [1]);
  placeAll(cache);
  cache.want("coronal", [2]);
  expect([placeAll(cache), cache.getState("coronal")]).toEqual([[], "partial"]);
  cache.forgetViewports();
  cache.want("coronal", [2]);
  expect(placeAll(cache)).toEqual(["2@0 instead of 1"]);
  cache.close();
  cache.want("coronal", [2]);
  expect([placeAll(cache), cache.getState("coronal")]).toEqual([[], "partial"]);
});
