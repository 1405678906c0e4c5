import { GrowableFloatArray, GrowableIndexArray } from "./growable-array.ts";
import { MeshError } from "./mesh-error.ts";
import type { Mesh } from "./mesh.ts";
import {
  placeObjects,
  type ModelObject,
  type ObjectReference,
  type ThreeMfModel,
  type Transform,
} from "./place-3mf.ts";
import { XmlTagScanner, type XmlTag } from "./xml-tag-scanner.ts";

/** Namespaces of the 3MF core specification 1.4, and of the extensions that are read. */
const namespaces = {
  core: "http://schemas.microsoft.com/3dmanufacturing/core/2015/02",
  material: "http://schemas.microsoft.com/3dmanufacturing/material/2015/02",
  production: "http://schemas.microsoft.com/3dmanufacturing/production/2015/06",
} as const;

/** 3MF core 3.4: the unit of all coordinates, in mm. */
const millimetres: Readonly<Record<string, number>> = {
  micron: 0.001,
  millimeter: 1,
  centimeter: 10,
  inch: 25.4,
  foot: 304.8,
  meter: 1000,
};

/**
 * Reads the surface of a 3MF package (core specification 1.4, with the paths of the production extension and colours of
 * the materials extension): all that is to be built, in mm, as one mesh. Mirrored objects keep their outside.
 * @param parts the XML parts of the package by their names, "/3D/3dmodel.model"
 * @throws MeshError: `unsupportedExtension` where the package requires one that is not read here, `tooLarge` where its
 *   components multiply beyond ten million triangles
 */
export function read3mf(parts: ReadonlyMap<string, Uint8Array>): Mesh {
  const root = findRootModel(parts);
  const models = new Map<string, ThreeMfModel>();
  const modelAt = (path: string): ThreeMfModel => {
    const name = toPartName(path);
    const known = models.get(name);
    if (known) return known;
    const read = readModel(findPart(parts, path) ?? fail("truncated"));
    models.set(name, read);
    return read;
  };
  return placeObjects(root, modelAt);
}

const fail = (reason: ConstructorParameters<typeof MeshError>[0]): never => {
  throw new MeshError(reason);
};

// OPC: names of parts are compared without regard to case.
const toPartName = (path: string): string => `/${path.replace(/^\/+/, "")}`.toLowerCase();
const findPart = (parts: ReadonlyMap<string, Uint8Array>, path: string): Uint8Array | undefined => {
  const wanted = toPartName(path);
  for (const [name, bytes] of parts) if (toPartName(name) === wanted) return bytes;
  return undefined;
};

const modelRelation = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel";

function findRootModel(parts: ReadonlyMap<string, Uint8Array>): string {
  const relations = findPart(parts, "/_rels/.rels") ?? fail("notMesh");
  const tags = new XmlTagScanner(toUtf8(relations));
  for (let tag = tags.next(); tag; tag = tags.next())
    if (tag.name === "Relationship" && tags.attribute("Type") === modelRelation)
      return tags.attribute("Target") ?? fail("notMesh");
  return fail("notMesh");
}

/** 3MF core 2.3.1: UTF-8 or UTF-16. */
function toUtf8(bytes: Uint8Array): Uint8Array {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : null;
  return encoding ? new TextEncoder().encode(new TextDecoder(encoding).decode(bytes)) : bytes;
}

interface Reading {
  tags: XmlTagScanner;
  /** Prefixes that the root element declares. */
  prefixes: Record<keyof typeof namespaces, string | null>;
  model: ThreeMfModel;
  colours: Map<string, number[]>;
}

function readModel(bytes: Uint8Array): ThreeMfModel {
  const tags = new XmlTagScanner(toUtf8(bytes));
  const root = tags.next();
  if (root?.name !== "model") return fail("notMesh");
  const declared = new Map(
    tags.attributes().flatMap(([name, value]) => (/^xmlns(:|$)/.test(name) ? [[name.slice(6), value] as const] : [])),
  );
  const prefixOf = (uri: string) => [...declared].find(([, value]) => value === uri)?.[0] ?? null;
  const prefixes = {
    core: prefixOf(namespaces.core),
    material: prefixOf(namespaces.material),
    production: prefixOf(namespaces.production),
  };
  if (prefixes.core !== root.prefix) return fail("notMesh");
  const known: readonly string[] = Object.values(namespaces);
  for (const prefix of (tags.attribute("requiredextensions") ?? "").split(/\s+/).filter(Boolean))
    if (!known.includes(declared.get(prefix) ?? "")) fail("unsupportedExtension");
  const scale = millimetres[tags.attribute("unit") ?? "millimeter"] ?? fail("badNumbers");
  const model: ThreeMfModel = { scale, objects: new Map(), items: [] };
  readResources({ tags, prefixes, model, colours: new Map() });
  return model;
}

const isIn = (tag: XmlTag, prefix: string | null): boolean => prefix !== null && tag.prefix === prefix;

function readResources(reading: Reading): void {
  const { tags, prefixes, model, colours } = reading;
  let group: number[] | null = null;
  for (let tag = tags.next(); tag; tag = tags.next()) {
    if (tag.isEnd) continue;
    const isCore = isIn(tag, prefixes.core);
    const isMaterial = isIn(tag, prefixes.material);
    if (isCore && tag.name === "object") readObject(reading, tag);
    else if (isCore && tag.name === "item") model.items.push(readReference(reading));
    else if ((isCore && tag.name === "basematerials") || (isMaterial && tag.name === "colorgroup")) {
      group = [];
      colours.set(tags.attribute("id") ?? "", group);
    } else if (group && isCore && tag.name === "base") group.push(readColour(tags.attribute("displaycolor")));
    else if (group && isMaterial && tag.name === "color") group.push(readColour(tags.attribute("color")));
  }
}

/** "#RRGGBB" or "#RRGGBBAA" as a number; white without one. */
const readColour = (text: string | undefined): number =>
  text && /^#[\da-f]{6}([\da-f]{2})?$/i.test(text) ? Number.parseInt(text.slice(1, 7), 16) : 0xffffff;

function readReference({ tags, prefixes }: Reading): ObjectReference {
  const path = prefixes.production === null ? undefined : tags.attribute(`${prefixes.production}:path`);
  return { object: tags.attribute("objectid") ?? "", path, transform: readTransform(tags.attribute("transform")) };
}

/** Twelve numbers, of a matrix that is multiplied by row vectors from the left. */
function readTransform(text: string | undefined): Transform | null {
  if (text === undefined) return null;
  const numbers = text.trim().split(/\s+/).map(Number);
  return numbers.length === 12 && numbers.every(Number.isFinite) ? numbers : fail("badNumbers");
}

function readObject(reading: Reading, start: XmlTag): void {
  const { tags, prefixes, model } = reading;
  const object: ModelObject = { type: tags.attribute("type") ?? "model", mesh: null, components: [] };
  model.objects.set(tags.attribute("id") ?? "", object);
  if (start.isEmpty) return;
  const own = { group: tags.attribute("pid"), index: tags.number("pindex") };
  for (let tag = tags.next(); tag; tag = tags.next()) {
    if (!isIn(tag, prefixes.core)) continue;
    if (tag.isEnd && tag.name === "object") return;
    if (tag.isEnd || tag.isEmpty) {
      if (!tag.isEnd && tag.name === "component") object.components.push(readReference(reading));
    } else if (tag.name === "component") object.components.push(readReference(reading));
    else if (tag.name === "mesh") object.mesh = readObjectMesh(reading, own);
  }
  fail("truncated");
}

interface OwnColour {
  group: string | undefined;
  index: number;
}

function readObjectMesh({ tags, prefixes, colours }: Reading, own: OwnColour): Mesh {
  const positions = new GrowableFloatArray();
  const indices = new GrowableIndexArray();
  const painted: [triangle: number, colours: [number, number, number]][] = [];
  for (let tag = tags.next(); tag; tag = tags.next()) {
    if (!isIn(tag, prefixes.core)) continue;
    if (tag.isEnd) {
      if (tag.name === "mesh") return finishMesh(positions, indices, painted);
    } else if (tag.name === "vertex") positions.push3(tags.number("x"), tags.number("y"), tags.number("z"));
    else if (tag.name === "triangle") {
      const corners = [tags.number("v1"), tags.number("v2"), tags.number("v3")] as const;
      if (!corners.every((one) => Number.isInteger(one) && one >= 0 && one < 2 ** 32)) fail("badNumbers");
      const shades = readShades(tags, colours, own);
      if (shades) painted.push([indices.length / 3, shades]);
      indices.push3(...corners);
    }
  }
  return fail("truncated");
}

/** The colours of a triangle's corners: its own group of properties, or that of its object. */
function readShades(
  tags: XmlTagScanner,
  colours: ReadonlyMap<string, number[]>,
  own: OwnColour,
): [number, number, number] | null {
  if (colours.size === 0) return null;
  const pid = tags.attribute("pid");
  const group = colours.get(pid ?? own.group ?? "");
  if (!group) return null;
  const first = tags.number("p1");
  const base = Number.isNaN(first) ? own.index : first;
  const shadeAt = (place: number): number => group[Number.isNaN(place) ? base : place] ?? 0xffffff;
  return [shadeAt(base), shadeAt(tags.number("p2")), shadeAt(tags.number("p3"))];
}

function finishMesh(
  positions: GrowableFloatArray,
  indices: GrowableIndexArray,
  painted: readonly [number, [number, number, number]][],
): Mesh {
  const mesh: Mesh = { positions: positions.toArray(), indices: indices.toArray(), colours: null };
  const count = mesh.positions.length / 3;
  for (const index of mesh.indices!) if (index >= count) return fail("badNumbers");
  for (const value of mesh.positions) if (!Number.isFinite(value)) return fail("badNumbers");
  if (painted.length === 0) return mesh;
  const colours = new Uint8Array(mesh.positions.length).fill(255);
  for (const [triangle, shades] of painted)
    shades.forEach((shade, corner) => {
      const at = 3 * mesh.indices![3 * triangle + corner]!;
      colours.set([shade >> 16, (shade >> 8) & 255, shade & 255], at);
    });
  return { ...mesh, colours };
}
