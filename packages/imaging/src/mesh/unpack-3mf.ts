import { unzipSync, zipSync, strToU8 } from "fflate";
import { MeshError } from "./mesh-error.ts";
import { countTriangles, countVertices, type Mesh } from "./mesh.ts";

/** Largest size of all XML parts together; ten million triangles have about this much. */
const maxInflatedBytes = 512 * 1024 * 1024;
/** XML of coordinates is compressed to a fifth or tenth. The ratio counts only above the size. */
const [maxRatio, ratioFrom] = [200, 10_000_000];
const maxParts = 10_000;

/**
 * The XML parts of a 3MF package; pictures and settings of programs are not unpacked. A part that is longer than the
 * package states is cut there, which its reader reports.
 * @throws MeshError `tooLarge` for what expands too far, `notMesh` for a broken package
 */
export function unpack3mf(bytes: Uint8Array): Map<string, Uint8Array> {
  let [parts, inflated] = [0, 0];
  const isWanted = ({ name, size, originalSize }: { name: string; size: number; originalSize: number }): boolean => {
    parts += 1;
    if (parts > maxParts) throw new MeshError("tooLarge");
    if (!/\.(model|rels)$/i.test(name)) return false;
    // A part that is only stored has its packed size, whatever the directory states; many entries may name one part.
    inflated += Math.max(size, originalSize);
    if (inflated > maxInflatedBytes || (inflated > ratioFrom && inflated > bytes.length * maxRatio))
      throw new MeshError("tooLarge");
    return true;
  };
  try {
    return new Map(Object.entries(unzipSync(bytes, { filter: isWanted })));
  } catch (error) {
    throw error instanceof MeshError ? error : new MeshError("notMesh");
  }
}

const contentTypes = `<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>`;
const relations = `<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Target="/3D/3dmodel.model" Id="rel0" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>`;

/** A 3MF package with one mesh in mm as its only item; without names, and without colours. */
export function write3mf(mesh: Mesh): Uint8Array<ArrayBuffer> {
  return zipSync({
    "[Content_Types].xml": strToU8(contentTypes),
    "_rels/.rels": strToU8(relations),
    "3D/3dmodel.model": strToU8([...modelText(mesh)].join("")),
  });
}

function* modelText({ positions, indices, ...rest }: Mesh): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<model unit="millimeter" xml:lang="en-US" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">';
  yield '<resources><object id="1" type="model"><mesh><vertices>';
  const mesh: Mesh = { positions, indices, ...rest };
  for (let at = 0; at < 3 * countVertices(mesh); at += 3)
    yield `<vertex x="${positions[at]}" y="${positions[at + 1]}" z="${positions[at + 2]}"/>`;
  yield "</vertices><triangles>";
  for (let at = 0; at < 3 * countTriangles(mesh); at += 3) {
    const [a, b, c] = indices ? [indices[at], indices[at + 1], indices[at + 2]] : [at, at + 1, at + 2];
    yield `<triangle v1="${a}" v2="${b}" v3="${c}"/>`;
  }
  yield '</triangles></mesh></object></resources><build><item objectid="1"/></build></model>';
}
