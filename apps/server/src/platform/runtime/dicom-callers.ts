import { isIP, type BlockList } from "node:net";
import { z } from "zod";
import { toBlockList } from "../security/outbound-address-guard.ts";

/** PS3.5 6.2: sixteen characters, none of them a backslash. */
export const applicationTitle = z.string().regex(/^[!-[\]-~](?:[ -[\]-~]{0,14}[!-[\]-~])?$/, "must be 1 to 16 letters");

/** A program that may send: the institution for which it sends, and its addresses; null: any address. */
export interface AllowedCaller {
  iid: string;
  networks: BlockList | null;
}

/**
 * TITLE=id,TITLE@10.1.0.0/16=id,TITLE@10.1.2.3+fd00::/8=id. A title may contain an @: text after it that is no network
 * belongs to the title.
 */
const createCallers = (title: z.ZodType<string, string>, form: string) =>
  z
    .string()
    .default("")
    .transform((text) => text.split(",").flatMap((row) => (row.trim() === "" ? [] : [parseCaller(row)])))
    .pipe(z.array(z.tuple([title, z.array(z.string()), z.uuid()], form)))
    .refine((rows) => new Set(rows.map(([name]) => name)).size === rows.length, "names one title twice")
    .transform(
      (rows): ReadonlyMap<string, AllowedCaller> =>
        new Map(
          rows.map(([name, networks, iid]) => [
            name,
            { iid, networks: networks.length > 0 ? toBlockList(networks) : null },
          ]),
        ),
    );

export const dicomCallers = createCallers(
  applicationTitle,
  "must be TITLE=id of an organisation or TITLE@10.1.0.0/16=id, several with commas",
);

/** MSH-3, or MSH-3 and MSH-4 with a line between, of the systems that may send HL7. */
export const hl7Senders = createCallers(
  z.string().regex(/^[^|^~\\&,=]{1,60}(?:\|[^|^~\\&,=]{1,60})?$/, "must be an application or application|facility"),
  "must be APPLICATION|FACILITY=id of an organisation or APPLICATION@10.1.0.0/16=id, several with commas",
);

/** TITLE,TITLE: applications that also have another right. */
export const dicomTitles = z
  .string()
  .default("")
  .transform((text) => splitRows(text))
  .pipe(z.array(applicationTitle))
  .transform((titles): ReadonlySet<string> => new Set(titles));

/** TITLE=value,TITLE=value; a title alone has the value "". */
export const dicomTitleValues = z
  .string()
  .default("")
  .transform((text) => splitRows(text).map((row) => row.split(/=(.*)/s).slice(0, 2) as [string, string?]))
  .pipe(z.array(z.tuple([applicationTitle, z.string().max(200).default("")])))
  .transform((rows): ReadonlyMap<string, string> => new Map(rows));

/** NAME=certificate's name, several with commas. */
export const callerCertificates = z
  .string()
  .default("")
  .transform((text) => splitRows(text).map((row) => row.split(/=(.*)/s).slice(0, 2) as [string, string?]))
  .pipe(z.array(z.tuple([z.string().min(1).max(121), z.string().min(1).max(200)])))
  .transform((rows): ReadonlyMap<string, string> => new Map(rows));

const splitRows = (text: string): string[] =>
  text
    .split(",")
    .map((row) => row.trim())
    .filter(Boolean);

function parseCaller(row: string): [string, string[], string] | string[] {
  const [who = "", iid = ""] = row.split(/=(?=[^=]*$)/).map((part) => part.trim());
  if (!row.includes("=")) return [row];
  const at = who.lastIndexOf("@");
  const networks =
    at > 0
      ? who
          .slice(at + 1)
          .split("+")
          .map(parseNetwork)
      : [];
  return at > 0 && networks.every((network) => network !== null)
    ? [who.slice(0, at).trim(), networks, iid]
    : [who, [], iid];
}

function parseNetwork(text: string): string | null {
  const [address = "", bits, ...more] = text.trim().split("/");
  const family = isIP(address);
  const most = family === 4 ? 32 : 128;
  if (family === 0 || more.length > 0) return null;
  if (bits === undefined) return `${address}/${most}`;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? `${address}/${bits}` : null;
}

/** True if an address is in one of these networks. An IPv4 address may be written in its IPv4-mapped IPv6 form. */
export function isInNetworks(networks: BlockList, address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "").split("%")[0]!;
  const family = isIP(plain);
  return family !== 0 && networks.check(plain, family === 4 ? "ipv4" : "ipv6");
}
