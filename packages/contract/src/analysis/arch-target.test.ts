import { expect, it } from "vitest";
import { archPartOf, archTarget } from "./arch-target.ts";

it("an arch is read back from its target, also from the teeth by which older engines named it", () => {
  const part = { jaw: "upper", cut: "right" } as const;
  expect(archPartOf("CBCT_PANO", archTarget(part))).toEqual(part);
  const older = { kind: "region", from: 48, to: 38, name: null } as const;
  expect(archPartOf("CBCT_ARCH", older)).toEqual({ jaw: "lower", cut: null });
  expect(archPartOf("PAN_RADIOPAQUE", older)).toBeNull();
  expect(archPartOf("CBCT_ARCH", { kind: "image" })).toBeNull();
});
