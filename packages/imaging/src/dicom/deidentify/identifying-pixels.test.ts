import { expect, it } from "vitest";
import { classifyBurntIn, type BurntInTraits } from "./identifying-pixels.ts";

const panorama: BurntInTraits = {
  sopClass: "1.2.840.10008.5.1.4.1.1.1.1",
  modality: "PX",
  imageType: ["ORIGINAL", "PRIMARY"],
  annotation: "",
  features: "",
  overlayBit: null,
};
const capture = "1.2.840.10008.5.1.4.1.1.7";

it.each<[Partial<BurntInTraits>, string[]]>([
  [{}, []],
  [{ annotation: "YES" }, ["said"]],
  [{ sopClass: capture, modality: "OT" }, ["capture"]],
  [{ sopClass: capture, modality: "OT", annotation: "NO" }, []],
  [{ imageType: ["DERIVED", "SECONDARY", "SCREEN SAVE"] }, ["capture"]],
  [{ modality: "US" }, ["ultrasound"]],
  [{ sopClass: "1.2.840.10008.5.1.4.1.1.104.1", modality: "DOC" }, ["document"]],
  [{ overlayBit: 12 }, ["overlay"]],
  [{ sopClass: "1.2.840.10008.5.1.4.1.1.77.1.4", modality: "XC" }, ["face"]],
  [{ annotation: "NO", features: "YES" }, ["face"]],
])("an image with %j may name or show its patient: %j", (traits, reasons) => {
  expect(classifyBurntIn({ ...panorama, ...traits })).toEqual(reasons);
});
