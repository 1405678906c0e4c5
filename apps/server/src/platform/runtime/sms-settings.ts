import { z } from "zod";
import { isPublicAddress, parseLiteralAddress } from "../security/outbound-address-guard.ts";
import { isLoopback } from "../http/loopback-host.ts";

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };
/** The place in the provider's answer that tells success, and the value there. */
export interface SuccessCondition {
  path: string[];
  value: string;
}

const parseJson = (text: string, context: z.RefinementCtx): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue({ code: "custom", message: "is not JSON" });
    return z.NEVER;
  }
};
const textsByName = z.record(z.string().min(1), z.string(), "must be a JSON object of texts");

/** A number and a code would travel in the open; only this machine and its private network may be called without TLS. */
function isEncryptedOrPrivate(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  if (protocol === "https:" || isLoopback(hostname)) return true;
  const literal = parseLiteralAddress(hostname);
  return literal !== null && !isPublicAddress(literal);
}

const plainBody = '{"to":"{to}","text":"{text}","id":"{id}"}';

/** The settings of the provider of text messages: docs/operator/text-messages.md. */
export const smsSettings = {
  /** Not set: phone numbers are not offered. */
  SMS_URL: z
    .url({ protocol: /^https?$/ })
    .refine(isEncryptedOrPrivate, "must be https, except for an address of a private network")
    .optional(),
  SMS_TOKEN: z.string().optional(),
  /** Set: user and token are sent as basic authentication instead of a bearer token. */
  SMS_USER: z.string().optional(),
  SMS_HEADERS: z.string().default("{}").transform(parseJson).pipe(textsByName),
  SMS_FORMAT: z.enum(["json", "form"]).default("json"),
  SMS_BODY: z
    .string()
    .default(plainBody)
    .transform(parseJson)
    .pipe(z.custom<Record<string, JsonValue>>(isObject, "must be a JSON object")),
  SMS_SUCCESS: z
    .string()
    .regex(/^[^=]+=[^=]*$/, "must be like status=ok or messages.0.status=0")
    .transform((text): SuccessCondition => {
      const [path = "", value = ""] = text.split("=");
      return { path: path.trim().split("."), value: value.trim() };
    })
    .optional(),
  /** By the name of a message, or name.language: the provider's template. Messages without one are not sent. */
  SMS_TEMPLATES: z.string().transform(parseJson).pipe(textsByName).optional(),
  /** Text messages that the installation sends in a day (UTC). */
  SMS_DAILY_LIMIT: z.coerce.number().int().positive().max(1_000_000).default(1000),
};

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
