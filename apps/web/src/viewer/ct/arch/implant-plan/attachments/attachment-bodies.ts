import { buildAbutment, buildSleeve } from "@arcada/imaging/implant/implant-parts";
import type { ImplantBody } from "@arcada/imaging/implant/implant-body";
import { plus, times, type Vector } from "@arcada/imaging/geometry/vector";
import type { Implant } from "../implant-plan.ts";

/** mm from the shoulder to the end of the drawn crown axis, which is also its handle. */
const crownAxisMm = 14;

/** Returns the drawn bodies above an implant, with their style. */
export function listAttachmentBodies({ body, attachments }: Pick<Implant, "body" | "attachments">): {
  kind: "abutment" | "sleeve";
  body: ImplantBody;
}[] {
  const { abutment, sleeve } = attachments;
  return [
    ...(abutment ? buildAbutment(body, abutment).map((part) => ({ kind: "abutment" as const, body: part })) : []),
    ...(sleeve ? [{ kind: "sleeve" as const, body: buildSleeve(body, sleeve) }] : []),
  ];
}

/** The end of the crown's axis above an implant; null without one. */
export const getCrownAxisEnd = ({
  body,
  attachments: { crown },
}: Pick<Implant, "body" | "attachments">): Vector | null => crown && plus(body.head, times(crown.axis, crownAxisMm));
