export const workorderTypes = ["installation", "moveMachine", "repair"] as const;
export type WorkorderType = (typeof workorderTypes)[number];

/** report: files of the person who reported it; the others belong to the finished work. */
export const workorderFileRoles = ["report", "picture", "attachment", "receipt"] as const;
export type WorkorderFileRole = (typeof workorderFileRoles)[number];

/** The order of the list: by the time at which they were made, or by the appointment, those without one last. */
export const workorderSorts = ["created", "planned"] as const;
export type WorkorderSort = (typeof workorderSorts)[number];

export const workorderRules = {
  /** The number of images that document the finished work. */
  pictures: {
    installation: { min: 6, max: 10 },
    moveMachine: { min: 6, max: 10 },
    repair: { min: 2, max: 10 },
  },
  fileBytes: 20_000_000,
  allBytes: 200_000_000,
  /** Files of any other role. */
  maxOtherFiles: 20,
  /** The size of one chunk of a web upload, in bytes. */
  chunkBytes: 1_000_000,
  /** Days for which a finished order may be reopened; then it closes. */
  closeDays: 30,
  maxParts: 50,
  maxAssignments: 50,
  /** Appointments in the list of a day. */
  maxPlanned: 50,
  /** A calendar needs a length. Nobody says beforehand how long the work takes. */
  appointmentMinutes: 60,
  /** The local hour of the day before from which on an appointment is recalled: in time for the daily email. */
  reminderHour: 7,
  /** Rows of an exported list. */
  maxExported: 20_000,
  maxTextLength: { description: 2000, reason: 500, note: 2000, person: 60, phone: 40, address: 200, tracking: 60 },
} as const;

/**
 * The accepted contents of a file by its role, detected from its bytes; null: anything that `refusedContents` does not
 * name.
 */
export const allowedContents: Record<WorkorderFileRole, readonly string[] | null> = {
  report: null,
  picture: ["jpeg", "png"],
  attachment: null,
  receipt: ["jpeg", "png", "pdf"],
};
/** Images of patients are not accepted here, nor files that cannot be inspected. */
export const refusedContents: readonly string[] = ["dicom", "stl", "ply", "obj", "3mf", "archive", "empty"];
