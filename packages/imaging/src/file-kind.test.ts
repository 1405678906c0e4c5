import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deriveUid, writeDicom } from "./dicom/write/write-dicom.ts";
import { detectFileKind, type FileKind } from "./file-kind.ts";

const bytesOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const kindOf = (content: string | Uint8Array, name = "x.bin") => {
  const bytes = typeof content === "string" ? bytesOf(content) : content;
  return detectFileKind(bytes, name, bytes.length);
};
const dicom = writeDicom(
  [
    [0x00080060, "CS", "CT"],
    [0x00100010, "PN", "Doe^Jane"],
  ],
  { sopClassUid: "1.2.840.10008.5.1.4.1.1.2", sopInstanceUid: deriveUid("x") },
);

function binaryStl(triangles: number, claimed = triangles): Uint8Array {
  const bytes = new Uint8Array(84 + 50 * triangles);
  bytes.set(bytesOf("solid made by a scanner that does not read the manual"));
  const view = new DataView(bytes.buffer);
  view.setUint32(80, claimed, true);
  for (let i = 0; i < triangles; i++) view.setFloat32(84 + 50 * i + 12, 1 + i, true);
  return bytes;
}

describe("the kind of a file", () => {
  const cases: [string, string | Uint8Array, FileKind][] = [
    ["nothing", "", "empty"],
    ["a DICOM file", dicom, "dicom"],
    ["a DICOM file without preamble and meta group", dicom.subarray(132 + meta(dicom)), "dicom"],
    ["a DICOM file without preamble", dicom.subarray(132), "dicom"],
    ["a zip", "PK\u0003\u0004....", "zip"],
    ["an empty zip", "PK\u0005\u0006....", "zip"],
    ["a JPEG", "\u00ff\u00d8\u00ff\u00e0....", "jpeg"],
    ["a PNG", "\u0089PNG\r\n\u001a\n....", "png"],
    ["a GIF", "GIF89a....", "gif"],
    ["a TIFF", "II*\0....", "tiff"],
    ["a PDF", "%PDF-1.7\n", "pdf"],
    ["a photograph of an iPhone", "\0\0\0\u0018ftypheic\0\0\0\0mif1heic", "heic"],
    ["a film of a camera", "\0\0\0\u0018ftypmp42\0\0\0\0mp42isom", "mp4"],
    ["a text that starts with BM", "BM is short for benchmark, and this is no picture", "unknown"],
    ["a binary STL whose header says solid", binaryStl(2), "stl"],
    ["an ASCII STL", "solid a\n facet normal 0 0 1\n  outer loop\n", "stl"],
    ["a text that starts with solid", "solid advice on brushing\n", "unknown"],
    ["a PLY", "ply\nformat ascii 1.0\nend_header\n", "ply"],
    ["an OBJ", "# teeth\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "obj"],
    ["a text with words", "v for victory\nf for fun\n", "unknown"],
  ];
  for (const [what, content, kind] of cases) it(`is ${kind} for ${what}`, () => expect(kindOf(content)).toBe(kind));

  it("is 3mf for a 3MF package without a name, and zip for other archives with models", () => {
    const entry = (name: string) => `PK\u0003\u0004${"\0".repeat(26)}${name}`;
    expect(kindOf(`${entry("[Content_Types].xml")} ${entry("3D/3dmodel.model")}`)).toBe("3mf");
    expect(kindOf(`${entry("crown.3mf")} ${entry("3D/3dmodel.model")}`)).toBe("zip");
    expect(kindOf(entry("a.model"), "crown.3mf")).toBe("3mf");
  });

  it("is not believed from the name", () => {
    expect(kindOf("just a note", "scan.dcm")).toBe("unknown");
    expect(kindOf("just a note", "scan.stl")).toBe("unknown");
    expect(kindOf(dicom, "scan.jpg")).toBe("dicom");
  });

  it("lets the name decide for a cut STL and for an OBJ that opens with a comment", () => {
    expect(kindOf(binaryStl(3, 9), "scan.stl")).toBe("stl");
    expect(kindOf(binaryStl(3, 9), "scan.bin")).toBe("unknown");
    expect(kindOf("# exported today\n", "scan.obj")).toBe("obj");
  });

  it("finds DICOM behind a TIFF header in the preamble", () => {
    const both = dicom.slice();
    both.set(bytesOf("II*\0"));
    expect(kindOf(both)).toBe("dicom");
  });
});

function meta(bytes: Uint8Array): number {
  return 12 + new DataView(bytes.buffer).getUint32(140, true);
}

const scans = join(process.env["ARCADA_TEST_DATA"] ?? "../shared/data", "ios-smartee");

describe.skipIf(!existsSync(scans))("the real scans (ARCADA_TEST_DATA)", () => {
  it("are recognised from their first 4 kB under any name", () => {
    const kinds = ["derived", "ref", "photos"].flatMap((folder) =>
      readdirSync(join(scans, folder))
        .filter((name) => name.includes("."))
        .map((name) => {
          const path = join(scans, folder, name);
          return [
            name.split(".").at(-1),
            detectFileKind(readFileSync(path).subarray(0, 4096), "upload", statSync(path).size),
          ];
        }),
    );
    expect(kinds.length).toBe(20);
    for (const [ending, kind] of kinds) expect(kind).toBe(ending);
  });
});
