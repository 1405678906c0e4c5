/** The scopes of an API key; api-key-scopes.ts lists the calls of each. */
export const keyScopes = [
  "orders.read",
  "orders.write",
  "patients.read",
  "patients.write",
  "records.read",
  "studies.read",
  "studies.write",
  "dicomweb.read",
  "dicomweb.write",
  "organisation.read",
  "organisation.export",
  "launch",
  "patients.launch",
  "members.provision",
  "lab.agent",
] as const;
export type KeyScope = (typeof keyScopes)[number];
/** A lab has no patients and no images of its own. */
export const labScopes = [
  "orders.read",
  "orders.write",
  "studies.read",
  "organisation.read",
  "organisation.export",
  "launch",
  "members.provision",
  "lab.agent",
] as const;
export const scopesForType = (type: "clinic" | "lab"): readonly KeyScope[] =>
  type === "lab" ? labScopes : keyScopes.filter((scope) => scope !== "lab.agent");

export const keyRules = {
  /** The prefix of every key, so that a leaked one is recognised. */
  prefix: "arcada_",
  /** The number of characters of a key that the list shows. */
  shown: 12,
  /** Days that a key lives; 0: until it is revoked. */
  days: [30, 90, 365, 0],
  defaultDays: 365,
  /** Active ones of an institution. */
  max: 50,
  /** Days that an ended one stays in the list. */
  endedDays: 30,
  /** The hours for which the previous secret of a renewed key stays valid. */
  rotationHours: 24,
  /** Requests a minute, counted over all processes within half a second. */
  perMinute: 600,
} as const;

/** The events that webhooks deliver; docs/interface.md describes their content. */
export const webhookEvents = ["order.moved", "order.message", "study.arrived", "relation.moved"] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
/** Sent by the button that tests an endpoint, whatever events the endpoint has chosen. */
export const webhookTest = "webhook.test";

export const webhookRules = {
  /** The limit for one institution. */
  max: 20,
  /** Seconds from each failed try to the next: about a day and a half in all. */
  delays: [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800, 43_200],
  timeoutSeconds: 10,
  /** At the same time, to one endpoint, by all processes together. */
  atOnce: 4,
  /** The hours for which the previous secret stays valid together with the new one. */
  rotationHours: 24,
  logDays: 30,
  logPage: 20,
} as const;
