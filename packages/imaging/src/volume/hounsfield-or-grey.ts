import type { DicomHeader } from "../dicom/parse/dicom-header.ts";
import type { VolumeInfo } from "./volume.ts";

/** Only whole-body fan-beam scanners are calibrated in Hounsfield units; dental cone-beam devices write "CT" and "HU" too. */
export function determineValueName(header: DicomHeader): VolumeInfo["valueName"] {
  const isCt = header.modality === "CT" && /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.2(\.1)?$/.test(header.sopClassUid);
  const maker = `${header.manufacturer} ${header.model}`;
  return isCt && fanBeamMakers.test(maker) && !/dental|cbct|cone/i.test(maker) ? "HU" : "grey";
}

const fanBeamMakers =
  /\b(GE MEDICAL|GE HEALTHCARE|SIEMENS|PHILIPS|TOSHIBA|CANON|HITACHI|FUJIFILM|UIH|UNITED IMAGING|NEUSOFT)\b/i;
