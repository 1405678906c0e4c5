import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant, pageOf, nullOutput, pagingParameters, required, text } from "../kernel/fields.ts";
import { deviceRules } from "../device/device.rules.ts";
import { packageReaders } from "./package-readers.ts";
import {
  ed25519Signature,
  fileName,
  gatewayProducts,
  packageManifest,
  packageStates,
  product,
  upgradeRules,
} from "./upgrade.rules.ts";
import { packageVersion } from "./package-version.ts";

const operatorAccess = ["operator"] as const;

const signedPackage = packageManifest.extend({
  id,
  name: z.string(),
  fileName: z.string(),
  algorithm: z.literal("Ed25519"),
  signature: z.string(),
  /** The trusted key that made the signature. */
  signedBy: z.string(),
});
export const upgradePackage = signedPackage.extend({
  state: z.enum(packageStates),
  publishedAt: instant,
  withdrawnAt: instant.nullable(),
  withdrawalReason: z.string().nullable(),
  /** No newer one of its product is published. */
  newest: z.boolean(),
  /** The number of downloads; null for clinics. */
  downloads: z.int().nullable(),
});
export type UpgradePackage = z.output<typeof upgradePackage>;
export const packageDownload = z.object({
  id,
  time: instant,
  /** A person by name, or a device by its serial number. */
  who: z.string(),
  isDevice: z.boolean(),
});
export const packageDetail = upgradePackage.extend({
  /** Markdown. */
  description: z.string(),
  publishedBy: z.string().nullable(),
  withdrawnBy: z.string().nullable(),
  /** The last ones, newest first; null for clinics. */
  fetched: z.array(packageDownload).nullable(),
});
export type PackageDetail = z.output<typeof packageDetail>;

/** Bytes that wait to be published. */
export const packageUpload = z.object({
  id,
  fileName: z.string(),
  bytes: z.int(),
  /** The number of bytes received. */
  offset: z.int(),
  sha256: z.string().nullable(),
  createdAt: instant,
});
export type PackageArrival = z.output<typeof packageUpload>;

const packageUrl = z.object({
  /** Valid for a person for five minutes; an interrupted download can be resumed. */
  url: z.string(),
  /** The address of the package's signature file. */
  signatureUrl: z.string(),
});

const latestPackage = z.object({ package: signedPackage.extend(packageUrl.shape).nullable() });

/** Calls of a laboratory's agent about its own program, with its organisation's key. */
export const agentProgramCalls = {
  program: call({
    method: "GET",
    path: "/v1/agent/program",
    access: ["factoryAdmin"],
    summary: "The newest package of the agent's own program above a version, or null.",
    input: z.object({ product: z.enum(gatewayProducts), version: packageVersion }),
    output: latestPackage,
  }),
} as const;

export const upgradeCalls = {
  list: call({
    method: "GET",
    path: "/v1/upgrade/list",
    access: packageReaders,
    summary: "Upgrade packages by product, newest version first; clinics find what is published for their devices.",
    input: z.object({
      product: text(deviceRules.maxTextLength.product).optional(),
      state: z.enum(packageStates).optional(),
      ...pagingParameters,
    }),
    output: pageOf(upgradePackage).extend({ products: z.array(z.string()) }),
  }),
  detail: call({
    method: "GET",
    path: "/v1/upgrade/detail",
    access: packageReaders,
    summary: "One upgrade package with its description and, for after-sales people, who fetched it.",
    input: z.object({ id }),
    output: packageDetail,
  }),
  latest: call({
    method: "GET",
    path: "/v1/upgrade/latest",
    access: "device",
    summary:
      "The newest package of a device's product, or of the gateway before it, above a version, or null: the device asks with its own key, and fetches with it.",
    input: z.object({ product: product.optional(), version: packageVersion.optional() }),
    output: latestPackage,
  }),
  download: call({
    method: "GET",
    path: "/v1/upgrade/download",
    access: packageReaders,
    summary: "Where a published package and its signature are fetched.",
    audit: "upgrade.download",
    input: z.object({ id }),
    output: packageUrl,
  }),
  arrivals: call({
    method: "GET",
    path: "/v1/upgrade/arrivals",
    access: operatorAccess,
    summary: "Packages whose bytes have come, or are coming, and that are not published yet.",
    input: z.object({}),
    output: z.array(packageUpload),
  }),
  begin: call({
    method: "POST",
    path: "/v1/upgrade/begin",
    access: operatorAccess,
    summary: "Announces the bytes of a package: they are sent in pieces to /packages/<id>.",
    isIdempotent: true,
    input: z.object({ fileName, bytes: z.int().positive().max(upgradeRules.bytes, "packageTooLarge") }),
    output: packageUpload,
  }),
  forget: call({
    method: "POST",
    path: "/v1/upgrade/forget",
    access: operatorAccess,
    summary: "Drops bytes that are not to be published.",
    isIdempotent: true,
    input: z.object({ id }),
    output: nullOutput,
  }),
  publish: call({
    method: "POST",
    path: "/v1/upgrade/publish",
    access: operatorAccess,
    summary:
      "Publishes bytes that have come, when a trusted key has signed their manifest of product, version, sum and size.",
    isIdempotent: true,
    audit: "upgrade.publish",
    input: z.object({
      id,
      name: required(100),
      product,
      version: packageVersion,
      description: required(upgradeRules.maxDescriptionLength),
      signature: ed25519Signature,
      /** Also where a newer version is published. */
      evenIfLower: z.boolean().default(false),
    }),
    output: packageDetail,
  }),
  withdraw: call({
    method: "POST",
    path: "/v1/upgrade/withdraw",
    access: operatorAccess,
    summary: "Withdraws a package: it is kept and fetched by nobody any more; who fetched it is told why.",
    isIdempotent: true,
    audit: "upgrade.withdraw",
    input: z.object({ id, reason: required(500) }),
    output: packageDetail,
  }),
} as const;
