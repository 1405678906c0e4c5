import { z } from "zod";
import { call } from "../kernel/call.ts";
import {
  day,
  id,
  instant,
  pageOf,
  timestampInput,
  nullOutput,
  pagingParameters,
  required,
  text,
  version,
} from "../kernel/fields.ts";
import { capacityLifecycle, cardStates, periodStates } from "./capacity.lifecycle.ts";
import { capacityRules, paymentKinds, paymentStates, plans } from "./capacity.rules.ts";
import { usageCalls } from "./usage.calls.ts";

const managerAccess = ["clinicAdmin"] as const;
const operatorAccess = ["operator"] as const;
const planIds = plans.map((plan) => plan.id) as [(typeof plans)[number]["id"], ...(typeof plans)[number]["id"][]];
const plan = z.object({ id: z.enum(planIds), gigabytes: z.int(), analyses: z.int(), days: z.int() });
const periodActions = [
  "unsubscribe",
  "resubscribe",
  "renewLate",
] as const satisfies readonly (keyof typeof capacityLifecycle.steps)[];
const institutionSummary = z.object({ id, name: z.string(), number: z.string() });

/** One period of an institution's capacity besides the free base: past, present or future. */
export const period = z.object({
  id,
  state: z.enum(periodStates),
  /** For a card: its number; for a subscription: null. */
  cardNumber: z.string().nullable(),
  plan: z.string().nullable(),
  gigabytes: z.int(),
  analyses: z.int(),
  days: z.int(),
  autoRenew: z.boolean(),
  subscribedAt: instant,
  activatedAt: instant.nullable(),
  unsubscribedAt: instant.nullable(),
  startsAt: instant,
  expiresAt: instant,
  /** True if the period counts at this moment. */
  counts: z.boolean(),
  /** A renewal was requested and waits for its payment. */
  paymentWaits: z.boolean(),
  version,
  actions: z.array(z.enum(periodActions)),
});
export type Period = z.output<typeof period>;

export const payment = z.object({
  id,
  kind: z.enum(paymentKinds),
  plan: z.string(),
  gigabytes: z.int(),
  analyses: z.int(),
  days: z.int(),
  startsAt: instant.nullable(),
  state: z.enum(paymentStates),
  institution: institutionSummary,
  askedBy: z.string().nullable(),
  askedAt: instant,
  decidedAt: instant.nullable(),
  reason: z.string().nullable(),
});
export type Payment = z.output<typeof payment>;

export const card = z.object({
  id,
  number: z.string(),
  batch: id,
  state: z.enum(cardStates),
  gigabytes: z.int(),
  analyses: z.int(),
  days: z.int(),
  sellBy: instant,
  /** Issued, but its day of sale has passed or too many wrong secrets were tried. */
  dead: z.boolean(),
  issuedAt: instant,
  institution: institutionSummary.nullable(),
  activatedAt: instant.nullable(),
  expiresAt: instant.nullable(),
  voidReason: z.string().nullable(),
  actions: z.array(z.literal("void")),
});
export type Card = z.output<typeof card>;

/** A card as it is sold: the only time that its secret is shown. */
export const issuedCard = z.object({ number: required(40), secret: required(60) });
export type IssuedCard = z.output<typeof issuedCard>;

/** The free base of an organisation, to which cards and subscriptions are added. */
export const quota = z.object({
  gigabytes: z.int().min(0).max(capacityRules.maxGigabytes),
  analyses: z.int().min(0).max(capacityRules.maxAnalyses),
});

export const capacityCalls = {
  quota: call({
    method: "GET",
    path: "/v1/capacity/quota",
    access: ["operator"],
    summary: "The free base of an organisation.",
    input: z.object({ id }),
    output: quota,
  }),
  setQuota: call({
    method: "POST",
    path: "/v1/capacity/setQuota",
    access: ["operator"],
    summary: "Changes the free base of an organisation, clinic or laboratory.",
    isIdempotent: true,
    audit: "capacity.setQuota",
    input: quota.extend({ id }),
    output: quota,
  }),
  ...usageCalls,
  plans: call({
    method: "GET",
    path: "/v1/capacity/plans",
    access: managerAccess,
    summary: "What can be subscribed to.",
    input: z.object({}),
    output: z.array(plan),
  }),
  subscriptions: call({
    method: "GET",
    path: "/v1/capacity/subscriptions",
    access: managerAccess,
    summary: "The clinic's subscriptions, newest first, and what of them waits for its payment.",
    input: z.object({}),
    output: z.object({
      /** The part that is free and has no end. */
      base: quota,
      periods: z.array(period),
      payments: z.array(payment),
    }),
  }),
  activations: call({
    method: "GET",
    path: "/v1/capacity/activations",
    access: managerAccess,
    summary: "The cards that the clinic has activated, newest first.",
    input: z.object({}),
    output: z.array(period),
  }),
  subscribe: call({
    method: "POST",
    path: "/v1/capacity/subscribe",
    access: managerAccess,
    summary:
      "Asks for a subscription; it begins when its payment is confirmed, or later on a day of the asker's choice.",
    isIdempotent: true,
    input: z.object({ plan: z.enum(planIds), startsAt: timestampInput.optional() }),
    output: payment,
  }),
  withdraw: call({
    method: "POST",
    path: "/v1/capacity/withdraw",
    access: managerAccess,
    summary: "Takes back what was asked for and has not been paid.",
    isIdempotent: true,
    input: z.object({ id }),
    output: payment,
  }),
  unsubscribe: call({
    method: "POST",
    path: "/v1/capacity/unsubscribe",
    access: managerAccess,
    summary: "Ends the renewal of a subscription; what was paid for stays until it expires.",
    isIdempotent: true,
    input: z.object({ id, version }),
    output: period,
  }),
  resubscribe: call({
    method: "POST",
    path: "/v1/capacity/resubscribe",
    access: managerAccess,
    summary: "Lets a subscription renew itself again, before it has expired.",
    isIdempotent: true,
    input: z.object({ id, version }),
    output: period,
  }),
  renewLate: call({
    method: "POST",
    path: "/v1/capacity/renewLate",
    access: managerAccess,
    summary: "Asks for a new term of a subscription that has expired; it begins when its payment is confirmed.",
    isIdempotent: true,
    input: z.object({ id, version }),
    output: payment,
  }),
  activate: call({
    method: "POST",
    path: "/v1/capacity/activate",
    access: managerAccess,
    summary: "Adds a card's capacity to the clinic, from now on for its duration.",
    isIdempotent: true,
    input: z.object({ cardNumber: required(40), secret: required(60) }),
    output: period,
  }),
  issue: call({
    method: "POST",
    path: "/v1/capacity/issue",
    access: operatorAccess,
    summary: "Issues cards. Their secrets are answered this once.",
    input: z.object({
      count: z.int().min(1).max(capacityRules.maxCardsPerIssue),
      gigabytes: z.int().min(0).max(capacityRules.maxGigabytes),
      analyses: z.int().min(0).max(capacityRules.maxAnalyses),
      days: z.int().min(1).max(capacityRules.maxDays),
      /** The last day of sale, in UTC. */
      sellBy: day,
    }),
    output: z.object({ batch: id, sellBy: instant, cards: z.array(issuedCard) }),
  }),
  print: call({
    method: "POST",
    path: "/v1/capacity/print",
    access: operatorAccess,
    summary: "Sets cards of one issue as a paper to be printed (PDF, base64), for whoever still has their secrets.",
    input: z.object({ batch: id, cards: z.array(issuedCard).min(1).max(capacityRules.maxCardsPerIssue) }),
    output: z.object({ paper: z.base64() }),
  }),
  cards: call({
    method: "GET",
    path: "/v1/capacity/cards",
    access: operatorAccess,
    summary: "All cards, newest first.",
    input: z.object({
      state: z.enum(cardStates).optional(),
      /** A part of the number, or of the name or number of the clinic that activated it. */
      search: text(60).optional(),
      batch: id.optional(),
      ...pagingParameters,
    }),
    output: pageOf(card),
  }),
  voidCard: call({
    method: "POST",
    path: "/v1/capacity/voidCard",
    access: operatorAccess,
    summary: "Ends a card that nobody has activated: unsold, lost or stolen.",
    isIdempotent: true,
    input: z.object({ id, reason: required(200) }),
    output: nullOutput,
  }),
  payments: call({
    method: "GET",
    path: "/v1/capacity/payments",
    access: operatorAccess,
    summary: "What clinics have asked for: first what waits for its payment, then the newest.",
    input: z.object({ state: z.enum(paymentStates).optional(), ...pagingParameters }),
    output: pageOf(payment),
  }),
  confirmPayment: call({
    method: "POST",
    path: "/v1/capacity/confirmPayment",
    access: operatorAccess,
    summary: "Says that a payment has come, and what was paid for begins; or that it will not come.",
    isIdempotent: true,
    input: z.object({ id, paid: z.boolean(), reason: text(200).optional() }),
    output: payment,
  }),
} as const;
