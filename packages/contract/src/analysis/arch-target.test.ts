import { expect, it } from "vitest";
import { readArchPart, createArchTarget } from "./arch-target.ts";

it("an arch is read back from its target, also from the teeth by which older engines named it", () => {
  const part = { jaw: "upper", cut: "right" } as const;
  expect(readArchPart("CBCT_PANO", createArchTarget(part))).toEqual(part);
  const older = { kind: "region", from: 48, to: 38, name: null } as const;
  expect(readArchPart("CBCT_ARCH", older)).toEqual({ jaw: "lower", cut: null });
  expect(readArchPart("PAN_RADIOPAQUE", older)).toBeNull();
  expect(readArchPart("CBCT_ARCH", { kind: "image" })).toBeNull();
});
