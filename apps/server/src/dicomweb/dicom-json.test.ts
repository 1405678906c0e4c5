import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { toDicomJson, type JsonDataset, type JsonElement } from "./dicom-json.ts";

/**
 * The files were made by DCMTK 3.6.7 out of every-vr.dump, with `dump2dcm +te`, `+ti` and `+tb`, and the answers by its
 * `dcm2json -fc`.
 */
const fixture = (name: string): Buffer => readFileSync(path.join(import.meta.dirname, "fixtures", name));
const ours = (name: string) => JSON.parse(toDicomJson(readDicom(fixture(`${name}.dcm`)), "bulk")) as JsonDataset;
const theirs = (name: string) => JSON.parse(fixture(`${name}.json`).toString("utf8")) as JsonDataset;

/** DCMTK writes nine digits of a 32-bit number; and it names the transfer syntax in the file meta information alone. */
const comparable = (dataset: JsonDataset): JsonDataset =>
  Object.fromEntries(
    Object.entries(dataset)
      .filter(([tag]) => !tag.startsWith("0002") && tag !== "00083002")
      .map(([tag, element]) => [tag, comparableElement(element)]),
  );
function comparableElement({ Value, ...rest }: JsonElement): JsonElement {
  if (Value === undefined || Value.length === 0) return rest;
  if (rest.vr === "SQ") return { ...rest, Value: Value.map((item) => comparable(item as JsonDataset)) };
  return { ...rest, Value: rest.vr === "FL" ? Value.map((value) => Math.fround(Number(value))) : Value };
}

describe("DICOM JSON", () => {
  it.each(["explicit", "big-endian"])("of a data set in %s is what DCMTK writes of it", (name) => {
    const expected = comparable(theirs(name));
    // PS3.18 F.2.7: values of 16 bits are in little endian; DCMTK leaves them as they are in the file.
    if (name === "big-endian") expected["54000100"] = comparable(theirs("explicit"))["54000100"] ?? { vr: "" };
    expect(comparable(ours(name))).toEqual(expected);
  });

  it("of a data set without stated kinds of values is what DCMTK writes of it", () => {
    const expected = comparable(theirs("implicit"));
    // PS3.5 A.1: waveform data are OW there; DCMTK takes the kind from the bits of a sample.
    const [item] = (expected["54000100"]?.Value ?? []) as JsonDataset[];
    const samples = item?.["54001010"];
    expect(samples?.vr).toBe("OB");
    if (samples) samples.vr = "OW";
    expect(comparable(ours("implicit"))).toEqual(expected);
  });
});
