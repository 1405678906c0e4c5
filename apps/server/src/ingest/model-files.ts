import { readFileSync } from "node:fs";
import { writeGlb } from "@arcada/imaging/mesh/glb";
import { fileName, librariesOf, readMaterials } from "@arcada/imaging/mesh/material";
import { triangleCount, vertexCount, type Mesh } from "@arcada/imaging/mesh/mesh";
import { objColours, type Surface, type Texture } from "@arcada/imaging/mesh/obj-colours";
import { pictureOf } from "@arcada/imaging/mesh/picture";
import { readMesh } from "@arcada/imaging/mesh/read";
import { MeshoptEncoder } from "meshoptimizer/encoder";
import sharp from "sharp";
import { isDecodable } from "../platform/storage/image-size.ts";
import { pixelLimit, rgbaThumbnail, write } from "./picture-files.ts";
import type { Dress, PixelResult, PixelTask } from "./pixel-tasks.ts";

const thumbnail = { width: 320, height: 240 };

/**
 * Converts a scan for the viewer: a thumbnail, and a streaming copy of a twentieth of the bytes, in the colours of its
 * materials.
 */
export async function convertModel(
  { path, format, jaw, dress }: Pick<Extract<PixelTask, { do: "model" }>, "path" | "format" | "jaw" | "dress">,
  out: string,
): Promise<PixelResult> {
  const bytes = readFileSync(path);
  const read = readMesh(bytes, format);
  const { mesh, undressed } = format === "obj" && !read.colours ? await dressed(bytes, read, dress) : plain(read);
  const rgba = pictureOf(mesh, { ...thumbnail, view: "occlusal", jaw });
  await MeshoptEncoder.ready;
  const glb = writeGlb(mesh, MeshoptEncoder);
  return {
    did: "model",
    undressed,
    info: { format, triangles: triangleCount(mesh), glbError: glb.error },
    glb: write(out, "model.glb", glb.bytes, "application/octet-stream"),
    thumbnail: await rgbaThumbnail(rgba, thumbnail, out),
  };
}

/** Returns the images to which a material library refers. */
export const texturesOf = (library: Uint8Array): string[] => [
  ...new Set([...readMaterials(library).values()].flatMap(({ picture }) => picture ?? [])),
];

interface Dressed {
  mesh: Mesh;
  /** True if something that it refers to is missing. */
  undressed: boolean;
}
const plain = (mesh: Mesh): Dressed => ({ mesh, undressed: false });

async function dressed(obj: Uint8Array, mesh: Mesh, dress: readonly Dress[]): Promise<Dressed> {
  const libraries = librariesOf(obj);
  if (libraries.length === 0) return plain(mesh);
  const files = new Map(dress.map(({ name, path }) => [fileName(name), path]));
  const found = libraries.flatMap((name) => files.get(name) ?? []);
  const surfaces = new Map<string, Surface>();
  const pictures = new Map<string, Texture | null>();
  let undressed = found.length < libraries.length;
  for (const library of found)
    for (const [name, { colour, picture }] of readMaterials(readFileSync(library))) {
      const path = picture && files.get(picture);
      if (path && !pictures.has(path) && pictures.size < picturesMost) pictures.set(path, await textureOf(path));
      const texture = (path && pictures.get(path)) || null;
      if (picture && !texture) undressed = true;
      surfaces.set(name, { colour, texture });
    }
  return { mesh: { ...mesh, colours: objColours(obj, vertexCount(mesh), surfaces) }, undressed };
}

// Each vertex takes one colour, and no scan has vertices denser than the pixels of this size. All textures together
// take 200 MB at most.
const pictureSide = 2048;
const picturesMost = 16;

async function textureOf(path: string): Promise<Texture | null> {
  if (!isDecodable(await sharp(path, { limitInputPixels: false }).metadata(), pixelLimit)) return null;
  const image = sharp(path, { limitInputPixels: pixelLimit })
    .resize(pictureSide, pictureSide, { fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .removeAlpha();
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return info.channels === 3 ? { columns: info.width, rows: info.height, data } : null;
}
