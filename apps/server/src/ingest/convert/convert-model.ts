import { readFileSync } from "node:fs";
import { writeGlb } from "@arcada/imaging/mesh/write-glb";
import { getBaseFileName, findMaterialLibraries, readMaterials } from "@arcada/imaging/mesh/obj-materials";
import { countTriangles, countVertices, type Mesh } from "@arcada/imaging/mesh/mesh";
import { computeObjColours, type TexturedMaterial, type TextureImage } from "@arcada/imaging/mesh/obj-colours";
import { renderMeshImage } from "@arcada/imaging/surface/mesh-image";
import { readMesh } from "@arcada/imaging/mesh/read-mesh";
import { MeshoptEncoder } from "meshoptimizer/encoder";
import sharp from "sharp";
import { isDecodable } from "../../platform/storage/image-decoder-limit.ts";
import { pixelLimit, writeRgbaThumbnail, writeFile } from "./write-image-files.ts";
import type { ConvertedModel, MaterialFile, PixelTask } from "./pixel-task-types.ts";

const thumbnail = { width: 320, height: 240 };

/**
 * Converts a scan for the viewer: a thumbnail, and a streaming copy of a twentieth of the bytes, in the colours of its
 * materials.
 */
export async function convertModel(
  { path, format, jaw, materials }: Pick<Extract<PixelTask, { do: "model" }>, "path" | "format" | "jaw" | "materials">,
  out: string,
): Promise<ConvertedModel> {
  const bytes = readFileSync(path);
  const read = readMesh(bytes, format);
  const { mesh, isMissingMaterial } =
    format === "obj" && !read.colours ? await applyMaterials(bytes, read, materials) : untextured(read);
  const rgba = renderMeshImage(mesh, { ...thumbnail, view: "occlusal", jaw });
  await MeshoptEncoder.ready;
  const glb = writeGlb(mesh, MeshoptEncoder);
  return {
    did: "model",
    isMissingMaterial,
    info: { format, triangles: countTriangles(mesh), glbError: glb.error },
    glb: writeFile(out, "model.glb", glb.bytes, "application/octet-stream"),
    thumbnail: await writeRgbaThumbnail(rgba, thumbnail, out),
  };
}

/** Returns the images to which a material library refers. */
export const readTextureNames = (library: Uint8Array): string[] => [
  ...new Set([...readMaterials(library).values()].flatMap(({ textureFile: textureName }) => textureName ?? [])),
];

interface TexturedMesh {
  mesh: Mesh;
  /** True if something that it refers to is missing. */
  isMissingMaterial: boolean;
}
const untextured = (mesh: Mesh): TexturedMesh => ({ mesh, isMissingMaterial: false });

async function applyMaterials(obj: Uint8Array, mesh: Mesh, materials: readonly MaterialFile[]): Promise<TexturedMesh> {
  const libraries = findMaterialLibraries(obj);
  if (libraries.length === 0) return untextured(mesh);
  const files = new Map(materials.map(({ name, path }) => [getBaseFileName(name), path]));
  const found = libraries.flatMap((name) => files.get(name) ?? []);
  const surfaces = new Map<string, TexturedMaterial>();
  const textures = new Map<string, TextureImage | null>();
  let isMissingMaterial = found.length < libraries.length;
  for (const library of found)
    for (const [name, { colour, textureFile: textureName }] of readMaterials(readFileSync(library))) {
      const path = textureName && files.get(textureName);
      if (path && !textures.has(path) && textures.size < maxTextures) textures.set(path, await readTexture(path));
      const texture = (path && textures.get(path)) || null;
      if (textureName && !texture) isMissingMaterial = true;
      surfaces.set(name, { colour, texture });
    }
  return { mesh: { ...mesh, colours: computeObjColours(obj, countVertices(mesh), surfaces) }, isMissingMaterial };
}

// Each vertex gets one colour, and no scan has vertices denser than the pixels of this size. All textures together need
// at most 200 MB.
const maxTextureSide = 2048;
const maxTextures = 16;

async function readTexture(path: string): Promise<TextureImage | null> {
  if (!isDecodable(await sharp(path, { limitInputPixels: false }).metadata(), pixelLimit)) return null;
  const image = sharp(path, { limitInputPixels: pixelLimit })
    .resize(maxTextureSide, maxTextureSide, { fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .removeAlpha();
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return info.channels === 3 ? { columns: info.width, rows: info.height, data } : null;
}
