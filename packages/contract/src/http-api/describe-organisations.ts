import { exampleId } from "./example-values.ts";
import type { PropertyWords } from "./property-words.ts";

/** Organisations, their members, relationships, keys for programs, archives and audit log. */
export const organisationProperties: PropertyWords = {
  "institution:name": { says: "The organisation's name.", example: "Riverside Dental Clinic" },
  "institution:address": { says: "The postal address. Null: none.", example: "Harbour Street 12, Hamburg" },
  "institution:contactPerson": {
    says: "The person whom partners ask for. Partners see it while the two work together. Null: none.",
    example: "Mia Keller",
  },
  "institution:contactWay": {
    says: "The way to reach that person: a phone number or an e-mail address, as they are to read it. Null: none.",
    example: "+49 30 1234567",
  },
  longitude: {
    says: "Longitude of the place in degrees (WGS 84), east is positive. Null: unknown; given together with `latitude`.",
    example: 9.99,
  },
  latitude: {
    says: "Latitude of the place in degrees (WGS 84), north is positive. Null: unknown; given together with `longitude`.",
    example: 53.55,
  },
  "institution:timeZone": {
    says: "IANA name of the time zone in which the organisation's days begin. If omitted for a new organisation: the zone of its country, or UTC if the country has several.",
    example: "Europe/Berlin",
  },
  "institution:type": { says: "States whether the organisation is a clinic or a laboratory.", example: "clinic" },
  "institution.search:type": { says: "Only clinics, or only laboratories. If omitted: both.", example: "lab" },
  country: { says: "The country, as its two-letter code of ISO 3166-1.", example: "DE" },
  "institution.openAccount:email": {
    says: "The e-mail address of the first manager, to which the invitation goes. It becomes the account's address.",
    example: "mia.keller@example.com",
  },
  "institution:personName": { says: "The first manager's name.", example: "Mia Keller" },
  "institution.openAccount:language": {
    says: "Language of the email and of the account. If omitted: that of the request.",
    example: "en",
  },
  "institution.switch:iid": {
    says: "The organisation in which the session continues: one of the user's own.",
    example: exampleId,
  },
  "institution.search:text": { says: "The number of an organisation, or a part of its name.", example: "Riverside" },
  "institution:hidePatientNames": {
    says: "`true`: partners see patients' names masked (J*** S****), in orders and in files.",
    example: true,
  },
  "institution:autoAcceptRelations": {
    says: "`true`: relationships that other organisations request are established at once.",
    example: false,
  },
  "institution:sharePhones": {
    says: "`true`: partners see the phone number of the person responsible for an order; otherwise only that person's work phone and the organisation's contact.",
    example: true,
  },
  "institution:requireFactor": {
    says: "`true`: every member needs a second step at sign-in. The manager who switches it on must have one.",
    example: false,
  },
  "institution:receiptDays": {
    says: "Days after the dispatch after which an order counts as received if nobody confirms it. Null: never.",
    example: 30,
  },
  "institution:retentionYears": {
    says: "Years after the last visit for which patient records are kept. Null: as the country's law has it.",
    example: 10,
  },
  "institution.setLogo:place": {
    says: "The place of the logo in reports: on the cover or on the pages inside.",
    example: "cover",
  },
  "institution.setLogo:image": {
    says: "PNG or JPEG as base64, at most 2 MB, best 102 x 34 pixels or a multiple. Null removes the logo.",
    example: "iVBORw0KGgo=",
  },
  "institution.mine:status": {
    says: "Only memberships, invitations and applications of this status: 0 application not reviewed, 1 invitation waits, 2 member, 3 rejected, 4 removed, 5 left, 6 accepted, 7 cancelled, 8 expired. If omitted: all.",
    example: 2,
  },
  "institution.hideFirstSteps:hidden": {
    says: "`true` dismisses the list of first steps for the whole organisation, `false` shows it again.",
    example: true,
  },
  "leaving.import:name": { says: "The archive's file name.", example: "riverside-2026-11-29.zip" },
  "leaving.import:bytes": { says: "The archive's size in bytes.", example: 734003200 },
  "leaving.arrivalStep:step": {
    says: "`check` reads an archive that has arrived completely, `import` takes in one that was checked, `cancel` gives one up.",
    example: "check",
  },
  "interface.makeKey:name": { says: "The name of the program that uses the key.", example: "Practice software" },
  "interface:scopes": {
    says: "The rights of the key. `launch` opens this product as a member; `members.provision` is for SCIM; a laboratory has no scopes for patients, for writing studies and for DICOMweb.",
    example: ["orders.read", "orders.write"],
  },
  "interface.makeKey:days": { says: "Days for which the key is valid. 0: until it is revoked.", example: 365 },
  "interface:name": { says: "The name by which people tell the endpoints apart.", example: "Order board" },
  "interface:url": {
    says: "The address to which events are sent by POST: https, or http to a network address that the operator has allowed; without a user name, password or fragment.",
    example: "https://hooks.example.com/arcada",
  },
  "interface:events": { says: "The events that the endpoint gets.", example: ["order.moved", "study.arrived"] },
  "interface.setWebhook:on": {
    says: "`false` stops deliveries; `true` starts them again, also after Arcada has stopped a failing endpoint.",
    example: true,
  },
  "leaving.exportJob:id": { says: "The export.", example: exampleId },
  "leaving.cancelExport:id": { says: "The export to stop.", example: exampleId },
  "leaving:id": { says: "The import of an archive: one of `leaving.arrivals`.", example: exampleId },
  "interface.rotateKey:id": { says: "The key: one of `interface.keys`.", example: exampleId },
  "interface.revokeKey:id": { says: "The key to end: one of `interface.keys`.", example: exampleId },
  "interface:id": { says: "The endpoint: one of `interface.webhooks`.", example: exampleId },
  "interface.redeliver:id": {
    says: "The delivery to send once more: one of `interface.deliveries`.",
    example: exampleId,
  },
  "scim:id": { says: "The group of the identity provider.", example: exampleId },
  "scim:authorityId": {
    says: "The role that the group's members get in the organisation: 222 clinic manager, 233 dentist, 234 clinic assistant, 666 laboratory manager, 667 technician. Null: none.",
    example: 233,
  },
  "trail.looks:id": { says: "The patient whose record was opened.", example: exampleId },
  "trail:user": { says: "Only what this user did: one of `trail.people`.", example: exampleId },
  "trail:group": {
    says: "Only actions on this kind of thing: the part of their name before the point.",
    example: "order",
  },
  "trail:patient": { says: "Only what concerns this patient.", example: exampleId },
  "member.list:part": {
    says: "The part of the list: members, open invitations, open applications, or what has ended. Managers alone see more than the members.",
    example: "members",
  },
  "member.allowLaunch:on": {
    says: "`true`: programs with a key of scope `launch` may open this product as the caller, in the session's organisation.",
    example: true,
  },
  "member.invite:email": { says: "The e-mail address to which the invitation goes.", example: "jon.park@example.com" },
  "member:authorityId": {
    says: "The role, by its number: 222 clinic manager, 233 dentist, 234 clinic assistant, 666 laboratory manager, 667 technician. It must fit the type of the organisation.",
    example: 233,
  },
  "member.update:authorityId": {
    says: "The role, by its number: 222 clinic manager, 233 dentist, 234 clinic assistant, 666 laboratory manager, 667 technician. Required for `agree` and `changeRole`, allowed for `return`.",
    example: 233,
  },
  "member.invite:name": { says: "The person's name, as the invitation addresses them.", example: "Jon Park" },
  "member.apply:number": {
    says: "The organisation's number of eight digits. Either this or `iid` is required.",
    example: "20481632",
  },
  "member.apply:iid": { says: "The organisation. Either this or `number` is required.", example: exampleId },
  "member.apply:remark": {
    says: "Words to the managers who decide on the application.",
    example: "I start on Monday.",
  },
  "member:id": {
    says: "The membership, invitation or application: one of `member.list` or `member.mine`.",
    example: exampleId,
  },
  "member.update:action": {
    says: "The action: one of the record's `actions`. `invite` and `apply` have calls of their own; `lapse` and `enter` are the system's.",
    example: "agree",
  },
  "member.update:version": {
    says: "The record's `version` as the caller read it last. If the record has changed since, the call is refused. If omitted: the record as it is now.",
    example: 3,
  },
  "member.update:code": {
    says: "The code from the invitation email. If given, it must be the newest that was sent.",
    example: "Vq3nB7xLw0dT9kRfYs2a",
  },
  "member:colleagueId": {
    says: "For `kickOut` and `exit`: the user who takes over the member's open work. If omitted: the manager who removes the member, or for `exit` the first other member.",
    example: exampleId,
  },
  "member:licence": {
    says: "The dentist's licence number, printed where they sign. Null removes it.",
    example: "ZA-48-20731",
  },
  "member.open:code": { says: "The code from the invitation email.", example: "Vq3nB7xLw0dT9kRfYs2a" },
  "relation.list:state": { says: "Only relationships in this state. If omitted: all.", example: "established" },
  "relation:iid": { says: "The other organisation.", example: exampleId },
  "relation.step:iid": {
    says: "The organisation to ask for a relationship. Required for `request`, left out for every other action.",
    example: exampleId,
  },
  "relation.setTerms:id": { says: "The relationship: one of `relation.list`.", example: exampleId },
  "relation.step:id": { says: "The relationship to move. Left out for `request`.", example: exampleId },
  "relation.step:action": {
    says: "The action: `request`, or one of the relationship's `actions`. `autoAccept` and `settle` are the system's.",
    example: "accept",
  },
  "relation.step:version": {
    says: "The relationship's `version` as the caller read it last. If it has changed since, the call is refused. If omitted: the relationship as it is now.",
    example: 2,
  },
  "relation.step:reason": {
    says: "Words to the other side, for `reject` and `exit`. Other actions ignore them.",
    example: "We work with another laboratory now.",
  },
  "relation.setTerms:mayForward": {
    says: "`true`: the other side may forward the organisation's orders to another laboratory. A single order may say otherwise.",
    example: false,
  },
  "relation.invite:email": {
    says: "The e-mail address to which the invitation goes. The request waits until the person has an organisation here.",
    example: "lab@example.com",
  },
  "relation.invite:name": {
    says: "The person's or laboratory's name, as the email addresses them.",
    example: "Jon Park",
  },
  "relation.withdraw:id": { says: "The invitation to take back: one of `relation.invitations`.", example: exampleId },
  "institution.update:launchCreatesPatients": {
    says: "`true`: a patient whom a practice program asks to open and who is absent may be created after one confirmation.",
    example: true,
  },
};
