import { stackVolume, type SliceStore } from "./stack-volume.ts";
import type { DicomFile } from "../dicom/parse/dicom-file.ts";
import type { Volume } from "./volume.ts";

/**
 * Decodes the slices of a volume group, in the group's order; a multi-frame file is a volume by itself. The planes of a
 * tilted gantry are straightened into a grid at right angles that keeps every place in the patient.
 * @param files all of one size and orientation; one after another, so that they need not all be in memory
 * @throws DicomError of decoding; unsupported when sizes differ or values span more than 16 bits
 */
export async function buildVolume(files: Iterable<DicomFile> | AsyncIterable<DicomFile>): Promise<Volume> {
  const { info, slice } = await stackVolume(files, Array.isArray(files) ? files.length : 1, createMemoryStore());
  const size = info.columns * info.rows;
  const data = new Int16Array(size * info.slices);
  for (let index = 0; index < info.slices; index++) data.set(slice(index), index * size);
  return { info, data };
}

function createMemoryStore(): SliceStore {
  const slices: Int16Array[] = [];
  return { put: (index, slice) => void (slices[index] = slice.slice()), get: (index) => slices[index] };
}
