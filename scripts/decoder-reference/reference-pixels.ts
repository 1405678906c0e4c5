import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import dicomParser, { type DataSet } from "dicom-parser";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { testData } from "./real-test-files.ts";
import { toCanonicalBytes } from "./our-pixels.ts";

/** The result of another decoder; null if it does not support the syntax, finds no pixels or fails. */
export interface ReferencePixels {
  by: string;
  pixels: string;
}

/** Pixels by DCMTK, for JPEG 2000 by OpenJPEG; in the canonical form of `decodeOurPixels`. */
export function decodeReferencePixels(path: string): ReferencePixels | null {
  const folder = mkdtempSync(join(tmpdir(), "arcada-truth-"));
  try {
    return (
      decodeByDcmtk(join(testData, path), join(folder, "plain.dcm")) ?? decodeByOpenjpeg(join(testData, path), folder)
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const hasDcmtk = (): boolean => runTool("dcmconv", ["--version"]);

export const hasOpenjpeg = (): boolean => {
  const { error } = spawnSync("opj_decompress", ["-h"], { stdio: "ignore" });
  return error === undefined;
};

/** The values of one codestream. */
export function decodeCodestream(stream: Uint8Array): number[] | null {
  const folder = mkdtempSync(join(tmpdir(), "arcada-truth-"));
  try {
    return decodeStream(Buffer.from(stream), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function toolFor(syntax: string): string | null {
  if (/1\.2(\.1|\.2|\.1\.99)?$/.test(syntax)) return "dcmconv";
  if (/1\.2\.4\.(50|51|57|70)$/.test(syntax)) return "dcmdjpeg";
  if (/1\.2\.4\.(80|81)$/.test(syntax)) return "dcmdjpls";
  return syntax.endsWith("1.2.5") ? "dcmdrle" : null;
}

function decodeByDcmtk(file: string, plain: string): ReferencePixels | null {
  const by = toolFor(readSyntax(file));
  if (by === null || !runTool(by, [...(by === "dcmconv" ? ["+te"] : []), file, plain])) return null;
  const dataSet = dicomParser.parseDicom(readFileSync(plain));
  // A file without pixels may still be a whole one.
  return dataSet.uint16("x00280010") === undefined || dataSet.elements["x7fe00010"] === undefined
    ? null
    : { by, pixels: checksum([readSamples(dataSet)]) };
}

/** "" where not even the header can be read. */
function readSyntax(file: string): string {
  try {
    return readDicom(readFileSync(file)).transferSyntax;
  } catch {
    return "";
  }
}

function runTool(program: string, options: readonly string[]): boolean {
  try {
    execFileSync(program, options, { stdio: "ignore", timeout: 60_000 });
    return true;
  } catch {
    return false;
  }
}

/** Written independently of our decoder, value by value, so that the reference does not share its faults. */
function readSamples(dataSet: DataSet): number[] {
  const word = (tag: string) => dataSet.uint16(tag) ?? 0;
  const [rows, columns, samples] = [word("x00280010"), word("x00280011"), word("x00280002")];
  const [allocated, stored, high] = [word("x00280100"), word("x00280101"), word("x00280102")];
  const frames = Math.max(1, Math.trunc(Number.parseInt(dataSet.string("x00280008") ?? "1", 10) || 1));
  const pixels = rows * columns;
  const { dataOffset } = dataSet.elements["x7fe00010"];
  const view = new DataView(dataSet.byteArray.buffer, dataSet.byteArray.byteOffset + dataOffset);
  const stride = (dataSet.string("x00280004") ?? "").endsWith("422") ? 2 : samples;
  const planar = word("x00280006") === 1 && samples > 1;
  const value = (index: number): number => {
    if (allocated === 1) return (view.getUint8(index >> 3) >> (index & 7)) & 1;
    const raw =
      allocated === 8
        ? view.getUint8(index)
        : allocated === 16
          ? view.getUint16(index * 2, true)
          : view.getUint32(index * 4, true);
    const whole = Math.floor(raw / 2 ** (high + 1 - stored)) % 2 ** stored;
    return word("x00280103") === 1 && samples === 1 && whole >= 2 ** (stored - 1) ? whole - 2 ** stored : whole;
  };
  const found: number[] = [];
  for (let frame = 0; frame < frames; frame++)
    for (let pixel = 0; pixel < pixels; pixel++)
      for (let sample = 0; sample < samples; sample++) {
        const start = frame * pixels * stride;
        if (stride !== samples) found.push(value(start + (pixel >> 1) * 4 + (sample === 0 ? pixel & 1 : sample + 1)));
        else found.push(value(start + (planar ? sample * pixels + pixel : pixel * samples + sample)));
      }
  return found;
}

/** Codestreams one by one: a frame begins with SOC, or with the first box of a JP2 file. */
function decodeByOpenjpeg(file: string, folder: string): ReferencePixels | null {
  const syntax = readSyntax(file);
  if (!/\.4\.(90|91|201|202|203)$/.test(syntax)) return null;
  const dataSet = dicomParser.parseDicom(readFileSync(file));
  const element = dataSet.elements["x7fe00010"];
  if (element?.fragments === undefined) return null;
  const streams: Uint8Array[][] = [];
  for (const { position, length } of element.fragments) {
    const bytes = dataSet.byteArray.subarray(position, position + length);
    if ((bytes[0] === 0xff && bytes[1] === 0x4f) || bytes[4] === 0x6a) streams.push([bytes]);
    else streams.at(-1)?.push(bytes);
  }
  const frames = streams.map((parts) => {
    const found = decodeStream(Buffer.concat(parts), folder);
    return found && toStoredValues(found, dataSet, /\.4\.(91|203)$/.test(syntax));
  });
  return frames.length > 0 && frames.every((frame) => frame !== null)
    ? { by: "opj_decompress", pixels: checksum(frames) }
    : null;
}

/** Converts the values to the header's format, which may have fewer bits than the codestream, and another sign. */
function toStoredValues(values: readonly number[], dataSet: DataSet, lossy: boolean): number[] {
  const bits = dataSet.uint16("x00280101") ?? 16;
  const signed = dataSet.uint16("x00280103") === 1;
  return values.map((value) => {
    if (lossy && !signed) return Math.min(Math.max(value, 0), 2 ** bits - 1);
    const whole = ((value % 2 ** bits) + 2 ** bits) % 2 ** bits;
    return signed && whole >= 2 ** (bits - 1) ? whole - 2 ** bits : whole;
  });
}

function decodeStream(stream: Buffer, folder: string): number[] | null {
  const isFile = stream[0] === 0;
  const [coded, raw] = [join(folder, isFile ? "frame.jp2" : "frame.j2k"), join(folder, "frame.rawl")];
  writeFileSync(coded, stream);
  if (!runTool("opj_decompress", ["-i", coded, "-o", raw])) return null;
  const header = isFile ? stream.indexOf(Uint8Array.of(0xff, 0x4f, 0xff, 0x51)) : 0;
  const [count, precision] = [stream.readUInt16BE(header + 40), stream[header + 42]];
  const bytes = readFileSync(raw);
  const bits = (precision & 127) + 1;
  const size = bits > 8 ? 2 : 1;
  const pixels = bytes.length / size / count;
  const signed = precision > 127;
  return Array.from({ length: pixels * count }, (_, index) => {
    const at = ((index % count) * pixels + Math.floor(index / count)) * size;
    if (size === 1) return signed ? bytes.readInt8(at) : bytes.readUInt8(at);
    return signed ? bytes.readInt16LE(at) : bytes.readUInt16LE(at);
  });
}

function checksum(frames: readonly (readonly number[])[]): string {
  const sum = createHash("sha256");
  for (const frame of frames) sum.update(toCanonicalBytes(frame));
  return sum.digest("hex");
}
