import { expect, it } from "vitest";
import { engineInfo } from "@arcada/contract/analysis/observation";
import { measurementInfo } from "./measurement-engine-info.ts";

it("the built-in engine's card fits what every answer about engines may hold", () => {
  expect(engineInfo.parse(measurementInfo)).toEqual({ ...measurementInfo });
});
