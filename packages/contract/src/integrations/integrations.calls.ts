import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant, limited, nullOutput, required, text } from "../kernel/fields.ts";
import { managerRoles } from "../kernel/roles.ts";
import { labAgent } from "./lab-agent-report.calls.ts";
import { keyRules, keyScopes, webhookEvents, webhookRules, webhookTest } from "./integrations.rules.ts";

const events = z.enum([...webhookEvents, webhookTest]);
const proof = { password: limited(200).optional(), code: limited(20).optional() };

export const keyStates = ["active", "expired", "revoked"] as const;
export const apiKey = z.object({
  id,
  name: z.string(),
  /** The first characters of the key; the rest is not stored. */
  begins: z.string(),
  scopes: z.array(z.enum(keyScopes)),
  state: z.enum(keyStates),
  createdBy: z.string(),
  createdAt: instant,
  expiresAt: instant.nullable(),
  revokedAt: instant.nullable(),
  lastUsedAt: instant.nullable(),
  /** The time until which the previous secret is valid together with the new one. */
  oldSecretUntil: instant.nullable(),
  /** The last report of the laboratory's agent that uses the key; null if none does. */
  agent: labAgent.nullable(),
});
export type ApiKey = z.output<typeof apiKey>;

/** `stopped`: by Arcada, after it had failed for too long. */
export const webhookStates = ["on", "off", "stopped"] as const;
export const webhook = z.object({
  id,
  name: z.string(),
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  state: z.enum(webhookStates),
  /** Since when nothing has arrived there, while it fails. */
  failingSince: instant.nullable(),
  /** The time until which the previous secret is valid together with the new one. */
  oldSecretUntil: instant.nullable(),
  createdAt: instant,
  /** Waiting to be sent, also again. */
  waiting: z.int(),
  lastDeliveredAt: instant.nullable(),
});
export type Webhook = z.output<typeof webhook>;

/** Reasons for an attempt without any answer. */
export const deliveryProblems = ["timeout", "address", "forbidden", "refused", "tls", "network", "stopped"] as const;
export const deliveryStates = ["waiting", "delivered", "failed"] as const;
export const delivery = z.object({
  id,
  event: events,
  state: z.enum(deliveryStates),
  tries: z.int(),
  createdAt: instant,
  lastTryAt: instant.nullable(),
  /** Null: not tried again by itself. */
  nextAt: instant.nullable(),
  /** The status that the receiver answered with, and the duration in ms. */
  status: z.int().nullable(),
  milliseconds: z.int().nullable(),
  problem: z.enum(deliveryProblems).nullable(),
  body: z.string(),
});
export type Delivery = z.output<typeof delivery>;

const endpoint = {
  name: required(60),
  url: text(1000),
  events: z.array(z.enum(webhookEvents)).max(webhookEvents.length).min(1, "chooseOne"),
};
const withSecret = z.object({
  webhook,
  /** Shown this once. */
  secret: z.string(),
});

export const integrationCalls = {
  keys: call({
    method: "GET",
    path: "/v1/interface/keys",
    access: managerRoles,
    summary: `The organisation's keys for programs; ended ones for ${keyRules.endedDays} days.`,
    input: z.object({}),
    output: z.array(apiKey),
  }),
  makeKey: call({
    method: "POST",
    path: "/v1/interface/makeKey",
    access: managerRoles,
    summary:
      "Makes a key for a program, shown this once; asks for the password again, or for the code of a second factor.",
    input: z.object({
      name: required(60),
      scopes: z.array(z.enum(keyScopes)).max(keyScopes.length).min(1, "chooseOne"),
      days: z.union(keyRules.days.map((days) => z.literal(days))),
      ...proof,
    }),
    output: z.object({ key: apiKey, secret: z.string() }),
  }),
  rotateKey: call({
    method: "POST",
    path: "/v1/interface/rotateKey",
    access: managerRoles,
    summary: `Gives a key a new secret, shown this once, and its period of validity again; the previous secret works for ${keyRules.rotationHours} hours. Asks for the password again, or for the code of a second factor.`,
    input: z.object({ id, ...proof }),
    output: z.object({ key: apiKey, secret: z.string() }),
  }),
  revokeKey: call({
    method: "POST",
    path: "/v1/interface/revokeKey",
    access: managerRoles,
    summary: "Ends a key at once.",
    isIdempotent: true,
    audit: "interface.revokeKey",
    input: z.object({ id }),
    output: apiKey,
  }),
  webhooks: call({
    method: "GET",
    path: "/v1/interface/webhooks",
    access: managerRoles,
    summary: "The organisation's endpoints that are told of what happens.",
    input: z.object({}),
    output: z.array(webhook),
  }),
  makeWebhook: call({
    method: "POST",
    path: "/v1/interface/makeWebhook",
    access: managerRoles,
    summary: "Names an endpoint, with the secret that signs what is sent to it.",
    audit: "interface.makeWebhook",
    input: z.object(endpoint),
    output: withSecret,
  }),
  setWebhook: call({
    method: "POST",
    path: "/v1/interface/setWebhook",
    access: managerRoles,
    summary: "Changes an endpoint, switches it off or on again.",
    isIdempotent: true,
    audit: "interface.setWebhook",
    input: z.object({ id, ...endpoint, on: z.boolean() }),
    output: webhook,
  }),
  rotateSecret: call({
    method: "POST",
    path: "/v1/interface/rotateSecret",
    access: managerRoles,
    summary: `Makes a new secret; both sign for ${webhookRules.rotationHours} hours.`,
    audit: "interface.rotateSecret",
    input: z.object({ id }),
    output: withSecret,
  }),
  removeWebhook: call({
    method: "POST",
    path: "/v1/interface/removeWebhook",
    access: managerRoles,
    summary: "Removes an endpoint with its log.",
    isIdempotent: true,
    audit: "interface.removeWebhook",
    input: z.object({ id }),
    output: nullOutput,
  }),
  deliveries: call({
    method: "GET",
    path: "/v1/interface/deliveries",
    access: managerRoles,
    summary: `What was sent to an endpoint in the last ${webhookRules.logDays} days, newest first.`,
    input: z.object({ id, cursor: id.optional() }),
    output: z.object({ list: z.array(delivery), next: id.nullable() }),
  }),
  redeliver: call({
    method: "POST",
    path: "/v1/interface/redeliver",
    access: managerRoles,
    summary: "Sends a delivery once more, under the same id.",
    input: z.object({ id }),
    output: delivery,
  }),
  tryWebhook: call({
    method: "POST",
    path: "/v1/interface/tryWebhook",
    access: managerRoles,
    summary: "Sends an endpoint something to try it.",
    input: z.object({ id }),
    output: delivery,
  }),
} as const;
