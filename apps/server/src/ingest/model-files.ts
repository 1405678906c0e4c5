import { readFileSync } from "node:fs";
import { writeGlb } from "@arcada/imaging/mesh/glb";
import { triangleCount } from "@arcada/imaging/mesh/mesh";
import { pictureOf } from "@arcada/imaging/mesh/picture";
import { readMesh, type MeshKind } from "@arcada/imaging/mesh/read";
import { MeshoptEncoder } from "meshoptimizer/encoder";
import { rgbaThumbnail, write } from "./picture-files.ts";
import type { PixelResult } from "./pixel-tasks.ts";

const thumbnail = { width: 320, height: 240 };

/** A scan for the viewer: its picture, and a light copy of a twentieth of the bytes. */
export async function convertModel(path: string, format: MeshKind, out: string): Promise<PixelResult> {
  const mesh = readMesh(readFileSync(path), format);
  const rgba = pictureOf(mesh, { ...thumbnail, view: "occlusal" });
  await MeshoptEncoder.ready;
  const glb = writeGlb(mesh, MeshoptEncoder);
  return {
    did: "model",
    info: { format, triangles: triangleCount(mesh), glbError: glb.error },
    glb: write(out, "model.glb", glb.bytes, "application/octet-stream"),
    thumbnail: await rgbaThumbnail(rgba, thumbnail, out),
  };
}
