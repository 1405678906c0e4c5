import { caseRoles, clinicRoles, dentistRoles, labRoles, managerRoles, serviceRoles } from "../kernel/roles.ts";
import type { Access } from "../kernel/roles.ts";
import { packageReaders } from "../upgrade/package-readers.ts";

interface GuidePage {
  /** Key in help.json under `group`. */
  group: GuideGroup;
  /** The people whose work it describes. Everybody may read it; the search offers it to these. */
  readers: Access;
}

/** The parts of the user guide, in their order. */
export const guideGroups = ["start", "clinic", "lab", "manager", "service", "operator"] as const;
export type GuideGroup = (typeof guideGroups)[number];

/** The pages of the user guide, in their order. The text of a page is `docs/user/{language}/{name}.md`. */
export const guidePages = {
  "sign-in-and-security": { group: "start", readers: "anyone" },
  "find-your-way": { group: "start", readers: "signedIn" },
  "choose-notifications": { group: "start", readers: "signedIn" },
  "clinic-first-day": { group: "start", readers: clinicRoles },
  "laboratory-first-day": { group: "start", readers: labRoles },
  "add-a-patient": { group: "clinic", readers: clinicRoles },
  "upload-images": { group: "clinic", readers: clinicRoles },
  "take-photographs": { group: "clinic", readers: clinicRoles },
  "match-incoming-images": { group: "clinic", readers: clinicRoles },
  "read-a-panoramic-radiograph": { group: "clinic", readers: caseRoles },
  "read-a-cbct": { group: "clinic", readers: caseRoles },
  "plan-an-implant": { group: "clinic", readers: clinicRoles },
  "trace-a-cephalogram": { group: "clinic", readers: caseRoles },
  "compare-images": { group: "clinic", readers: clinicRoles },
  "chart-teeth": { group: "clinic", readers: clinicRoles },
  "review-an-analysis": { group: "clinic", readers: clinicRoles },
  "sign-a-report": { group: "clinic", readers: clinicRoles },
  "share-with-a-guest": { group: "clinic", readers: caseRoles },
  "order-a-crown": { group: "clinic", readers: clinicRoles },
  "review-a-design": { group: "clinic", readers: clinicRoles },
  "message-the-other-side": { group: "clinic", readers: caseRoles },
  "clinic-equipment": { group: "clinic", readers: clinicRoles },
  "take-an-order": { group: "lab", readers: labRoles },
  "work-with-the-board": { group: "lab", readers: labRoles },
  "assign-work": { group: "lab", readers: labRoles },
  "deliver-a-design": { group: "lab", readers: labRoles },
  "exchange-with-cad-programs": { group: "lab", readers: caseRoles },
  "handle-a-remake": { group: "lab", readers: caseRoles },
  "invite-members": { group: "manager", readers: caseRoles },
  "choose-roles": { group: "manager", readers: managerRoles },
  "connect-an-organisation": { group: "manager", readers: caseRoles },
  "organisation-settings": { group: "manager", readers: managerRoles },
  "follow-the-figures": { group: "manager", readers: [...dentistRoles, ...labRoles, "operator"] },
  "manage-capacity": { group: "manager", readers: ["clinicAdmin"] },
  "export-all-data": { group: "manager", readers: managerRoles },
  "connect-other-software": { group: "manager", readers: managerRoles },
  "care-for-clinics": { group: "service", readers: serviceRoles },
  "register-devices": { group: "service", readers: serviceRoles },
  "handle-work-orders": { group: "service", readers: serviceRoles },
  "feedback-and-software": { group: "service", readers: packageReaders },
  "manage-organisations": { group: "operator", readers: ["operator"] },
  "sell-capacity": { group: "operator", readers: ["operator"] },
  "watch-system-health": { group: "operator", readers: ["operator"] },
  "back-up-the-platform": { group: "operator", readers: ["operator"] },
} as const satisfies Record<string, GuidePage>;

export type GuidePageName = keyof typeof guidePages;
export const guidePageNames = Object.keys(guidePages) as GuidePageName[];
export const isGuidePage = (name: string | undefined): name is GuidePageName =>
  name !== undefined && Object.hasOwn(guidePages, name);
