import { expect, it } from "vitest";
import { renderStoredGrey, readStoredValues } from "./stored-grey.ts";

const image = { columns: 2, rows: 2, signed: true, inverted: false, window: { center: 0, width: 256 } };
const values = [-128, 0, 60, 127];
/** Two frames, from an odd place of their memory on. */
const bytes = new Uint8Array(17).subarray(1);
[...values, ...values.toReversed()].forEach((value, at) =>
  new DataView(bytes.buffer).setInt16(1 + 2 * at, value, true),
);

it("a stored grey image is its first frame, wherever its bytes begin", () => {
  expect([...readStoredValues(bytes, image)]).toEqual(values);
  expect([...readStoredValues(bytes, { ...image, signed: false })]).toEqual([65_408, 0, 60, 127]);
});

it("and opens by its own window, the right way round", () => {
  expect([...renderStoredGrey(bytes, image)]).toEqual([0, 128, 188, 255]);
  expect([...renderStoredGrey(bytes, { ...image, inverted: true })]).toEqual([255, 127, 67, 0]);
  const itsOwn = [...renderStoredGrey(bytes, { ...image, window: null })];
  expect(itsOwn).toEqual(itsOwn.toSorted((a, b) => a - b));
});
