import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id } from "../kernel/fields.ts";
import { caseRoles } from "../kernel/roles.ts";
import { orderRules } from "./order.rules.ts";

/** An archive that is packed while the browser downloads it. */
export const preparedDownload = z.object({ url: z.string(), files: z.int(), bytes: z.number() });

export const downloadCalls = {
  download: call({
    method: "POST",
    path: "/v1/order/download",
    access: caseRoles,
    summary:
      "Prepares one archive of the files of an order, or of some of them, with a manifest of their hashes; answers its short-lived address. A lab gets what it may take, without names where they are hidden.",
    audit: "order.download",
    input: z.object({ id, files: z.array(id).min(1).max(orderRules.maxFiles).optional() }),
    output: preparedDownload,
  }),
} as const;
