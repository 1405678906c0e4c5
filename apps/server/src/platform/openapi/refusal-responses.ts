import { refusalsBySlice } from "@arcada/contract/http-api/refusals-by-slice.generated";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { translate } from "../text/texts.ts";
import type { Json } from "./schema-components.ts";

/**
 * The responses of the calls of each slice that are no success, by status: which refusals they may be, with code and
 * wording. A response of `components` is shared by all calls of its slice.
 */
export function buildRefusalResponses(): {
  responses: Record<string, Json>;
  of(slice: string): Record<string, Json>;
} {
  const responses: Record<string, Json> = {};
  const of = (slice: string): Record<string, Json> => {
    const byStatus = new Map<number, RefusalName[]>();
    for (const name of refusalsBySlice[slice] ?? refusalsBySlice["everywhere"] ?? []) {
      const { status } = refusals[name];
      byStatus.set(status, [...(byStatus.get(status) ?? []), name]);
    }
    return Object.fromEntries(
      [...byStatus]
        .toSorted(([a], [b]) => a - b)
        .map(([status, names]) => {
          const key = `${slice}Refused${status}`;
          responses[key] ??= response(names);
          return [String(status), { $ref: `#/components/responses/${key}` }];
        }),
    );
  };
  return { responses, of };
}

const response = (names: readonly RefusalName[]): Json => ({
  description: names.map((name) => `\`${name}\` (${refusals[name].code})`).join(", "),
  content: {
    "application/json": {
      schema: { $ref: "#/components/schemas/Refusal" },
      examples: Object.fromEntries(
        names.map((name) => [
          name,
          { value: { code: refusals[name].code, msg: translate("en", "refusals", name), data: null } },
        ]),
      ),
    },
  },
});

/** The envelope of a refusal. */
export const refusalSchema: Json = {
  type: "object",
  description: "The answer to a request that was refused.",
  required: ["code", "msg", "data"],
  properties: {
    code: { type: "integer", description: "The code of the refusal; it never changes its meaning.", examples: [40401] },
    msg: { type: "string", description: "A sentence for people, in the language of `accept-language`." },
    data: {
      description: "What the refusal is about, such as the messages of fields; null if there is nothing to say.",
    },
  },
};
