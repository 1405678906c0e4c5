export const workorderTypes = ["installation", "moveMachine", "repair"] as const;
export type WorkorderType = (typeof workorderTypes)[number];

/** report: what whoever reported it shows; the others belong to the finished work. */
export const workorderFileRoles = ["report", "picture", "attachment", "receipt"] as const;
export type WorkorderFileRole = (typeof workorderFileRoles)[number];

export const workorderRules = {
  /** How many pictures the finished work is shown by. */
  pictures: {
    installation: { least: 6, most: 10 },
    moveMachine: { least: 6, most: 10 },
    repair: { least: 2, most: 10 },
  },
  fileBytes: 20_000_000,
  allBytes: 200_000_000,
  /** Files of any other role. */
  otherFilesMost: 20,
  /** How much the web sends at once. */
  pieceBytes: 1_000_000,
  /** A finished order may be opened again for so long, and closes then. */
  closeDays: 30,
  partsMost: 50,
  assignMost: 50,
  textMost: { description: 2000, reason: 500, note: 2000, person: 60, phone: 40, address: 200, tracking: 60 },
} as const;

/** What may come as a file of this role, told from its content; null: anything that is not named by `refusedContents`. */
export const contentsOf: Record<WorkorderFileRole, readonly string[] | null> = {
  report: null,
  picture: ["jpeg", "png"],
  attachment: null,
  receipt: ["jpeg", "png", "pdf"],
};
/** Images of patients have no place here, and what cannot be looked into neither. */
export const refusedContents: readonly string[] = ["dicom", "stl", "ply", "obj", "archive", "empty"];
