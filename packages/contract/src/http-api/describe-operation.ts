import { exampleId } from "./example-values.ts";
import type { PropertyWords } from "./property-words.ts";

/** Notices, figures, capacity, and the operator's calls. */
export const operationProperties: PropertyWords = {
  "notice:categoryID": { says: "The category: 0 other, 1 orders, 2 members, 3 relationships.", example: 1 },
  "notice.watch:id": { says: "The notice. If omitted: all of the category.", example: exampleId },
  "notice.switchConfig:kind": { says: "The kind of notice.", example: "orderArrived" },
  "notice:channel": { says: "The channel of the notice: on the site, or by e-mail.", example: "email" },
  "notice.switchConfig:on": { says: "`true` switches the kind on in this channel, `false` off.", example: true },
  "notice.groups:which": { says: "`todo`: only groups in which something is to be done.", example: "todo" },
  "notice:topic": {
    says: "The group: its `topic`. If omitted: all groups are marked as read.",
    example: `order:${exampleId}`,
  },
  "notice:preset": {
    says: "`everything`; `waits`: what waits for the reader is counted, the rest stands in the list; `mine`: cases for which the reader is responsible; `quiet`: safety and account only.",
    example: "waits",
  },
  "notice:mail": { says: "Emails about notices: each at once, once a day together, or none.", example: "daily" },
  "dashboard:from": {
    says: "First day of the period (YYYY-MM-DD), in the organisation's time zone.",
    example: "2026-09-01",
  },
  "dashboard:to": {
    says: "Last day of the period (YYYY-MM-DD), included, in the organisation's time zone; at most 366 days in all.",
    example: "2026-11-29",
  },
  "capacity.quota:id": { says: "The organisation.", example: exampleId },
  "capacity.setQuota:id": { says: "The organisation.", example: exampleId },
  "capacity:gigabytes": { says: "Storage in GB.", example: 50 },
  "capacity:analyses": { says: "Number of analyses by engines.", example: 100 },
  "capacity.storage:iid": {
    says: "The organisation. If omitted: the session's. Any other one is refused.",
    example: exampleId,
  },
  "capacity.subscribe:plan": { says: "The plan: one of `capacity.plans`.", example: "small-month" },
  "capacity:startsAt": {
    says: "The beginning of the subscription (ISO 8601 with time zone), at most 90 days ahead. If omitted: when its payment is confirmed.",
    example: "2026-12-15T00:00:00+01:00",
  },
  "capacity.withdraw:id": {
    says: "The request: one of the `payments` of `capacity.subscriptions`.",
    example: exampleId,
  },
  "capacity.unsubscribe:id": {
    says: "The subscription: one of the `periods` of `capacity.subscriptions`.",
    example: exampleId,
  },
  "capacity.resubscribe:id": {
    says: "The subscription: one of the `periods` of `capacity.subscriptions`.",
    example: exampleId,
  },
  "capacity.renewLate:id": {
    says: "The subscription: one of the `periods` of `capacity.subscriptions`.",
    example: exampleId,
  },
  "capacity.voidCard:id": { says: "The card.", example: exampleId },
  "capacity.confirmPayment:id": { says: "The request that is paid, or is not.", example: exampleId },
  "capacity:cardNumber": { says: "The number that is printed on the card.", example: "4048 2210 7731" },
  "capacity:secret": { says: "The secret that is printed on the card.", example: "7KQM-4D2P-XW9R-3HTB" },
  "capacity:count": { says: "The number of cards.", example: 100 },
  "capacity.issue:days": { says: "Days for which an activated card counts.", example: 365 },
  "capacity:sellBy": {
    says: "The last day on which a card can be sold and activated (YYYY-MM-DD), in UTC.",
    example: "2027-12-31",
  },
  "capacity:batch": { says: "The issue of cards.", example: exampleId },
  "capacity.cards:batch": { says: "Only cards of this issue.", example: exampleId },
  "capacity:cards": { says: "The cards to print, with the secrets that `capacity.issue` answered." },
  "capacity:cards.number": { says: "The card's number.", example: "4048 2210 7731" },
  "capacity.cards:state": { says: "Only cards in this state.", example: "issued" },
  "capacity.voidCard:reason": { says: "The reason why the card ends.", example: "Lost in the post" },
  "capacity.payments:state": { says: "Only requests in this state.", example: "waiting" },
  "capacity:paid": { says: "`true`: the payment has come; `false`: it will not come.", example: true },
  "capacity.confirmPayment:reason": {
    says: "The reason, for example if the request is declined. It is stored with the decision.",
    example: "No payment in 30 days",
  },
  "operator:queue": { says: "The queue of the failed job, as `operator.failedJobs` names it.", example: "ingest" },
  "operator.failedJobs:queue": { says: "Only jobs of this queue. If omitted: all.", example: "ingest" },
  "operator.retryJob:id": { says: "The failed job.", example: exampleId },
  "operator.removeJob:id": { says: "The failed job.", example: exampleId },
  "operator.setPublicUrl:url": {
    says: "The address at which people open this installation: scheme, host and port, without a path. It must be https unless the host is in a private network.",
    example: "https://arcada.example.com",
  },
  "operator:from": { says: "First day of the period (YYYY-MM-DD).", example: "2026-11-01" },
  "operator:to": { says: "Last day of the period (YYYY-MM-DD), included.", example: "2026-11-29" },
  "operator.organisations:type": { says: "Only clinics, or only laboratories.", example: "clinic" },
  "operator.organisations:country": {
    says: "Only organisations of this country (ISO 3166-1, two letters).",
    example: "DE",
  },
  "operator.organisation:id": { says: "The organisation.", example: exampleId },
  "operator.appoint:account": {
    says: "The phone number or the e-mail address of the person's account.",
    example: "jon.park@example.com",
  },
  "operator:role": { says: "The role in after-sales: manager or staff.", example: "afterSalesMember" },
  "operator.changeStaff:id": {
    says: "The person's place in after-sales: one of `operator.staff`.",
    example: exampleId,
  },
  "operator.dismiss:id": { says: "The person's place in after-sales: one of `operator.staff`.", example: exampleId },
  "operator.audit:organisation": {
    says: "Only lines of this organisation; `none`: of no organisation.",
    example: exampleId,
  },
  "operator.audit:person": { says: "Only what this user did.", example: exampleId },
  "operator.audit:action": { says: "A whole action, or the part before its point.", example: "order.step" },
  "operator.audit:subject": { says: "Only what concerns the record with this identifier.", example: exampleId },
  "operator.audit:timeZone": {
    says: "IANA name of the zone in which the days begin. It goes before `zone`.",
    example: "Europe/Berlin",
  },
  "operator.audit:zone": {
    says: "The zone in minutes east of UTC, without daylight-saving time.",
    example: 60,
  },
};
