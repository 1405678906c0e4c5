import { isIP } from "node:net";
import { z } from "zod";
import { isEmail } from "@arcada/contract/account/account.rules";
import { toBlockList } from "../../security/outbound-address-guard.ts";

// The types of settings, which read the text of an environment variable.

export const booleanSetting = <F extends boolean | null>(fallback: F) =>
  z
    .enum(["true", "false", "1", "0", "on", "off"])
    .optional()
    .transform((value) => (value === undefined ? fallback : ["true", "1", "on"].includes(value)));
export const wholeNumber = (fallback: number) => z.coerce.number().int().nonnegative().default(fallback);

export const parseList = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

export const databaseAddress = z.url({ protocol: /^postgres(ql)?$/ }).optional();

export const origins = z
  .string()
  .default("")
  .transform(parseList)
  .pipe(
    z.array(z.url().refine((text) => new URL(text).origin === text, "must be origins, such as https://viewer.test")),
  );
/** Networks as 10.1.0.0/16,fd00::/8. */
export const networkTexts = z
  .string()
  .default("")
  .transform(parseList)
  .superRefine((rows, context) => {
    for (const row of rows) {
      const [network = "", bits = ""] = row.split("/");
      const family = isIP(network);
      if (family === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128))
        context.addIssue({ code: "custom", message: `names ${row}, which is no network such as 10.1.0.0/16` });
    }
  });
export const networks = networkTexts.transform((rows) => toBlockList(rows));
/** Null: any network. */
export const optionalNetworks = networkTexts.transform((rows) => (rows.length === 0 ? null : toBlockList(rows)));
/** RFC 9116: addresses with their scheme; a bare email address gets its own. */
export const securityContacts = z
  .string()
  .default("")
  .transform((text) => parseList(text).map((one) => (isEmail(one) ? `mailto:${one}` : one)))
  .pipe(z.array(z.string().regex(/^(mailto:|https:\/\/|tel:\+)[!-~]+$/, "must be an email, https: or tel: address")));
/** Raw public Ed25519 keys. */
export const publicKeys = z
  .string()
  .default("")
  .transform(parseList)
  .pipe(
    z.array(
      z.string().regex(/^[^=]{1,60}=[A-Za-z0-9+/]{43}=$/, "must be name=32 bytes in base64, several with commas"),
    ),
  );
