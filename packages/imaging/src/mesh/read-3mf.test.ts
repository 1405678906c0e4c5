import { readFileSync } from "node:fs";
import path from "node:path";
import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { MeshError } from "./mesh-error.ts";
import { computeBounds, computeEnclosedVolume, countTriangles, type Mesh } from "./mesh.ts";
import { readMesh } from "./read-mesh.ts";
import { write3mf } from "./unpack-3mf.ts";

const core = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02";
const relations = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Target="/3D/3dmodel.model" Id="r" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>`;
/** A tetrahedron of 1/6 cubic unit whose faces look outwards. */
const corner = `<mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/><vertex x="0" y="0" z="1"/></vertices><triangles><triangle v1="0" v2="2" v3="1"/><triangle v1="0" v2="1" v3="3"/><triangle v1="0" v2="3" v3="2"/><triangle v1="1" v2="2" v3="3"/></triangles></mesh>`;
const model = (resources: string, build: string, attributes = "") =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<model ${attributes} xmlns="${core}"><metadata name="Designer">王小明</metadata><resources>${resources}</resources><build>${build}</build></model>`;
const pack = (text: string, more: Record<string, string> = {}): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries({ "_rels/.rels": relations, "3D/3dmodel.model": text, ...more }).map(([name, content]) => [
        name,
        strToU8(content),
      ]),
    ),
  );
const one = `<object id="1" type="model">${corner}</object>`;
const read = (...parts: Parameters<typeof pack>): Mesh => readMesh(pack(...parts), "3mf");
const reasonOf = (bytes: Uint8Array): string | null => {
  try {
    readMesh(bytes, "3mf");
  } catch (error) {
    if (error instanceof MeshError) return error.reason;
    throw error;
  }
  return null;
};

describe("a 3MF package", () => {
  it.each([
    ["micron", 0.001],
    ["millimeter", 1],
    ["centimeter", 10],
    ["inch", 25.4],
    ["foot", 304.8],
    ["meter", 1000],
  ])("in %s comes out in mm", (unit, scale) => {
    const { max } = computeBounds(read(model(one, `<item objectid="1"/>`, `unit="${unit}"`)));
    for (const value of max) expect(value).toBeCloseTo(scale, 3);
  });

  it("places nested components one after another, the innermost first", () => {
    const nested = `${one}<object id="2"><components><component objectid="1" transform="2 0 0 0 2 0 0 0 2 10 0 0"/></components></object>`;
    const mesh = read(model(nested, `<item objectid="2" transform="0 1 0 -1 0 0 0 0 1 0 0 5"/>`));
    expect(computeBounds(mesh)).toEqual({ min: [-2, 10, 5], max: [0, 12, 7] });
    expect(computeEnclosedVolume(mesh)).toBeCloseTo(8 / 6, 5);
  });

  it("keeps the outside of a mirrored object outside", () => {
    const mesh = read(model(one, `<item objectid="1" transform="-1 0 0 0 1 0 0 0 1 0 0 0"/>`));
    expect(computeBounds(mesh).min[0]).toBe(-1);
    expect(computeEnclosedVolume(mesh)).toBeCloseTo(1 / 6, 6);
  });

  it("takes the colours of materials to the corners of their triangles", () => {
    const coloured = `<basematerials id="9"><base name="a" displaycolor="#FF0000"/><base name="b" displaycolor="#00FF00FF"/></basematerials><object id="1" pid="9" pindex="1">${corner.replace('v1="1" v2="2" v3="3"', 'v1="1" v2="2" v3="3" pid="9" p1="0"')}</object>`;
    const { colours } = read(model(coloured, `<item objectid="1"/>`));
    expect([...(colours ?? [])].slice(0, 6)).toEqual([0, 255, 0, 255, 0, 0]);
  });

  it("follows the production extension into another part", () => {
    const attributes = `requiredextensions="p" xmlns:p="http://schemas.microsoft.com/3dmanufacturing/production/2015/06"`;
    const root = `<object id="2"><components><component p:path="/3D/Objects/a.model" objectid="1"/></components></object>`;
    const mesh = read(model(root, `<item objectid="2"/>`, attributes), { "3D/Objects/a.model": model(one, "") });
    expect(countTriangles(mesh)).toBe(4);
  });

  it("leaves out supports and elements of extensions that it need not know", () => {
    const more = `<object id="2" type="support">${corner}</object><x:mesh xmlns:x="urn:x"><x:vertex/></x:mesh>`;
    const mesh = read(model(one + more, `<item objectid="1"/><item objectid="2"/>`));
    expect(countTriangles(mesh)).toBe(4);
  });

  it("is read in UTF-16, and with a prefix for the core namespace", () => {
    const prefixed = model(one, `<item objectid="1"/>`)
      .replaceAll(/<(\/?)(?!\?)/g, "<$1c:")
      .replace("xmlns=", "xmlns:c=");
    const utf16 = Uint8Array.from(Buffer.from(`\uFEFF${prefixed}`, "utf16le"));
    const bytes = zipSync({ "_rels/.rels": strToU8(relations), "3D/3dmodel.model": utf16 });
    expect(countTriangles(readMesh(bytes, "3mf"))).toBe(4);
  });

  it("comes back from our own writer, without the words of its source", () => {
    const mesh = read(model(one, `<item objectid="1"/>`));
    const written = write3mf(mesh);
    expect(readMesh(written, "3mf")).toEqual(mesh);
    expect(Buffer.from(written).includes("Designer")).toBe(false);
  });

  it("that an independent program wrote is the same surface as its STL", () => {
    const sample = (name: string) => readFileSync(path.join(import.meta.dirname, "fixtures", name));
    const [mesh, stl] = [
      readMesh(sample("assimp-ellipsoid.3mf"), "3mf"),
      readMesh(sample("assimp-ellipsoid.stl"), "stl"),
    ];
    expect(countTriangles(mesh)).toBe(countTriangles(stl));
    expect(computeEnclosedVolume(mesh)).toBeCloseTo(computeEnclosedVolume(stl), 3);
    const difference = computeBounds(mesh).max.map((value, axis) => value - (computeBounds(stl).max[axis] ?? NaN));
    expect(Math.hypot(...difference)).toBeLessThan(1e-4);
  });
});

describe("a 3MF package that is no good", () => {
  const bomb = Array.from(
    { length: 12 },
    (_, level) =>
      `<object id="${level + 2}"><components>${`<component objectid="${level + 1}"/>`.repeat(10)}</components></object>`,
  ).join("");
  const loop = `<object id="1"><components><component objectid="1"/></components></object>`;
  const beam = `requiredextensions="b" xmlns:b="http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02"`;
  it.each([
    ["is no archive", strToU8("PK\u0003\u0004 and then words"), "notMesh"],
    ["has no model", zipSync({ "a.txt": strToU8("a") }), "notMesh"],
    ["refers to a model that is not there", zipSync({ "_rels/.rels": strToU8(relations) }), "truncated"],
    ["is cut in its XML", pack(model(one, "").slice(0, 300)), "truncated"],
    ["points at a vertex that it has not", pack(model(one.replace('v3="3"', 'v3="9"'), "")), "badNumbers"],
    ["has a word for a number", pack(model(one.replace('x="1"', 'x="one"'), "")), "badNumbers"],
    [
      "has a transform of eleven numbers",
      pack(model(one, `<item objectid="1" transform="1 0 0 0 1 0 0 0 1 0 0"/>`)),
      "badNumbers",
    ],
    ["builds an object that it has not", pack(model(one, `<item objectid="7"/>`)), "badNumbers"],
    ["has an unknown unit", pack(model(one, `<item objectid="1"/>`, `unit="parsec"`)), "badNumbers"],
    ["requires an extension that is not read", pack(model(one, `<item objectid="1"/>`, beam)), "unsupportedExtension"],
    ["defines entities", pack(`<!DOCTYPE a [<!ENTITY b "bbbb">]>${model(one, "")}`), "notMesh"],
    ["contains itself", pack(model(loop, `<item objectid="1"/>`)), "tooLarge"],
    ["multiplies its components to a trillion", pack(model(one + bomb, `<item objectid="13"/>`)), "tooLarge"],
    ["expands a thousandfold", zipSync({ "3D/3dmodel.model": new Uint8Array(20_000_000) }), "tooLarge"],
  ] as const)("is refused by name when it %s", (_what, bytes, reason) => {
    expect(reasonOf(bytes)).toBe(reason);
  });
});

/** A package whose directory lists one stored part many times, each with a stated size of one byte. */
function listOften(size: number, count: number): Uint8Array {
  const name = "a0000.model";
  const entry = (number: number): Buffer => {
    const bytes = Buffer.alloc(46 + name.length);
    bytes.writeUInt32LE(0x02014b50, 0);
    bytes.writeUInt32LE(size, 20);
    bytes.writeUInt32LE(1, 24);
    bytes.writeUInt16LE(name.length, 28);
    bytes.write(`a${String(number).padStart(4, "0")}.model`, 46);
    return bytes;
  };
  const local = Buffer.alloc(30 + name.length);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(name.length, 26);
  const directory = Buffer.concat(Array.from({ length: count }, (_, number) => entry(number)));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(local.length + size, 16);
  return Buffer.concat([local, Buffer.alloc(size), directory, end]);
}

describe("a hostile 3MF package", () => {
  it("is refused if its directory lists one part so often that the copies would fill the memory", () =>
    expect(reasonOf(listOften(5_000_000, 110))).toBe("tooLarge"));

  it("has a part read once, however its path is written", () => {
    const production = `xmlns:p="http://schemas.microsoft.com/3dmanufacturing/production/2015/06"`;
    const many = '<vertex x="0" y="0" z="1"/>'.repeat(40_000);
    const part = model(one.replace("</vertices>", `${many}</vertices>`), "");
    const items = Array.from(
      { length: 60 },
      (_, at) => `<item objectid="1" p:path="${"/".repeat(at + 1)}3D/part.model"/>`,
    ).join("");
    const bytes = pack(model("", items, production), { "3D/part.model": part });
    const began = performance.now();
    expect(countTriangles(readMesh(bytes, "3mf"))).toBe(240);
    expect(performance.now() - began).toBeLessThan(1000);
  });
});
