/**
 * The images of the studies in which the built-in methods were measured, as an engine's answer describes them: in
 * English.
 */
const studies = {
  panorama: "panoramas of the method's study",
  unseenPanorama: "panoramas that the method was not tuned on",
  lateralCeph: "cephalograms of the method's study",
  drawnCeph: "drawn cephalograms with rulers, unseen before",
} as const;
export type MethodStudy = keyof typeof studies;
const kinds = Object.keys(studies) as MethodStudy[];

export const methodStudyText = (kind: MethodStudy, count: number): string => `${count} ${studies[kind]}`;

/** Parses that text, to translate it for a reader; null for the set of another engine. */
export function methodStudyIn(text: string): { kind: MethodStudy; count: number } | null {
  const count = Number.parseInt(text, 10);
  const kind = kinds.find((one) => methodStudyText(one, count) === text);
  return kind ? { kind, count } : null;
}
