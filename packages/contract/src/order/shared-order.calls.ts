import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id } from "../kernel/fields.ts";
import { preparedDownload } from "./download.calls.ts";
import { order, orderFile } from "./order.calls.ts";
import { orderRevision } from "./order-parts.schema.ts";
import { orderRules } from "./order.rules.ts";

/** A model or an image as a link shows it. */
export const sharedFile = orderFile
  .pick({ id: true, role: true, name: true, bytes: true, studyId: true, revisionId: true })
  .extend({
    /** The format of a model; null: an image. */
    format: z.enum(["stl", "ply", "obj", "3mf"]).nullable(),
    /** Null while its copy for the screen is being made. */
    glb: orderFile.shape.glb,
    thumbnailUrl: z.string().nullable(),
    pictureUrl: z.string().nullable(),
  });
export type SharedFile = z.output<typeof sharedFile>;

/** The part of a shared order that a guest with a link sees: never more than the creator of the link chose. */
export const sharedOrder = z.object({
  ...order.pick({ id: true, number: true, caseType: true, prescription: true, rxRevision: true }).shape,
  patientName: z.string(),
  files: z.array(sharedFile),
  revisions: z.array(orderRevision.pick({ id: true, kind: true, number: true, state: true, text: true })),
});
export type SharedOrder = z.output<typeof sharedOrder>;

/** Another order's id is like one that does not exist. */
export const sharedOrderCalls = {
  order: call({
    method: "GET",
    path: "/v1/share/order",
    access: "share",
    summary: "The shared order: prescription, models, and the pictures and revisions that go along.",
    audit: "order.sharedRead",
    input: z.object({ id }),
    output: sharedOrder,
  }),
  orderDownload: call({
    method: "POST",
    path: "/v1/share/orderDownload",
    access: "share",
    summary:
      "Prepares an archive of what the link shows of its order, where the link allows it; answers its short-lived address.",
    audit: "order.sharedDownload",
    input: z.object({ id, files: z.array(id).min(1).max(orderRules.maxFiles).optional() }),
    output: preparedDownload,
  }),
} as const;
