import type { Input } from "@arcada/contract/kernel/call";
import type { chartCalls } from "@arcada/contract/chart/chart.calls";
import { lowerTeeth, upperTeeth } from "@arcada/contract/kernel/tooth-numbers";

type Tooth = Input<typeof chartCalls.save>["teeth"][number];

const soundTooth = (fdi: number): Tooth => ({ fdi, presence: "present", crown: 0, confirmed: true });
const chartOf = (teeth: readonly number[], special: readonly Omit<Tooth, "confirmed">[]): Tooth[] => [
  ...teeth.filter((fdi) => !special.some((tooth) => tooth.fdi === fdi)).map(soundTooth),
  ...special.map((tooth) => ({ ...tooth, confirmed: true })),
];

/** The tooth charts of some patients, written by the demo's dentist, by the patient's entry. */
export const charts: Record<string, Tooth[]> = {
  // The adult of the crowns and the bridge.
  "M-1001": chartOf(
    [...upperTeeth, ...lowerTeeth],
    [
      {
        fdi: 11,
        presence: "present",
        crown: 1,
        findings: [
          { code: "fracture", surfaces: ["occlusal"] },
          { code: "caries", surfaces: ["mesial"], severity: "moderate" },
        ],
      },
      { fdi: 16, presence: "present", crown: 3, findings: [{ code: "filling", surfaces: ["occlusal", "distal"] }] },
      { fdi: 18, presence: "missing" },
      {
        fdi: 21,
        presence: "present",
        crown: 1,
        findings: [{ code: "caries", surfaces: ["distal"], severity: "deep", remark: "冷刺激敏感" }],
      },
      { fdi: 28, presence: "missing" },
      { fdi: 35, presence: "present", crown: 7, findings: [{ code: "abutment" }, { code: "rootFilling" }] },
      { fdi: 36, presence: "missing" },
      { fdi: 37, presence: "present", crown: 7, findings: [{ code: "abutment" }] },
      { fdi: 38, presence: "impacted", findings: [{ code: "impacted" }] },
      { fdi: 46, presence: "present", crown: 0, findings: [{ code: "calculus", surfaces: ["lingual"] }] },
      { fdi: 48, presence: "unerupted" },
    ],
  ),
  // A mixed dentition: deciduous teeth next to permanent ones.
  "M-1009": chartOf(
    [16, 11, 21, 26, 36, 32, 31, 41, 42, 46, 55, 54, 53, 63, 64, 65, 75, 74, 73, 83, 84, 85],
    [
      { fdi: 12, presence: "present", crown: 0, findings: [{ code: "erupting" }] },
      { fdi: 22, presence: "unerupted" },
      { fdi: 46, presence: "present", crown: 6 },
      { fdi: 62, presence: "present", crown: 0, findings: [{ code: "exfoliating" }] },
      { fdi: 74, presence: "present", crown: 3, findings: [{ code: "filling", surfaces: ["occlusal"] }] },
      {
        fdi: 85,
        presence: "present",
        crown: 1,
        findings: [{ code: "caries", surfaces: ["occlusal", "mesial"], severity: "moderate" }],
      },
    ],
  ),
};
