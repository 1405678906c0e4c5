/**
 * The images of the studies in which the built-in methods were measured, as an engine's answer describes them: in
 * English.
 */
const studyTexts = {
  panorama: "panoramas of the method's study",
  unseenPanorama: "panoramas that the method was not tuned on",
  lateralCeph: "cephalograms of the method's study",
  drawnCeph: "drawn cephalograms with rulers, unseen before",
} as const;
export type MethodStudy = keyof typeof studyTexts;
const studyKinds = Object.keys(studyTexts) as MethodStudy[];

export const methodStudyText = (kind: MethodStudy, count: number): string => `${count} ${studyTexts[kind]}`;

/** Parses that text, to translate it for a reader; null for the set of another engine. */
export function parseMethodStudy(text: string): { kind: MethodStudy; count: number } | null {
  const count = Number.parseInt(text, 10);
  const kind = studyKinds.find((candidate) => methodStudyText(candidate, count) === text);
  return kind ? { kind, count } : null;
}
